//! Metrics, and what campaigns say of them.

use serde_json::{Value, json};

use super::parts::{Definition, about, entity, list_of, object, reference_to, switch, with, word};
use crate::limits::{MAX_CAMPAIGN_METRICS, MAX_METRIC_FILTERS, MAX_NAME_LENGTH};
use crate::{GoodDirection, MetricCap, MetricType, Plan, PlanMethod};

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    vec![
        ("metric", metric()),
        (
            "measured_events",
            object("Events, and what each of them counts.", measured_events(), &["event"]),
        ),
        ("campaign_metrics", campaign_metrics()),
        (
            "guardrail",
            object(
                "A metric that must not become worse by more than a margin.",
                [
                    ("metric", reference_to("reference")),
                    (
                        "margin",
                        about(
                            reference_to("share"),
                            "The tolerated harm, as a share of the control's mean: above 0%, 50% at most.",
                        ),
                    ),
                ],
                &["metric", "margin"],
            ),
        ),
        ("plan", plan()),
    ]
}

fn metric() -> Value {
    let span = |pattern: &str, example: &str, description: &str| json!({"description": description, "type": "string", "pattern": pattern, "examples": [example]});
    let cap = json!({
        "description": "The most that a visitor's value can be, in the value's own unit; for a `count` and a `sum`.",
        "type": "number", "exclusiveMinimum": 0, "maximum": MetricCap::MOST,
    });
    let mut fields = vec![(
        "type",
        about(
            word::<MetricType>(),
            "conversion: share of visitors with an event; count: events per visitor; sum: a visitor's total; mean: value per event; ratio: one total by another; quantile: of the visitors' totals.",
        ),
    )];
    fields.extend(measured_events());
    fields.extend([
        ("per", about(reference_to("measured_events"), "The denominator of a `ratio`.")),
        (
            "quantile",
            about(reference_to("share"), "Which quantile; for a `quantile`: above 0%, below 100%."),
        ),
        (
            "window",
            span(
                "^[1-9][0-9]{0,3}[dh]$",
                "14d",
                "How long after the first exposure events count: whole days or hours, a year at most.",
            ),
        ),
        ("cap", cap),
        (
            "covariate",
            span(
                "^[1-9][0-9]{0,2}d$",
                "14d",
                "The days before the first exposure that explain a part of the value; for a `conversion`, a `count` and a `sum`.",
            ),
        ),
        ("good", with(word::<GoodDirection>(), "Which way is better.", json!(GoodDirection::Up))),
        (
            "archived",
            switch("Whether it is archived: it stays in the document, but nothing is measured by it."),
        ),
    ]);
    entity("What results compare between variations.", fields, &["type", "event"])
}

fn measured_events() -> [(&'static str, Value); 3] {
    let filter = json!({"type": ["string", "number", "boolean"]});
    let filters = json!({"type": "object", "additionalProperties": filter, "maxProperties": MAX_METRIC_FILTERS});
    let value = json!({
        "description": "What each event counts: its `revenue`, its `value`, or the number in the property of this name.",
        "type": "string", "minLength": 1, "maxLength": MAX_NAME_LENGTH,
    });
    [
        ("event", about(reference_to("reference"), "The events that count.")),
        (
            "where",
            with(
                filters,
                "What properties of the event have to be, by their names; all of them.",
                json!({}),
            ),
        ),
        ("value", value),
    ]
}

fn campaign_metrics() -> Value {
    let role = |description: &str| {
        with(list_of("reference", MAX_CAMPAIGN_METRICS), description, json!([]))
    };
    let fields = [
        ("primary", role("What the verdict is by.")),
        ("secondary", role("What is shown beside it, without a verdict.")),
        (
            "guardrails",
            with(
                list_of("guardrail", MAX_CAMPAIGN_METRICS),
                "What must not become worse.",
                json!([]),
            ),
        ),
    ];
    object("The metrics of a campaign; each has one role.", fields, &[])
}

fn plan() -> Value {
    let day = json!({
        "description": "The last day whose visitors count, in UTC, such as 2026-12-24.",
        "type": "string",
        "pattern": "^2[0-9]{3}-[0-9]{2}-[0-9]{2}$",
    });
    let fields = [
        (
            "effect",
            about(
                reference_to("share"),
                "The smallest relative effect worth finding, in either direction: above 0%.",
            ),
        ),
        (
            "power",
            with(
                reference_to("share"),
                "The probability of finding it, if it is there: 50% to 99%.",
                json!(Plan::DEFAULT_POWER),
            ),
        ),
        (
            "confidence",
            with(
                reference_to("share"),
                "How sure intervals and verdicts are: 80% to 99.9%.",
                json!(Plan::DEFAULT_CONFIDENCE),
            ),
        ),
        ("until", day),
        (
            "method",
            with(
                word::<PlanMethod>(),
                "hybrid: results are told all the way, sharper at the end; fixed_horizon: at the end alone; bayesian: all the way, by what is believed, which is no rule that holds an error rate.",
                json!(PlanMethod::Hybrid),
            ),
        ),
        (
            "max_loss",
            about(
                reference_to("share"),
                "The expected loss that a verdict may take, as a share of the control's mean; for `bayesian`, by default 0.25%: above 0%, 10% at most.",
            ),
        ),
    ];
    let mut schema = object("What a campaign is to find out, and until when.", fields, &[]);
    schema["anyOf"] = json!([
        {"required": ["effect"]},
        {"required": ["until"]},
        {"required": ["method"], "properties": {"method": {"const": PlanMethod::Bayesian}}},
    ]);
    schema
}
