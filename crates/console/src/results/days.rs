//! How the figures came about, day by day: charts, and the table below them.

use app::numerals::{quantity, thousands};
use app::results::{MetricResult, Results};

use super::figures::{interval, lift, metric_title, missing};
use super::metrics::{Standing, compared};
use crate::charts::{Band, BandPoint, BandWords, DayAxis, DayBar, VisitorChart};

/// A day of the tables below the charts.
pub(super) struct DayRow {
    pub(super) day: String,
    /// New visitors by variation.
    pub(super) visitors: Vec<String>,
    /// The lift of the primary metric so far, by variation, or why there is none.
    pub(super) lifts: Vec<String>,
}

/// A chart of the metric for each variation that is compared with the control.
pub(super) fn over_time(place: usize, metric: &MetricResult) -> Vec<Band> {
    let series = compared(metric).map(|(result, comparison)| {
        let points = comparison.series.iter().map(|day| BandPoint {
            day: day.day.clone(),
            lift: day.lift.map(|lift| metric.kind.possible_lift(lift)),
        });
        (result, comparison, points.collect::<Vec<_>>())
    });
    let series: Vec<_> =
        series.filter(|(.., points)| points.iter().any(|one| one.lift.is_some())).collect();
    let days = series.iter().flat_map(|(.., points)| points.iter().map(|point| point.day.as_str()));
    let Some(axis) = DayAxis::of(days) else { return Vec::new() };
    let scale = Band::scale(series.iter().map(|(.., points)| points.as_slice()));
    let charts = series.iter().enumerate().map(|(variation, (result, comparison, points))| {
        let words = BandWords {
            name: result.variation.clone(),
            title: format!("Lift of {} with {} over time", metric_title(metric), result.variation),
            description: course(points),
        };
        let Standing { class, since } = Standing::of(metric, result, comparison);
        let decided = since.map(|(word, day)| {
            let words = format!("{} {word} {day}", comparison.decided.phrase());
            (day, words)
        });
        let id = format!("over-time-{place}-{variation}");
        Band::new(id, words, (axis, scale), points, (class, decided))
    });
    charts.collect()
}

/// The first and the last interval in words.
fn course(points: &[BandPoint]) -> String {
    let mut known = points.iter().filter_map(|point| Some((point.day.as_str(), point.lift?)));
    let words = |(day, figures): (&str, [f64; 3])| format!("{} on {day}", interval(figures));
    let Some(first) = known.next() else { return "Nothing is known yet.".to_owned() };
    match known.next_back() {
        Some(last) => format!("The interval was {} and is {}.", words(first), words(last)),
        None => format!("The interval is {}.", words(first)),
    }
}

/// The new visitors of each day; `None` without any.
pub(super) fn visitors(place: usize, results: &Results) -> Option<VisitorChart> {
    let bars = results
        .days
        .iter()
        .map(|day| DayBar { day: day.day.clone(), visitors: day.visitors.clone() });
    let bars: Vec<_> = bars.collect();
    let per_variation = results
        .variations
        .iter()
        .map(|one| format!("{}: {}", one.name, quantity(one.visitors, "visitor", "visitors")));
    let description = format!("{}.", per_variation.collect::<Vec<_>>().join(", "));
    VisitorChart::new(format!("visitors-{place}"), description, &bars)
}

/// All days on which anything is known.
pub(super) fn days(results: &Results, primary: Option<&MetricResult>) -> Vec<DayRow> {
    let series =
        primary.map(|metric| compared(metric).map(|(_, one)| &one.series).collect::<Vec<_>>());
    let (series, kind) = (series.unwrap_or_default(), primary.map(|metric| metric.kind));
    let known =
        series.first().map(|series| series.iter().map(|day| day.day.clone())).into_iter().flatten();
    let mut all: Vec<String> =
        known.chain(results.days.iter().map(|day| day.day.clone())).collect();
    all.sort();
    all.dedup();
    let row = |day: String| {
        let new = results.days.iter().find(|one| one.day == day);
        let visitors = results.variations.iter().enumerate().map(|(place, _)| {
            new.and_then(|one| one.visitors.get(place))
                .map_or_else(|| "0".to_owned(), |one| thousands(*one))
        });
        let lifts = series.iter().map(|series| {
            let known = series.iter().find(|one| one.day == day);
            known.map_or_else(
                || "–".to_owned(),
                |one| match one.lift.map(|lift| kind.map_or(lift, |kind| kind.possible_lift(lift)))
                {
                    Some(figures) => format!("{} ({})", lift(figures[0]), interval(figures)),
                    None => missing(one.reason).to_owned(),
                },
            )
        });
        DayRow { visitors: visitors.collect(), lifts: lifts.collect(), day }
    };
    all.into_iter().map(row).collect()
}
