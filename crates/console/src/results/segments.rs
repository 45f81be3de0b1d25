//! The figures of each browser or device, as the page shows them: intervals without verdicts.

use app::numerals::thousands;
use app::results::{
    ComparisonVerdict, MetricResult, Results, SegmentBy, SegmentComparison, SegmentMetric,
    SegmentReport, SegmentVariation, SegmentsReport,
};

use super::figures::{
    amount, drawn, effect, mean, metric_settings, metric_title, missing, total_decimals,
};
use crate::charts::{Forest, ForestRow};

/// What the page can be split by, and by what it is.
pub(super) struct Choice {
    pub(super) words: &'static str,
    /// The address that the page then has.
    pub(super) address: String,
    pub(super) is_chosen: bool,
}

/// The segments of an experiment.
pub(super) struct ShownSegments {
    pub(super) title: &'static str,
    /// How to read them.
    pub(super) text: String,
    /// The intervals of the primary metric.
    pub(super) primary: Option<(String, Forest)>,
    pub(super) metrics: Vec<SegmentTable>,
    /// Why cells have no figure, in the order of their numbers. In a cell, such a sentence would stand one word a line.
    pub(super) reasons: Vec<&'static str>,
    /// How many variations each segment has.
    pub(super) variations: usize,
}

/// The figures of a metric.
pub(super) struct SegmentTable {
    pub(super) title: String,
    /// How it is counted.
    pub(super) settings: String,
    pub(super) rows: Vec<SegmentRow>,
}

/// The figures of a segment and a variation.
pub(super) struct SegmentRow {
    /// Of the first variation, the name of the segment.
    pub(super) segment: Option<&'static str>,
    pub(super) variation: String,
    pub(super) visitors: String,
    pub(super) total: String,
    pub(super) mean: String,
    pub(super) lift: String,
    pub(super) interval: String,
}

/// The choices of a page that is split so, with the address that it has for each.
pub(super) fn choices(
    split: Option<SegmentBy>,
    address: impl Fn(Option<SegmentBy>) -> String,
) -> Vec<Choice> {
    let all = [
        ("All visitors", None),
        ("By browser", Some(SegmentBy::Browser)),
        ("By device", Some(SegmentBy::Device)),
    ];
    let each = all.into_iter().map(|(words, by)| Choice {
        words,
        address: address(by),
        is_chosen: by == split,
    });
    each.collect()
}

impl ShownSegments {
    pub(super) fn of(place: usize, results: &Results) -> Option<Self> {
        let split = results.segments.as_ref()?;
        let tables = results.metrics.iter().enumerate();
        let reasons = reasons(split);
        Some(Self {
            title: match split.by {
                SegmentBy::Browser => "Browsers",
                SegmentBy::Device => "Devices",
            },
            text: split.text.clone(),
            primary: primary(place, results, split),
            metrics: tables
                .map(|(at, metric)| SegmentTable::of((metric, at), split, &reasons))
                .collect(),
            reasons,
            variations: results.variations.len(),
        })
    }
}

/// Each reason why there is no figure, once.
fn reasons(split: &SegmentsReport) -> Vec<&'static str> {
    let metrics = split.segments.iter().flat_map(|segment| &segment.metrics);
    let comparisons = metrics
        .flat_map(|metric| &metric.variations)
        .filter_map(|result| result.comparison.as_ref());
    let mut reasons = Vec::new();
    let has_none = |one: &&SegmentComparison| one.lift.is_none() && one.difference.is_none();
    for comparison in comparisons.filter(has_none) {
        let words = missing(comparison.reason);
        if !reasons.contains(&words) {
            reasons.push(words);
        }
    }
    reasons
}

fn primary(place: usize, results: &Results, split: &SegmentsReport) -> Option<(String, Forest)> {
    let at = results.metrics.iter().position(|metric| metric.is_primary)?;
    let (has_one, kind) = (results.variations.len() <= 2, results.metrics[at].kind);
    let rows = split.segments.iter().flat_map(|segment| {
        let results = segment.metrics.get(at).map_or(&[][..], |metric| &metric.variations);
        results.iter().filter_map(move |result| {
            let comparison = result.comparison.as_ref()?;
            let label = if has_one {
                segment.name.to_owned()
            } else {
                format!("{}: {}", segment.name, result.variation)
            };
            let otherwise = (comparison.difference, comparison.reason);
            let lift = drawn(kind, comparison.lift, otherwise);
            Some(ForestRow {
                label,
                lift,
                decided: ComparisonVerdict::NotJudged.word(),
                is_primary: true,
            })
        })
    });
    let rows: Vec<_> = rows.collect();
    let title = metric_title(&results.metrics[at]);
    let words = format!("Lift of {title} by {} with its interval", split.by.word());
    (!rows.is_empty()).then(|| (title, Forest::new(format!("segments-of-{place}"), words, &rows)))
}

impl SegmentTable {
    fn of(
        (metric, at): (&MetricResult, usize),
        split: &SegmentsReport,
        reasons: &[&'static str],
    ) -> Self {
        let of_metric = |segment: &'_ SegmentReport| segment.metrics.get(at).cloned();
        let rows = split
            .segments
            .iter()
            .filter_map(|segment| Some((segment.name, of_metric(segment)?)))
            .flat_map(|(name, figures)| rows(name, &figures, reasons));
        Self {
            title: metric_title(metric),
            settings: metric_settings(metric),
            rows: rows.collect(),
        }
    }
}

fn rows(name: &'static str, metric: &SegmentMetric, reasons: &[&'static str]) -> Vec<SegmentRow> {
    let rows = metric.variations.iter().enumerate().map(|(place, result)| SegmentRow {
        segment: (place == 0).then_some(name),
        ..SegmentRow::of(metric, result, reasons)
    });
    rows.collect()
}

impl SegmentRow {
    fn of(metric: &SegmentMetric, result: &SegmentVariation, reasons: &[&'static str]) -> Self {
        let (told, interval) = match &result.comparison {
            None => (String::new(), "control".to_owned()),
            Some(comparison) => {
                let known = effect(metric.kind, comparison.lift, comparison.difference);
                if let Some([estimate, interval]) = known {
                    (estimate, interval)
                } else {
                    let words = missing(comparison.reason);
                    let number =
                        reasons.iter().position(|one| *one == words).unwrap_or_default() + 1;
                    ("–".to_owned(), format!("none ({number})"))
                }
            }
        };
        Self {
            segment: None,
            variation: result.variation.clone(),
            visitors: thousands(result.visitors),
            total: amount(
                result.total,
                total_decimals(metric.variations.iter().map(|result| result.total)),
            ),
            mean: result.mean.map_or_else(|| "–".to_owned(), |one| mean(metric.kind, one)),
            lift: told,
            interval,
        }
    }
}
