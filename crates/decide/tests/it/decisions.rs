//! Decision strings and decision objects: the vectors.

use decide::{
    Cleaning, DEFAULT_MAX_LENGTH, Decision, DecisionFormat, DecisionObject, IdsTooLong, Label,
};
use decide::{decision_object, decision_string};
use serde_json::{Value, json};

use crate::vectors::each_vector;

#[test]
fn every_decision_string_vector_is_met() {
    each_vector("decision-strings.json", "vectors", |vector, context| {
        let answer = decision_string(decision(vector), format(&vector["options"]));

        assert_eq!(string_as_written(answer), vector["decisionString"], "{context}");
    });
}

#[test]
fn every_decision_object_vector_is_met() {
    each_vector("decision-strings.json", "vectors", |vector, context| {
        let answer = decision_object(decision(vector), format(&vector["options"]));

        assert_eq!(object_as_written(answer), vector["decisionObject"], "{context}");
    });
}

fn decision(vector: &Value) -> Decision<'_> {
    let campaign = label(&vector["campaign"]);
    let experiment = label(&vector["experiment"]);
    let variation = label(&vector["variation"]);
    let is_held_back = vector["holdback"].as_bool().unwrap();
    match vector["campaign"]["kind"].as_str().unwrap() {
        "ab_test" => Decision::AbTest { experiment, variation, is_held_back },
        "personalization" => {
            Decision::Personalization { campaign, experiment, variation, is_held_back }
        }
        other => panic!("unknown kind of campaign: {other}"),
    }
}

fn label(entity: &Value) -> Label<'_> {
    Label { name: entity["name"].as_str(), id: entity["id"].as_str().unwrap() }
}

fn format(options: &Value) -> DecisionFormat {
    let is_cleaned = options.get("shouldCleanString").map(|value| value.as_bool().unwrap());
    DecisionFormat {
        max_length: options.get("maxLength").map_or(DEFAULT_MAX_LENGTH, max_length),
        cleaning: if is_cleaned == Some(true) { Cleaning::Clean } else { Cleaning::Keep },
    }
}

/// The default stands for `undefined`, as in the visitor's page.
fn max_length(written: &Value) -> usize {
    if *written == json!({"$js": "undefined"}) {
        return DEFAULT_MAX_LENGTH;
    }
    usize::try_from(written.as_u64().unwrap()).unwrap()
}

fn string_as_written(answer: Result<Option<String>, IdsTooLong>) -> Value {
    answer.map_or_else(|_| json!({"$throws": "RangeError"}), Value::from)
}

fn object_as_written(answer: Option<DecisionObject>) -> Value {
    let Some(DecisionObject { experiment, variation, campaign, holdback }) = answer else {
        return Value::Null;
    };
    let mut written = json!({"experiment": experiment, "variation": variation});
    if let Some(campaign) = campaign {
        written["campaign"] = campaign.into();
    }
    if let Some(holdback) = holdback {
        written["holdback"] = holdback.into();
    }
    written
}
