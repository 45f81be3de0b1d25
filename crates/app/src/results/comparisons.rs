//! The variations against the control, day by day.

use stats::{
    Alpha, Candidate, Comparison, Decision, Direction, Figures, Look, Method, NoFigure, PValue,
    Sample, Verdict, decide, discovery_share,
};

use crate::results::day_sums::{DaySums, date};
use crate::results::metrics::Measure;
use crate::results::report::{ComparisonResult, MetricKind};

/// How many millionths are one.
const MILLIONTHS: f64 = 1e6;

/// The level of all intervals and verdicts.
pub(super) const ALPHA: Alpha = Alpha::FIVE_PERCENT;

/// What a metric says of each variation but the control.
pub(super) fn comparisons(measure: &Measure, sums: &DaySums) -> Vec<ComparisonResult> {
    let Measure { kind, is_primary, .. } = *measure;
    let arms = sums.last().len();
    let comparison = Comparison::new(Method::default(), ALPHA);
    let looks: Vec<Vec<_>> = (1..arms).map(|arm| looks(sums, kind, arm)).collect();
    let series: Vec<Vec<_>> = looks.iter().map(|looks| comparison.series(looks)).collect();
    let candidates: Vec<_> =
        series.iter().map(|series| Candidate { series, good: Direction::Up }).collect();
    let decisions = if is_primary { decide(&candidates, ALPHA) } else { Vec::new() };
    let share =
        discovery_share(&series.iter().map(|series| p_value(series)).collect::<Vec<_>>(), ALPHA);
    let shown = if is_primary { comparison.at_share(share) } else { comparison };
    let today =
        looks.iter().map(|looks| shown.series(looks).pop().unwrap_or(Err(NoFigure::NoVisitors)));
    today.enumerate().map(|(place, figures)| result(figures, decisions.get(place), sums)).collect()
}

fn looks(sums: &DaySums, kind: MetricKind, arm: usize) -> Vec<Result<Look, NoFigure>> {
    let looks = sums.sums.iter().map(|arms| {
        let sample = |arm: usize| -> Result<Sample, NoFigure> {
            match kind {
                MetricKind::Conversion => arms[arm].conversions().sample(),
                MetricKind::Sum => arms[arm].moments(MILLIONTHS).sample(),
            }
        };
        Ok(Look { control: sample(0)?, variation: sample(arm)? })
    });
    looks.collect()
}

fn p_value(series: &[Result<Figures, NoFigure>]) -> PValue {
    let last = series.last().copied().and_then(Result::ok);
    last.and_then(|figures| figures.p_value.ok()).unwrap_or(PValue::ONE)
}

fn result(
    figures: Result<Figures, NoFigure>,
    decision: Option<&Decision>,
    sums: &DaySums,
) -> ComparisonResult {
    let decided = match decision.map(|decision| decision.verdict) {
        Some(Verdict::Better) => "better",
        Some(Verdict::Worse) => "worse",
        Some(Verdict::Inconclusive) | None => "inconclusive",
    };
    let decided_on = decision.and_then(|decision| sums.days.get(decision.decided_at?));
    let adjusted = decision.map(|decision| decision.adjusted_p_value.get());
    let told = ComparisonResult {
        decided,
        decided_on: decided_on.map(|day| date(*day)),
        p_value: adjusted,
        ..ComparisonResult::default()
    };
    let figures = match figures {
        Ok(figures) => figures,
        Err(reason) => return ComparisonResult { reason: Some(reason.code()), ..told },
    };
    let (difference, lift) = (figures.difference.estimate, figures.lift);
    let interval = lift.and_then(|lift| Ok((lift.estimate, lift.interval?)));
    ComparisonResult {
        difference: Some([difference, figures.interval.lower, figures.interval.upper]),
        lift: interval.ok().map(|(lift, interval)| [lift, interval.lower, interval.upper]),
        p_value: adjusted.or(figures.p_value.ok().map(PValue::get)),
        reason: interval.err().map(NoFigure::code),
        ..told
    }
}

/// The mean and the total of an arm today.
pub(super) fn totals(sums: &DaySums, kind: MetricKind, arm: usize) -> (f64, Option<f64>) {
    let Some(sums) = sums.last().get(arm) else { return (0.0, None) };
    let per_unit = match kind {
        MetricKind::Conversion => 1.0,
        MetricKind::Sum => MILLIONTHS,
    };
    let moments = sums.moments(per_unit);
    (moments.sum, moments.mean().ok())
}
