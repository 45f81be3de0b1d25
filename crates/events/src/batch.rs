//! A batch of events as the snippet and servers send it. An event that is wrong takes no other with it: each is read by itself, and its
//! sender learns what is wrong with it.

mod fields;
mod received_event;
mod snapshots;
mod tags;

use std::fmt;
use std::sync::Arc;

use serde_json::Value;
use thiserror::Error;

use crate::Millis;
use crate::batch::fields::Fields;
pub use crate::batch::received_event::{EventDetails, Marks, ReceivedEvent};
use crate::batch::snapshots::{is_of_snapshots, read_snapshots};
use crate::limits::{EVENTS_AT_MOST, VISITOR_CHARACTERS_AT_MOST};

/// A batch.
#[derive(Clone, Debug, PartialEq)]
pub struct Batch {
    /// The id or key of the project.
    pub project: String,
    /// When it was sent, by the sender's clock.
    pub sent: Option<Millis>,
    /// Its events.
    pub events: Vec<BatchEntry>,
}

/// An event of a batch, or what is wrong with it.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchEntry {
    /// Its place in the batch, from 0.
    pub index: usize,
    /// The visitor's id, as the cookie has it.
    pub visitor: Arc<str>,
    /// The event, or why it is none.
    pub event: Result<ReceivedEvent, EventFault>,
}

/// Why nothing of a batch can be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BatchError {
    /// Something is wrong with the batch itself.
    #[error(transparent)]
    Fault(#[from] EventFault),
    /// More events than one batch may have.
    #[error("these are {0} events, and a batch has {EVENTS_AT_MOST} at most")]
    TooMany(usize),
}

/// What is wrong with a batch or an event.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{detail}")]
pub struct EventFault {
    /// In a word, for programs.
    pub code: FaultCode,
    /// In words, for people.
    pub detail: String,
}

/// What is wrong, in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FaultCode {
    /// A field that no event has.
    UnknownField,
    /// A field that is needed and not there.
    MissingField,
    /// A value of another type.
    WrongType,
    /// A value that is empty or too long, too large or too many.
    BadValue,
    /// A name that the project does not have.
    UnknownName,
}

impl FaultCode {
    /// The word, as programs read it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::UnknownField => "unknown_field",
            Self::MissingField => "missing_field",
            Self::WrongType => "wrong_type",
            Self::BadValue => "bad_value",
            Self::UnknownName => "unknown_name",
        }
    }
}

impl fmt::Display for FaultCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl Batch {
    /// Reads a batch, of our own format or of snapshots.
    ///
    /// # Errors
    /// See [`BatchError`].
    pub fn read(json: &Value) -> Result<Self, BatchError> {
        if is_of_snapshots(json) {
            return read_snapshots(json);
        }
        let mut fields = Fields::of(json)?;
        let project = fields.text("project", VISITOR_CHARACTERS_AT_MOST)?;
        let visitor = fields.text("visitor", VISITOR_CHARACTERS_AT_MOST)?;
        let sent = fields.whole_number_or_none("sent")?.map(Millis);
        let events = fields.list("events")?;
        fields.end()?;
        if events.len() > EVENTS_AT_MOST {
            return Err(BatchError::TooMany(events.len()));
        }
        let visitor: Arc<str> = visitor.into();
        let events = events.iter().enumerate().map(|(index, event)| BatchEntry {
            index,
            visitor: Arc::clone(&visitor),
            event: ReceivedEvent::read(event),
        });
        Ok(Self { project, sent, events: events.collect() })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::{Batch, BatchError, EventDetails, FaultCode, Marks};
    use crate::{Amount, Browser, Device, EventId, Millis, UserAgent};

    fn batch(events: &Value) -> Batch {
        let batch = json!({"project": "1000", "visitor": "oeu1", "sent": 5, "events": events});
        Batch::read(&batch).unwrap()
    }

    fn exposure() -> Value {
        json!({"id": "e1", "time": 3, "type": "exposure", "campaign": "3001", "experiment": "4001", "variation": "5002"})
    }

    #[test]
    fn exposures_and_events_are_read() {
        let bought = json!({
            "id": "ord_42", "time": 4, "type": "event", "name": "purchase", "revenue": 1999, "value": 2.5,
            "properties": {"plan": "pro", "items": 3, "first": true, "note": null, "price": 19.99},
        });
        let held = {
            let mut held = exposure();
            held["holdback"] = true.into();
            held["bot"] = true.into();
            held["browser"] = "samsung_internet".into();
            held["device"] = "tablet".into();
            held["page"] = "home".into();
            held["flicker"] = true.into();
            held
        };

        let batch = batch(&json!([exposure(), held, bought]));

        assert_eq!((batch.project.as_str(), batch.sent), ("1000", Some(Millis(5))));
        assert!(batch.events.iter().all(|sent| &*sent.visitor == "oeu1"));
        let events: Vec<_> = batch.events.into_iter().map(|sent| sent.event.unwrap()).collect();
        assert_eq!((events[0].id, events[0].at), (EventId::of("e1"), Millis(3)));
        let known = |index: usize| match &events[index].what {
            EventDetails::Exposure { marks, agent, page, .. } => {
                Some((*marks, *agent, page.as_deref()))
            }
            EventDetails::Event { .. } => None,
        };
        assert_eq!(known(0), Some((Marks::default(), UserAgent::default(), None)));
        let marks =
            Marks { is_held_back: true, is_bot: true, may_flicker: true, ..Marks::default() };
        let (browser, device) = (Some(Browser::SamsungInternet), Some(Device::Tablet));
        assert_eq!(known(1), Some((marks, UserAgent { browser, device }, Some("home"))));
        let EventDetails::Event { name, revenue, value, properties, marks } = &events[2].what
        else {
            panic!("{:?}", events[2])
        };
        assert_eq!(
            (name.as_str(), *revenue, *value),
            ("purchase", Some(1999), Amount::from_number(2.5).ok())
        );
        assert_eq!(*marks, Marks::default());
        let properties: Vec<_> =
            properties.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        assert_eq!(
            properties,
            [("first", "true"), ("items", "3"), ("plan", "pro"), ("price", "19.99")]
        );
    }

    #[test]
    fn an_event_that_is_wrong_is_told_and_takes_no_other_with_it() {
        const ID: &str = "`id` has 1 to 64 characters, not all of them blank";
        let with = |name: &str, value: Value| {
            let mut event = exposure();
            event[name] = value;
            event
        };
        let cases = [
            (json!(7), FaultCode::WrongType, "an event is an object"),
            (json!({"type": "exposure"}), FaultCode::MissingField, "`id` is missing"),
            (
                with("type", json!("expozure")),
                FaultCode::BadValue,
                "`type` is `exposure` or `event`",
            ),
            (with("time", json!("now")), FaultCode::WrongType, "`time` is a whole number"),
            (with("time", json!(1.5)), FaultCode::WrongType, "`time` is a whole number"),
            (with("id", json!("")), FaultCode::BadValue, ID),
            (with("id", json!("x".repeat(65))), FaultCode::BadValue, ID),
            (with("experiment", json!(4001)), FaultCode::WrongType, "`experiment` is a text"),
            (
                with("device", json!("phone")),
                FaultCode::BadValue,
                "`device` is one of `desktop`, `mobile`, `tablet`, `other`",
            ),
            (
                with("browser", json!(7)),
                FaultCode::BadValue,
                "`browser` is one of `chrome`, `safari`, `firefox`, `edge`, `samsung_internet`, `opera`, `in_app`, `other`",
            ),
            (with("holdback", json!("no")), FaultCode::WrongType, "`holdback` is true or false"),
            (
                with("ip", json!("10.0.0.1")),
                FaultCode::UnknownField,
                "an exposure has no field `ip`; its fields are `id`, `time`, `type`, `campaign`, `experiment`, `variation`, `browser`, `device`, `page`, `holdback`, `forced`, `preview`, `bot`, `flicker`",
            ),
            (
                json!({"id": "a", "time": 1, "type": "event", "name": "buy", "revenue": 19.99}),
                FaultCode::WrongType,
                "`revenue` is a whole number, of cents for example",
            ),
            (
                json!({"id": "a", "time": 1, "type": "event", "name": "buy", "revenue": -1_000_000_000_000_001_i64}),
                FaultCode::BadValue,
                "`revenue` must not be further from zero than 1000000000000000",
            ),
            (
                json!({"id": "a", "time": 1, "type": "event", "name": "buy", "value": 1e10}),
                FaultCode::BadValue,
                "`value`: this is further from zero than 1000000000",
            ),
            (
                json!({"id": "a", "time": 1, "type": "event", "name": "buy", "properties": {"a": [1]}}),
                FaultCode::WrongType,
                "the property `a` is a text, a number, true or false",
            ),
        ];
        for (event, code, detail) in cases {
            let read = batch(&json!([exposure(), event, exposure()])).events;

            assert!(read[0].event.is_ok() && read[2].event.is_ok(), "{event}");
            let fault = read[1].event.clone().unwrap_err();
            assert_eq!((read[1].index, fault.code, fault.detail.as_str()), (1, code, detail));
        }
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        let long = "é".repeat(1_500);
        let event = json!({"id": "a", "time": 1, "type": "event", "name": "buy", "properties": {"note": long}});

        let event = batch(&json!([event])).events.remove(0).event.unwrap();

        let EventDetails::Event { properties, .. } = event.what else { panic!("{event:?}") };
        assert_eq!(properties["note"], "é".repeat(1_000));
    }

    #[test]
    fn a_batch_that_is_wrong_itself_is_refused() {
        let many = json!({"project": "1", "visitor": "a", "events": vec![exposure(); 501]});
        assert_eq!(Batch::read(&many), Err(BatchError::TooMany(501)));
        for (text, detail) in [
            ("[]", "a batch is an object"),
            (r#"{"visitor": "a", "events": []}"#, "`project` is missing"),
            (
                r#"{"project": "1", "visitor": "", "events": []}"#,
                "`visitor` has 1 to 128 characters, not all of them blank",
            ),
            (
                r#"{"project": "1", "visitor": "  ", "events": []}"#,
                "`visitor` has 1 to 128 characters, not all of them blank",
            ),
            (r#"{"project": "1", "visitor": "a"}"#, "`events` is missing"),
            (r#"{"project": "1", "visitor": "a", "events": {}}"#, "`events` is a list"),
            (
                r#"{"project": "1", "visitor": "a", "events": [], "user": 1}"#,
                "a batch has no field `user`; its fields are `project`, `visitor`, `sent`, `events`",
            ),
        ] {
            let json = serde_json::from_str(text).unwrap();
            assert_eq!(Batch::read(&json).unwrap_err().to_string(), detail);
        }
    }

    proptest! {
        #[test]
        fn no_value_breaks_it(event in "[\\[{}\",:a-z0-9e.\\]-]{0,80}", text in ".{0,40}") {
            let batch = format!(r#"{{"project": "1", "visitor": "a", "events": [{event}]}}"#);
            if let Ok(json) = serde_json::from_str(&batch) {
                let _ = Batch::read(&json);
            }
            let _ = Batch::read(&json!({"project": text, "visitor": text, "events": [text, {"id": text, "type": text}]}));
        }
    }
}
