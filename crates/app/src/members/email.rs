//! The e-mail address with which a member signs in.

/// RFC 5321 section 4.5.3.1 allows 254 characters in all.
const LENGTH_AT_MOST: usize = 254;

/// An address in the form that we store and compare: lower case, without surrounding spaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EmailAddress(String);

impl EmailAddress {
    /// Parses an address. Only a sent mail can prove that it is right, so this catches typos, not every fault.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let (local, domain) = text.rsplit_once('@')?;
        let is_plain = |part: &str| {
            let is_odd = |character: char| {
                character.is_whitespace() || character.is_control() || turns_ascii(character)
            };
            !part.is_empty()
                && !part.contains(is_odd)
                && !part.contains(['<', '>', ',', ';', '"', '@'])
        };
        let is_usable = is_plain(local) && is_plain(domain) && text.len() <= LENGTH_AT_MOST;
        is_usable.then(|| Self(text.to_lowercase()))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// Whether a character becomes one of ASCII in lower case, as the sign for kelvin does: two addresses would be one.
fn turns_ascii(character: char) -> bool {
    !character.is_ascii() && character.to_lowercase().any(|lower| lower.is_ascii())
}

#[cfg(test)]
mod tests {
    use super::EmailAddress;

    #[test]
    fn one_address_has_one_spelling() {
        assert_eq!(
            EmailAddress::parse(" Ann@Example.COM "),
            EmailAddress::parse("ann@example.com")
        );
        assert_eq!(EmailAddress::parse("ann@localhost").unwrap().as_str(), "ann@localhost");
    }

    #[test]
    fn slips_are_found() {
        for text in [
            "",
            "ann",
            "@example.com",
            "ann@",
            "a nn@example.com",
            "ann@exam\nple.com",
            "<ann@example.com>",
            "a@b@c",
            "\u{212a}im@example.com",
        ] {
            assert_eq!(EmailAddress::parse(text), None, "{text}");
        }
        assert_eq!(EmailAddress::parse(&format!("{}@example.com", "a".repeat(250))), None);
    }
}
