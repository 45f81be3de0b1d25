//! The variations against the control, day by day.

use stats::{
    Alpha, Candidate, Comparison, Decision, Direction, Figures, Look, Method, NoFigure, PValue,
    Sample, Verdict, decide, discovery_share,
};

use crate::results::day_sums::{DaySums, date};
use crate::results::metrics::Measure;
use crate::results::report::{ComparisonResult, DayComparison, MetricKind};

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
    let shares = if is_primary { shares(&series, sums.days.len()) } else { Vec::new() };
    let shown = looks.iter().map(|looks| shown(comparison, looks, &shares));
    let each = shown.enumerate().map(|(place, shown)| {
        let today = shown.last().copied().unwrap_or(Err(NoFigure::NoVisitors));
        let series = day_comparisons(&shown, sums, place + 1);
        ComparisonResult { series, ..result(today, decisions.get(place), sums) }
    });
    each.collect()
}

/// The share of the level at which intervals agree with the verdicts, by what was known on each day.
fn shares(series: &[Vec<Result<Figures, NoFigure>>], days: usize) -> Vec<f64> {
    let known = |day: usize| -> Vec<PValue> {
        series.iter().map(|series| p_value(series.get(day))).collect()
    };
    (0..days).map(|day| discovery_share(&known(day), ALPHA)).collect()
}

/// The figures of each day as they were shown on it: later evidence makes no interval of an earlier day narrower.
fn shown(
    comparison: Comparison,
    looks: &[Result<Look, NoFigure>],
    shares: &[f64],
) -> Vec<Result<Figures, NoFigure>> {
    let mut visitors_before = 0.0;
    let figures = looks.iter().enumerate().map(|(day, look)| {
        let share = shares.get(day).copied().unwrap_or(1.0);
        let figures = comparison.at_share(share).figures(&(*look)?, visitors_before)?;
        visitors_before = figures.difference.visitors;
        Ok(figures)
    });
    figures.collect()
}

fn day_comparisons(
    shown: &[Result<Figures, NoFigure>],
    sums: &DaySums,
    arm: usize,
) -> Vec<DayComparison> {
    let days = sums.days.iter().zip(&sums.sums).zip(shown);
    let each = days.map(|((day, sums), figures)| {
        let lift = figures.and_then(|figures| lift(&figures));
        DayComparison {
            day: date(*day),
            visitors: [sums[0].visitors, sums[arm].visitors],
            lift: lift.ok(),
            reason: lift.err().map(NoFigure::code),
        }
    });
    each.collect()
}

/// The lift with the ends of its interval.
fn lift(figures: &Figures) -> Result<[f64; 3], NoFigure> {
    let lift = figures.lift?;
    let interval = lift.interval?;
    Ok([lift.estimate, interval.lower, interval.upper])
}

fn looks(sums: &DaySums, kind: MetricKind, arm: usize) -> Vec<Result<Look, NoFigure>> {
    let looks = sums.sums.iter().map(|arms| {
        let sample = |arm: usize| -> Result<Sample, NoFigure> {
            match kind {
                MetricKind::Conversion => arms[arm].conversions().sample(),
                MetricKind::Sum => arms[arm].moments(MILLIONTHS).sample(),
                MetricKind::Revenue => arms[arm].moments(1.0).sample(),
            }
        };
        Ok(Look { control: sample(0)?, variation: sample(arm)? })
    });
    looks.collect()
}

fn p_value(look: Option<&Result<Figures, NoFigure>>) -> PValue {
    let figures = look.copied().and_then(Result::ok);
    figures.and_then(|figures| figures.p_value.ok()).unwrap_or(PValue::ONE)
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
    let difference = figures.difference.estimate;
    let lift = lift(&figures);
    ComparisonResult {
        difference: Some([difference, figures.interval.lower, figures.interval.upper]),
        lift: lift.ok(),
        p_value: adjusted.or(figures.p_value.ok().map(PValue::get)),
        reason: lift.err().map(NoFigure::code),
        ..told
    }
}

/// The mean and the total of an arm today.
pub(super) fn totals(sums: &DaySums, kind: MetricKind, arm: usize) -> (f64, Option<f64>) {
    let Some(sums) = sums.last().get(arm) else { return (0.0, None) };
    let per_unit = match kind {
        MetricKind::Conversion | MetricKind::Revenue => 1.0,
        MetricKind::Sum => MILLIONTHS,
    };
    let moments = sums.moments(per_unit);
    (moments.sum, moments.mean().ok())
}
