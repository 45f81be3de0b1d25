//! What was found out about one thing.

use std::fmt;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Fine,
    /// It works, but not as well as it could, or not for long.
    Warning,
    /// It does not work.
    Fault,
}

impl State {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Fine => "ok",
            Self::Warning => "warning",
            Self::Fault => "error",
        }
    }
}

#[derive(Debug, Clone)]
pub(super) struct Finding {
    pub(super) state: State,
    /// What was looked at.
    pub(super) about: &'static str,
    pub(super) told: String,
    /// What to do about it.
    pub(super) cure: Option<String>,
}

pub(super) fn fine(about: &'static str, told: impl fmt::Display) -> Finding {
    Finding { state: State::Fine, about, told: told.to_string(), cure: None }
}

pub(super) fn warning(
    about: &'static str,
    told: impl fmt::Display,
    cure: impl Into<String>,
) -> Finding {
    let told = told.to_string();
    Finding { state: State::Warning, about, told, cure: Some(cure.into()) }
}

pub(super) fn fault(
    about: &'static str,
    told: impl fmt::Display,
    cure: impl Into<String>,
) -> Finding {
    Finding { state: State::Fault, ..warning(about, told, cure) }
}

/// Another command's failure as a finding. Its hint is the cure.
pub(super) fn failed(about: &'static str, failure: &impl fmt::Display) -> Finding {
    let text = failure.to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    let (told, cure) = match text.split_once("\n  hint: ") {
        Some((told, hint)) => (told.to_owned(), Some(hint.to_owned())),
        None => (text.to_owned(), None),
    };
    Finding { state: State::Fault, about, told, cure }
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:7}  {:14}  {}", self.state.as_str(), self.about, self.told)?;
        match &self.cure {
            Some(cure) => write!(formatter, "\n{:25}-> {cure}", ""),
            None => Ok(()),
        }
    }
}
