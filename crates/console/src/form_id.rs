//! Identifies one display of a form, to distinguish sending it twice from sending two. It says when that was: a form that was left
//! open for long is shown anew.

use app::App;
use oauth::{Lifetime, Timestamp};

/// Shorter than spent codes are remembered, which is as long as the tokens they gave live, and two hours more.
const GOOD_FOR: Lifetime = Lifetime::from_seconds(3_600);

/// Servers on one database have the same time, but not to the millisecond: a form that one shows may come back to another.
const CLOCKS_DIFFER_BY: Lifetime = Lifetime::from_seconds(60);

/// When the form was shown, in milliseconds since 1970 began, and something random: `1800000000000.7f03…`
pub(crate) struct FormId {
    text: String,
    shown_at: Timestamp,
}

impl FormId {
    /// A form that is shown now.
    pub(crate) fn new(app: &App) -> Self {
        let random = u128::from_le_bytes(app.random());
        let shown_at = app.now();
        Self { text: format!("{}.{random:x}", shown_at.as_milliseconds()), shown_at }
    }

    /// A form that came back, unless it was shown too long ago.
    pub(crate) fn returned(text: String, now: Timestamp) -> Option<Self> {
        let shown_at = text.split('.').next()?.parse().ok().map(Timestamp::from_milliseconds)?;
        (shown_at <= now + CLOCKS_DIFFER_BY && now < shown_at + GOOD_FOR)
            .then_some(Self { text, shown_at })
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    pub(crate) const fn shown_at(&self) -> Timestamp {
        self.shown_at
    }
}

#[cfg(test)]
mod tests {
    use oauth::Timestamp;

    use super::FormId;

    #[test]
    fn a_form_is_good_for_an_hour() {
        let returned = |text: &str, now| {
            FormId::returned(text.to_owned(), Timestamp::from_milliseconds(now)).is_some()
        };

        assert!(returned("1000.x", 1_000));
        assert!(returned("1000.x", 3_600_999));
        assert!(!returned("1000.x", 3_601_000));
        assert!(returned("1000.x", 999), "by another server");
        assert!(!returned("61000.x", 999));
        assert!(!returned("x", 1_000));
        assert!(!returned("", 1_000));
    }
}
