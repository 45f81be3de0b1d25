//! The figures of every metric and variation.

use std::collections::BTreeSet;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use domain::{Metric, MetricValue};
use events::{
    Assignments, Day, Series, Steps, Sums, TooLarge, VariationIndex, fold, values_by_variation,
};

use crate::results::bayesian::{VariationFigures, bayesian_figures};
use crate::results::comparisons::comparisons;
use crate::results::counting::MILLIONTHS;
use crate::results::day_sums::{DaySums, days_of};
use crate::results::metrics::{About, Measure, Uncounted};
use crate::results::report::{
    ComparisonResult, MetricKind, MetricResult, MetricRole, PosteriorReport, VariationResult,
    VariationShare,
};
use crate::results::setting::Setting;

/// Threads that count the metrics of one experiment. More would leave too little of a machine to pages.
const THREADS_AT_MOST: usize = 2;

/// A metric with all that was counted for it.
pub(super) struct Summed {
    /// The metric and its sums.
    pub(super) measured: (Measure, DaySums),
    /// The quantile of each variation, if the metric is one.
    quantiles: Option<Vec<Option<f64>>>,
}

impl Summed {
    pub(super) fn role(&self) -> MetricRole {
        self.measured.0.about.role
    }

    /// The quantile of a variation, if the metric is one.
    pub(super) fn quantile(&self, variation: usize) -> Option<f64> {
        self.quantiles.as_ref().and_then(|quantiles| quantiles[variation])
    }
}

/// What was counted for a metric.
struct Counted {
    quantiles: Option<Vec<Option<f64>>>,
    series: Series,
    days: BTreeSet<Day>,
}

/// Adds up what visitors did. All primary metrics have the same days, because they are decided together.
pub(super) fn summed(
    uncounted: Vec<Uncounted<'_>>,
    assignments: &Assignments,
    variations: usize,
) -> Result<Vec<Summed>, TooLarge> {
    let counted = all_counted(&uncounted, assignments, variations)?;
    let mut common = BTreeSet::new();
    for (one, counted) in uncounted.iter().zip(&counted) {
        if one.measure.about.role == MetricRole::Primary {
            common.extend(counted.days.iter().copied());
        }
    }
    let each = uncounted.into_iter().zip(counted).map(|(Uncounted { measure, .. }, counted)| {
        let Counted { quantiles, series, days } = counted;
        let is_primary = measure.about.role == MetricRole::Primary;
        let sums = DaySums::of(&series, variations, if is_primary { &common } else { &days })?;
        Ok(Summed { measured: (measure, sums), quantiles })
    });
    each.collect()
}

/// Adds up what visitors did until the end of one day.
pub(super) fn summed_on(
    uncounted: Vec<Uncounted<'_>>,
    assignments: &Assignments,
    (variations, day): (usize, Day),
) -> Result<Vec<Summed>, TooLarge> {
    let counted = all_counted(&uncounted, assignments, variations)?;
    let each = uncounted.into_iter().zip(counted).map(|(Uncounted { measure, .. }, counted)| {
        let sums = DaySums::of(&counted.series, variations, &BTreeSet::from([day]))?;
        Ok(Summed { measured: (measure, sums), quantiles: counted.quantiles })
    });
    each.collect()
}

/// Counts each metric, on a few threads: their steps are in memory no longer than that takes.
fn all_counted(
    uncounted: &[Uncounted<'_>],
    assignments: &Assignments,
    variations: usize,
) -> Result<Vec<Counted>, TooLarge> {
    let next = AtomicUsize::new(0);
    let work = || -> Vec<(usize, Result<Counted, TooLarge>)> {
        let places = std::iter::from_fn(|| Some(next.fetch_add(1, Ordering::Relaxed)));
        let mine = places.map_while(|place| Some((place, uncounted.get(place)?)));
        mine.map(|(place, one)| (place, counted(one, assignments, variations))).collect()
    };
    let mut all = thread::scope(|scope| {
        let threads = uncounted.len().min(THREADS_AT_MOST);
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut all = work();
        for other in others {
            all.extend(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        all
    });
    all.sort_by_key(|(place, _)| *place);
    all.into_iter().map(|(_, counted)| counted).collect()
}

fn counted(
    one: &Uncounted<'_>,
    assignments: &Assignments,
    variations: usize,
) -> Result<Counted, TooLarge> {
    let steps = (one.steps)();
    let quantiles = quantiles(&one.measure, assignments, &steps, variations)?;
    let series = fold(assignments, one.measure.rule, &steps)?;
    let days = days_of(&series, variations)?;
    Ok(Counted { quantiles, series, days })
}

fn quantiles(
    measure: &Measure,
    assignments: &Assignments,
    steps: &Steps,
    variations: usize,
) -> Result<Option<Vec<Option<f64>>>, TooLarge> {
    let Some(level) = measure.about.metric.as_ref().and_then(|metric| metric.kind.quantile())
    else {
        return Ok(None);
    };
    let values = values_by_variation(assignments, measure.rule, steps)?;
    let of_variation = |variation: usize| {
        let variation = VariationIndex(u16::try_from(variation).unwrap_or(u16::MAX));
        let value = quantile(values.get(&variation)?, usize::from(level.get()))?;
        Some(Sums { first: value, ..Sums::default() }.moments(measure.units.0).sum)
    };
    Ok(Some((0..variations).map(of_variation).collect()))
}

/// The least value that is not below so many basis points of the values, which are sorted.
fn quantile(values: &[i128], basis_points: usize) -> Option<i128> {
    let rank = (values.len() * basis_points).div_ceil(10_000);
    values.get(rank.checked_sub(1)?).copied()
}

/// The figures of all metrics and variations.
pub(super) fn figures(
    all: Vec<Summed>,
    variations: &[VariationShare],
    setting: Setting,
) -> Vec<MetricResult> {
    let (measured, quantiles): (Vec<_>, Vec<_>) =
        all.into_iter().map(|one| (one.measured, one.quantiles)).unzip();
    let compared = match setting {
        Setting::Tested(tests) => {
            comparisons(&measured, tests).into_iter().map(after_control).collect()
        }
        Setting::Bayesian(beliefs) => bayesian_figures(&measured, beliefs),
    };
    let each = measured.iter().zip(&quantiles).zip(compared);
    let each = each.map(|(((measure, sums), quantiles), compared)| {
        let mut compared = compared.into_iter();
        let variations = variations.iter().enumerate().map(|(place, variation)| {
            let sums = sums.last().get(place).copied().unwrap_or_default();
            let result = variation_result(measure, &sums, variation);
            let quantile = quantiles.as_ref().and_then(|quantiles| quantiles[place]);
            let VariationFigures { comparison, posterior } = compared.next().unwrap_or_default();
            VariationResult { mean: quantile.or(result.mean), comparison, posterior, ..result }
        });
        result(&measure.about, variations.collect())
    });
    each.collect()
}

/// Comparisons of all variations but the control, which has none.
fn after_control(comparisons: Vec<ComparisonResult>) -> Vec<VariationFigures> {
    let each = comparisons
        .into_iter()
        .map(|comparison| VariationFigures { comparison: Some(comparison), posterior: None });
    std::iter::once(VariationFigures::default()).chain(each).collect()
}

pub(super) fn variation_result(
    measure: &Measure,
    sums: &Sums,
    VariationShare { id, name, .. }: &VariationShare,
) -> VariationResult {
    let (first, second) = measure.units;
    let moments = sums.moments(first);
    let (per, mean, deviation) = match measure.about.kind {
        MetricKind::Conversion | MetricKind::Count | MetricKind::Sum | MetricKind::Revenue => {
            (None, moments.mean().ok(), moments.variance().ok().map(f64::sqrt))
        }
        MetricKind::Mean | MetricKind::Ratio => {
            let per = sums.pair((first, second)).second.sum;
            (Some(per), (per != 0.0).then(|| moments.sum / per), None)
        }
        MetricKind::Quantile => (None, None, None),
    };
    let comparison: Option<ComparisonResult> = None;
    let posterior: Option<PosteriorReport> = None;
    let (variation_id, variation) = (id.clone(), name.clone());
    let (visitors, total) = (sums.visitors, moments.sum);
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

fn result(about: &About, variations: Vec<VariationResult>) -> MetricResult {
    let metric = about.metric.as_ref();
    let named = |metric: &Metric| metric.title().to_owned();
    #[expect(clippy::cast_precision_loss, reason = "caps are below 2^53 millionths")]
    let cap = |metric: &Metric| Some(metric.kind.cap()?.millionths() as f64 / MILLIONTHS);
    MetricResult {
        id: metric.map(|metric| metric.id.to_string()),
        name: metric.map(named),
        event: about.event.clone(),
        kind: about.kind,
        is_revenue: is_revenue(about),
        role: about.role,
        is_primary: about.role == MetricRole::Primary,
        good: about.good,
        window: metric.and_then(|metric| Some(metric.window?.to_string())),
        cap: metric.and_then(cap),
        covariate: metric.and_then(|metric| Some(metric.kind.covariate()?.to_string())),
        quantile: metric
            .and_then(|metric| Some(f64::from(metric.kind.quantile()?.get()) / 10_000.0)),
        margin: about.margin,
        variations,
    }
}

/// Whether the figures are in the currency's smallest unit: revenue by revenue is a share of it.
fn is_revenue(about: &About) -> bool {
    let revenue = Some(&MetricValue::Revenue);
    about.metric.as_ref().map_or(about.kind == MetricKind::Revenue, |metric| {
        let per = metric.kind.per().and_then(|per| per.value.as_ref());
        metric.measured.value.as_ref() == revenue && per != revenue
    })
}
