//! The figures of each metric: a table by variation, and the lifts of all in one chart.

use app::numerals::thousands;
use app::results::{
    ComparisonResult, ComparisonVerdict, MetricResult, MetricRole, Results, VariationResult,
};

use super::figures::{
    amount, drawn, effect, mean, metric_settings, metric_title, missing, p_value, probability,
    share, total_decimals,
};
use crate::charts::{Forest, ForestRow};

/// The figures of a metric.
pub(super) struct MetricTable {
    pub(super) title: String,
    /// How it is counted.
    pub(super) settings: String,
    /// What it is to the campaign, if it is more than shown.
    pub(super) role: Option<&'static str>,
    pub(super) rows: Vec<VariationRow>,
}

/// The figures of a variation.
pub(super) struct VariationRow {
    pub(super) class: &'static str,
    pub(super) variation: String,
    pub(super) visitors: String,
    pub(super) total: String,
    pub(super) mean: String,
    /// Against the control.
    pub(super) lift: String,
    pub(super) interval: String,
    pub(super) evidence: String,
    /// The probability to be the best of all, and what taking it loses on average, if results are Bayesian.
    pub(super) best: String,
    pub(super) loss: String,
    /// The verdict.
    pub(super) decided: String,
    /// The day on which it was clear: `since`, or only `on`, where it may have worn off.
    pub(super) since: Option<(&'static str, String)>,
}

impl MetricTable {
    pub(super) fn of(metric: &MetricResult) -> Self {
        let rows =
            metric.variations.iter().map(|result| VariationRow::of(metric, result)).collect();
        let role = match metric.role {
            MetricRole::Primary => Some("primary"),
            MetricRole::Secondary => None,
            MetricRole::Guardrail => Some("guardrail"),
        };
        Self { title: metric_title(metric), settings: metric_settings(metric), role, rows }
    }
}

impl VariationRow {
    fn of(metric: &MetricResult, result: &VariationResult) -> Self {
        let nothing = String::new;
        let row = Self {
            class: "",
            variation: result.variation.clone(),
            visitors: thousands(result.visitors),
            total: amount(
                result.total,
                total_decimals(metric.variations.iter().map(|result| result.total)),
            ),
            mean: result.mean.map_or_else(|| "–".to_owned(), |one| mean(metric.kind, one)),
            lift: nothing(),
            interval: nothing(),
            evidence: nothing(),
            best: result.posterior.map_or_else(nothing, |one| probability(one.probability_best)),
            loss: result.posterior.and_then(|one| one.expected_loss).map_or_else(nothing, share),
            decided: "control".to_owned(),
            since: None,
        };
        let Some(comparison) = &result.comparison else { return row };
        let Standing { class, since } = Standing::of(metric, result, comparison);
        let decided = comparison.decided.phrase().to_owned();
        let [lift, interval] = effect(metric.kind, comparison.lift, comparison.difference)
            .unwrap_or_else(|| ["–", missing(comparison.reason)].map(str::to_owned));
        let evidence = comparison.p_value.map_or_else(|| "–".to_owned(), p_value);
        Self { class, lift, interval, evidence, decided, since, ..row }
    }
}

/// How a comparison's verdict is shown: as it is only while today's interval says the same.
pub(super) struct Standing {
    pub(super) class: &'static str,
    /// The day of the verdict, if there is one, behind `since` or `on`.
    pub(super) since: Option<(&'static str, String)>,
}

impl Standing {
    pub(super) fn of(
        metric: &MetricResult,
        result: &VariationResult,
        comparison: &ComparisonResult,
    ) -> Self {
        let day = comparison.decided_on.clone();
        if day.is_none() || metric.stands(result) {
            return Self { class: comparison.decided.word(), since: day.map(|day| ("since", day)) };
        }
        Self { class: ComparisonVerdict::Inconclusive.word(), since: day.map(|day| ("on", day)) }
    }
}

/// The lifts of all metrics in one chart; `None` while nothing is compared.
pub(super) fn forest(place: usize, results: &Results) -> Option<Forest> {
    let has_one = results.variations.len() <= 2;
    let rows = results.metrics.iter().flat_map(|metric| {
        compared(metric).map(move |(result, comparison)| ForestRow {
            label: if has_one {
                metric_title(metric)
            } else {
                format!("{}: {}", metric_title(metric), result.variation)
            },
            lift: drawn(metric.kind, comparison.lift, (comparison.difference, comparison.reason)),
            decided: Standing::of(metric, result, comparison).class,
            is_primary: metric.is_primary,
        })
    });
    let rows: Vec<_> = rows.collect();
    let words = "Lift of every metric with its interval".to_owned();
    (!rows.is_empty()).then(|| Forest::new(format!("lifts-{place}"), words, &rows))
}

/// The variations of a metric that are compared with the control.
pub(super) fn compared(
    metric: &MetricResult,
) -> impl Iterator<Item = (&VariationResult, &ComparisonResult)> {
    metric.variations.iter().filter_map(|result| Some((result, result.comparison.as_ref()?)))
}
