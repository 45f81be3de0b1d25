//! An estimate over time with the band of its intervals.

use std::fmt::Write as _;

use askama::Template;

use super::ticks::Ticks;
use super::{DayAxis, Mark, Scale, coordinate};

/// The height of the plot, and of the axis below it, in pixels.
const PLOT: f64 = 190.0;

/// Across, paths are drawn on so many units, and stretched to the width of the chart.
const ACROSS: f64 = 1000.0;

/// How much more than today's interval is shown of the first days, whose intervals are the widest by far, in widths of today's.
const ROOM_FOR_EARLY_DAYS: f64 = 0.75;

/// The chart.
#[derive(Template)]
#[template(path = "charts/band.html")]
pub(crate) struct Band {
    id: String,
    pub(crate) name: String,
    title: String,
    description: String,
    class: &'static str,
    area: String,
    line: String,
    /// Days without neighbours, for which a band has no width.
    alone: String,
    decided: Option<Dot>,
    lifts: Vec<Mark>,
    days: Vec<Mark>,
}

struct Dot {
    x: String,
    y: String,
    words: String,
}

/// A day of the series.
#[derive(Debug, Clone)]
pub(crate) struct BandPoint {
    pub(crate) day: String,
    pub(crate) lift: Option<[f64; 3]>,
}

/// What a chart says.
pub(crate) struct BandWords {
    /// What stands above it, if it is one of several.
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) description: String,
}

impl Band {
    /// The values that charts of several variations share, so that they can be compared.
    pub(crate) fn scale<'p>(series: impl IntoIterator<Item = &'p [BandPoint]>) -> Scale {
        let (mut today, mut all) = (Vec::new(), Vec::new());
        for points in series {
            let mut known = points.iter().filter_map(|point| point.lift);
            all.extend(known.clone().flatten().filter(|end| end.is_finite()));
            today.extend(known.next_back().into_iter().flatten().filter(|end| end.is_finite()));
        }
        let near = Scale::covering(today);
        let room = (near.upper - near.lower) * ROOM_FOR_EARLY_DAYS;
        let (lower, upper) = (near.lower - room, near.upper + room);
        Scale::covering(all.into_iter().map(|end| end.clamp(lower, upper)))
    }

    /// Draws the points of an axis; `decided` is the day on which the evidence first sufficed, for better or worse, and that in words.
    pub(crate) fn new(
        id: String,
        words: BandWords,
        (axis, scale): (DayAxis, Scale),
        points: &[BandPoint],
        (class, decided): (&'static str, Option<(String, String)>),
    ) -> Self {
        let x = |point: &BandPoint| axis.share(&point.day) * ACROSS;
        let y = |value: f64| (1.0 - scale.place(value)) * PLOT;
        let (mut area, mut line, mut alone) = (String::new(), String::new(), String::new());
        for stretch in points.split(|point| point.lift.is_none()) {
            let known: Vec<(f64, [f64; 3])> =
                stretch.iter().filter_map(|point| Some((x(point), point.lift?.map(y)))).collect();
            match known.as_slice() {
                [] => {}
                [(x, [estimate, lower, upper])] => {
                    let [x, left, right] = [*x, x - 4.0, x + 4.0].map(coordinate);
                    let [estimate, lower, upper] = [*estimate, *lower, *upper].map(coordinate);
                    let _ = write!(alone, "M{x} {lower}V{upper}M{left} {estimate}H{right}");
                }
                known => {
                    line.push_str(&path(known.iter().map(|(x, ends)| (*x, ends[0]))));
                    let above = known.iter().map(|(x, ends)| (*x, ends[2]));
                    let below = known.iter().rev().map(|(x, ends)| (*x, ends[1]));
                    area.push_str(&path(above.chain(below)));
                    area.push('Z');
                }
            }
        }
        let dot = decided.and_then(|(day, words)| {
            let point = points.iter().find(|point| point.day == day)?;
            let [estimate, ..] = point.lift?;
            Some(Dot {
                x: coordinate(axis.share(&point.day) * 100.0),
                y: coordinate((1.0 - scale.share(estimate)) * PLOT),
                words,
            })
        });
        Self {
            id,
            name: words.name,
            title: words.title,
            description: words.description,
            class,
            area,
            line,
            alone,
            decided: dot,
            lifts: lifts(scale),
            days: axis.marks(),
        }
    }
}

fn lifts(scale: Scale) -> Vec<Mark> {
    let ticks = Ticks::on(scale, 5);
    let mark = |value: &f64| Mark {
        at: coordinate((1.0 - scale.share(*value)) * PLOT),
        label: ticks.percent(*value),
        anchor: "start",
        is_zero: *value == 0.0,
    };
    ticks.values.iter().map(mark).collect()
}

fn path(points: impl Iterator<Item = (f64, f64)>) -> String {
    let mut path = String::new();
    for (place, (x, y)) in points.enumerate() {
        let command = if place == 0 { 'M' } else { 'L' };
        let _ = write!(path, "{command}{} {}", coordinate(x), coordinate(y));
    }
    path
}

#[cfg(test)]
mod tests {
    use askama::Template as _;
    use proptest::prelude::*;

    use super::{Band, BandPoint, BandWords, DayAxis};

    fn points(lifts: &[Option<[f64; 3]>]) -> Vec<BandPoint> {
        let day = |place: usize| format!("2026-11-{:02}", place + 1);
        lifts
            .iter()
            .enumerate()
            .map(|(place, lift)| BandPoint { day: day(place), lift: *lift })
            .collect()
    }

    fn drawn(points: &[BandPoint], decided_on: Option<&str>) -> String {
        let axis = DayAxis::of(points.iter().map(|point| point.day.as_str())).unwrap();
        let words = BandWords {
            name: "Short".to_owned(),
            title: "Lift".to_owned(),
            description: "It rises.".to_owned(),
        };
        let scale = Band::scale([points]);
        let decided = decided_on.map(|day| (day.to_owned(), format!("better since {day}")));
        Band::new("band".to_owned(), words, (axis, scale), points, ("better", decided))
            .render()
            .unwrap()
    }

    #[test]
    fn a_band_has_holes_where_nothing_is_known() {
        let lifts = [
            None,
            Some([0.5, -2.0, 30.0]),
            None,
            Some([0.3, -0.1, 0.7]),
            Some([0.25, 0.0, 0.5]),
            Some([0.2, 0.1, 0.3]),
        ];

        insta::assert_snapshot!(drawn(&points(&lifts), Some("2026-11-06")));
    }

    proptest! {
        #[test]
        fn paths_are_numbers(
            lifts in prop::collection::vec(prop::option::of(prop::array::uniform3(any::<f64>())), 1..9),
        ) {
            let svg = drawn(&points(&lifts), Some("2026-11-01"));

            prop_assert!(!svg.contains("NaN") && !svg.contains("inf"), "{}", svg);
        }
    }
}
