//! How a condition compares a text about the visitor: case-sensitively, and never true for a missing value.

use std::fmt;

use domain::{MatchKind, js_number, number_range};
use serde_json::Value;

use crate::effort::{Effort, Room};
use crate::pattern::Pattern;

/// A comparison, prepared for many visits.
#[derive(Debug, Clone)]
pub(crate) enum ValueMatcher {
    Exists,
    Exact(String),
    Substring(String),
    Regex(String, Pattern),
    /// Both ends are included.
    Range(f64, f64),
    /// Something that is never so: a match or a value that is of no use.
    Never,
}

impl ValueMatcher {
    /// Without a match it is `exact` if there is a value, else `exists`.
    pub(crate) fn new(match_kind: Option<MatchKind>, value: Option<&Value>, room: &Room) -> Self {
        let Some(Value::String(value)) = value else {
            let is_absent = value.is_none_or(Value::is_null);
            return match match_kind {
                Some(MatchKind::Exists) => Self::Exists,
                None if is_absent => Self::Exists,
                Some(_) | None => Self::Never,
            };
        };
        match match_kind.unwrap_or(MatchKind::Exact) {
            MatchKind::Exists => Self::Exists,
            MatchKind::Exact => Self::Exact(value.clone()),
            MatchKind::Substring => Self::Substring(value.clone()),
            MatchKind::Regex => Pattern::checked(value, room)
                .map_or(Self::Never, |pattern| Self::Regex(value.clone(), pattern)),
            MatchKind::Range => {
                number_range(value).map_or(Self::Never, |(from, to)| Self::Range(from, to))
            }
            MatchKind::Simple => Self::Never,
        }
    }

    pub(crate) fn holds(&self, actual: Option<&str>, effort: &Effort) -> bool {
        let Some(actual) = actual else { return false };
        match self {
            Self::Exists => true,
            Self::Exact(value) => actual == value,
            Self::Substring(value) => actual.contains(value.as_str()),
            Self::Regex(_, pattern) => pattern.is_in(actual, effort),
            Self::Range(from, to) => {
                let number = js_number(actual);
                !actual.is_empty() && *from <= number && number <= *to
            }
            Self::Never => false,
        }
    }
}

/// The end of a sentence about the compared value.
impl fmt::Display for ValueMatcher {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exists => write!(formatter, "is there"),
            Self::Exact(value) => write!(formatter, "is `{value}`"),
            Self::Substring(value) => write!(formatter, "contains `{value}`"),
            Self::Regex(value, _) => write!(formatter, "matches `{value}`"),
            Self::Range(from, to) => write!(formatter, "is between {from} and {to}"),
            Self::Never => write!(formatter, "is compared in a way that never holds"),
        }
    }
}
