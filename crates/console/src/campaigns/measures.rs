//! What a campaign is measured by, and its plan.

use askama::Template;
use domain::{Plan, Project, ProjectId};
use serde_json::{Value, json};

use crate::choices;
use crate::edit::Form;
use crate::edit::field::{Choice, Field, PartErrors};

pub(super) fn new_guardrail() -> Value {
    json!({"metric": null, "margin": 200})
}

/// A plan can be filled in where there is none.
pub(super) fn open(campaign: &mut Value) {
    if campaign["plan"].is_null() {
        campaign["plan"] = no_plan();
    }
}

/// A plan that says nothing is none.
pub(super) fn close(campaign: &mut Value) {
    if campaign["plan"] == no_plan() {
        campaign["plan"] = Value::Null;
    }
}

fn no_plan() -> Value {
    let [power, confidence] = [Plan::DEFAULT_POWER, Plan::DEFAULT_CONFIDENCE];
    json!({"effect": null, "power": power, "confidence": confidence, "until": null, "method": "hybrid", "max_loss": null})
}

#[derive(Template)]
#[template(path = "edit/measures.html")]
struct Measures {
    project: ProjectId,
    has_metrics: bool,
    metrics_wrong: PartErrors,
    primary: Field,
    secondary: Field,
    guardrails: Vec<Guardrail>,
    plan_wrong: PartErrors,
    plan: Vec<Field>,
}

struct Guardrail {
    at: String,
    wrong: PartErrors,
    fields: Vec<Field>,
}

/// The parts of the form for both.
pub(super) fn content(form: &Form<'_>, project: &Project) -> String {
    let deciding = || choices::deciding_metrics(project);
    let guardrails = form.elements("/metrics/guardrails").into_iter().map(|at| Guardrail {
        wrong: form.wrong(&at, "Guardrail"),
        fields: vec![
            form.choice(&format!("{at}/metric"), "Guardrail", "", deciding()),
            form.field(
                &format!("{at}/margin"),
                "May become worse by percent",
                "Of the original's number: `2` is a fiftieth.",
            ),
        ],
        at,
    });
    let guardrails = guardrails.collect();
    let field = |at: &str, label, hint| form.field(at, label, hint);
    let parts = Measures {
        project: project.id,
        has_metrics: !project.metrics.is_empty(),
        metrics_wrong: form.wrong("/metrics", "Metrics"),
        primary: form.choice("/metrics/primary", "Primary", "The verdict is by these.", deciding()),
        secondary: form.choice(
            "/metrics/secondary",
            "Secondary",
            "Shown beside them, without a verdict.",
            choices::metrics(project),
        ),
        guardrails,
        plan_wrong: form.wrong("/plan", "Plan"),
        plan: vec![
            field(
                "/plan/effect",
                "Smallest effect worth finding in percent",
                "Of the original's number, up or down.",
            ),
            field("/plan/until", "Last day", "In UTC, as `2026-12-24`."),
            form.choice(
                "/plan/method",
                "Results are told",
                "At the end alone is what a test with one look does: nothing is shown before. Bayesian results are not always valid: looking often finds winners that are none.",
                vec![
                    Choice::new("hybrid", "all the way, sharper at the end"),
                    Choice::new("fixed_horizon", "at the end alone"),
                    Choice::new("bayesian", "Bayesian: by expected loss"),
                ],
            ),
            field(
                "/plan/max_loss",
                "Tolerated expected loss in percent",
                "Of the original's number, for Bayesian results: `0.25` if empty.",
            ),
            field("/plan/power", "Power in percent", "How surely such an effect is found."),
            field("/plan/confidence", "Confidence in percent", "How sure a verdict is."),
        ],
    };
    parts.render().expect("writing to memory does not fail")
}
