//! Numbers as JavaScript's `Number(text)` reads them and its `String(number)` writes them, since the page compares with that.

/// Not a number (NaN) for a text that is none; 0 for nothing but space.
pub(crate) fn js_number(text: &str) -> f64 {
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
        // Rust's reader also takes words such as `nan`, which JavaScript does not.
        _ if is_decimal => text.parse().unwrap_or(f64::NAN),
        _ => f64::NAN,
    }
}

/// JavaScript's white space is Unicode's with the byte order mark and without the next-line character.
fn is_space(character: char) -> bool {
    character == '\u{feff}' || character.is_whitespace() && character != '\u{85}'
}

/// The fewest digits that tell the number from its neighbours, with an exponent below a millionth and from 10^21 on.
pub(crate) fn js_text(number: f64) -> String {
    // Of two texts that are equally short and near, serde_json takes the one that JavaScript takes; `Display` does not.
    let text = serde_json::Value::from(number.abs()).to_string();
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let digits = digits.strip_suffix(".0").unwrap_or(digits);
    let all_digits = digits.replace('.', "");
    let sign = if number < 0.0 { "-" } else { "" };
    match exponent.parse::<i16>() {
        Ok(0) | Err(_) => format!("{sign}{digits}"),
        Ok(-6) => format!("{sign}0.00000{all_digits}"),
        Ok(exponent @ 1..21) => {
            let width = usize::from(exponent.unsigned_abs()) + 1;
            format!("{sign}{all_digits:0<width$}")
        }
        Ok(exponent) => format!("{sign}{digits}e{exponent:+}"),
    }
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
    use super::{js_number, js_text};

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
    fn what_is_no_number_is_none() {
        for text in ["x", "1,5", "5px", "nan", "inf", "0x", "0xg", "1 2", "--1", ".", "\u{85}1"] {
            assert!(js_number(text).is_nan(), "{text}");
        }
    }

    #[test]
    fn numbers_are_written_as_javascript_writes_them() {
        let texts = [
            (0.0, "0"),
            (-0.0, "0"),
            (2.0, "2"),
            (-3.5, "-3.5"),
            (0.1, "0.1"),
            (1e-6, "0.000001"),
            (1.25e-6, "0.00000125"),
            (1e-7, "1e-7"),
            (-1.5e-7, "-1.5e-7"),
            (5e-324, "5e-324"),
            (9_007_199_254_740_993.0, "9007199254740992"),
            (123_456_789_012_345_680_000.0, "123456789012345680000"),
            (2_186_777_554_452_419.3, "2186777554452419.2"),
            (1e21, "1e+21"),
            (-1.5e300, "-1.5e+300"),
        ];
        for (number, text) in texts {
            assert_eq!(js_text(number), text);
        }
    }
}
