//! Values that several commands read.

use oauth::Lifetime;

/// A name and a value; the value may hold further equals signs.
pub(super) fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("expected a name, `=` and a value".to_owned()),
    }
}

/// A number and its unit. Whether it is long enough is not decided here.
pub(super) fn lifetime(text: &str) -> Result<Lifetime, String> {
    let units = [("s", 1), ("m", 60), ("h", 3_600), ("d", 86_400)];
    let read = units.into_iter().find_map(|(unit, seconds)| {
        let number: u32 = text.strip_suffix(unit)?.parse().ok()?;
        Some(Lifetime::from_seconds(i64::from(number) * seconds))
    });
    read.ok_or_else(|| "expected a number and `s`, `m`, `h` or `d`, such as `12h`".to_owned())
}

#[cfg(test)]
mod tests {
    use oauth::Lifetime;

    use super::lifetime;

    #[test]
    fn a_lifetime_is_a_number_and_its_unit() {
        assert_eq!(lifetime("90s"), Ok(Lifetime::from_seconds(90)));
        assert_eq!(lifetime("2d"), Ok(Lifetime::from_seconds(172_800)));
        for text in ["", "7", "d", "-1d", "1.5h", "1w", "99999999999s"] {
            assert!(lifetime(text).is_err(), "{text}");
        }
    }
}
