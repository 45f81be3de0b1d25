//! Results for people at a terminal.

use std::fmt::Write as _;

use stats::NoFigure;

use crate::numerals::{quantity, thousands};
use crate::results::report::{
    CampaignResults, ComparisonResult, ComparisonVerdict, EarlierExperiment, HealthReport,
    IntervalMethod, JudgedTogether, MetricKind, MetricResult, MetricRole, NoResults, Results,
    SegmentComparison, SegmentVariation, SegmentsReport, SilentMetric, Suspect, VariationResult,
};
use crate::results::verdict::{percent, probability};

/// The results of all experiments of a campaign, or why there are none.
///
/// # Panics
/// Never: writing to memory does not fail.
#[must_use]
pub fn campaign_text(campaign: &CampaignResults) -> String {
    let each = campaign.experiments.iter().chain(&campaign.holdback).map(|experiment| {
        let why = match experiment.reason {
            Some(NoResults::NoVisitor) => "no visitor has come yet",
            Some(NoResults::PlanOver) => {
                "the last day of its plan was over before a visitor came who counts"
            }
            Some(NoResults::EventsDeleted) => {
                "it ended before the oldest events that this server keeps"
            }
            Some(NoResults::EventsLost) => {
                "no visitor is in what is left of its events: some were lost with their files"
            }
            Some(NoResults::OneVariation) => "it has one variation, and nothing to compare it with",
            Some(NoResults::TooLarge | NoResults::UnknownCampaign) | None => "there are no results",
        };
        let none = || format!("{}: {why}.\n", experiment.name);
        experiment.results.as_ref().map_or_else(none, results_text)
    });
    let mut text = each.collect::<Vec<_>>().join("\n");
    if campaign.is_past {
        let revision = campaign.revision;
        let _ = writeln!(text, "\nThis is what revision {revision} has. Visitors get another now.");
    }
    for EarlierExperiment { name, revision, ended_at, .. } in &campaign.earlier {
        let day = ended_at.split('T').next().unwrap_or_default();
        let _ = writeln!(text, "\nEarlier: {name}, until {day} (--revision {revision}).");
    }
    if !campaign.is_collecting {
        text.push_str(
            "\nThe live project has `results: off`, or is archived: nothing new is counted.\n",
        );
    }
    text
}

/// The verdict, a table for each metric, and what to know about the figures.
#[must_use]
pub fn results_text(results: &Results) -> String {
    let visitors: u64 = results.variations.iter().map(|one| one.visitors).sum();
    let Results { campaign, experiment, first_day, last_day, .. } = results;
    let title =
        if campaign == experiment { campaign.clone() } else { format!("{campaign}, {experiment}") };
    let mut text = format!(
        "{title}: {}, {first_day} to {last_day}\n\n",
        quantity(visitors, "visitor", "visitors")
    );
    text.push_str(&results.verdict.text.replace('`', ""));
    for sentence in &results.verdict.guardrails {
        text.push(' ');
        text.push_str(&sentence.replace('`', ""));
    }
    text.push('\n');
    for metric in &results.metrics {
        text.push('\n');
        write_metric(&mut text, metric);
    }
    if let Some(segments) = &results.segments {
        write_segments(&mut text, results, segments);
    }
    if let Some(ended) = results.plan.as_ref().and_then(|plan| plan.ended_on.as_ref()) {
        let _ = writeln!(text, "\nThe plan ended on {ended}; what came later does not count.");
    }
    if let Some(ended) = results.ended_sentence() {
        let _ = writeln!(text, "\n{ended}");
    }
    let health = health(&results.health);
    let _ = write!(text, "\n{health}\n{}\n", promise(results));
    text
}

/// What intervals hold.
fn promise(results: &Results) -> String {
    let confidence = rounded(results.confidence);
    let together = results.judged_together().filter(|one| one.are_wider);
    let together = together.map_or_else(String::new, |one| {
        let JudgedTogether { comparisons, interval_confidence, .. } = one;
        let each = rounded(interval_confidence);
        format!(" Those of the {comparisons} comparisons by primary metrics, which are judged together, are at {each} % each.")
    });
    let promise = match results.method {
        IntervalMethod::FixedHorizon => format!(
            "In {confidence} % of experiments, each interval holds the effect at the planned end, its only look."
        ),
        IntervalMethod::Bayesian => format!(
            "Bayesian: an interval holds the effect with a probability of {confidence} %, given the data and the belief that most lifts are within 30 %. This is not always valid: looking often finds winners that are none."
        ),
        IntervalMethod::AlwaysValid | IntervalMethod::Hybrid => format!(
            "In {confidence} % of experiments, intervals hold the effect at all looks together."
        ),
    };
    promise + &together
}

/// A share in percent.
fn rounded(share: f64) -> f64 {
    (share * 10_000.0).round() / 100.0
}

fn write_metric(text: &mut String, metric: &MetricResult) {
    let title = metric.name.as_deref().unwrap_or(&metric.event);
    let _ = writeln!(text, "{title} ({})", what(metric));
    let names = metric.variations.iter().map(|result| result.variation.chars().count());
    let width = names.max().unwrap_or(0);
    for result in &metric.variations {
        let figures = (result.visitors, mean(metric.kind, result.mean));
        let compared = compared(result, metric) + &believed(result);
        write_variation(text, (&result.variation, width), figures, &compared);
    }
}

fn write_variation(
    text: &mut String,
    (name, width): (&str, usize),
    (visitors, mean): (u64, String),
    compared: &str,
) {
    let visitors = thousands(visitors);
    let line = format!("  {name:width$}  {visitors:>11}  {mean:>12}  {compared}");
    text.push_str(line.trim_end());
    text.push('\n');
}

fn mean(kind: MetricKind, mean: Option<f64>) -> String {
    mean.map_or("–".to_owned(), |mean| match kind {
        MetricKind::Conversion => format!("{:.2} %", mean * 100.0),
        MetricKind::Count
        | MetricKind::Sum
        | MetricKind::Revenue
        | MetricKind::Mean
        | MetricKind::Ratio
        | MetricKind::Quantile => format!("{mean:.4}"),
    })
}

/// A table of each metric, with the segments below each other.
fn write_segments(text: &mut String, results: &Results, segments: &SegmentsReport) {
    let _ = writeln!(text, "\nBy {}. {}", segments.by.word(), segments.text);
    let lengths = |all: Vec<&str>| all.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let width = lengths(segments.segments.iter().map(|segment| segment.name).collect())
        + lengths(results.variations.iter().map(|one| one.name.as_str()).collect())
        + ": ".len();
    for (place, metric) in results.metrics.iter().enumerate() {
        let _ = writeln!(
            text,
            "\n{} ({})",
            metric.name.as_deref().unwrap_or(&metric.event),
            what(metric)
        );
        for segment in &segments.segments {
            let Some(of_segment) = segment.metrics.get(place) else { continue };
            let named =
                |result: &SegmentVariation| format!("{}: {}", segment.name, result.variation);
            for result in &of_segment.variations {
                let figures = (result.visitors, mean(metric.kind, result.mean));
                let compared = compared_in_segment(result, metric);
                write_variation(text, (&named(result), width), figures, &compared);
            }
        }
    }
}

fn compared_in_segment(result: &SegmentVariation, metric: &MetricResult) -> String {
    let Some(comparison) = &result.comparison else { return String::new() };
    let SegmentComparison { difference, lift, reason, .. } = *comparison;
    Compared { metric, difference, lift, reason }.with("")
}

/// How it is counted, and what it is to the campaign.
fn what(metric: &MetricResult) -> String {
    let role = match metric.role {
        MetricRole::Primary => Some("primary".to_owned()),
        MetricRole::Secondary => None,
        MetricRole::Guardrail => Some("guardrail".to_owned()),
    };
    metric.description(percent).into_iter().chain(role).collect::<Vec<_>>().join(", ")
}

fn compared(result: &VariationResult, metric: &MetricResult) -> String {
    use ComparisonVerdict::{Better, Inconclusive, NoWorse, NotJudged, Worse};

    let Some(comparison) = &result.comparison else { return String::new() };
    let ComparisonResult { difference, lift, reason, decided, ref decided_on, .. } = *comparison;
    let word = match (decided, decided_on) {
        (Inconclusive | NotJudged, _) if difference.is_none() => String::new(),
        (Better | Worse, Some(day)) if !metric.stands(result) => {
            format!("{} on {day}", decided.phrase())
        }
        (Better | Worse | Inconclusive | NoWorse | NotJudged, _) => decided.phrase().to_owned(),
    };
    Compared { metric, difference, lift, reason }.with(&word)
}

/// What is known of a variation beside the control.
struct Compared<'m> {
    metric: &'m MetricResult,
    difference: Option<[f64; 3]>,
    lift: Option<[f64; 3]>,
    reason: Option<NoFigure>,
}

impl Compared<'_> {
    /// The lift or, where it has no figure, the difference, with this word of its verdict, and why there is no other figure.
    fn with(&self, word: &str) -> String {
        let parts = [self.figure(), word.to_owned(), self.missing()];
        let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        parts.join("  ")
    }

    fn figure(&self) -> String {
        let kind = self.metric.kind;
        let (figures, told): (_, fn(f64) -> String) = match (self.lift, self.difference) {
            (Some(lift), _) => (kind.possible_lift(lift), |lift| format!("{:+.1} %", lift * 100.0)),
            // Not in percent: that would look like a lift.
            (None, Some(difference)) if kind == MetricKind::Conversion => {
                (kind.possible_difference(difference), |share| {
                    format!("{:+.2} points", share * 100.0)
                })
            }
            (None, Some(difference)) => (difference, |amount| format!("{amount:+.4}")),
            (None, None) => return String::new(),
        };
        let [estimate, lower, upper] = figures.map(told);
        format!("{estimate:>9}  ({lower} to {upper})")
    }

    fn missing(&self) -> String {
        let Some(reason) = self.reason.filter(|_| self.lift.is_none()) else {
            return String::new();
        };
        let what = if self.difference.is_some() { "lift" } else { "figure" };
        // Of a metric with a covariate, adjusted means are compared, and those in the table are not adjusted.
        let baseline =
            if self.metric.covariate.is_some() { "adjusted baseline" } else { "baseline" };
        format!("no {what}: {}", reason.code().replace('_', " ").replace("baseline", baseline))
    }
}

/// How likely a variation is the best, and what taking it costs.
fn believed(result: &VariationResult) -> String {
    let Some(posterior) = result.posterior else { return String::new() };
    let best = probability(posterior.probability_best);
    let loss = posterior.expected_loss.map(|loss| format!(", loses {:.2} %", loss * 100.0));
    let separator = if result.comparison.is_some() { "; " } else { "" };
    format!("{separator}best: {best}{}", loss.unwrap_or_default())
}

fn health(health: &HealthReport) -> String {
    let ratio = match (health.sample_ratio.p_value, health.sample_ratio.is_alarmed) {
        (_, true) => format!(
            "visitors did not come in the shares of the weights, clear by the end of {}",
            health.sample_ratio.alarmed_on.as_deref().unwrap_or("a day before")
        ),
        (Some(_), false) => "visitors came in the shares of the weights".to_owned(),
        (None, false) => "the shares of visitors cannot be checked".to_owned(),
    };
    let silent = health.silent_metrics.iter().map(SilentMetric::sentence);
    let counts = [
        (health.repeated_events.unwrap_or_default(), "events came before, and count once"),
        (health.mixed_visitors, "visitors of two variations are left out"),
        (health.unknown_variations, "exposures to other variations are left out"),
        (health.sample_ratio.without_weight, "visitors were given a variation without weight"),
        (
            health.events_without_exposure.unwrap_or_default(),
            "events are of visitors without an exposure",
        ),
        (
            health.flicker_visitors.unwrap_or_default(),
            "visitors may have seen the page change, since the snippet ran late",
        ),
        (
            health.late_events.unwrap_or_default(),
            "events came with a time that cannot be, and count as of when they came",
        ),
    ];
    let counts = counts.into_iter().filter(|(count, _)| *count > 0);
    let counts = counts.map(|(count, words)| format!("{} {words}", thousands(count)));
    let all: Vec<String> = std::iter::once(ratio).chain(counts).collect();
    let suspects = health.sample_ratio.suspects.iter().map(Suspect::sentence);
    let rough = health.sample.sentence();
    let deleted = health.deleted_before.as_ref().map(|day| {
        format!("Events before {day} are deleted, so these figures are not of all visitors.")
    });
    let lost = health.lost_sentence();
    let sentences = suspects
        .chain(silent)
        .chain(rough)
        .chain(deleted)
        .chain(lost)
        .map(|sentence| format!(" {sentence}"));
    format!("Health: {}.{}", all.join("; "), sentences.collect::<String>())
}
