//! The samples of a metric: what comparisons need of its sums.

use events::Sums;
use stats::{
    Cuped, Epoch, Look, NoFigure, PairMoments, PooledSamples, Sample, pool_epochs, ratio_sample,
};

use crate::results::day_sums::DaySums;
use crate::results::metrics::Measure;
use crate::results::report::MetricKind;

/// The control and a variation at the end of each day. Visitors of an epoch are compared among themselves.
pub(super) fn looks(
    measure: &Measure,
    sums: &DaySums,
    place: usize,
) -> Vec<Result<Look, NoFigure>> {
    let each = sums.by_epoch.iter().map(|epochs| {
        let epochs = epochs.iter().map(|variations| {
            let samples = samples(measure, variations);
            Epoch { control: samples[0], variation: samples[place] }
        });
        let PooledSamples { control, variation } = pool_epochs(&epochs.collect::<Vec<_>>())?;
        let (control, variation) = match measure.about.kind {
            MetricKind::Mean | MetricKind::Ratio | MetricKind::Quantile => (control, variation),
            MetricKind::Conversion | MetricKind::Count | MetricKind::Sum | MetricKind::Revenue => {
                (control.or_spread_of_both(&variation), variation.or_spread_of_both(&control))
            }
        };
        Ok(Look {
            control: control.with_spread_of_larger(&variation),
            variation: variation.with_spread_of_larger(&control),
        })
    });
    each.collect()
}

/// The control over all epochs: what plans are made by.
pub(super) fn control(measure: &Measure, variations: &[Sums]) -> Result<Sample, NoFigure> {
    samples(measure, variations).into_iter().next().unwrap_or(Err(NoFigure::NoVisitors))
}

/// The sample of each variation, or why there is none.
fn samples(measure: &Measure, variations: &[Sums]) -> Vec<Result<Sample, NoFigure>> {
    let (first, second) = measure.units;
    if measure.rule.covariate_days.is_some() {
        return adjusted(variations, first);
    }
    let sample = |sums: &Sums| match measure.about.kind {
        MetricKind::Conversion => sums.conversions().sample(),
        MetricKind::Count | MetricKind::Sum | MetricKind::Revenue => sums.moments(first).sample(),
        MetricKind::Mean | MetricKind::Ratio => ratio(&sums.pair((first, second))),
        MetricKind::Quantile => Err(NoFigure::OneLookOnly),
    };
    variations.iter().map(sample).collect()
}

/// The denominators of this many visitors at least, if all have the same: the spread of a few orders tells nothing of that of others, and
/// evidence of a day stays.
const DENOMINATORS_AT_LEAST: f64 = 10.0;

/// A ratio to which enough visitors contribute. Whose denominators differ count as fewer (Kish, Survey Sampling, 1965).
fn ratio(moments: &PairMoments) -> Result<Sample, NoFigure> {
    let sample = ratio_sample(moments)?;
    let PairMoments { second, .. } = moments;
    let contributing = second.sum * second.sum / second.sum_squares;
    if contributing < DENOMINATORS_AT_LEAST { Err(NoFigure::TooFewVisitors) } else { Ok(sample) }
}

/// Samples without what the time before the experiment explains. A variation with too few visitors has no part in that.
fn adjusted(variations: &[Sums], per_unit: f64) -> Vec<Result<Sample, NoFigure>> {
    let has_spread = |sums: &&Sums| sums.visitors > 1;
    let pairs: Vec<_> =
        variations.iter().filter(has_spread).map(|sums| sums.pair((per_unit, per_unit))).collect();
    let adjusted = Cuped::adjust(&pairs).map(|cuped| cuped.samples);
    let mut places = 0..;
    let of_variation = |sums: &Sums| match sums.visitors {
        0 => Err(NoFigure::NoVisitors),
        1 => Err(NoFigure::TooFewVisitors),
        _ => {
            let place: usize = places.next().unwrap_or_default();
            adjusted.as_ref().map(|samples| samples[place]).map_err(|reason| *reason)
        }
    };
    variations.iter().map(of_variation).collect()
}
