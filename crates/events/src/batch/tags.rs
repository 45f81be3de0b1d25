//! What a sender tells of an event in one object, as pages do: its revenue and its value among whatever else.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::fields::{fault, whole_number_of};
use super::received_event::{amount, properties};
use super::{EventFault, FaultCode};
use crate::Amount;
use crate::limits::{PROPERTIES_AT_MOST, REVENUE_AT_MOST};

/// The tags of an event, each where it counts.
pub(super) struct Tags {
    pub(super) revenue: Option<i64>,
    pub(super) value: Option<Amount>,
    pub(super) properties: BTreeMap<String, String>,
}

impl Tags {
    /// Those of a page, which tells all as texts.
    pub(super) fn read(tags: &Value) -> Result<Self, EventFault> {
        let Some(tags) = tags.as_object() else {
            return Err(fault(FaultCode::WrongType, "`tags` is an object"));
        };
        let text = |name| tags.get(name).and_then(Value::as_str);
        let revenue =
            text("revenue").map(|text| text.parse().ok().filter(|number| is_revenue(*number)));
        let value = text("value").map(|text| text.parse().ok());
        Ok(Self::sort(
            tags,
            revenue.unwrap_or_else(|| whole(tags.get("revenue")?)),
            value.unwrap_or_else(|| amount(tags.get("value")?).ok()),
        ))
    }

    /// Those of an event with this revenue and value. A tag that could not be counted as such stays to be seen among the properties; those
    /// that can be no properties, and more than an event has, are passed over.
    pub(super) fn sort(
        tags: &Map<String, Value>,
        revenue: Option<i64>,
        value: Option<Amount>,
    ) -> Self {
        let others = tags.iter().filter(|(name, _)| match name.as_str() {
            "revenue" => revenue.is_none(),
            "value" => value.is_none(),
            _ => true,
        });
        let alone = others.filter_map(|(name, tag)| {
            properties(&Value::Object(Map::from_iter([(name.clone(), tag.clone())]))).ok()
        });
        let properties = alone.flatten().take(PROPERTIES_AT_MOST).collect();
        Self { revenue, value, properties }
    }
}

/// A revenue.
pub(super) fn whole(value: &Value) -> Option<i64> {
    whole_number_of(value).filter(|number| is_revenue(*number))
}

pub(super) fn is_revenue(number: i64) -> bool {
    number.unsigned_abs() <= REVENUE_AT_MOST
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::limits::PROPERTIES_AT_MOST;
    use crate::{Amount, EventDetails, EventFault, ReceivedEvent};

    fn read(fields: &Value) -> Result<EventDetails, EventFault> {
        let mut event = json!({"id": "a", "time": 1, "type": "event", "name": "buy"});
        event.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        ReceivedEvent::read(&event).map(|event| event.what)
    }

    /// Revenue, value and the properties.
    fn sorted(tags: &Value) -> (Option<i64>, Option<Amount>, Vec<(String, String)>) {
        let read = read(&json!({ "tags": tags })).unwrap();
        let EventDetails::Event { revenue, value, properties, .. } = read else {
            panic!("{read:?}")
        };
        (revenue, value, properties.into_iter().collect())
    }

    #[test]
    fn revenue_and_value_of_a_page_count_and_other_tags_are_properties() {
        let plan = vec![("plan".to_owned(), "pro".to_owned())];
        let expected = (Some(1999), Amount::from_number(2.5).ok(), plan);

        for tags in [
            json!({"revenue": "1999", "value": "2.5", "plan": "pro"}),
            json!({"revenue": 1999, "value": 2.5, "plan": "pro", "list": [1], "": "no name"}),
        ] {
            assert_eq!(sorted(&tags), expected);
        }
    }

    #[test]
    fn a_tag_that_cannot_be_counted_is_seen_among_the_properties() {
        for revenue in ["19.99", "1000000000000001"] {
            let tags = json!({"revenue": revenue, "value": "1e21"});
            let expected = [("revenue", revenue), ("value", "1e21")];
            let expected = expected.map(|(name, text)| (name.to_owned(), text.to_owned()));

            assert_eq!(sorted(&tags), (None, None, expected.to_vec()));
        }
    }

    #[test]
    fn more_tags_than_an_event_has_properties_are_passed_over() {
        let long = "x".repeat(65);
        let mut tags = json!({ &long: "too long a name" });
        (0..100).for_each(|tag| tags[format!("tag{tag}")] = "x".into());
        tags["revenue"] = "5".into();

        let (revenue, _, properties) = sorted(&tags);

        assert_eq!((revenue, properties.len()), (Some(5), PROPERTIES_AT_MOST));
        assert!(properties.iter().all(|(name, _)| *name != long));
    }

    #[test]
    fn an_event_has_tags_or_what_they_are_sorted_into() {
        let refused = |fields: &Value| read(fields).unwrap_err().detail;

        assert_eq!(refused(&json!({"tags": "pro"})), "`tags` is an object");
        for field in [json!({"revenue": 5}), json!({"value": 5}), json!({"properties": {}})] {
            let mut both = field;
            both["tags"] = json!({"plan": "pro"});
            assert_eq!(
                refused(&both),
                "an event has `tags`, or `revenue`, `value` and `properties`"
            );
        }
    }
}
