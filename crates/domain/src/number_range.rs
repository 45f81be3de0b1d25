//! Ranges of numbers in conditions: `3:7`. This module reads numbers as JavaScript's `Number(text)` does, since the runtime compares with
//! that.

/// The lower and the upper end, both included; `None` where one is missing or not a number.
#[must_use]
pub fn number_range(value: &str) -> Option<(f64, f64)> {
    let (low, high) = value.split_once(':')?;
    let end = |text: &str| Some(js_number(text)).filter(|end| !text.is_empty() && !end.is_nan());
    end(low).zip(end(high))
}

/// Not a number (NaN) for a text that is not a number; 0 for white space only.
#[must_use]
pub fn js_number(text: &str) -> f64 {
    let text = text.trim_matches(is_space);
    if text.is_empty() {
        return 0.0;
    }
    for (prefixes, radix) in [(["0x", "0X"], 16), (["0o", "0O"], 8), (["0b", "0B"], 2)] {
        if let Some(digits) = prefixes.iter().find_map(|prefix| text.strip_prefix(prefix)) {
            return whole(digits, radix);
        }
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let is_decimal = unsigned.starts_with(|first: char| first.is_ascii_digit() || first == '.');
    match unsigned {
        "Infinity" if text.starts_with('-') => f64::NEG_INFINITY,
        "Infinity" => f64::INFINITY,
        // Rust's parser also accepts words such as `nan`, which JavaScript does not.
        _ if is_decimal => text.parse().unwrap_or(f64::NAN),
        _ => f64::NAN,
    }
}

/// JavaScript's white space is Unicode's with the byte order mark and without the next-line character.
fn is_space(character: char) -> bool {
    character == '\u{feff}' || character.is_whitespace() && character != '\u{85}'
}

fn whole(digits: &str, radix: u32) -> f64 {
    if digits.is_empty() {
        return f64::NAN;
    }
    digits.chars().fold(0.0, |number, digit| {
        digit.to_digit(radix).map_or(f64::NAN, |digit| number * f64::from(radix) + f64::from(digit))
    })
}

#[cfg(test)]
mod tests {
    use super::{js_number, number_range};

    #[test]
    fn texts_read_as_javascript_reads_them() {
        let numbers = [
            ("5", 5.0),
            (" 1.5 ", 1.5),
            ("", 0.0),
            ("0x1F", 31.0),
            ("-2e3", -2000.0),
            (".5", 0.5),
            ("5.", 5.0),
            ("Infinity", f64::INFINITY),
        ];
        for (text, number) in numbers {
            assert!(
                (js_number(text) - number).abs() < 1e-9 || js_number(text).eq(&number),
                "{text}"
            );
        }
    }

    #[test]
    fn a_text_that_is_no_number_is_nan() {
        for text in ["x", "1,5", "5px", "nan", "inf", "0x", "0xg", "1 2", "--1", ".", "\u{85}1"] {
            assert!(js_number(text).is_nan(), "{text}");
        }
    }

    #[test]
    fn range_has_two_ends() {
        assert_eq!(number_range("-1.5:0x10"), Some((-1.5, 16.0)));
        for value in ["", "1", "1:", ":1", "a:1", "1:2:3"] {
            assert_eq!(number_range(value), None, "{value}");
        }
    }
}
