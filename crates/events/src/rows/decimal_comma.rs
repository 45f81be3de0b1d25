//! Numbers where commas are in them and semicolons separate: `19,99` is 19.99.

/// The number with a point, if it has a comma. A point before three digits parts thousands there for some programs, and is a decimal point for
/// others.
pub(super) fn with_point(text: &str) -> Result<Option<String>, String> {
    if let Some((whole, thousandths)) = parted(text, '.').filter(|(_, rest)| rest.len() == 3)
        && matches!(whole.trim_start_matches('-').as_bytes(), [b'1'..=b'9', rest @ ..] if rest.len() < 3)
    {
        let rest = thousandths.trim_end_matches('0');
        let fraction = if rest.is_empty() { whole.to_owned() } else { format!("{whole},{rest}") };
        let detail = format!("is it {whole}{thousandths} or {fraction}? hint: write one of these");
        return Err(detail);
    }
    Ok(parted(text, ',').map(|(whole, rest)| format!("{whole}.{rest}")))
}

/// The digits before this sign, with a minus, and after it.
fn parted(text: &str, sign: char) -> Option<(&str, &str)> {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|digit| digit.is_ascii_digit());
    let is_number = |(whole, rest): &(&str, &str)| {
        digits(whole.strip_prefix('-').unwrap_or(whole)) && digits(rest)
    };
    text.split_once(sign).filter(is_number)
}

#[cfg(test)]
mod tests {
    use super::with_point;

    #[test]
    fn commas_are_points_and_what_may_be_thousands_is_asked() {
        assert_eq!(with_point("-19,99"), Ok(Some("-19.99".to_owned())));
        assert_eq!(with_point("2,000"), Ok(Some("2.000".to_owned())));
        for text in ["", "7", "19.99", "0.125", "1234.500", "2.0000", "1.999,50", "a.000", "1,5,0"]
        {
            assert_eq!(with_point(text), Ok(None), "{text}");
        }
        for (text, told) in
            [("2.000", "is it 2000 or 2?"), ("-120.050", "is it -120050 or -120,05?")]
        {
            let asked = with_point(text).unwrap_err();
            assert!(asked.starts_with(told), "{asked}");
        }
    }
}
