//! When a new API token expires.

use oauth::{Lifetime, Moment, Timestamp};
use serde_json::{Value, json};
use storage::API_TOKEN_LONGEST;

use crate::described::Described;
use crate::request::{At, Faults, Readable};

/// A token that lives shorter would expire before it is used.
pub(super) const SHORTEST: Lifetime = Lifetime::from_seconds(60);

/// What is common for such tokens elsewhere.
const USUAL: Lifetime = Lifetime::from_seconds(90 * 24 * 3_600);

/// How a moment is written in a request.
const WRITTEN: &str = "a moment as RFC 3339 writes it, such as `2027-01-31T12:00:00Z`";

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
                let (least, most) = (SHORTEST.seconds(), API_TOKEN_LONGEST.seconds());
                let expected = format!("a token works for {least} to {most} seconds");
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

/// A moment in a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SentMoment(pub Timestamp);

impl std::str::FromStr for SentMoment {
    type Err = String;

    /// A date, a time and the zone's offset, or `Z`.
    fn from_str(text: &str) -> Result<Self, String> {
        let read: Result<jiff::Timestamp, _> = text.parse();
        let read = read.map_err(|_| format!("expected {WRITTEN}"))?;
        Ok(Self(Timestamp::from_milliseconds(read.as_millisecond())))
    }
}

impl Described for SentMoment {
    fn schema() -> Value {
        json!({"type": "string", "format": "date-time"})
    }
}

impl Readable for SentMoment {
    fn read(at: &At<'_>, faults: &mut Faults) -> Option<Self> {
        let text = at.expect(WRITTEN, Value::as_str, faults)?;
        let read = text.parse().ok();
        if read.is_none() {
            let fault = at.fault("unsuitable", format!("`{text}` is no moment"));
            faults.push(fault.expected(WRITTEN));
        }
        read
    }
}
