//! Warns of conditions that a browser could meet, and that probably say something else than is meant.

use super::pattern_text::{of_part_with_wildcards, of_wildcards, unmet_pattern};
use super::reader::{At, Reader};
use crate::{Condition, ConditionKind, MatchKind};

/// A finding: the message, and what to write instead.
struct Mistake {
    message: &'static str,
    hint: String,
}

/// Comes after `never_holds.rs`, which knows what no browser can meet.
pub(super) fn warn_if_mistaken(reader: &mut Reader<'_>, at: &At<'_>, condition: &Condition) {
    if reader.is_idle {
        return;
    }
    let (field, found) = match mistaken_name(condition) {
        Some(found) => ("name", Some(found)),
        None => ("value", mistaken_value(condition)),
    };
    let Some(Mistake { message, hint }) = found else { return };
    let at = at.field_or_self(field);
    reader.report(&at, at.warning("likely_mistake", message).hint(hint));
}

fn mistaken_name(condition: &Condition) -> Option<Mistake> {
    let name = condition.name.as_deref()?.strip_prefix('?')?;
    (condition.kind == ConditionKind::Query).then(|| Mistake {
        message: "the name of a parameter begins after the `?` of the address",
        hint: format!("write `{name}`"),
    })
}

fn mistaken_value(condition: &Condition) -> Option<Mistake> {
    let value = condition.value.as_ref()?.as_str()?;
    match condition.kind {
        ConditionKind::Url | ConditionKind::Referrer => mistaken_address(condition, value),
        ConditionKind::Location => mistaken_country(value.split('|').next()?.trim()),
        ConditionKind::Platform => (value == "windows_11").then(|| Mistake {
            message: "no browser reports Windows 11: it says that it is 10",
            hint: "write `windows_10` for both".to_owned(),
        }),
        ConditionKind::Query
        | ConditionKind::Campaign
        | ConditionKind::Cookies
        | ConditionKind::CustomAttribute
        | ConditionKind::SourceType
        | ConditionKind::Device
        | ConditionKind::DeviceType
        | ConditionKind::TimeAndDay
        | ConditionKind::BrowserVersion
        | ConditionKind::Language
        | ConditionKind::FirstSession
        | ConditionKind::Behavior
        | ConditionKind::CustomCode
        | ConditionKind::Audience(_) => None,
    }
}

fn mistaken_address(condition: &Condition, value: &str) -> Option<Mistake> {
    match condition.match_kind? {
        MatchKind::Regex => {
            let (message, hint) = unmet_pattern(value)?;
            Some(Mistake { message, hint })
        }
        MatchKind::Simple | MatchKind::Exact => with_asterisk(value, of_wildcards),
        MatchKind::Substring => with_asterisk(value, of_part_with_wildcards),
        MatchKind::Exists | MatchKind::Range => None,
    }
}

/// Addresses may have an asterisk in the query alone.
fn with_asterisk(value: &str, pattern: fn(&str) -> String) -> Option<Mistake> {
    value.split('?').next()?.contains('*').then(|| Mistake {
        message: "`*` stands for itself here, and for nothing else",
        hint: format!("write `match: regex` with the value `{}`", pattern(value)),
    })
}

/// Pages may name countries as they like, but hardly so.
fn mistaken_country(country: &str) -> Option<Mistake> {
    // Some services name countries by three letters, and others have codes such as `T1` for networks.
    let is_upper = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
    let is_code = country.len() <= 3 && country.bytes().all(is_upper);
    if country == "UK" {
        return Some(Mistake {
            message: "the country's code in ISO 3166 is `GB`",
            hint: "write `GB`, unless the page itself pushes `UK`".to_owned(),
        });
    }
    (!is_code).then(|| Mistake {
        message: "a country is compared with what the page pushes, which is usually its code in ISO 3166",
        hint: match country.len() {
            2 => format!("write `{}`, unless the page itself pushes this", country.to_uppercase()),
            _ => "write two letters such as `DE`, unless the page itself pushes this".to_owned(),
        },
    })
}
