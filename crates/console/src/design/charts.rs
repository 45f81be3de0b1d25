//! Examples of charts that show all of their forms: what is decided and what is not, what is cut off, and where a figure is missing.

use crate::charts::{
    Band, BandPoint, BandWords, DayAxis, DayBar, Forest, ForestRow, NoLift, VisitorChart,
};

/// The control first.
pub(super) const VARIATIONS: [&str; 3] = ["Original", "Short", "Bold"];

/// No visitor came on 6 November.
const DAYS: [&str; 7] = [
    "2026-11-02",
    "2026-11-03",
    "2026-11-04",
    "2026-11-05",
    "2026-11-07",
    "2026-11-08",
    "2026-11-09",
];

/// Always-valid intervals are wide at first and narrow as visitors come. On the first day there is no figure yet, on the fourth one is lost.
const CLEAR: [Option<[f64; 3]>; 7] = [
    None,
    Some([0.2, -0.32, 0.95]),
    Some([0.17, -0.1, 0.52]),
    Some([0.16, 0.01, 0.34]),
    Some([0.15, 0.03, 0.28]),
    Some([0.14, 0.04, 0.25]),
    Some([0.14, 0.05, 0.24]),
];

const OPEN: [Option<[f64; 3]>; 7] = [
    Some([-0.2, -0.9, 0.8]),
    Some([-0.1, -0.5, 0.4]),
    Some([-0.06, -0.3, 0.2]),
    None,
    Some([0.0, -0.15, 0.15]),
    Some([0.01, -0.12, 0.14]),
    Some([0.01, -0.1, 0.13]),
];

/// Visitors of each day by variation.
const CAME: [[u64; 3]; 7] = [
    [40, 38, 41],
    [52, 55, 49],
    [61, 57, 60],
    [12, 9, 11],
    [48, 51, 50],
    [70, 66, 72],
    [64, 69, 63],
];

/// An interval of each kind.
pub(super) fn effects() -> Forest {
    let row = |label: &str, lift: Result<[f64; 3], &str>, (decided, is_primary)| ForestRow {
        label: label.to_owned(),
        lift: lift.map_err(NoLift::because),
        decided,
        is_primary,
    };
    let (primary, other) = (|decided| (decided, true), ("inconclusive", false));
    let rows = [
        row("Orders: Short", Ok([0.14, 0.05, 0.24]), primary("better")),
        row("Orders: Bold", Ok([0.01, -0.1, 0.13]), primary("inconclusive")),
        row("Returns: Bold", Ok([-0.09, -0.15, -0.03]), ("worse", false)),
        row("Revenue: Short, wider than the axis", Ok([0.3, -0.6, 1.9]), other),
        row("Revenue: Bold", Err("a variation has no visitors yet"), other),
    ];
    let title = "Lift of every metric with its interval".to_owned();
    Forest::new("design-effects".to_owned(), title, &rows)
}

/// A variation that becomes better, and one that stays open, over one scale.
pub(super) fn over_time() -> Vec<Band> {
    let Some(axis) = DayAxis::of(DAYS) else { return Vec::new() };
    let (clear, open) = (points(CLEAR), points(OPEN));
    let scale = Band::scale([clear.as_slice(), open.as_slice()]);
    let band = |id: &str, name: &str, (points, about): (&[BandPoint], &str), decided| {
        let words = BandWords {
            name: name.to_owned(),
            title: format!("Lift of Orders with {name} over time"),
            description: about.to_owned(),
        };
        let (class, day): (&'static str, Option<&str>) = decided;
        let decided = day.map(|day| (day.to_owned(), format!("{class} since {day}")));
        Band::new(id.to_owned(), words, (axis, scale), points, (class, decided))
    };
    let narrows = "The interval narrows, and excludes zero since 2026-11-05.";
    let stays = "The interval narrows, and still holds zero.";
    let [_, short, bold] = VARIATIONS;
    vec![
        band("design-better", short, (&clear, narrows), ("better", Some("2026-11-05"))),
        band("design-open", bold, (&open, stays), ("inconclusive", None)),
    ]
}

fn points(lifts: [Option<[f64; 3]>; 7]) -> Vec<BandPoint> {
    let days = DAYS.iter().zip(lifts);
    days.map(|(day, lift)| BandPoint { day: (*day).to_owned(), lift }).collect()
}

pub(super) fn visitors() -> Option<VisitorChart> {
    let bars = DAYS.iter().zip(CAME);
    let bars = bars.map(|(day, came)| DayBar { day: (*day).to_owned(), visitors: came.to_vec() });
    let description = "Visitors of three variations by day; nobody on 2026-11-06.".to_owned();
    VisitorChart::new("design-visitors".to_owned(), description, &bars.collect::<Vec<_>>())
}
