//! Conditions of audiences: the vectors, through a project document, as a member writes them.

use decide::{Decider, Effort, Visit};
use domain::{NoFiles, Source};
use serde_json::{Value, json};

use crate::vectors::each_vector;

#[test]
fn every_audience_condition_vector_is_met() {
    each_vector("audience-conditions.json", "vectors", |vector, context| {
        let Some(decider) = decider(&vector["conditions"]) else {
            assert!(vector.get("refused").is_some(), "`check` refuses {context}");
            return;
        };
        assert!(vector.get("refused").is_none(), "`check` takes {context}");

        let answer = decider.decide(&visit(&vector["visit"]), &Effort::default()).unwrap();

        let in_audience = match &answer.campaigns[0] {
            campaign if campaign.is_decided => json!(campaign.variation.is_some()),
            _ => Value::Null,
        };
        assert_eq!(in_audience, vector["in_audience"], "{context}");
    });
}

/// Of a project whose one campaign is for an audience of these conditions; `None` if they are refused.
fn decider(conditions: &Value) -> Option<Decider> {
    let names = ["flag", "nul", "none", "empty", "missing"].map(|key| json!({"key": key}));
    let known = [json!({"id": "5001", "key": "plan"}), json!({"id": "5002", "key": "score"})];
    let document = json!({
        "version": 1,
        "project": {"id": "1000", "key": "shop"},
        "attributes": known.into_iter().chain(names).collect::<Value>(),
        "pages": [{"key": "home"}],
        "audiences": [{"key": "some", "conditions": conditions}],
        "campaigns": [{
            "key": "hero", "type": "ab_test", "status": "running", "pages": ["home"],
            "experiments": [{
                "key": "hero", "audiences": ["or", "some"],
                "variations": [{"key": "only", "weight": 10000}],
            }],
        }],
    });
    let text = document.to_string();
    let parsed = domain::parse(&Source { name: "shop.json", text: &text, files: &NoFiles }).ok()?;
    let has_sound_regexes =
        parsed.project.regexes().iter().all(|regex| decide::Pattern::new(regex.text).is_ok());
    has_sound_regexes.then(|| Decider::new(&parsed.project))
}

fn visit(written: &Value) -> Visit {
    let mut visit = written.clone();
    visit["visitor_id"] = json!("somebody");
    let attributes = visit.get_mut("attributes").and_then(Value::as_object_mut);
    if let Some(attributes) = attributes {
        attributes.retain(|_, value| !value.is_null());
    }
    serde_json::from_value(visit).unwrap()
}
