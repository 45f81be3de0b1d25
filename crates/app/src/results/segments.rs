//! The figures of parts of the visitors: of each browser, or of each kind of device. They are intervals without verdicts, because some of many parts looks like
//! a winner by chance.
//!
//! They cost one more pass over what visitors did, and the memory of one sum for each metric, variation and segment.

use std::collections::BTreeSet;

use events::{Assignments, Day, Rule, Steps, TooLarge, VariationIndex, fold};
use stats::{Alpha, Look, NoFigure, discovery_share};

use crate::results::bayesian::{self, effects};
use crate::results::comparisons::{self, Tests, p_value, shown};
use crate::results::day_sums::DaySums;
use crate::results::figures::{Summed, summed_on, variation_result};
use crate::results::metrics::{Measure, Uncounted};
use crate::results::report::{
    SegmentComparison, SegmentMetric, SegmentReport, SegmentVariation, SegmentsReport,
    VariationShare,
};
use crate::results::samples::looks;
use crate::results::segment_by::SegmentBy;
use crate::results::setting::Setting;

/// What segments are made of.
pub(super) struct Split<'d> {
    pub(super) by: SegmentBy,
    pub(super) metrics: Vec<Uncounted<'d>>,
    pub(super) assignments: Assignments,
    pub(super) variations: &'d [VariationShare],
    pub(super) setting: Setting,
    /// The last day that counts.
    pub(super) last: Day,
}

/// The figures of each segment that has visitors; none of an experiment with thousands of variations, which no index would tell apart.
pub(super) fn segments(split: Split<'_>) -> Result<Option<SegmentsReport>, TooLarge> {
    let Split { by, metrics, assignments, variations: named, setting, last } = split;
    let (variations, all) = (named.len(), by.segments());
    let Ok(_) = u16::try_from(variations * all.len()) else { return Ok(None) };
    let variation = |place: usize, variation: VariationIndex| {
        VariationIndex(
            u16::try_from(place * variations + usize::from(variation.0)).unwrap_or(u16::MAX),
        )
    };
    let assignments = assignments.regrouped(|one| variation(by.place(one.agent), one.variation));
    let came = fold(&assignments, Rule::CONVERSION, &Steps::default())?;
    let came = DaySums::of(&came, variations * all.len(), &BTreeSet::from([last]))?;
    let summed = summed_on(metrics, &assignments, (variations * all.len(), last))?;
    let mut segments = all.into_iter().enumerate().map(|(place, segment)| SegmentReport {
        segment: segment.word,
        name: segment.name,
        visitors: came.of_variations(place * variations..(place + 1) * variations).visitors(),
        metrics: Vec::new(),
    });
    let segments = segments.by_ref().enumerate();
    let mut segments: Vec<_> =
        segments.filter(|(_, one)| one.visitors.iter().any(|count| *count > 0)).collect();
    for summed in &summed {
        add_metric(&mut segments, summed, (named, setting));
    }
    let comparisons = segments.len() * variations.saturating_sub(1);
    Ok(Some(SegmentsReport {
        by,
        text: text(comparisons, setting),
        segments: segments.into_iter().map(|(_, segment)| segment).collect(),
    }))
}

/// How to read them.
fn text(comparisons: usize, setting: Setting) -> String {
    let intervals = match setting {
        _ if comparisons < 2 => String::new(),
        Setting::Tested(_) => format!(
            " So the intervals are wider than those of all visitors, by the {comparisons} comparisons of each metric."
        ),
        Setting::Bayesian(_) => format!(
            " The credible intervals are not corrected for the {comparisons} comparisons of each metric."
        ),
    };
    format!(
        "These are not verdicts: if you look at many segments, a variation will seem to win in one of them by chance.{intervals} Treat what stands out as a hypothesis, and test it with an experiment for these visitors."
    )
}

/// Adds the figures of a metric to each segment, with its place among all.
fn add_metric(
    segments: &mut [(usize, SegmentReport)],
    summed: &Summed,
    (named, setting): (&[VariationShare], Setting),
) {
    let (measure, sums) = &summed.measured;
    let variations = named.len();
    let parts: Vec<DaySums> = segments
        .iter()
        .map(|(place, _)| sums.of_variations(place * variations..(place + 1) * variations))
        .collect();
    let mut compared = match setting {
        Setting::Tested(tests) => tested(measure, &parts, tests),
        Setting::Bayesian(beliefs) => bayesian_comparisons(measure, &parts, beliefs.alpha),
    }
    .into_iter();
    for ((place, segment), part) in segments.iter_mut().zip(&parts) {
        let each = named.iter().enumerate().map(|(variation, named)| {
            let quantile = summed.quantile(*place * variations + variation);
            let told = segment_variation(measure, part, (variation, named));
            let comparison = if variation == 0 { None } else { compared.next() };
            SegmentVariation { mean: quantile.or(told.mean), comparison, ..told }
        });
        let metric = measure.about.metric.as_ref();
        let metric = SegmentMetric {
            id: metric.map(|metric| metric.id.to_string()),
            name: metric.map(|metric| metric.title().to_owned()),
            event: measure.about.event.clone(),
            kind: measure.about.kind,
            variations: each.collect(),
        };
        segment.metrics.push(metric);
    }
}

/// The comparisons of each part's variations with its control, by intervals at the level of the discoveries among them all.
fn tested(measure: &Measure, parts: &[DaySums], tests: Tests) -> Vec<SegmentComparison> {
    let looks: Vec<Vec<Result<Look, NoFigure>>> = parts
        .iter()
        .flat_map(|part| {
            (1..part.last().len()).map(|variation| tests.allowed(looks(measure, part, variation)))
        })
        .collect();
    let p_values: Vec<_> = looks.iter().map(|looks| p_value(tests.series(looks).last())).collect();
    let share = discovery_share(&p_values, tests.alpha);
    let figures = looks.iter().map(|looks| {
        let figures = shown(tests, looks, &[share]).pop().unwrap_or(Err(NoFigure::NoVisitors))?;
        let (difference, interval) = (figures.difference.estimate, figures.interval);
        Ok(([difference, interval.lower, interval.upper], comparisons::lift(&figures)))
    });
    figures.map(|compared| comparison(compared, tests.confidence(share))).collect()
}

/// The same by credible intervals.
fn bayesian_comparisons(
    measure: &Measure,
    parts: &[DaySums],
    alpha: Alpha,
) -> Vec<SegmentComparison> {
    let effects = parts.iter().flat_map(|part| effects(measure, part, alpha));
    let figures = effects.map(|effect| {
        let effect = effect?;
        let (difference, interval) = (effect.difference, effect.interval);
        Ok(([difference, interval.lower, interval.upper], bayesian::lift(&effect)))
    });
    figures.map(|compared| comparison(compared, 1.0 - alpha.get())).collect()
}

fn segment_variation(
    measure: &Measure,
    part: &DaySums,
    (place, variation): (usize, &VariationShare),
) -> SegmentVariation {
    let sums = part.last().get(place).copied().unwrap_or_default();
    let told = variation_result(measure, &sums, variation);
    SegmentVariation {
        variation_id: told.variation_id,
        variation: told.variation,
        visitors: told.visitors,
        total: told.total,
        per: told.per,
        mean: told.mean,
        comparison: None,
    }
}

/// The difference and the lift of a variation, or why there is none.
type Compared = Result<([f64; 3], Result<[f64; 3], NoFigure>), NoFigure>;

fn comparison(compared: Compared, confidence: f64) -> SegmentComparison {
    let (difference, lift) = match compared {
        Ok((difference, lift)) => (Some(difference), lift),
        Err(reason) => (None, Err(reason)),
    };
    let interval_confidence = difference.map(|_| confidence);
    SegmentComparison { difference, lift: lift.ok(), interval_confidence, reason: lift.err() }
}
