//! Results as a table for spreadsheets: a line per metric and variation.

use crate::results::report::{
    ComparisonResult, MetricKind, MetricResult, MetricRole, Results, SegmentVariation,
    VariationResult,
};

/// The names of the columns.
const COLUMNS: [&str; 36] = [
    "campaign",
    "experiment",
    "first_day",
    "last_day",
    "event",
    "kind",
    "is_primary",
    "variation_id",
    "variation",
    "visitors",
    "total",
    "mean",
    "lift",
    "lift_lower",
    "lift_upper",
    "difference",
    "difference_lower",
    "difference_upper",
    "decided",
    "decided_on",
    "p_value",
    "reason",
    "method",
    "confidence",
    "metric_id",
    "metric",
    "role",
    "good",
    "per",
    "probability_best",
    "chance_to_beat_control",
    "expected_loss",
    "segment_by",
    "segment",
    "interval_confidence",
    "deviation",
];

/// The figures of experiments in RFC 4180. A spreadsheet would compute what begins with `=`, `+`, `-` or `@`, so a name that does gets an
/// apostrophe before it.
///
/// # Panics
/// Never: writing to memory does not fail.
#[must_use]
pub fn results_csv<'r>(results: impl IntoIterator<Item = &'r Results>) -> String {
    let mut writer =
        csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(vec![]);
    let mut write = |record: &[String]| {
        writer.write_record(record).expect("writing to memory does not fail");
    };
    write(&COLUMNS.map(str::to_owned));
    for one in results {
        for (place, metric) in one.metrics.iter().enumerate() {
            let of_all = metric.variations.iter().cloned().map(|told| (["", ""], told));
            for (segment, told) in of_all.chain(of_segments(one, place)) {
                write(&record((one, metric), &told, segment));
            }
        }
    }
    let bytes = writer.into_inner().expect("writing to memory does not fail");
    String::from_utf8(bytes).expect("names and numbers are UTF-8")
}

/// The same figures of each segment and variation. Nothing of them is judged.
fn of_segments(
    results: &Results,
    metric: usize,
) -> impl Iterator<Item = ([&'static str; 2], VariationResult)> {
    results.segments.iter().flat_map(move |split| {
        let of_metric = split.segments.iter().filter_map(move |segment| {
            Some(([split.by.word(), segment.segment], segment.metrics.get(metric)?))
        });
        of_metric.flat_map(|(segment, metric)| {
            metric.variations.iter().map(move |told| (segment, unjudged(told)))
        })
    })
}

fn unjudged(result: &SegmentVariation) -> VariationResult {
    let comparison = result.comparison.as_ref().map(|one| ComparisonResult {
        difference: one.difference,
        lift: one.lift,
        interval_confidence: one.interval_confidence,
        reason: one.reason,
        ..ComparisonResult::default()
    });
    let SegmentVariation { visitors, total, per, mean, .. } = *result;
    let (variation_id, variation) = (result.variation_id.clone(), result.variation.clone());
    let (deviation, posterior) = (None, None);
    VariationResult {
        variation_id,
        variation,
        visitors,
        total,
        per,
        mean,
        deviation,
        comparison,
        posterior,
    }
}

fn record(
    (results, metric): (&Results, &MetricResult),
    result: &VariationResult,
    [segment_by, segment]: [&str; 2],
) -> [String; 36] {
    let nothing = ComparisonResult::default();
    let comparison = result.comparison.as_ref().unwrap_or(&nothing);
    // Nothing is decided within a segment.
    let decided = result.comparison.as_ref().filter(|_| segment.is_empty()).map(|one| one.decided);
    let kind = match metric.kind {
        MetricKind::Conversion => "conversion",
        MetricKind::Count => "count",
        MetricKind::Sum => "sum",
        MetricKind::Revenue => "revenue",
        MetricKind::Mean => "mean",
        MetricKind::Ratio => "ratio",
        MetricKind::Quantile => "quantile",
    };
    let role = match metric.role {
        MetricRole::Primary => "primary",
        MetricRole::Secondary => "secondary",
        MetricRole::Guardrail => "guardrail",
    };
    let [lift, lift_lower, lift_upper] = cells(comparison.lift);
    let [difference, difference_lower, difference_upper] = cells(comparison.difference);
    [
        text(&results.campaign),
        text(&results.experiment),
        results.first_day.clone(),
        results.last_day.clone(),
        text(&metric.event),
        kind.to_owned(),
        metric.is_primary.to_string(),
        result.variation_id.clone(),
        text(&result.variation),
        result.visitors.to_string(),
        result.total.to_string(),
        cell(result.mean),
        lift,
        lift_lower,
        lift_upper,
        difference,
        difference_lower,
        difference_upper,
        decided.map_or_else(String::new, |decided| decided.word().to_owned()),
        comparison.decided_on.clone().unwrap_or_default(),
        cell(comparison.p_value),
        comparison.reason.map_or_else(String::new, |why| why.code().to_owned()),
        results.method.word().to_owned(),
        results.confidence.to_string(),
        metric.id.clone().unwrap_or_default(),
        text(metric.name.as_deref().unwrap_or_default()),
        role.to_owned(),
        metric.good.word().to_owned(),
        cell(result.per),
        cell(result.posterior.map(|one| one.probability_best)),
        cell(result.posterior.and_then(|one| one.chance_to_beat_control)),
        cell(result.posterior.and_then(|one| one.expected_loss)),
        segment_by.to_owned(),
        segment.to_owned(),
        cell(comparison.interval_confidence),
        cell(result.deviation),
    ]
}

fn cells(figures: Option<[f64; 3]>) -> [String; 3] {
    figures.map_or_else(Default::default, |figures| figures.map(|figure| figure.to_string()))
}

fn cell(figure: Option<f64>) -> String {
    figure.map(|figure| figure.to_string()).unwrap_or_default()
}

/// A name that no spreadsheet takes for a formula (OWASP, "CSV Injection").
fn text(name: &str) -> String {
    let is_formula = name.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']);
    if is_formula { format!("'{name}") } else { name.to_owned() }
}
