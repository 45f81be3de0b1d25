//! Whether what the metrics count comes at all, and suffices for figures: an event that no page sends looks like visitors who do not buy.

use domain::GoodDirection;

use crate::results::day_sums::number;
use crate::results::report::{
    MetricKind, MetricResult, SampleSize, SilentMetric, VariationResult, VariationShare,
};

/// Of a variation from which nothing came, were it like the others: chance alone keeps so many away once in 22,000 times.
const EXPECTED_AT_LEAST: f64 = 10.0;

/// The metrics for which nothing came, from any visitor or from those of one variation. Of those of which less is better, that is no reason to doubt.
pub(super) fn silent_metrics(metrics: &[MetricResult]) -> Vec<SilentMetric> {
    let wanted = metrics.iter().filter(|metric| metric.good == GoodDirection::Up);
    wanted.flat_map(|metric| silent(metric, &metric.variations)).collect()
}

fn silent(metric: &MetricResult, results: &[VariationResult]) -> Vec<SilentMetric> {
    let named = |variation: Option<&VariationResult>, visitors| SilentMetric {
        metric: metric.name.as_ref().unwrap_or(&metric.event).clone(),
        event: metric.event.clone(),
        variation: variation.map(|result| result.variation.clone()),
        visitors,
    };
    let visitors = results.iter().map(|result| result.visitors).sum();
    if results.iter().all(is_nothing) {
        let is_odd = visitors >= SampleSize::VISITORS;
        return is_odd.then(|| named(None, visitors)).into_iter().collect();
    }
    // Only there is a total a number of visitors.
    if metric.kind != MetricKind::Conversion {
        return Vec::new();
    }
    let all: f64 = results.iter().map(|result| result.total).sum();
    let expected = |result: &VariationResult| {
        let others = number(visitors - result.visitors).max(1.0);
        all / others * number(result.visitors)
    };
    let empty =
        results.iter().filter(|result| is_nothing(result) && expected(result) >= EXPECTED_AT_LEAST);
    empty.map(|result| named(Some(result), result.visitors)).collect()
}

/// Whether nothing of it came. Sums that cancel each other out to the last digit are as odd.
fn is_nothing(result: &VariationResult) -> bool {
    [result.total, result.per.unwrap_or_default()].iter().all(|sum| sum.abs() < f64::EPSILON)
}

/// Whether the variation with the fewest visitors, or with the fewest who convert by a primary metric, has enough of them. Variations without a weight get
/// no visitor.
pub(super) fn sample_size(variations: &[VariationShare], metrics: &[MetricResult]) -> SampleSize {
    let has_weight = |place: usize| variations[place].expected_share > 0.0;
    let weighed = || (0..variations.len()).filter(|place| has_weight(*place));
    let visitors = weighed().map(|place| variations[place].visitors).min().unwrap_or_default();
    let conversions = metrics
        .iter()
        .filter(|metric| metric.is_primary && metric.kind == MetricKind::Conversion)
        .flat_map(|metric| {
            weighed().filter_map(move |place| Some((metric, metric.variations.get(place)?.total)))
        })
        .min_by(|(_, one), (_, other)| one.total_cmp(other));
    SampleSize {
        visitors,
        conversions: conversions.map(|(_, total)| total),
        metric: conversions
            .map(|(metric, _)| metric.name.as_ref().unwrap_or(&metric.event).clone()),
        is_rough: visitors < SampleSize::VISITORS
            || conversions.is_some_and(|(_, total)| total < SampleSize::CONVERSIONS),
    }
}
