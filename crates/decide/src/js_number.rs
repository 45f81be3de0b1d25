//! Numbers as JavaScript's `String(number)` writes them, since the page compares with that.

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

#[cfg(test)]
mod tests {
    use super::js_text;

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
