//! Charts as SVG, drawn by pure functions. Across, places are percent of the chart's width, so that text keeps its size on a phone; down,
//! they are pixels. Colours come from classes (`assets/charts.css`), since the policy of pages forbids styles of their own. A chart has a
//! title and a description, and its page has a table with the same numbers.

mod band;
mod days;
mod forest;
mod scale;
mod ticks;
mod visitors;

pub(crate) use band::{Band, BandPoint, BandWords};
pub(crate) use days::DayAxis;
pub(crate) use forest::{Forest, ForestRow, NoLift};
pub(crate) use scale::Scale;
pub(crate) use ticks::signed_percent;
pub(crate) use visitors::{DayBar, VisitorChart};

/// A place on an axis with its words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mark {
    /// In percent across or pixels down.
    pub(crate) at: String,
    pub(crate) label: String,
    /// Where the text lies to its place: `start`, `middle` or `end`.
    pub(crate) anchor: &'static str,
    pub(crate) is_zero: bool,
}

/// A coordinate with as many digits as a screen shows; never `NaN`, which would void a path.
fn coordinate(value: f64) -> String {
    let value = if value.is_finite() { value } else { 0.0 };
    let digits = format!("{value:.2}");
    let short = digits.trim_end_matches('0').trim_end_matches('.');
    if short == "-0" { "0".to_owned() } else { short.to_owned() }
}

/// Where a text at this percentage stays inside the chart.
fn anchor(percent: f64) -> &'static str {
    if percent < 5.0 {
        "start"
    } else if percent > 95.0 {
        "end"
    } else {
        "middle"
    }
}

#[cfg(test)]
mod tests {
    use super::{anchor, coordinate};

    #[test]
    fn a_coordinate_is_a_number_that_svg_reads() {
        let told = [0.0, -0.001, 12.5, 33.333_3, f64::NAN, f64::INFINITY].map(coordinate);

        assert_eq!(told, ["0", "0", "12.5", "33.33", "0", "0"]);
    }

    #[test]
    fn texts_at_the_edges_lie_inside() {
        assert_eq!([0.0, 50.0, 100.0].map(anchor), ["start", "middle", "end"]);
    }
}
