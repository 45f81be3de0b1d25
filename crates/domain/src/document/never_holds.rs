//! Warns of conditions that no visitor can meet with any browser. `address_text.rs` says how addresses are written.

use serde_json::Value;

use super::address_text::{
    has_host, is_of_address, is_of_query, is_pattern_of_address, is_pattern_of_query,
};
use super::reader::{At, Reader};
use super::version_text::{is_browser_version, is_platform};
use crate::{Condition, ConditionKind, MatchKind, TimeSpan, number_range};

/// It is not an error, because projects imported from Optimizely have such conditions.
/// Returns whether it does.
pub(super) fn warn_if_it_never_holds(
    reader: &mut Reader<'_>,
    at: &At<'_>,
    condition: &Condition,
) -> bool {
    let (field, expected) = match (unmet_name(condition), unmet_value(condition)) {
        (Some(expected), _) => ("name", expected),
        (None, Some(expected)) => ("value", expected),
        (None, None) => return false,
    };
    let at = at.field_or_self(field);
    reader.report(&at, at.warning("never_holds", "this condition never holds").expected(expected));
    true
}

/// Whether no visitor can meet it.
pub(super) fn never_holds(condition: &Condition) -> bool {
    unmet_name(condition).is_some() || unmet_value(condition).is_some()
}

/// The form that the name needs, if no visitor can ever match it.
fn unmet_name(condition: &Condition) -> Option<&'static str> {
    let name = condition.name.as_deref()?;
    if condition.kind == ConditionKind::Query && (!is_of_query(name) || name.contains('=')) {
        return Some(AS_IN_QUERY);
    }
    let is_no_cookie = name.contains(['=', ';']) || name.trim() != name;
    (condition.kind == ConditionKind::Cookies && is_no_cookie)
        .then_some("a name that a cookie can have, without `=`, `;` and space around it")
}

const AS_IN_ADDRESS: &str = "an address as browsers write it: `caf%C3%A9` for `café`, `%20` for a space, `xn--mnchen-3ya.example` for `münchen.example`";
const WITH_HOST: &str = "an address with its host, such as `https://shop.example/cart`; `match: substring` takes a part such as `/cart`";
const AS_IN_QUERY: &str =
    "what can stand in a query: `caf%C3%A9` for `café`, `%20` or `+` for a space, `%26` for `&`";

/// The form that the value needs, if the condition can never hold.
fn unmet_value(condition: &Condition) -> Option<&'static str> {
    let value = match &condition.value {
        Some(Value::String(text)) => Some(text.as_str()),
        Some(_) if ignores_value(condition) => None,
        // A country may be a number: `840`.
        Some(Value::Number(_)) if condition.kind == ConditionKind::Location => return None,
        Some(_) => return Some("a text as its `value`"),
        None => None,
    };
    let is = |holds: fn(&str) -> bool, expected| (!value.is_some_and(holds)).then_some(expected);
    match condition.kind {
        ConditionKind::Url | ConditionKind::Referrer => unmet_address(condition.match_kind, value),
        ConditionKind::Query | ConditionKind::Campaign => {
            let match_kind = condition.match_kind;
            unmet_comparison(match_kind, value).or_else(|| unmet_query(match_kind, value?))
        }
        ConditionKind::Cookies | ConditionKind::CustomAttribute => {
            unmet_comparison(condition.match_kind, value)
        }
        ConditionKind::SourceType => unmet_source_type(condition.match_kind, value),
        ConditionKind::Device => is(
            |value| DEVICES.contains(&value),
            "`desktop`, `mobile`, `tablet`, `iphone` or `ipad`",
        ),
        ConditionKind::DeviceType => is(
            |value| DEVICE_TYPES.contains(&value),
            "`phone`, `tablet`, `desktop_laptop` or `other`",
        ),
        ConditionKind::TimeAndDay => unmet_time(value),
        ConditionKind::BrowserVersion => is(
            is_browser_version,
            "`gc`, `ff`, `safari`, `ie`, `edge`, `opera`, `ucbrowser` or `unknown`, with a version such as `gc120` or without",
        ),
        ConditionKind::Platform => is(
            is_platform,
            "`ios`, `android`, `mac os`, `windows`, `windows phone`, `linux`, `chrome os`, `blackberry`, `tizen` or `webos`, with a version such as `ios_17` or without",
        ),
        ConditionKind::Location => is(
            is_location,
            "a place such as `US`, `US|CA`, `US|CA|SANFRANCISCO`, `|||EU` or `||||807`",
        ),
        ConditionKind::Language => is(is_language, "a language such as `en` or `en-us`"),
        ConditionKind::FirstSession
        | ConditionKind::Behavior
        | ConditionKind::CustomCode
        | ConditionKind::Audience(_) => None,
    }
}

/// Whether it only asks that a value exists.
fn ignores_value(condition: &Condition) -> bool {
    condition.match_kind == Some(MatchKind::Exists) || condition.kind == ConditionKind::FirstSession
}

fn unmet_address(match_kind: Option<MatchKind>, value: Option<&str>) -> Option<&'static str> {
    let (Some(match_kind), Some(value)) = (match_kind, value) else {
        return Some("a `match` and a `value`");
    };
    if matches!(match_kind, MatchKind::Simple | MatchKind::Exact) && !has_host(value) {
        return Some(WITH_HOST);
    }
    let is_written_so = match match_kind {
        MatchKind::Simple => is_of_address(value.split(['?', '#']).next().unwrap_or_default()),
        MatchKind::Exact | MatchKind::Substring => is_of_address(value),
        MatchKind::Regex => is_pattern_of_address(value),
        MatchKind::Exists | MatchKind::Range => true,
    };
    (!is_written_so).then_some(AS_IN_ADDRESS)
}

fn unmet_comparison(match_kind: Option<MatchKind>, value: Option<&str>) -> Option<&'static str> {
    match match_kind {
        Some(MatchKind::Exact | MatchKind::Substring | MatchKind::Regex | MatchKind::Simple)
            if value.is_none() =>
        {
            Some("a `value`")
        }
        Some(MatchKind::Range) => {
            let range = value.and_then(number_range);
            (!range.is_some_and(|(low, high)| low <= high))
                .then_some("two numbers such as `1:10`, the lower one first")
        }
        _ => None,
    }
}

/// The runtime compares a query as the address encodes it.
fn unmet_query(match_kind: Option<MatchKind>, value: &str) -> Option<&'static str> {
    let is_written_so = match match_kind {
        Some(MatchKind::Exact | MatchKind::Substring) | None => is_of_query(value),
        Some(MatchKind::Regex) => is_pattern_of_query(value),
        Some(MatchKind::Simple | MatchKind::Exists | MatchKind::Range) => true,
    };
    (!is_written_so).then_some(AS_IN_QUERY)
}

/// A regular expression may match any of the words.
fn unmet_source_type(match_kind: Option<MatchKind>, value: Option<&str>) -> Option<&'static str> {
    let can_hold = match (match_kind, value) {
        (Some(MatchKind::Exists), _) | (None, None) | (Some(MatchKind::Regex), Some(_)) => true,
        (Some(MatchKind::Exact) | None, Some(value)) => SOURCE_TYPES.contains(&value),
        (Some(MatchKind::Substring), Some(value)) => {
            SOURCE_TYPES.iter().any(|source| source.contains(value))
        }
        (Some(_), _) => false,
    };
    (!can_hold).then_some("`campaign`, `search`, `referral` or `direct`")
}

fn unmet_time(value: Option<&str>) -> Option<&'static str> {
    match value.and_then(TimeSpan::read) {
        None => Some("a time such as `09:00_17:00_monday,tuesday`"),
        Some(span) if span.has_minutes() => None,
        Some(_) => Some("a time that ends on its day: two conditions for one over midnight"),
    }
}

const SOURCE_TYPES: &[&str] = &["campaign", "search", "referral", "direct"];
const DEVICES: &[&str] = &["desktop", "mobile", "tablet", "iphone", "ipad"];
const DEVICE_TYPES: &[&str] = &["phone", "tablet", "desktop_laptop", "other"];

/// A language, and maybe a script or region, as browsers name them.
fn is_language(value: &str) -> bool {
    let is_part = |part: &str| {
        (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    value.split('-').all(is_part)
        && value.split('-').next().is_some_and(|first| (2..=3).contains(&first.len()))
}

/// Cities match the form of the visitor's location: upper case, without spaces.
fn is_location(value: &str) -> bool {
    let parts: Vec<&str> = value.split('|').map(str::trim).collect();
    match parts.as_slice() {
        [country] | [country, _] => !country.is_empty(),
        [country, _, city] => {
            let is_written_otherwise =
                |character: char| character.is_lowercase() || character == ' ';
            !country.is_empty() && !city.contains(is_written_otherwise)
        }
        [_, _, _, code] | [_, _, _, _, code] => !code.is_empty(),
        _ => false,
    }
}
