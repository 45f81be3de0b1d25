//! Locations of visitors, as Assay's conditions write them: `US`, `US|CA`, `US|CA|SANFRANCISCO`, `US||SANFRANCISCO`, a continent `|||EU`, a
//! market area `||||807`. Exports write the same with lines or with dashes (`US-CA-SANFRANCISCO`), in upper or lower case; in any
//! other form, a condition would silently hold for no visitor.

/// A location in Assay's form. `Err` says why it has none.
pub(crate) fn written(there: &str) -> Result<String, String> {
    let parts: Vec<&str> = if there.contains('|') {
        there.split('|').map(str::trim).collect()
    } else {
        // A city may have dashes itself.
        there.splitn(3, '-').map(str::trim).collect()
    };
    let is_empty = |place: usize| parts.get(place).is_none_or(|part| part.is_empty());
    let means_something = match parts.len() {
        1..=3 => {
            is_code(parts[0])
                && parts.get(1).is_none_or(|region| region.is_empty() || is_region(region))
        }
        4 => (0..3).all(is_empty) && is_code(parts[3]),
        5 => (0..4).all(is_empty) && is_number(parts[4]),
        _ => false,
    };
    if !means_something || (parts.len() == 3 && is_empty(2)) || (parts.len() == 2 && is_empty(1)) {
        return Err(format!("the location `{there}` is unknown to Assay"));
    }
    let city = |part: &str| part.split_whitespace().collect::<String>().to_uppercase();
    Ok(parts.into_iter().map(city).collect::<Vec<_>>().join("|"))
}

/// The code of a country or a continent: two letters.
fn is_code(part: &str) -> bool {
    part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// A region within a country (ISO 3166-2): up to three letters or digits.
fn is_region(part: &str) -> bool {
    (1..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// The number of a market area.
fn is_number(part: &str) -> bool {
    !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::written;

    #[test]
    fn a_location_is_written_with_lines_and_in_upper_case() {
        for (there, here) in [
            ("US", "US"),
            ("us", "US"),
            ("US-CA", "US|CA"),
            ("US-CA-SANFRANCISCO", "US|CA|SANFRANCISCO"),
            ("US|CA|SAN FRANCISCO", "US|CA|SANFRANCISCO"),
            ("us|ca|San Francisco", "US|CA|SANFRANCISCO"),
            ("US||SANFRANCISCO", "US||SANFRANCISCO"),
            ("FR-75-SAINT-DENIS", "FR|75|SAINT-DENIS"),
            ("|||EU", "|||EU"),
            ("||||807", "||||807"),
        ] {
            assert_eq!(written(there).as_deref(), Ok(here), "{there}");
        }
    }

    #[test]
    fn a_text_that_matches_no_visitor_is_no_location() {
        for there in [
            "",
            "California",
            "US|",
            "US|CA|",
            "US|CALIFORNIA",
            "US|CA|X|EU",
            "|CA",
            "||||x",
            "||||+807",
            "1|2|3|4|5|6",
        ] {
            assert!(written(there).is_err(), "{there}");
        }
    }
}
