//! Which conditions make sense: the names and matches that each kind takes, and values with which
//! one can never hold.

use serde_json::Value;

use super::names::reference;
use super::nearest::list;
use super::reader::{At, Decoded, Reader};
use crate::{Condition, ConditionKind, MatchKind};

const ADDRESS_MATCHES: &[MatchKind] =
    &[MatchKind::Simple, MatchKind::Exact, MatchKind::Substring, MatchKind::Regex];
const VALUE_MATCHES: &[MatchKind] = &[
    MatchKind::Exact,
    MatchKind::Substring,
    MatchKind::Regex,
    MatchKind::Exists,
    MatchKind::Range,
];

/// The ways in which a kind of condition can compare; none where it compares in one way only.
fn matches_of(kind: ConditionKind) -> &'static [MatchKind] {
    match kind {
        ConditionKind::Url | ConditionKind::Referrer => ADDRESS_MATCHES,
        ConditionKind::Query
        | ConditionKind::Cookies
        | ConditionKind::CustomAttribute
        | ConditionKind::Campaign
        | ConditionKind::SourceType => VALUE_MATCHES,
        ConditionKind::Device
        | ConditionKind::DeviceType
        | ConditionKind::BrowserVersion
        | ConditionKind::Platform
        | ConditionKind::Language
        | ConditionKind::TimeAndDay
        | ConditionKind::FirstSession
        | ConditionKind::Location
        | ConditionKind::Behavior
        | ConditionKind::CustomCode
        | ConditionKind::Audience(_) => &[],
    }
}

/// A condition has a name exactly if its kind asks about one of many things, and an attribute's
/// name is known.
pub(super) fn check_name(
    reader: &mut Reader<'_>,
    at: &At<'_>,
    condition: &Condition,
) -> Decoded<()> {
    let kind = condition.kind.word();
    let takes_name = matches!(
        condition.kind,
        ConditionKind::Query | ConditionKind::Cookies | ConditionKind::CustomAttribute
    );
    match (at.field("name"), takes_name) {
        (Some(at), false) => {
            let fault =
                at.error("superfluous_name", format!("a `{kind}` condition takes no `name`"));
            reader.refuse(&at, fault)
        }
        (None, true) => {
            let fault = at.error("missing_field", format!("a `{kind}` condition needs a `name`"));
            reader.refuse(at, fault)
        }
        (Some(at), true) if condition.kind == ConditionKind::CustomAttribute => {
            reference(reader, &at, "attribute", |reader| &reader.attributes).map(|_| ())
        }
        _ => Ok(()),
    }
}

/// A condition compares only in the ways that its kind knows.
pub(super) fn check_match(
    reader: &mut Reader<'_>,
    at: &At<'_>,
    condition: &Condition,
) -> Decoded<()> {
    let known = matches_of(condition.kind);
    let Some(given) = condition.match_kind.filter(|given| !known.contains(given)) else {
        return Ok(());
    };
    let at = at.field_or_self("match");
    let message = format!("a `{}` condition cannot match by `{given}`", condition.kind.word());
    let expected = match known {
        [] => "no `match`".to_owned(),
        known => format!("one of {}", list(known.iter().map(|known| known.word()))),
    };
    reader.refuse(&at, at.error("unsuitable_match", message).expected(expected))
}

/// Warns of a condition that no visitor can meet. It is no error, because imported projects have
/// such conditions.
pub(super) fn warn_if_it_never_holds(reader: &mut Reader<'_>, at: &At<'_>, condition: &Condition) {
    let Some(expected) = unmet(condition) else { return };
    let at = at.field_or_self("value");
    reader.report(&at, at.warning("never_holds", "this condition never holds").expected(expected));
}

/// What the value would have to be, if the condition cannot hold as it is.
fn unmet(condition: &Condition) -> Option<&'static str> {
    let value = match &condition.value {
        Some(Value::String(text)) => Some(text.as_str()),
        Some(_) => return Some("a text as its `value`"),
        None => None,
    };
    let is_one_of = |words: &[&str]| value.is_some_and(|value| words.contains(&value));
    let (holds, expected) = match condition.kind {
        ConditionKind::Url => {
            (value.is_some() && condition.match_kind.is_some(), "a `match` and a `value`")
        }
        ConditionKind::Device => {
            (is_one_of(DEVICES), "`desktop`, `mobile`, `tablet`, `iphone` or `ipad`")
        }
        ConditionKind::DeviceType => {
            (is_one_of(DEVICE_TYPES), "`phone`, `tablet`, `desktop_laptop` or `other`")
        }
        ConditionKind::TimeAndDay => {
            (value.is_some_and(is_time_and_day), "a time such as `09:00_17:00_monday,tuesday`")
        }
        ConditionKind::BrowserVersion => (
            value.is_some_and(is_browser_version),
            "`gc`, `ff`, `safari`, `ie`, `edge`, `opera`, `ucbrowser` or `unknown`, with a version such as `gc120` or without",
        ),
        ConditionKind::Platform => (
            value.is_some_and(is_platform),
            "`ios`, `android`, `mac os`, `windows`, `windows phone`, `linux`, `chrome os`, `blackberry`, `tizen` or `webos`, with a version such as `ios_17` or without",
        ),
        ConditionKind::Location => (
            value.is_some_and(is_location),
            "a place such as `US`, `US|CA`, `US|CA|SANFRANCISCO`, `|||EU` or `||||807`",
        ),
        ConditionKind::Referrer | ConditionKind::Language => (value.is_some(), "a `value`"),
        ConditionKind::Query
        | ConditionKind::Cookies
        | ConditionKind::CustomAttribute
        | ConditionKind::Campaign
        | ConditionKind::SourceType => return unmet_comparison(condition.match_kind, value),
        ConditionKind::FirstSession
        | ConditionKind::Behavior
        | ConditionKind::CustomCode
        | ConditionKind::Audience(_) => (true, ""),
    };
    (!holds).then_some(expected)
}

fn unmet_comparison(match_kind: Option<MatchKind>, value: Option<&str>) -> Option<&'static str> {
    match match_kind {
        Some(MatchKind::Exact | MatchKind::Substring | MatchKind::Regex | MatchKind::Simple)
            if value.is_none() =>
        {
            Some("a `value`")
        }
        Some(MatchKind::Range) if !value.is_some_and(is_range) => {
            Some("two numbers such as `1:10`")
        }
        _ => None,
    }
}

const DEVICES: &[&str] = &["desktop", "mobile", "tablet", "iphone", "ipad"];
const DEVICE_TYPES: &[&str] = &["phone", "tablet", "desktop_laptop", "other"];
const DAYS: &[&str] =
    &["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

const BROWSERS: &[&str] = &["gc", "ff", "safari", "ie", "edge", "opera", "ucbrowser", "unknown"];
const PLATFORMS: &[&str] = &[
    "ios",
    "android",
    "mac os",
    "windows",
    "windows phone",
    "linux",
    "chrome os",
    "blackberry",
    "tizen",
    "webos",
];

fn is_browser_version(value: &str) -> bool {
    let is_version = |end: char| end.is_ascii_digit() || end == '.';
    BROWSERS.contains(&value.trim_end_matches(is_version))
}

fn is_platform(value: &str) -> bool {
    PLATFORMS.contains(&value.split_once('_').map_or(value, |(name, _)| name))
}

/// Cities are compared as the page's location is written: in upper case, without spaces.
fn is_location(value: &str) -> bool {
    let parts: Vec<&str> = value.split('|').map(str::trim).collect();
    match parts.as_slice() {
        [country] | [country, _] => !country.is_empty(),
        [country, _, city] => {
            let is_written_otherwise = |letter: char| letter.is_lowercase() || letter == ' ';
            !country.is_empty() && !city.contains(is_written_otherwise)
        }
        [_, _, _, code] | [_, _, _, _, code] => !code.is_empty(),
        _ => false,
    }
}

fn is_range(value: &str) -> bool {
    let is_number = |text: &str| text.trim().parse::<f64>().is_ok();
    value.split_once(':').is_some_and(|(low, high)| is_number(low) && is_number(high))
}

fn is_time_and_day(value: &str) -> bool {
    let parts: Vec<&str> = value.split('_').collect();
    let [start, end, days] = parts.as_slice() else { return false };
    is_time(start) && is_time(end) && days.split(',').all(|day| DAYS.contains(&day))
}

fn is_time(text: &str) -> bool {
    let below = |text: &str, end: u32| text.parse().is_ok_and(|number: u32| number < end);
    // The day may end at 24:00.
    text.split_once(':').is_some_and(|(hour, minute)| below(hour, 25) && below(minute, 60))
}
