//! A check of figures: how it came out in words, and what to do.

/// A check.
pub(super) struct Check {
    pub(super) state: CheckState,
    pub(super) title: &'static str,
    pub(super) words: String,
    pub(super) next: Option<&'static str>,
}

/// How a check came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CheckState {
    Fine,
    /// It bends no figure, and is worth knowing.
    Known,
    /// Something is odd.
    Look,
    /// Figures cannot be trusted.
    Alarm,
    /// It cannot be told yet.
    Unknown,
}

impl CheckState {
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Fine => "fine",
            Self::Known => "to know",
            Self::Look => "look",
            Self::Alarm => "alarm",
            Self::Unknown => "not yet",
        }
    }

    pub(super) fn class(self) -> &'static str {
        match self {
            Self::Fine => "good",
            Self::Known | Self::Unknown => "",
            Self::Look => "held",
            Self::Alarm => "alarm",
        }
    }
}

/// The worst of some states, which stands for all.
pub(super) fn summary(checks: &[Check]) -> (CheckState, &'static str) {
    let has = |state| checks.iter().any(|check| check.state == state);
    if has(CheckState::Alarm) {
        (CheckState::Alarm, "The figures cannot be trusted")
    } else if has(CheckState::Look) {
        (CheckState::Look, "Something is odd")
    } else {
        (CheckState::Fine, "Nothing speaks against the figures")
    }
}
