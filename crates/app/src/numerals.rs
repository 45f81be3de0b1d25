//! Numbers in sentences, as English writes them.

/// A count with commas between thousands.
#[must_use]
pub fn thousands(count: u64) -> String {
    grouped(&count.to_string())
}

/// Digits with commas between thousands.
#[must_use]
pub fn grouped(digits: &str) -> String {
    let mut text = String::new();
    for (place, digit) in digits.char_indices() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count with the noun that it counts: `1 row`, `2,000 rows`.
#[must_use]
pub fn quantity(count: u64, one: &str, many: &str) -> String {
    format!("{} {}", thousands(count), if count == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::quantity;

    #[test]
    fn thousands_have_commas_and_one_has_its_own_noun() {
        let written = [0, 1, 999, 1_000, 1_234_567].map(|count| quantity(count, "row", "rows"));

        assert_eq!(written, ["0 rows", "1 row", "999 rows", "1,000 rows", "1,234,567 rows"]);
    }
}
