//! What a publication takes from results is told beside what visitors notice.

use domain::what_visitors_notice;
use serde_json::{Value, json};

use crate::documents::project;

/// A shop with an A/B test that runs.
fn shop(results: &str, events: &Value, metrics: &Value, named: &Value) -> Value {
    json!({
        "version": 1,
        "project": {"id": 1, "key": "shop", "name": "Shop", "results": results},
        "pages": [{"id": 2, "key": "home", "conditions": []}],
        "events": events,
        "metrics": metrics,
        "campaigns": [{
            "id": 3, "key": "hero", "type": "ab_test", "status": "running", "pages": ["home"],
            "metrics": named,
            "experiments": [{"id": 4, "key": "hero", "variations": [
                {"id": 5, "key": "a", "weight": 5000}, {"id": 6, "key": "b", "weight": 5000},
            ]}],
        }],
    })
}

fn with_events(events: &Value) -> Value {
    shop("on", events, &json!([]), &json!({}))
}

fn with_metrics(metrics: &Value, named: &Value) -> Value {
    shop("on", &json!([event(7, "order"), event(8, "sign-up")]), metrics, named)
}

fn event(id: u64, key: &str) -> Value {
    json!({"id": id, "key": key})
}

fn metric(id: u64, event: &str) -> Value {
    json!({"id": id, "key": format!("m-{event}"), "name": format!("Metric {event}"), "type": "conversion", "event": event})
}

fn told(before: &Value, after: &Value) -> Vec<String> {
    let notices =
        what_visitors_notice(Some(&project(&before.to_string())), &project(&after.to_string()));
    notices.into_iter().map(|notice| notice.text).collect()
}

#[test]
fn the_first_event_that_is_listed_ends_those_of_all_other_names() {
    let before = with_events(&json!([]));
    let after = with_events(&json!([event(7, "click-hero")]));

    assert_eq!(
        told(&before, &after),
        [
            "campaign `hero` (3) changes\n  its results are decided by `click-hero`",
            "project `Shop` (1) changes\n  of the events that pages report, only `click-hero` will be taken; all others, which were taken so far, will be refused",
        ]
    );
    assert_eq!(told(&after, &after), [""; 0]);
}

#[test]
fn an_event_that_gets_another_key_loses_what_came_under_the_first() {
    let before = with_events(&json!([event(7, "purchase"), event(8, "sign-up")]));
    let renamed = with_events(&json!([event(7, "order"), event(8, "sign-up")]));
    let removed = with_events(&json!([event(7, "purchase")]));
    let made_anew = with_events(&json!([event(9, "purchase"), event(8, "sign-up")]));

    assert_eq!(
        told(&before, &renamed),
        [
            "project `Shop` (1) changes\n  the event `purchase` will be refused, and what came under this key is no longer counted as `order`"
        ]
    );
    assert_eq!(
        told(&before, &removed),
        ["project `Shop` (1) changes\n  the event `sign-up` will be refused"]
    );
    assert!(!told(&before, &made_anew).concat().contains("refused"));
}

#[test]
fn another_primary_metric_of_what_runs_is_told() {
    let metrics = json!([metric(10, "order"), metric(11, "sign-up")]);
    let mut archived = metrics.clone();
    archived[0]["archived"] = json!(true);
    let by = |metrics: &Value, named: Value| with_metrics(metrics, &named);

    let of_all = told(&by(&metrics, json!({})), &by(&archived, json!({})));
    let named = told(
        &by(&metrics, json!({"primary": ["m-order"]})),
        &by(&metrics, json!({"primary": ["m-sign-up"]})),
    );
    let another_order = told(
        &by(&metrics, json!({"primary": ["m-order", "m-sign-up"]})),
        &by(&metrics, json!({"primary": ["m-sign-up", "m-order"]})),
    );

    let other = "campaign `hero` (3) changes\n  its results are decided by `Metric sign-up` instead of `Metric order`";
    assert_eq!((of_all, named), (vec![other.to_owned()], vec![other.to_owned()]));
    assert_eq!(another_order, [""; 0]);
}

#[test]
fn a_project_without_results_loses_none() {
    let of = |events: Value| shop("off", &events, &json!([]), &json!({}));

    assert_eq!(told(&of(json!([])), &of(json!([event(7, "order")]))), [""; 0]);
}
