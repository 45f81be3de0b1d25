//! Intervals below each other, over one axis: the lift of every metric and variation.

use askama::Template;

use super::ticks::Ticks;
use super::{Mark, Scale, anchor, coordinate, signed_percent};

/// The height of a row: a line of text, and the interval below it.
const ROW: u16 = 46;

/// The axis below the rows.
const AXIS: u16 = 26;

/// The width of a label in halves of a usual character; a wider one would meet the figure beside it on a phone. The table has all of it.
const LABEL_WIDTH: usize = 68;

/// An interval further out than this many times the widest of the primary metric ends in an arrow, so that others stay readable.
const REACH: f64 = 2.5;

/// The chart.
#[derive(Template)]
#[template(path = "charts/forest.html")]
pub(crate) struct Forest {
    id: String,
    title: String,
    description: String,
    rows: Vec<ShownRow>,
    marks: Vec<Mark>,
    height: u16,
}

/// An interval to be drawn.
#[derive(Debug, Clone)]
pub(crate) struct ForestRow {
    pub(crate) label: String,
    /// The estimate with the ends of its interval.
    pub(crate) lift: Result<[f64; 3], NoLift>,
    /// `better`, `worse` or `inconclusive`.
    pub(crate) decided: &'static str,
    /// Whether the axis is made for it.
    pub(crate) is_primary: bool,
}

/// What is said in place of a lift.
#[derive(Debug, Clone)]
pub(crate) struct NoLift {
    /// Why there is none.
    pub(crate) why: String,
    /// The difference with the ends of its interval, in words.
    pub(crate) difference: Option<[String; 3]>,
}

impl NoLift {
    /// There is no difference either.
    pub(crate) fn because(why: &str) -> Self {
        Self { why: why.to_owned(), difference: None }
    }
}

struct ShownRow {
    class: &'static str,
    label: String,
    figure: String,
    /// All of it in words.
    words: String,
    /// Where its text and its interval are. The lines of the axis are drawn between the texts, not through them.
    text_at: u16,
    bar_at: u16,
    lines_at: [u16; 2],
    bar: Option<Bar>,
}

struct Bar {
    at: String,
    width: String,
    /// The estimate, if it is on the axis.
    dot: Option<String>,
    goes_on_left: bool,
    goes_on_right: bool,
}

impl Forest {
    pub(crate) fn new(id: String, title: String, rows: &[ForestRow]) -> Self {
        let scale = scale(rows);
        // An axis without figures would have numbers that nothing measured.
        let has_figures = rows.iter().any(|row| row.lift.is_ok());
        let mut top = 0;
        let shown = rows.iter().map(|row| {
            let shown = ShownRow::of(row, scale, top);
            top += ROW;
            shown
        });
        let shown: Vec<_> = shown.collect();
        let description: Vec<_> = shown.iter().map(|row| row.words.as_str()).collect();
        Self {
            id,
            title,
            description: description.join(" "),
            marks: if has_figures { marks(scale) } else { Vec::new() },
            rows: shown,
            height: if has_figures { top + AXIS } else { top },
        }
    }
}

fn scale(rows: &[ForestRow]) -> Scale {
    let ends = |is_wanted: fn(&ForestRow) -> bool| {
        let known = rows.iter().filter(move |row| is_wanted(row));
        known.filter_map(|row| row.lift.as_ref().ok()).flatten().copied()
    };
    let size = |far: f64, end: f64| if end.is_finite() { far.max(end.abs()) } else { far };
    let of_primary = ends(|row| row.is_primary).fold(0.0, size);
    let of_all = ends(|_| true).fold(0.0, size);
    let reach = if of_primary > 0.0 { of_all.min(of_primary * REACH) } else { of_all.min(REACH) };
    Scale::covering(ends(|_| true).map(|end| end.clamp(-reach, reach)))
}

fn marks(scale: Scale) -> Vec<Mark> {
    let ticks = Ticks::on(scale, 4);
    let mark = |value: &f64| {
        let percent = scale.share(*value) * 100.0;
        let label = ticks.percent(*value);
        Mark { at: coordinate(percent), label, anchor: anchor(percent), is_zero: *value == 0.0 }
    };
    ticks.values.iter().map(mark).collect()
}

impl ShownRow {
    fn of(row: &ForestRow, scale: Scale, top: u16) -> Self {
        let ForestRow { label, lift, decided, .. } = row;
        let (figure, words) = match lift {
            Ok([lift, lower, upper]) => {
                let [estimate, lower, upper] = [*lift, *lower, *upper].map(end_words);
                let decided = decided.replace('_', " ");
                let words = format!("{label}: {estimate}, between {lower} and {upper}, {decided}.");
                (estimate, words)
            }
            Err(NoLift { why, difference: Some([estimate, lower, upper]) }) => {
                let decided = decided.replace('_', " ");
                let words = format!(
                    "{label}: {estimate}, between {lower} and {upper}, {decided}; no lift, because {why}."
                );
                (format!("{estimate} ({lower} to {upper})"), words)
            }
            Err(NoLift { why, difference: None }) => {
                ("no figure".to_owned(), format!("{label}: no figure, because {why}."))
            }
        };
        Self {
            class: if lift.is_ok() { *decided } else { "unknown" },
            label: shortened(label),
            figure,
            words,
            text_at: top + 16,
            bar_at: top + 31,
            lines_at: [top + 22, top + ROW],
            bar: lift.as_ref().ok().map(|lift| Bar::of(*lift, scale)),
        }
    }
}

/// An end of an interval in words.
fn end_words(end: f64) -> String {
    if end.is_finite() {
        signed_percent(end, 1)
    } else if end > 0.0 {
        "any increase".to_owned()
    } else {
        "any decrease".to_owned()
    }
}

impl Bar {
    fn of([lift, lower, upper]: [f64; 3], scale: Scale) -> Self {
        let [start, end] = [scale.share(lower), scale.share(upper)].map(|share| share * 100.0);
        let is_shown = (scale.lower..=scale.upper).contains(&lift);
        Self {
            at: coordinate(start),
            width: coordinate((end - start).max(0.0)),
            dot: is_shown.then(|| coordinate(scale.share(lift) * 100.0)),
            goes_on_left: lower < scale.lower,
            goes_on_right: upper > scale.upper,
        }
    }
}

fn shortened(label: &str) -> String {
    if label.chars().map(width).sum::<usize>() <= LABEL_WIDTH {
        return label.to_owned();
    }
    let mut left = LABEL_WIDTH - width('…');
    let fitting = label.chars().take_while(|character| {
        let rest = left.checked_sub(width(*character));
        left = rest.unwrap_or(0);
        rest.is_some()
    });
    let start: String = fitting.collect();
    format!("{}…", start.trim_end())
}

/// About how wide a character is, in halves of a usual one: capitals are wider, and those of East Asia are as wide as high.
fn width(character: char) -> usize {
    match character {
        '…' | 'm' | 'w' => 3,
        '\u{1100}'..='\u{11ff}' | '\u{2e80}'.. => 4,
        character if character.is_uppercase() => 3,
        _ => 2,
    }
}

#[cfg(test)]
mod tests {
    use askama::Template as _;
    use proptest::prelude::*;

    use super::{Forest, ForestRow, LABEL_WIDTH, NoLift, shortened, width};

    fn row(label: &str, lift: Result<[f64; 3], &str>) -> ForestRow {
        let lift = lift.map_err(NoLift::because);
        ForestRow { label: label.to_owned(), lift, decided: "inconclusive", is_primary: false }
    }

    fn drawn(rows: &[ForestRow]) -> String {
        Forest::new("lifts".to_owned(), "Lifts".to_owned(), rows).render().unwrap()
    }

    #[test]
    fn intervals_stand_over_one_axis() {
        let rows = [
            ForestRow {
                decided: "better",
                is_primary: true,
                ..row("purchase", Ok([0.2, 0.1, 0.3]))
            },
            row("video <b>", Ok([-0.01, -0.9, 5.0])),
            row("signup", Ok([0.05, f64::NEG_INFINITY, f64::INFINITY])),
            row("refund", Err("no visitor of the control did it")),
        ];

        insta::assert_snapshot!(drawn(&rows));
    }

    #[test]
    fn a_difference_stands_where_there_is_no_lift() {
        let difference = Some(["+2.32", "+1.34", "+3.31"].map(str::to_owned));
        let lift = Err(NoLift { difference, ..NoLift::because("the control has none") });

        let svg = drawn(&[ForestRow { lift, decided: "better", ..row("Profit", Err("")) }]);

        assert!(svg.contains(">+2.32 (+1.34 to +3.31)<"), "{svg}");
        let words = "Profit: +2.32, between +1.34 and +3.31, better; no lift, because the control has none.";
        assert!(svg.contains(words), "{svg}");
    }

    #[test]
    fn without_a_figure_there_is_no_axis() {
        let drawn = drawn(&[row("Orders: B", Err("too few visitors"))]);

        assert!(drawn.contains("no figure") && !drawn.contains("class=\"tick\""), "{drawn}");
    }

    #[test]
    fn no_line_of_the_axis_goes_through_a_text() {
        // Above and below the line on which a text stands.
        const TEXT_REACHES: (f64, f64) = (12.0, 4.0);
        let svg =
            drawn(&[row("Orders", Ok([0.1, -0.2, 0.3])), row("Signups", Ok([0.0, -0.1, 0.2]))]);
        let number = |element: &str, name: &str| {
            let (_, rest) = element.split_once(&format!(" {name}=\"")).unwrap();
            rest.split('"').next().unwrap().parse::<f64>().unwrap()
        };
        let elements = |start: &str| -> Vec<_> { svg.split(start).skip(1).collect() };

        let (lines, labels) = (elements("<line "), elements("<text class=\"label\""));

        assert!(svg.contains("<line class=\"zero\"") && labels.len() == 2, "{svg}");
        for (line, label) in
            lines.iter().flat_map(|line| labels.iter().map(move |label| (line, label)))
        {
            let (start, end, text) = (number(line, "y1"), number(line, "y2"), number(label, "y"));
            assert!(
                end <= text - TEXT_REACHES.0 || start >= text + TEXT_REACHES.1,
                "{line} {label}"
            );
        }
    }

    #[test]
    fn a_label_leaves_room_for_the_figure_whatever_its_characters() {
        let short = "Orders of returning visitors";
        let labels =
            ["Wide ".repeat(20), "WWW".repeat(20), "購入完了".repeat(20), "ordinary".repeat(20)];

        assert_eq!(shortened(short), short);
        for label in labels.map(|label| shortened(&label)) {
            assert!(label.ends_with('…'), "{label}");
            assert!(label.chars().map(width).sum::<usize>() <= LABEL_WIDTH, "{label}");
        }
    }

    proptest! {
        #[test]
        fn nothing_is_ever_nan(ends in prop::collection::vec(prop::array::uniform3(any::<f64>()), 0..5)) {
            let rows: Vec<_> = ends.iter().map(|ends| ForestRow { is_primary: ends[0] > 0.0, ..row("any", Ok(*ends)) }).collect();

            let svg = drawn(&rows);

            let attributes = svg.split('"').skip(1).step_by(2);
            prop_assert!(!attributes.clone().any(|value| value.contains("NaN") || value.contains("inf")), "{}", svg);
            prop_assert!(attributes.filter(|value| value.ends_with('%')).all(|value| {
                value.trim_end_matches('%').parse::<f64>().is_ok_and(|share| (0.0..=100.0).contains(&share))
            }), "{}", svg);
        }
    }
}
