//! A moment as programs and people send it.

use std::str::FromStr;

use oauth::Timestamp;
use serde_json::{Value, json};

use crate::described::Described;
use crate::request::{At, Faults, Readable};

/// How a moment is written in a request.
const WRITTEN: &str = "a moment as RFC 3339 writes it, such as `2027-01-31T12:00:00Z`";

/// A moment in a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SentMoment(pub Timestamp);

impl FromStr for SentMoment {
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
        let text = at.read_as(WRITTEN, Value::as_str, faults)?;
        let read = text.parse().ok();
        if read.is_none() {
            let fault = at.fault("unsuitable", format!("`{text}` is not a moment"));
            faults.push(fault.expected(WRITTEN));
        }
        read
    }
}
