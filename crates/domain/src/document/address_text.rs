//! Which texts can stand in an address as a browser reports it: it encodes the others, and names hosts in ASCII.

/// Whether an address can contain this text.
pub(super) fn is_of_address(text: &str) -> bool {
    // Some characters, such as the sign for kelvin, are ASCII in lower case, in which addresses are compared.
    text.to_lowercase().chars().all(stays_in_address)
}

/// Whether an address has a host, with which it begins or which follows its scheme. Others are compared with no page.
pub(super) fn has_host(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let mut schemes = ["https://", "http://"].iter();
    let from_host = schemes.find_map(|scheme| text.strip_prefix(scheme)).unwrap_or(&text);
    let host = from_host.split(['/', '?', '#', '&']).next().unwrap_or_default();
    // `mailto:a@shop.example`; a port has digits.
    let is_other_scheme = host
        .split_once(':')
        .is_some_and(|(_, port)| !port.starts_with(|one: char| one.is_ascii_digit()));
    !host.is_empty() && !is_other_scheme
}

/// The same for a name or a value in a query.
pub(super) fn is_of_query(text: &str) -> bool {
    text.chars().all(stays_in_query)
}

/// Whether a regular expression may match an address.
pub(super) fn is_pattern_of_address(pattern: &str) -> bool {
    needed(pattern).all(stays_in_address)
}

/// The same for a name or a value in a query.
pub(super) fn is_pattern_of_query(pattern: &str) -> bool {
    needed(pattern).all(stays_in_query)
}

fn stays_in_address(character: char) -> bool {
    character.is_ascii_graphic() && !['"', '<', '>'].contains(&character)
}

fn stays_in_query(character: char) -> bool {
    stays_in_address(character) && !['\'', '&', '#'].contains(&character)
}

/// The characters that every match has. None if the pattern has alternatives or optional parts, where they are hard to find.
fn needed(pattern: &str) -> impl Iterator<Item = char> {
    let has_choice = pattern.contains(['|', '?', '*', '{', '[']);
    let is_plain = move |character: &char| !has_choice && !character.is_ascii_punctuation();
    pattern.chars().filter(is_plain)
}

#[cfg(test)]
mod tests {
    use super::{has_host, is_of_address, is_of_query, is_pattern_of_address};

    #[test]
    fn browsers_write_addresses_in_ascii_without_space() {
        for text in ["https://shop.example/caf%C3%A9?q={a}#x", "xn--mnchen-3ya.example", "\u{212a}"]
        {
            assert!(is_of_address(text), "{text}");
        }
        for text in ["https://shop.example/café", "münchen.example", "a b", "a\nb", "\"", "<b>"] {
            assert!(!is_of_address(text), "{text}");
        }
    }

    #[test]
    fn an_address_has_a_host() {
        for text in [
            "shop.example",
            "localhost/a",
            "HTTPS://shop.example/?a=b",
            "http://a:8080/",
            "shop.example/?a=https://b.example",
        ] {
            assert!(has_host(text), "{text}");
        }
        for text in [
            "",
            "/",
            "/cart",
            "?a=b",
            "#a",
            "https://",
            "//shop.example/",
            "ftp://a.example",
            "mailto:a@b.example",
        ] {
            assert!(!has_host(text), "{text}");
        }
    }

    #[test]
    fn a_query_tells_its_parameters_apart() {
        assert!(is_of_query("a+b%20c=d"));
        for text in ["a b", "ü", "a&b", "a#b", "it's"] {
            assert!(!is_of_query(text), "{text}");
        }
    }

    #[test]
    fn a_pattern_with_a_choice_may_match() {
        for pattern in ["café|cafe", "caf[eé]", "cafeé?", r"^https://a\.example/x+$"] {
            assert!(is_pattern_of_address(pattern), "{pattern}");
        }
        assert!(!is_pattern_of_address(r"\.example/café$"));
    }
}
