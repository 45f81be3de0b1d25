//! How many comparisons, the plan and changed weights bear on the figures, a sentence each.

use app::numerals::quantity;
use app::results::{IntervalMethod, JudgedTogether, MetricResult, PlanReport, Results};

use super::figures::{metric_title, missing};
use super::metrics::compared;

/// What many comparisons, the plan and changed weights do to the figures.
pub(super) fn notes(results: &Results) -> Vec<String> {
    let plan = results.plan.as_ref().and_then(|plan| plan_note(results, plan));
    let days = results.epochs.iter().filter_map(|epoch| epoch.since.clone());
    let days: Vec<_> = days.collect();
    let weights = (!days.is_empty()).then(|| format!(
        "The weights changed on {}. Visitors who came between two changes are compared among themselves, and these comparisons are put together; totals and rates above are of all visitors, so a lift can differ from what they seem to say.",
        days.join(", ")
    ));
    let together = results.judged_together().map(together_note);
    let absolute = results.metrics.iter().filter_map(absolute_note);
    together
        .into_iter()
        .chain(absolute)
        .chain(plan)
        .chain(results.ended_sentence())
        .chain(weights)
        .collect()
}

/// Why the differences of a metric are no lifts.
fn absolute_note(metric: &MetricResult) -> Option<String> {
    let (_, comparison) =
        compared(metric).find(|(_, one)| one.lift.is_none() && one.difference.is_some())?;
    let (title, why) = (metric_title(metric), missing(comparison.reason));
    Some(format!("Differences of {title} are as they are, and no lifts, because {why}."))
}

/// What the plan does to the figures.
fn plan_note(results: &Results, plan: &PlanReport) -> Option<String> {
    let needed = plan.needed_visitors.map(|needed| quantity(needed, "visitor", "visitors"));
    let is_bayesian = plan.tolerated_loss.is_some();
    let hybrid = "The campaign has a plan: looks before its end take a tenth of the error, the end takes the rest, and intervals get sharper there.";
    Some(match (&plan.ended_on, needed) {
        (Some(day), _) if is_one_look(results) || is_bayesian => format!(
            "The plan ended on {day}: figures are those of the end of that day, and what came later does not count."
        ),
        (None, Some(needed)) if is_bayesian => format!(
            "No verdict is given before some {needed} of the control and one variation came, as many as a test with one look needs for the planned effect."
        ),
        (None, None) if is_bayesian => return None,
        (None, Some(needed)) if is_one_look(results) => {
            format!("The planned effect needs some {needed} of the control and one variation.")
        }
        (None, None) if is_one_look(results) => {
            "How many visitors the planned effect needs is not known yet.".to_owned()
        }
        (Some(day), _) => format!(
            "The plan ended on {day}: figures are those of the end of that day, and what came later does not count. Intervals are nearly as sharp there as those of a test with one look."
        ),
        (None, Some(needed)) => {
            format!("{hybrid} Its effect needs some {needed} of the control and one variation.")
        }
        (None, None) => hybrid.to_owned(),
    })
}

/// What it does to the figures that several comparisons are judged together.
fn together_note(together: JudgedTogether) -> String {
    let JudgedTogether { comparisons, interval_confidence, are_wider } = together;
    let intervals = if are_wider {
        let each = (interval_confidence * 10_000.0).round() / 100.0;
        format!(", and their intervals are wider, at {each}\u{202f}% each")
    } else {
        String::new()
    };
    format!(
        "{comparisons} comparisons by primary metrics are judged together: their p-values are adjusted (Benjamini–Hochberg){intervals}."
    )
}

/// Whether figures are those of the planned end alone.
pub(super) fn is_one_look(results: &Results) -> bool {
    results.method == IntervalMethod::FixedHorizon
}
