//! How a value of a resource is written in a field of a form, and read back. A field that is sent as it was shown leaves its value alone,
//! however that was written; what cannot be read stays text, so that the document's rules say what is wrong with it.

use domain::BasisPoints;
use events::{DoubtfulNumber, plain_number};
use serde_json::Value;

/// What a field holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// One line of text, or a choice of one; empty is nothing.
    Line,
    /// A local time to the minute, as a line.
    Minute,
    /// Text of several lines, such as code; empty is nothing.
    Text,
    /// The same, without blanks at its ends.
    Trimmed,
    /// A number.
    Number,
    /// A share in percent, which the document counts in basis points.
    Percent,
    /// A box: on or off.
    YesNo,
    /// A list of texts, one per line.
    Lines,
    /// A list of texts, each a checked box.
    Choices,
}

/// The fields that a form may have: patterns of pointers into the resource, in which `*` stands for an index of a list, `**` for a way
/// through nested lists, and `***` for any way.
pub(crate) type Shapes = &'static [(&'static str, Shape)];

/// The shape of the field with this name, if the form may have it.
pub(crate) fn shape_of(shapes: Shapes, pointer: &str) -> Option<Shape> {
    shapes.iter().find(|(pattern, _)| fits(pattern, pointer)).map(|(_, shape)| *shape)
}

fn fits(pattern: &str, pointer: &str) -> bool {
    let (pattern, given): (Vec<_>, Vec<_>) =
        (pattern.split('/').collect(), pointer.split('/').collect());
    fit(&pattern, &given)
}

fn fit(pattern: &[&str], given: &[&str]) -> bool {
    let Some((wanted, rest)) = pattern.split_first() else { return given.is_empty() };
    match *wanted {
        "**" => ways(given, is_index).any(|given| fit(rest, given)),
        "***" => ways(given, |_| true).any(|given| fit(rest, given)),
        wanted => given.split_first().is_some_and(|(first, given)| {
            let is_wanted = if wanted == "*" { is_index(first) } else { wanted == *first };
            is_wanted && fit(rest, given)
        }),
    }
}

/// What is left of a pointer after each number of steps of a kind.
fn ways<'p, 's>(
    given: &'p [&'s str],
    is_step: fn(&str) -> bool,
) -> impl Iterator<Item = &'p [&'s str]> {
    let steps = given.iter().take_while(move |step| is_step(step)).count();
    (0..=steps).map(|count| &given[count..])
}

fn is_index(token: &str) -> bool {
    !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_digit())
}

impl Shape {
    /// The text that a field shows for a value; of choices, one per line.
    pub(crate) fn shown(self, value: &Value) -> String {
        match (self, value) {
            (_, Value::Null) => String::new(),
            (Self::Percent, Value::Number(number)) => {
                let share = number.as_u64().and_then(|points| u16::try_from(points).ok());
                share.and_then(BasisPoints::new).map_or_else(|| number.to_string(), percent)
            }
            (Self::Lines | Self::Choices, Value::Array(elements)) => {
                elements.iter().map(plain).collect::<Vec<_>>().join("\n")
            }
            (_, value) => plain(value),
        }
    }

    /// The value that was `before` after a form was sent with these values for its field.
    pub(crate) fn read(self, sent: &[&str], before: &Value) -> Value {
        let text = self.text_of(sent);
        if text == self.text_of(&[&self.shown(before)]) {
            return before.clone();
        }
        match self {
            Self::Line | Self::Minute | Self::Text | Self::Trimmed if text.is_empty() => {
                Value::Null
            }
            Self::Line | Self::Minute | Self::Text | Self::Trimmed => Value::from(text),
            Self::Number => number(&text),
            Self::Percent => share(&text),
            Self::YesNo => Value::from(text == "true"),
            Self::Lines | Self::Choices => text.lines().map(Value::from).collect(),
        }
    }

    /// What was sent, without what browsers and pasting add.
    fn text_of(self, sent: &[&str]) -> String {
        let last = sent.last().copied().unwrap_or_default();
        match self {
            // A line in a browser has no line breaks: it leaves them out.
            Self::Line | Self::Number | Self::Percent => {
                last.replace(['\r', '\n'], "").trim().to_owned()
            }
            Self::Minute => minute(last.replace(['\r', '\n'], "").trim()),
            Self::Text => with_plain_breaks(last),
            Self::Trimmed => with_plain_breaks(last).trim().to_owned(),
            Self::YesNo => (last == "true").to_string(),
            Self::Lines => without_blanks(with_plain_breaks(last).lines()),
            Self::Choices => {
                let sent = with_plain_breaks(&sent.join("\n"));
                let mut chosen: Vec<&str> = sent.lines().collect();
                chosen.sort_unstable();
                chosen.dedup();
                without_blanks(chosen.into_iter())
            }
        }
    }
}

/// A text as it is, and anything else as JSON.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Browsers send every line break as two characters.
fn with_plain_breaks(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

fn without_blanks<'t>(lines: impl Iterator<Item = &'t str>) -> String {
    lines.map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

/// A local time as documents write it: people leave out the letter between day and time, and midnight.
fn minute(text: &str) -> String {
    let is_day = |day: &str| {
        let is_in_place = |(place, byte): (usize, u8)| match place {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        };
        day.len() == 10 && day.bytes().enumerate().all(is_in_place)
    };
    match text.split_once([' ', 't']) {
        Some((day, time)) if is_day(day) => format!("{day}T{}", time.trim_start()),
        None if is_day(text) => format!("{text}T00:00"),
        Some(_) | None => text.to_owned(),
    }
}

/// Thousands may be apart, and decimals after a comma, where that is no other number.
fn number(text: &str) -> Value {
    let compact = without_blank_groups(text);
    let plain = plain_number(&compact).ok();
    let number = plain.and_then(|plain| plain.parse::<serde_json::Number>().ok());
    number.map_or_else(|| or_nothing(text), Value::Number)
}

/// The two numbers that a text may be, such as `5.000`, which stays text.
pub(crate) fn doubtful(text: &str) -> Option<DoubtfulNumber> {
    plain_number(&without_blank_groups(text)).err()
}

/// The text without blanks between thousands. Other blanks are a slip.
fn without_blank_groups(text: &str) -> String {
    let groups: Vec<&str> = text.split([' ', '\u{202f}', '\u{a0}']).collect();
    let is_of_three = |group: &&str| {
        let digits = group.split([',', '.']).next().unwrap_or_default();
        digits.len() == 3 && digits.bytes().all(|digit| digit.is_ascii_digit())
    };
    let are_thousands = groups.iter().skip(1).all(is_of_three);
    if are_thousands { groups.concat() } else { text.to_owned() }
}

fn share(text: &str) -> Value {
    let digits = text.trim_end_matches('%').trim_end().replace(',', ".");
    let share = BasisPoints::from_percent(&format!("{digits}%"));
    share.map_or_else(|| or_nothing(text), |share| Value::from(share.get()))
}

fn or_nothing(text: &str) -> Value {
    if text.is_empty() { Value::Null } else { Value::from(text) }
}

/// A share as members write it: `50`, `33.33`.
pub(crate) fn percent(share: BasisPoints) -> String {
    (f64::from(share.get()) / 100.0).to_string()
}

/// A sum of shares as members write it, which may be more than all.
pub(crate) fn total_percent(points: u64) -> String {
    let (whole, hundredths) = (points / 100, points % 100);
    let text = format!("{whole}.{hundredths:02}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::{Shape, shape_of};

    const SHAPES: [Shape; 9] = [
        Shape::Line,
        Shape::Minute,
        Shape::Text,
        Shape::Trimmed,
        Shape::Number,
        Shape::Percent,
        Shape::YesNo,
        Shape::Lines,
        Shape::Choices,
    ];

    fn any_value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            (-1e9..1e9).prop_map(Value::from),
            "[a-c%. \r\n0-9é<]{0,8}".prop_map(Value::from),
        ];
        leaf.prop_recursive(2, 8, 3, |inner| {
            prop::collection::vec(inner, 0..3).prop_map(Value::from)
        })
    }

    proptest! {
        #[test]
        fn what_is_sent_back_as_it_was_shown_is_the_same_value(
            value in any_value(),
            shape in prop::sample::select(&SHAPES[..]),
        ) {
            // Browsers send every line break as two characters.
            let shown = shape.shown(&value).replace("\r\n", "\n").replace(['\r', '\n'], "\r\n");

            prop_assert_eq!(shape.read(&[&shown], &value), value);
        }

        #[test]
        fn names_and_values_that_no_form_of_ours_sends_are_harmless(
            name in ".{0,40}", value in ".{0,40}", shape in prop::sample::select(&SHAPES[..]),
        ) {
            shape.read(&[&value, &name], &Value::from(value.as_str()));
            shape_of(&[("/a/**/b", Shape::Line), ("/a/*/c", Shape::Text)], &name);
        }
    }

    #[test]
    fn members_write_values_as_people_do() {
        let read = |shape: Shape, text: &str| shape.read(&[text], &json!("before"));

        assert_eq!(read(Shape::Line, "  Hero text "), json!("Hero text"));
        assert_eq!(read(Shape::Line, ""), Value::Null);
        assert_eq!(read(Shape::Text, "a\r\n b "), json!("a\n b "));
        assert_eq!(read(Shape::Number, " 12 "), json!(12));
        assert_eq!(read(Shape::Number, "many"), json!("many"));
        for text in ["5000.5", "5000,50", "5 000,5", "5.000,50", "5,000.50", "5\u{202f}000.5"] {
            assert_eq!(read(Shape::Number, text), json!(5000.5), "{text}");
        }
        assert_eq!(read(Shape::Number, "5 000"), json!(5000));
        assert_eq!(read(Shape::Number, "5.000"), json!("5.000"), "five, or five thousand");
        assert_eq!(read(Shape::Number, "10 20"), json!("10 20"), "a slip");
        for text in ["2026-12-01T09:00", " 2026-12-01 09:00 ", "2026-12-01  09:00"] {
            assert_eq!(read(Shape::Minute, text), json!("2026-12-01T09:00"), "{text}");
        }
        assert_eq!(read(Shape::Minute, "2026-12-01"), json!("2026-12-01T00:00"));
        assert_eq!(read(Shape::Minute, "1 December 9:00"), json!("1 December 9:00"), "refused");
        for text in ["33.33", "33.33%", "33,33 %"] {
            assert_eq!(read(Shape::Percent, text), json!(3333), "{text}");
        }
        assert_eq!(read(Shape::Percent, "110"), json!("110"));
        assert_eq!(Shape::Percent.shown(&json!(1250)), "12.5");
        assert_eq!(Shape::YesNo.read(&["false", "true"], &json!(false)), json!(true));
        assert_eq!(Shape::YesNo.read(&["false"], &json!(true)), json!(false));
        assert_eq!(read(Shape::Lines, "a\r\n\r\n b "), json!(["a", "b"]));
        assert_eq!(Shape::Choices.read(&["", "b", "a"], &json!([])), json!(["a", "b"]));
        assert_eq!(Shape::Choices.read(&["", "a", "b"], &json!(["b", "a"])), json!(["b", "a"]));
    }

    #[test]
    fn a_form_has_the_fields_of_its_patterns() {
        let shapes = &[
            ("/name", Shape::Line),
            ("/members/*/weight", Shape::Percent),
            ("/tree/**/value", Shape::Text),
            ("/***/changes/*/selector", Shape::Line),
        ];

        for at in ["/changes/0/selector", "/members/1/changes/2/selector"] {
            assert_eq!(shape_of(shapes, at), Some(Shape::Line), "{at}");
        }
        assert_eq!(shape_of(shapes, "/name"), Some(Shape::Line));
        assert_eq!(shape_of(shapes, "/members/12/weight"), Some(Shape::Percent));
        for way in ["/tree/value", "/tree/1/value", "/tree/1/20/3/value"] {
            assert_eq!(shape_of(shapes, way), Some(Shape::Text), "{way}");
        }
        for other in [
            "",
            "/",
            "name",
            "/name/",
            "/members/x/weight",
            "/members//weight",
            "/members/1",
            "/tree/x/value",
            "/treevalue",
            "/changes/x/selector",
            "/changes/0/selector/selector",
        ] {
            assert_eq!(shape_of(shapes, other), None, "{other}");
        }
    }
}
