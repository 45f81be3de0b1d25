//! Metrics: what each kind of them has, and what campaigns say of them.

use insta::assert_snapshot;
use serde_json::json;

use crate::documents::{faults, project, with_head};

const EVENTS: &str = "events:
  - {key: purchase, properties: [{name: items, type: number}, {name: plan, type: string}]}
  - {key: error}
";

fn metrics_faults(metrics: &str) -> String {
    faults(&format!("{EVENTS}metrics:\n{metrics}"))
}

#[test]
fn a_metric_is_written_with_its_defaults() {
    let project = project(&with_head(
        "events: [{key: buy}]\nmetrics: [{name: Buyers, type: conversion, event: buy}]\n",
    ));

    let metric = json!({
        "id": "341173741721632", "key": "buyers", "name": "Buyers", "type": "conversion", "event": "buy",
        "where": {}, "value": null, "per": null, "quantile": null, "window": null, "cap": null,
        "covariate": null, "good": "up", "archived": false,
    });
    assert_eq!(serde_json::to_value(&project).unwrap()["metrics"], json!([metric]));
}

#[test]
fn each_kind_of_metric_has_its_fields() {
    assert_snapshot!(metrics_faults("
  - {key: a, type: conversion, event: purchase, value: revenue, cap: 1, per: {event: error}, quantile: 5%}
  - {key: b, type: count, event: purchase, value: revenue}
  - {key: c, type: sum, event: purchase}
  - {key: d, type: mean, event: purchase, covariate: 14d, cap: 5}
  - {key: e, type: ratio, event: purchase}
  - {key: f, type: quantile, event: purchase}
  - {key: g, type: average, event: purchase}
  - {key: h, type: count}
"), @"
    demo.yaml:8:56: error: metrics[0].value: a `conversion` counts events, not what they are worth: that is a `sum`
    demo.yaml:8:70: error: metrics[0].cap: a `conversion` is one at most
    demo.yaml:8:78: error: metrics[0].per: a `conversion` has no denominator of its own
    demo.yaml:8:104: error: metrics[0].quantile: a `conversion` is not a quantile
    demo.yaml:9:51: error: metrics[1].value: a `count` counts events, not what they are worth: that is a `sum`
    demo.yaml:10:5: error: metrics[2]: the field `value` is missing
    demo.yaml:11:5: error: metrics[3]: the field `value` is missing
    demo.yaml:11:54: error: metrics[3].covariate: a `mean` is not adjusted by the past
    demo.yaml:11:64: error: metrics[3].cap: a `mean` has no value of one visitor to cap
    demo.yaml:12:5: error: metrics[4]: the field `per` is missing
    demo.yaml:13:5: error: metrics[5]: the field `quantile` is missing
    demo.yaml:14:20: error: metrics[6].type: `average` is not known here, expected one of `conversion`, `count`, `sum`, `mean`, `ratio`, `quantile`
    demo.yaml:15:5: error: metrics[7]: the field `event` is missing
    ");
}

#[test]
fn a_metric_measures_events_that_are_there() {
    assert_snapshot!(metrics_faults("
  - {key: a, type: count, event: purchas}
  - {key: b, type: ratio, event: purchase, per: {event: eror}}
  - {key: c, type: sum, event: purchase, value: itms}
  - {key: d, type: sum, event: error, value: anything}
"), @"
    demo.yaml:8:34: error: metrics[0].event: there is no event `purchas`
      hint: did you mean `purchase`?
    demo.yaml:9:57: error: metrics[1].per.event: there is no event `eror`
      hint: did you mean `error`?
    demo.yaml:10:49: warning: metrics[2].value: the event has no property `itms`
      hint: did you mean `items`?
    ");
    assert_snapshot!(metrics_faults("
  - {key: a, type: sum, event: purchase, value: itms}
  - {key: b, type: sum, event: purchase, value: plan}
  - {key: c, type: sum, event: purchase, value: items, where: {plan: 2, item: 3}}
  - {key: d, type: sum, event: error, value: anything, where: {whatever: true}}
  - {key: e, type: sum, event: purchase, value: revenue}
"), @"
    demo.yaml:8:49: warning: metrics[0].value: the event has no property `itms`
      hint: did you mean `items`?
    demo.yaml:9:49: warning: metrics[1].value: `plan` is declared as `string`, not `number`
    demo.yaml:10:70: warning: metrics[2].where.plan: `plan` is declared as `string`, not `number`
    demo.yaml:10:79: warning: metrics[2].where.item: the event has no property `item`
      hint: did you mean `items`?
    ");
}

#[test]
fn values_of_a_metric_have_limits() {
    let many = (0..11).map(|place| format!("p{place}: 1")).collect::<Vec<_>>().join(", ");
    assert_snapshot!(metrics_faults(&format!("
  - {{key: a, type: count, event: error, cap: 0}}
  - {{key: b, type: count, event: error, cap: many}}
  - {{key: c, type: count, event: error, cap: 1000000001}}
  - {{key: d, type: count, event: error, window: 14}}
  - {{key: e, type: count, event: error, window: 8761h}}
  - {{key: f, type: count, event: error, covariate: 72h}}
  - {{key: g, type: quantile, event: error, quantile: 100%}}
  - {{key: h, type: quantile, event: error, quantile: 0}}
  - {{key: i, type: count, event: error, where: {{{many}}}}}
  - {{key: j, type: count, event: error, where: {{plan: null, colour: [red]}}}}
  - {{key: k, type: count, event: error, good: left}}
")), @"
    demo.yaml:8:46: error: metrics[0].cap: this does not fit here, expected above 0, and 1000000000 at most
    demo.yaml:9:46: error: metrics[1].cap: this is a text, expected a number
    demo.yaml:10:46: error: metrics[2].cap: this does not fit here, expected above 0, and 1000000000 at most
    demo.yaml:11:49: error: metrics[3].window: this is a number, expected whole days or hours up to 365 days: `14d`, `72h`
    demo.yaml:12:49: error: metrics[4].window: `8761h` is not a span of time that fits here, expected whole days or hours up to 365 days: `14d`, `72h`
    demo.yaml:13:52: error: metrics[5].covariate: `72h` is not a span of time that fits here, expected whole days up to 365: `14d`
    demo.yaml:14:54: error: metrics[6].quantile: this is the end of all values, and no quantile, expected more than 0% and less than 100%
    demo.yaml:15:54: error: metrics[7].quantile: this is the end of all values, and no quantile, expected more than 0% and less than 100%
    demo.yaml:16:48: error: metrics[8].where: the metric compares 11 properties, expected 10 at most
    demo.yaml:17:55: error: metrics[9].where.plan: this is nothing, expected a text, a number, `true` or `false`
    demo.yaml:17:69: error: metrics[9].where.colour: this is a list, expected a text, a number, `true` or `false`
    demo.yaml:18:47: error: metrics[10].good: `left` is not known here, expected one of `up`, `down`
    ");
}

/// A campaign with this status that says this of itself, and of metrics of which one is archived.
fn campaign_faults(status: &str, fields: &str) -> String {
    faults(&format!(
        "{EVENTS}metrics:
  - {{key: buyers, type: conversion, event: purchase}}
  - {{key: orders, type: count, event: purchase}}
  - {{key: errors, type: count, event: error, good: down}}
  - {{key: slowest, type: quantile, event: error, quantile: 95%}}
  - {{key: past, type: count, event: error, archived: true}}
campaigns:
  - key: a
    type: ab_test
    status: {status}
    {fields}
    experiments: [{{key: b, variations: [{{key: c, weight: 100%}}]}}]
"
    ))
}

#[test]
fn a_campaign_names_each_metric_once() {
    assert_eq!(
        campaign_faults(
            "not_started",
            "metrics: {primary: [buyers, orders], secondary: [slowest], guardrails: [{metric: errors, margin: 2%}]}"
        ),
        ""
    );
    assert_snapshot!(campaign_faults("running", "metrics: {primary: [buyers, buyers, byers], secondary: [orders, buyers], guardrails: [{metric: orders, margin: 2%}]}"), @"
    demo.yaml:16:33: error: campaigns[0].metrics.primary[1]: the metric is a primary metric already
    demo.yaml:16:41: error: campaigns[0].metrics.primary[2]: there is no metric `byers`
      hint: did you mean `buyers`?
    demo.yaml:16:69: error: campaigns[0].metrics.secondary[1]: the metric is a primary metric already
    demo.yaml:16:100: error: campaigns[0].metrics.guardrails[0].metric: the metric is a secondary metric already
    ");
}

#[test]
fn a_guardrail_has_a_margin_that_can_be_kept() {
    assert_snapshot!(campaign_faults("running", "metrics: {guardrails: [{metric: errors}, {metric: orders, margin: 0}, {metric: buyers, margin: 51%}]}"), @"
    demo.yaml:16:28: error: campaigns[0].metrics.guardrails[0]: the field `margin` is missing
    demo.yaml:16:71: error: campaigns[0].metrics.guardrails[1].margin: no experiment can show that nothing at all is lost, expected more than 0%, and 50% at most
    demo.yaml:16:100: error: campaigns[0].metrics.guardrails[2].margin: a metric that may lose this much is not guarded, expected more than 0%, and 50% at most
    ");
}

#[test]
fn a_quantile_decides_nothing() {
    assert_snapshot!(campaign_faults("running", "metrics: {primary: [slowest]}"), @"
    demo.yaml:16:25: error: campaigns[0].metrics.primary[0]: a quantile cannot decide: its interval holds for one look at the end only
      hint: name it under `secondary`
    ");
    assert_snapshot!(campaign_faults("running", "metrics: {guardrails: [{metric: slowest, margin: 1%}]}"), @"
    demo.yaml:16:37: error: campaigns[0].metrics.guardrails[0].metric: a quantile cannot decide: its interval holds for one look at the end only
      hint: name it under `secondary`
    ");
}

#[test]
fn a_campaign_that_can_run_is_measured_by_nothing_archived() {
    assert_snapshot!(campaign_faults("running", "metrics: {secondary: [past]}"), @"
    demo.yaml:16:27: error: campaigns[0].metrics.secondary[0]: the metric `past` is archived
      hint: restore it, or take it out here
    ");
    assert_eq!(campaign_faults("concluded", "metrics: {secondary: [past]}"), "");
}

#[test]
fn an_event_that_a_metric_measures_is_not_archived() {
    let archived = |metric: &str| {
        faults(&format!(
            "events: [{{key: buy, archived: true}}]\nmetrics: [{{key: buyers, type: conversion, event: buy, archived: {metric}}}]\n"
        ))
    };
    assert_snapshot!(archived("false"), @"
    demo.yaml:4:50: error: metrics[0].event: the event `buy` is archived
      hint: restore it, or take it out here
    ");
    assert_eq!(archived("true"), "");
}

#[test]
fn a_bayesian_plan_needs_neither_and_may_tolerate_a_loss() {
    assert_eq!(campaign_faults("not_started", "plan: {method: bayesian}"), "");
    assert_eq!(campaign_faults("not_started", "plan: {method: bayesian, max_loss: 0.1%}"), "");
    assert_snapshot!(campaign_faults("running", "plan: {method: bayesian, max_loss: 0%}"));
    assert_snapshot!(campaign_faults("running", "plan: {until: 2026-12-24, max_loss: 1%}"));
    assert_snapshot!(campaign_faults("running", "plan: {effect: 5%, method: bayes}"));
}

#[test]
fn a_plan_has_an_effect_or_an_end() {
    assert_eq!(campaign_faults("not_started", "plan: {effect: 5%}"), "");
    assert_eq!(campaign_faults("not_started", "plan: {until: 2020-02-29}"), "", "it may be past");
    assert_snapshot!(campaign_faults("running", "plan: {power: 80%}"), @"demo.yaml:16:11: error: campaigns[0].plan: a plan needs an `effect`, or a day `until` which it runs");
    assert_snapshot!(campaign_faults("running", "plan: {effect: 0%, power: 49%, confidence: 99.95%, until: 2021-02-29}"), @"
    demo.yaml:16:20: error: campaigns[0].plan.effect: 0% does not fit here, expected 0.01% to 100%
    demo.yaml:16:31: error: campaigns[0].plan.power: 49% does not fit here, expected 50% to 99%
    demo.yaml:16:48: error: campaigns[0].plan.confidence: 99.95% does not fit here, expected 80% to 99.9%
    demo.yaml:16:63: error: campaigns[0].plan.until: `2021-02-29` is not a day, expected a day of the calendar, such as `2026-12-24`
    ");
}

#[test]
fn a_project_in_use_has_no_archived_metric() {
    let project = project(&with_head(
        "events: [{key: buy}]\nmetrics: [{key: a, type: count, event: buy, archived: true}, {key: b, type: count, event: buy}]\n",
    ));

    let used = project.in_use();

    assert_eq!(used.metrics, project.metrics[1..]);
}
