//! The schema of results (`GET /v1/projects/{id}/campaigns/{campaign}/results`).

use app::results::SegmentBy;
use serde_json::{Value, json};

use crate::openapi::schema;

/// What generated clients have types of, by the names that these get.
pub(crate) fn definitions() -> Vec<(String, Value)> {
    let named = [
        ("campaign_results", campaign()),
        ("results", results()),
        ("metric_result", metric()),
        ("variation_result", variation()),
        ("comparison", comparison()),
        ("segment_results", segments()),
        ("results_health", health()),
    ];
    named.map(|(name, definition)| (name.to_owned(), definition)).into()
}

/// The results of a campaign.
fn campaign() -> Value {
    let reason = json!({"enum": ["one_variation", "no_visitor", "plan_over", "events_deleted", "events_lost", "too_large", null], "description": "Why there are no results. `plan_over`: the last day of the plan was over before a visitor came who counts. `events_deleted`: the campaign ended before the oldest events that are kept. `events_lost`: events that would count were lost with their files, and no visitor is in what is left."});
    let experiment = object(
        "The results of an experiment, or why there are none.",
        &json!({"id": {"type": "string"}, "name": {"type": "string"}, "results": or_null(&schema("results")), "reason": reason}),
    );
    let earlier = object(
        "An experiment that has ended, as by a new phase.",
        &json!({
            "id": {"type": "string"}, "name": {"type": "string"},
            "revision": {"type": "integer", "minimum": 1, "description": "The last revision that has it: `revision` in the query asks for its results."},
            "ended_at": {"type": "string", "format": "date-time", "description": "When another revision took the place of that one."},
        }),
    );
    object(
        "The results of a campaign.",
        &json!({
            "campaign": {"type": "string", "description": "The campaign's id."},
            "name": {"type": "string"},
            "status": {"enum": ["not_started", "running", "paused", "concluded", "archived"], "description": "Whether the campaign runs, in this revision."},
            "revision": {"type": "integer", "minimum": 1, "description": "The revision whose experiments and metrics these are."},
            "is_past": {"type": "boolean", "description": "Whether visitors get another revision now, so that there is nothing to decide."},
            "is_collecting": {"type": "boolean", "description": "Whether the live snippet sends events here."},
            "events": {"type": "integer", "minimum": 0, "description": "How many events of the project came: those in the database as often as they came, those in a file once."},
            "newest_event_at": {"type": ["string", "null"], "format": "date-time"},
            "experiments": list(&experiment),
            "holdback": or_null(&object("The visitors who are shown the campaign against those who are held back; null if it has no holdback. The ids of its variations are `held_back` and `shown`.", &experiment["properties"])),
            "earlier": list(&earlier),
        }),
    )
}

fn results() -> Value {
    let verdicts = json!([
        "better",
        "worse",
        "too_early",
        "inconclusive",
        "low_risk",
        "sample_ratio_mismatch",
        "mixed",
        "no_metric"
    ]);
    let verdict = json!({"code": {"enum": verdicts}, "text": {"type": "string", "description": "In a sentence or two, which quote names in backticks."}, "variation": {"type": ["string", "null"], "description": "The id of the variation that is better or worse, or can be taken at low risk."}, "stands": {"type": "boolean", "description": "False where today's interval does not say the same any more: a verdict stays once it is made."}, "guardrails": {"type": "array", "items": {"type": "string"}, "description": "What guardrails say against it, a sentence each."}});
    let share = json!({
        "id": {"type": "string"}, "name": {"type": "string"},
        "visitors": {"type": "integer", "minimum": 0},
        "expected_share": {"type": "number", "minimum": 0, "maximum": 1},
    });
    let day = json!({"type": "string", "format": "date"});
    let mut results = object(
        "The results of an experiment.",
        &json!({
            "campaign": {"type": "string"}, "experiment": {"type": "string"},
            "first_day": day, "last_day": day,
            "verdict": object("What it comes to.", &verdict),
            "variations": list(&object("How many visitors a variation has; the control is the first.", &share)),
            "days": list(&object("The visitors who came on a day, by variation; days without any visitor are left out.", &json!({"day": day, "visitors": list(&json!({"type": "integer", "minimum": 0}))}))),
            "metrics": list(&schema("metric_result")),
            "health": schema("results_health"),
            "epochs": list(&epoch()),
            "ended_at": {"type": ["string", "null"], "format": "date-time", "description": "When the campaign was concluded or archived: what came later does not count."},
            "plan": or_null(&plan()),
            "method": {"enum": ["always_valid", "hybrid", "fixed_horizon", "bayesian"], "description": "`bayesian` holds no error rate over many looks: its intervals are credible ones, given the prior."},
            "confidence": {"type": "number", "minimum": 0, "maximum": 1, "description": "How sure verdicts are, and intervals of one comparison alone. `interval_confidence` says how sure each interval is."},
        }),
    );
    results["properties"]["segments"] = schema("segment_results");
    results
}

/// Only there if it was asked for.
fn segments() -> Value {
    let comparison = object(
        "A variation against the control, within the segment.",
        &json!({"difference": interval(), "lift": interval(), "interval_confidence": interval_confidence(), "reason": {"type": ["string", "null"], "description": "Why there is no figure."}}),
    );
    let arm = object("The figures of a metric, a segment and a variation.", &arm(&comparison));
    let about = about();
    let metric = object(
        "The figures of a metric and a segment.",
        &json!({"id": about["id"], "name": about["name"], "event": about["event"], "kind": about["kind"], "variations": list(&arm)}),
    );
    let segment = object(
        "The figures of the visitors of a segment.",
        &json!({
            "segment": {"type": "string", "description": "The family of the browser or the kind of device, or `unknown`."},
            "name": {"type": "string"},
            "visitors": list(&json!({"type": "integer", "minimum": 0})),
            "metrics": list(&metric),
        }),
    );
    object(
        "The figures of parts of the visitors, if they were asked for: intervals without verdicts.",
        &json!({
            "by": {"enum": SegmentBy::ALL.map(SegmentBy::word)},
            "text": {"type": "string", "description": "How to read them."},
            "segments": list(&segment),
        }),
    )
}

/// An estimate with its interval.
fn interval() -> Value {
    json!({
        "type": ["array", "null"], "items": {"type": "number"}, "minItems": 3, "maxItems": 3,
        "description": "The estimate, and the lower and upper end of its interval.",
    })
}

/// How sure an interval is.
fn interval_confidence() -> Value {
    json!({
        "type": ["number", "null"], "minimum": 0, "maximum": 1,
        "description": "How sure the intervals beside it are: `confidence` of the results or, of comparisons that are judged together, more. Null without an interval.",
    })
}

fn epoch() -> Value {
    object(
        "A time in which the weights promised the same shares; visitors of each are compared among themselves. None if they never changed.",
        &json!({
            "since": {"type": ["string", "null"], "format": "date", "description": "Null of the first one."},
            "expected_shares": list(&json!({"type": "number", "minimum": 0, "maximum": 1})),
            "visitors": list(&json!({"type": "integer", "minimum": 0})),
        }),
    )
}

fn plan() -> Value {
    let day = |description: &str| json!({"type": ["string", "null"], "format": "date", "description": description});
    object(
        "The campaign's plan, with what is known of it.",
        &json!({
            "effect": {"type": ["number", "null"], "description": "The smallest relative effect worth finding."},
            "power": {"type": "number"},
            "until": day("The last day whose visitors count."),
            "ended_on": day("The day on which it ended; figures are those of that day."),
            "needed_visitors": {"type": ["integer", "null"], "minimum": 0, "description": "Of the control and the variation with the smallest weight."},
            "shows_by": day("When they will have come, at the traffic of the last seven days; nothing once the plan has ended."),
            "reason": {"type": ["string", "null"], "description": "Why that cannot be told."},
            "tolerated_loss": {"type": ["number", "null"], "description": "The expected loss that a Bayesian verdict may take, as a share of the control's mean; null by other methods."},
            "prior_deviation": {"type": ["number", "null"], "description": "The standard deviation of lifts that is believed before the data; null by other methods."},
        }),
    )
}

fn metric() -> Value {
    let mut metric = about();
    metric["variations"] = list(&schema("variation_result"));
    object("The figures of a metric.", &metric)
}

fn variation() -> Value {
    let mut arm = arm(&schema("comparison"));
    arm["deviation"] = json!({"type": ["number", "null"], "minimum": 0, "description": "The standard deviation between visitors, without any covariate; null if `mean` is not per visitor."});
    arm["posterior"] = or_null(&posterior());
    object("The figures of a metric and a variation.", &arm)
}

fn comparison() -> Value {
    let interval = interval();
    let known = object(
        "What was known at the end of a day.",
        &json!({
            "day": {"type": "string", "format": "date"},
            "visitors": {"type": "array", "items": {"type": "integer", "minimum": 0}, "minItems": 2, "maxItems": 2},
            "lift": interval, "interval_confidence": interval_confidence(),
            "reason": {"type": ["string", "null"]},
        }),
    );
    object(
        "A variation against the control.",
        &json!({
            "difference": interval, "lift": interval, "interval_confidence": interval_confidence(),
            "decided": {"enum": ["better", "worse", "inconclusive", "no_worse", "not_judged"], "description": "Of a guardrail `no_worse`, `worse` or `inconclusive`, of a secondary metric `not_judged`."},
            "decided_on": {"type": ["string", "null"], "format": "date"},
            "p_value": {"type": ["number", "null"], "minimum": 0, "maximum": 1, "description": "Of a primary metric the evidence of all days so far, adjusted for all comparisons by primary metrics (Benjamini-Hochberg): at most 1 - `confidence` of the results is a discovery. Of other metrics that of today, not adjusted. Null if results are Bayesian."},
            "reason": {"type": ["string", "null"], "description": "Why there is no figure."},
            "series": list(&known),
        }),
    )
}

/// The figures of a variation, of all visitors or of a segment.
fn arm(comparison: &Value) -> Value {
    json!({
        "variation_id": {"type": "string"},
        "variation": {"type": "string", "description": "The variation's name, which another one may have, too."},
        "visitors": {"type": "integer", "minimum": 0},
        "total": {"type": "number"},
        "per": {"type": ["number", "null"], "description": "What a mean or a ratio divides the total by."},
        "mean": {"type": ["number", "null"]},
        "comparison": or_null(comparison),
    })
}

/// What is believed of a variation; nothing if the plan is not Bayesian.
fn posterior() -> Value {
    let probability = |description: &str| json!({"type": "number", "minimum": 0, "maximum": 1, "description": description});
    object(
        "What is believed of a variation among all; null if the plan is not Bayesian, or there are no figures.",
        &json!({
            "probability_best": probability("That it is the best of all."),
            "chance_to_beat_control": {"type": ["number", "null"], "minimum": 0, "maximum": 1, "description": "That it is better than the control; null of the control."},
            "expected_loss": {"type": ["number", "null"], "minimum": 0, "description": "What is lost on average by taking it instead of the best, as a share of the control's mean."},
            "is_low_risk": {"type": "boolean", "description": "All variations are known well enough, and the plan tolerates this loss; of primary metrics only."},
        }),
    )
}

/// What a metric is, and how it was counted.
fn about() -> Value {
    let span = |description: &str| json!({"type": ["string", "null"], "description": description});
    let share = |description: &str| json!({"type": ["number", "null"], "description": description});
    json!({
        "id": {"type": ["string", "null"], "description": "The id of the document's metric; null of an event without a metric."},
        "name": {"type": ["string", "null"]},
        "event": {"type": "string"},
        "kind": {"enum": ["conversion", "count", "sum", "revenue", "mean", "ratio", "quantile"]},
        "is_revenue": {"type": "boolean", "description": "Whether totals, means and differences are in the currency's smallest unit."},
        "role": {"enum": ["primary", "secondary", "guardrail"]},
        "is_primary": {"type": "boolean"},
        "good": {"enum": ["up", "down"]},
        "window": span("How long after the first exposure events count: `14d`."),
        "cap": share("The most that a visitor's value can be."),
        "covariate": span("The days before the first exposure that explain a part of the value: `14d`."),
        "quantile": share("Which quantile: `0.95`."),
        "margin": share("The harm that a guardrail tolerates: `0.02` is 2 %."),
    })
}

fn health() -> Value {
    let ratio = json!({
        "p_value": {"type": ["number", "null"]},
        "is_alarmed": {"type": "boolean", "description": "Something takes visitors from a variation: no figure can be trusted."},
        "alarmed_on": {"type": ["string", "null"], "format": "date", "description": "The day by whose end the evidence sufficed for that."},
        "suspects": {"type": "array", "items": suspect(), "description": "Where the mismatch may come from; empty without an alarm."},
        "without_weight": {"type": "integer", "minimum": 0, "description": "Visitors of variations that had no weight when they came: they count, and no share of theirs can be checked."},
        "reason": {"type": ["string", "null"]},
    });
    let count =
        |description: &str| json!({"type": "integer", "minimum": 0, "description": description});
    let lost_day = object(
        "A day of which events were lost with their files, and given up: figures lack them.",
        &json!({"day": {"type": "string", "format": "date"}, "events": {"type": "integer", "minimum": 0}}),
    );
    object(
        "Whether the figures can be trusted.",
        &json!({
            "sample_ratio": object("Whether visitors came in the shares of the weights.", &ratio),
            "mixed_visitors": count("Visitors of two variations; they are left out."),
            "unknown_variations": count("Exposures to what is not a variation of the experiment; they are left out."),
            "unknown_variation": {"type": ["string", "null"], "description": "One of these."},
            "silent_metrics": {"type": "array", "items": silent_metric(), "description": "Metrics whose event no visitor sent, although some visitors should have."},
            "sample": sample(),
            "deleted_before": {"type": ["string", "null"], "format": "date", "description": "The day since which events are kept, if visitors took part before: those are missing."},
            "lost_days": list(&lost_day),
            "bot_events": count("Events of programs; they are left out."),
            "forced_exposures": count("Exposures that a page or a preview forced; they are left out."),
            "late_events": count("Events with a time that cannot be: more than seven days before they came, or ten minutes after. They count as of when they came."),
            "flicker_visitors": count("Visitors who may have seen the page change, since it could be seen before the snippet ran. They count."),
        }),
    )
}

fn silent_metric() -> Value {
    object(
        "A metric for which nothing came.",
        &json!({
            "metric": {"type": "string", "description": "Its name; the key of its event if the project has no metric of it."},
            "event": {"type": "string", "description": "The key of its event."},
            "variation": {"type": ["string", "null"], "description": "The name of the variation from whose visitors nothing came; null if nothing came from any visitor."},
            "visitors": {"type": "integer", "minimum": 1, "description": "How many visitors these are: 100 or more, or of one variation so many that ten or more should have done it."},
        }),
    )
}

fn sample() -> Value {
    object(
        "Whether the figures are of enough visitors.",
        &json!({
            "visitors": {"type": "integer", "minimum": 0, "description": "Those of the variation that has the fewest."},
            "conversions": {"type": ["number", "null"], "description": "The visitors who convert by a primary metric, of the variation and metric with the fewest; null if no primary metric is a conversion."},
            "metric": {"type": ["string", "null"], "description": "The name of that metric."},
            "is_rough": {"type": "boolean", "description": "These are too few for more than rough figures: fewer than 100 visitors, or than 10 who convert."},
        }),
    )
}

/// Where a mismatch may come from. Its fields depend on its kind, and one object with optional fields is what generators of clients know.
fn suspect() -> Value {
    let day =
        |description: &str| json!({"type": "string", "format": "date", "description": description});
    let mut suspect = object(
        "Where a mismatch may come from.",
        &json!({"kind": {"enum": ["days", "redirect", "browser", "device", "page"], "description": "`days`: it is of some days; on all others, visitors came in the shares of the weights. `redirect`: a variation redirects and misses visitors. `browser`, `device`, `page`: it is of visitors with or of this one; all who are not suspected came in the shares of the weights."}}),
    );
    suspect["properties"]["first_day"] = day("The first of these days.");
    suspect["properties"]["last_day"] = day("The last of these days.");
    let word = |description: &str| json!({"type": "string", "description": description});
    suspect["properties"]["browser"] = word("The family of the browser, or `unknown`.");
    suspect["properties"]["device"] = word("The kind of device, or `unknown`.");
    suspect["properties"]["page"] = or_null(&object(
        "The page; null for visitors of whom it is not known.",
        &json!({"id": {"type": "string"}, "name": {"type": "string"}}),
    ));
    suspect["properties"]["variation"] = json!({"type": "string", "description": "The id of the variation that redirects, or that misses the most visitors with the browser or device, or of the page."});
    suspect["properties"]["name"] = json!({"type": "string", "description": "Its name."});
    suspect["properties"]["visitors"] = json!({"type": "integer", "minimum": 0});
    suspect["properties"]["expected_visitors"] = json!({"type": "number", "description": "How many its weight promises, of all visitors or of those with the browser or device, or of the page."});
    suspect
}

/// An object with all of these fields.
fn object(description: &str, fields: &Value) -> Value {
    let names: Vec<&String> =
        fields.as_object().into_iter().flatten().map(|(name, _)| name).collect();
    json!({"type": "object", "description": description, "required": names, "properties": fields})
}

/// The same, or nothing.
fn or_null(schema: &Value) -> Value {
    json!({"anyOf": [schema, {"type": "null"}]})
}

fn list(items: &Value) -> Value {
    json!({"type": "array", "items": items})
}
