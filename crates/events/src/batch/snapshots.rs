//! Batches as Optimizely's event API takes them (version 1 of `POST /v1/events`), so that senders that were written for it need another address
//! only: of several visitors, each with snapshots of what was decided and of what they did then. It has fields without end, so those that mean
//! nothing here are passed over.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::fields::Fields;
use super::received_event::amount;
use super::tags::{Tags, whole};
use super::{Batch, BatchEntry, BatchError, EventDetails, EventFault, Marks, ReceivedEvent};
use crate::limits::{EVENTS_AT_MOST, NAME_CHARACTERS_AT_MOST, VISITOR_CHARACTERS_AT_MOST};
use crate::{EventId, Millis, UserAgent};

/// The type of the event that says the snapshot's decisions were shown. Those of other snapshots only repeat what a visitor had been given.
const ACTIVATION: &str = "campaign_activated";

/// The attribute in which senders pass on what their visitor's browser calls itself.
const USER_AGENT: &str = "$opt_user_agent";

/// Whether it is a batch of snapshots.
pub(super) fn is_of_snapshots(json: &Value) -> bool {
    json.get("visitors").is_some()
}

/// Reads a batch of snapshots. An activation is as many events as it has decisions.
pub(super) fn read_snapshots(json: &Value) -> Result<Batch, BatchError> {
    let mut fields = Fields::of(json)?;
    let project = fields.text("project_id", VISITOR_CHARACTERS_AT_MOST)?;
    let (mut events, mut index) = (Vec::new(), 0);
    for visitor in fields.list("visitors")? {
        let mut fields = Fields::of_object(visitor, "a visitor")?;
        let agent = user_agent(fields.find("attributes"));
        let visitor: Arc<str> = fields.text("visitor_id", VISITOR_CHARACTERS_AT_MOST)?.into();
        for snapshot in fields.list("snapshots")? {
            let mut fields = Fields::of_object(snapshot, "a snapshot")?;
            let decisions = fields.find("decisions").and_then(Value::as_array);
            let decisions = decisions.map(Vec::as_slice).unwrap_or_default();
            for event in fields.list("events")? {
                let received = received_events(event, decisions, agent).into_iter();
                let entries = received.map(|event| BatchEntry {
                    index,
                    visitor: Arc::clone(&visitor),
                    event,
                });
                add(&mut events, entries)?;
                index += 1;
            }
        }
    }
    Ok(Batch { project, sent: None, events })
}

/// Refuses too many at once: activations times decisions may be millions in a small batch.
fn add(
    events: &mut Vec<BatchEntry>,
    more: impl Iterator<Item = BatchEntry>,
) -> Result<(), BatchError> {
    events.extend(more);
    if events.len() > EVENTS_AT_MOST { Err(BatchError::TooMany(events.len())) } else { Ok(()) }
}

/// What the attributes of a visitor say of the browser.
fn user_agent(attributes: Option<&Value>) -> UserAgent {
    let mut attributes = attributes.and_then(Value::as_array).into_iter().flatten();
    let is_called = |attribute: &Value, field: &str| {
        attribute.get(field).and_then(Value::as_str) == Some(USER_AGENT)
    };
    let found = attributes.find(|one| is_called(one, "key") || is_called(one, "entity_id"));
    let text = found.and_then(|attribute| attribute.get("value")?.as_str());
    text.map(UserAgent::read).unwrap_or_default()
}

fn received_events(
    event: &Value,
    decisions: &[Value],
    agent: UserAgent,
) -> Vec<Result<ReceivedEvent, EventFault>> {
    let is_activation = event.get("type").and_then(Value::as_str) == Some(ACTIVATION);
    if is_activation {
        let given = decisions.iter().filter(|decision| is_text(decision, "variation_id"));
        let given = given.take(EVENTS_AT_MOST + 1);
        given.map(|decision| exposure(event, decision, agent)).collect()
    } else {
        vec![conversion(event)]
    }
}

/// A decision without a variation tells who was not in the experiment.
fn is_text(decision: &Value, name: &str) -> bool {
    decision.get(name).and_then(Value::as_str).is_some_and(|text| !text.is_empty())
}

fn exposure(
    event: &Value,
    decision: &Value,
    agent: UserAgent,
) -> Result<ReceivedEvent, EventFault> {
    let (uuid, at) = when(event)?;
    let mut fields = Fields::of_object(decision, "a decision")?;
    let experiment = fields.text("experiment_id", NAME_CHARACTERS_AT_MOST)?;
    Ok(ReceivedEvent {
        // One activation tells of several experiments.
        id: EventId::of(&format!("{uuid}.{experiment}")),
        at,
        what: EventDetails::Exposure {
            campaign: fields.text("campaign_id", NAME_CHARACTERS_AT_MOST)?,
            experiment,
            variation: fields.text("variation_id", NAME_CHARACTERS_AT_MOST)?,
            agent,
            page: None,
            marks: Marks { is_held_back: fields.is("is_campaign_holdback")?, ..Marks::default() },
        },
    })
}

fn conversion(event: &Value) -> Result<ReceivedEvent, EventFault> {
    let (uuid, at) = when(event)?;
    let mut fields = Fields::of_object(event, "an event")?;
    let name = fields.text("key", NAME_CHARACTERS_AT_MOST)?;
    let tags = fields.find("tags").and_then(Value::as_object);
    let tagged = |name: &str| tags.and_then(|tags| tags.get(name)).filter(|tag| !tag.is_null());
    // What such a sender would not count either is told as a property, and the conversion stays one.
    let revenue = fields.find("revenue").or(tagged("revenue")).and_then(whole);
    let value = fields.find("value").or(tagged("value")).and_then(|value| amount(value).ok());
    let none = Map::new();
    let Tags { revenue, value, properties } = Tags::sort(tags.unwrap_or(&none), revenue, value);
    let what = EventDetails::Event { name, revenue, value, properties, marks: Marks::default() };
    Ok(ReceivedEvent { id: EventId::of(&uuid), at, what })
}

fn when(event: &Value) -> Result<(String, Millis), EventFault> {
    let mut fields = Fields::of_object(event, "an event")?;
    Ok((fields.text("uuid", NAME_CHARACTERS_AT_MOST)?, Millis(fields.whole_number("timestamp")?)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use crate::{
        Amount, Batch, BatchEntry, BatchError, Browser, Device, EventDetails, EventId, Marks,
        Millis, UserAgent,
    };

    fn batch(snapshots: &Value) -> Value {
        json!({
            "account_id": "12001", "project_id": "1000", "client_name": "python-sdk", "client_version": "5.1.0",
            "anonymize_ip": true, "enrich_decisions": true, "revision": "7",
            "visitors": [{"visitor_id": "ada", "session_id": null, "attributes": [{"entity_id": "1", "key": "plan", "type": "custom", "value": "pro"}], "snapshots": snapshots}],
        })
    }

    fn decision(experiment: &str) -> Value {
        json!({"campaign_id": "3001", "experiment_id": experiment, "variation_id": "5002", "is_campaign_holdback": false})
    }

    fn activation() -> Value {
        json!({"uuid": "u1", "timestamp": 3, "entity_id": "3001", "key": "campaign_activated", "type": "campaign_activated"})
    }

    fn read(snapshots: &Value) -> Vec<BatchEntry> {
        Batch::read(&batch(snapshots)).unwrap().events
    }

    #[test]
    fn an_activation_is_an_exposure_to_each_decision_that_has_a_variation() {
        let outside = json!({"campaign_id": "3001", "experiment_id": null, "variation_id": null});
        let decisions = json!([decision("4001"), outside, decision("4002")]);

        let sent = read(&json!([{"decisions": decisions, "events": [activation()]}]));

        let events: Vec<_> =
            sent.iter().map(|sent| (sent.index, sent.event.clone().unwrap())).collect();
        assert_eq!(events.len(), 2);
        assert!(events.iter().all(|(index, event)| *index == 0 && event.at == Millis(3)));
        assert_ne!(events[0].1.id, events[1].1.id, "each counts once");
        let what = EventDetails::Exposure {
            campaign: "3001".to_owned(),
            experiment: "4002".to_owned(),
            variation: "5002".to_owned(),
            agent: UserAgent::default(),
            page: None,
            marks: Marks::default(),
        };
        assert_eq!(events[1].1.what, what);
    }

    #[test]
    fn a_user_agent_among_the_attributes_is_read_and_not_kept() {
        let text = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) Version/18.1 Mobile/15E148 Safari/604.1";
        let mut batch =
            batch(&json!([{"decisions": [decision("4001")], "events": [activation()]}]));
        let known = json!([{"entity_id": "$opt_user_agent", "key": "$opt_user_agent", "type": "custom", "value": text}]);
        batch["visitors"][0]["attributes"] = known;

        let event = Batch::read(&batch).unwrap().events.remove(0).event.unwrap();

        let EventDetails::Exposure { agent, .. } = event.what else { panic!("{event:?}") };
        let (browser, device) = (Some(Browser::Safari), Some(Device::Mobile));
        assert_eq!(agent, UserAgent { browser, device });
        batch["visitors"][0]["attributes"] = json!([7, {"key": "$opt_user_agent", "value": 7}]);
        let event = Batch::read(&batch).unwrap().events.remove(0).event.unwrap();
        assert!(matches!(event.what, EventDetails::Exposure { agent, .. } if agent.is_unknown()));
    }

    #[test]
    fn a_conversion_is_an_event_with_its_tags_and_repeats_no_exposure() {
        let bought = json!({
            "uuid": "u2", "timestamp": 4, "entity_id": "7001", "key": "purchase", "type": "other",
            "tags": {"revenue": 1999.0, "value": 2.5, "plan": "pro", "note": null},
        });

        let sent = read(&json!([{"decisions": [decision("4001")], "events": [bought]}]));

        let [BatchEntry { event: Ok(event), .. }] = sent.as_slice() else { panic!("{sent:?}") };
        assert_eq!((event.id, event.at), (EventId::of("u2"), Millis(4)));
        let what = EventDetails::Event {
            name: "purchase".to_owned(),
            revenue: Some(1999),
            value: Amount::from_number(2.5).ok(),
            properties: [("plan".to_owned(), "pro".to_owned())].into(),
            marks: Marks::default(),
        };
        assert_eq!(event.what, what);
    }

    #[test]
    fn a_conversion_with_odd_tags_stays_one() {
        let mut tags = json!({"revenue": "4200", "value": "a lot", "items": ["a"], "plan": "pro"});
        tags["x".repeat(65)] = json!(1);
        let bought = json!({"uuid": "u2", "timestamp": 4, "key": "purchase", "tags": tags});

        let sent = read(&json!([{"events": [bought]}]));

        let [BatchEntry { event: Ok(event), .. }] = sent.as_slice() else { panic!("{sent:?}") };
        let EventDetails::Event { revenue, value, properties, .. } = &event.what else {
            panic!("{event:?}")
        };
        assert_eq!((revenue, value), (&None, &None));
        let texts: Vec<_> = properties.iter().map(|(name, text)| (&**name, &**text)).collect();
        assert_eq!(texts, [("plan", "pro"), ("revenue", "4200"), ("value", "a lot")]);
    }

    #[test]
    fn an_event_that_is_wrong_is_told_by_its_place_among_all() {
        let nameless = json!({"uuid": "u2", "timestamp": 4, "type": "other"});
        let late = json!({"uuid": "u3", "timestamp": "now", "key": "purchase"});
        let snapshots = json!([
            {"decisions": [decision("4001")], "events": [activation(), nameless]},
            {"events": [late]},
        ]);

        let sent = read(&snapshots);

        let wrong = sent
            .iter()
            .filter_map(|sent| Some((sent.index, sent.event.as_ref().err()?.detail.as_str())));
        let expected = [(1, "`key` is missing"), (2, "`timestamp` is a whole number")];
        assert_eq!(wrong.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_batch_that_would_be_millions_of_events_is_refused_at_the_first_that_is_too_many() {
        let decisions: Vec<_> = (0..600).map(|one| decision(&one.to_string())).collect();
        let activations = vec![activation(); 10_000];

        let one = json!([{"decisions": decisions, "events": [activation()]}]);
        let many = json!([{"decisions": decisions[..400], "events": activations}]);

        let refused = |snapshots: &Value| Batch::read(&batch(snapshots)).unwrap_err();
        assert!(matches!(refused(&one), BatchError::TooMany(501)), "{:?}", refused(&one));
        assert!(matches!(refused(&many), BatchError::TooMany(800)), "{:?}", refused(&many));
    }

    #[test]
    fn a_batch_without_a_visitors_id_is_refused() {
        let mut nobody = batch(&json!([]));
        nobody["visitors"][0]["visitor_id"] = "".into();

        let error = Batch::read(&nobody).unwrap_err();
        assert_eq!(
            error.to_string(),
            "`visitor_id` has 1 to 128 characters, not all of them blank"
        );
    }

    proptest! {
        #[test]
        fn no_value_breaks_it(event in "[\\[{}\",:a-z0-9e.\\]-]{0,80}") {
            if let Ok(event) = serde_json::from_str::<Value>(&event) {
                let _ = Batch::read(&batch(&json!([{"decisions": [event.clone()], "events": [event.clone()]}, event])));
                let _ = Batch::read(&json!({"project_id": "1", "visitors": event}));
            }
        }
    }
}
