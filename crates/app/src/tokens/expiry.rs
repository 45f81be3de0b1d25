//! When a new API token expires.

use oauth::{Lifetime, Moment, Timestamp};
use storage::API_TOKEN_LONGEST;

/// A token that lives shorter would expire before it is used.
pub(super) const SHORTEST: Lifetime = Lifetime::from_seconds(60);

/// What is common for such tokens elsewhere.
const USUAL: Lifetime = Lifetime::from_seconds(90 * 24 * 3_600);

/// When a new token expires.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expiry {
    /// After 90 days.
    Usual,
    /// After this time.
    After(Lifetime),
    /// At this moment.
    At(Timestamp),
}

impl Expiry {
    /// The moment; where the token would live too short or too long, the field that says so and what is right.
    pub(super) fn moment(self, now: Timestamp) -> Result<Timestamp, (&'static str, String)> {
        let (first, last) = (now + SHORTEST, now + API_TOKEN_LONGEST);
        let (at, field, expected) = match self {
            Self::Usual => return Ok(now + USUAL),
            Self::After(lifetime) => {
                let (shortest, longest) = (SHORTEST.seconds(), API_TOKEN_LONGEST.seconds());
                let days = longest / (24 * 3_600);
                let expected =
                    format!("a token works for {shortest} to {longest} seconds ({days} days)");
                (now + lifetime, "expires_in", expected)
            }
            Self::At(at) => {
                let written = |at| Moment::from(at).machine();
                let (first, last) = (written(first), written(last));
                let expected = format!("a token expires between `{first}` and `{last}`");
                (at, "expires_at", expected)
            }
        };
        if (first..=last).contains(&at) { Ok(at) } else { Err((field, expected)) }
    }
}

#[cfg(test)]
mod tests {
    use oauth::{Lifetime, Timestamp};

    use super::Expiry;

    #[test]
    fn a_lifetime_beyond_what_can_be_counted_is_refused() {
        let now = Timestamp::from_milliseconds(1_800_000_000_000);

        for seconds in [18_446_744_073_709_612, i64::MAX, i64::MIN] {
            let refused = Expiry::After(Lifetime::from_seconds(seconds)).moment(now);
            assert_eq!(refused.unwrap_err().0, "expires_in", "{seconds}");
        }
    }
}
