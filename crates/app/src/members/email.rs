//! The e-mail address with which a member signs in.

use url::quirks::domain_to_unicode;

use crate::visible_text::is_invisible;

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

    /// Parses the address of a new member or invitation, which people tell from others by looking at it. A member from before this rule still
    /// signs in, with an address that [`Self::parse`] takes.
    pub(crate) fn parse_new(text: &str) -> Option<Self> {
        let address = Self::parse(text)?;
        let (local, domain) = address.0.rsplit_once('@')?;
        // Some write an `@` in other widths.
        let misleads = |one| is_invisible(one) || matches!(one, '\u{fe6b}' | '\u{ff20}');
        let is_clear = !local.contains(misleads) && !domain.contains(misleads);
        // A domain that the network writes otherwise is not the one that it looks like.
        let is_as_sent = domain.is_ascii() || domain_to_unicode(domain) == domain;
        (is_clear && is_as_sent).then_some(address)
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
    fn a_new_address_is_what_it_looks_like() {
        for text in [
            "owner@x.example\u{200b}",
            "ow\u{ad}ner@x.example",
            "owner@\u{2066}x.example",
            "\u{202e}owner@x.example",
            "owner\u{3164}@x.example",
            "\u{feff}owner@x.example",
            "owner\u{ff20}x.example@evil.example",
            "owner@x\u{2024}example",
            "owner@\u{ff58}.example",
        ] {
            assert_eq!(EmailAddress::parse_new(text), None, "{}", text.escape_unicode());
            assert!(EmailAddress::parse(text).is_some(), "a member with it signs in");
        }
        for text in
            ["Ann@Example.com", "ann@localhost", "andré@bücher.example", "ann@straße.example"]
        {
            assert_eq!(EmailAddress::parse_new(text), EmailAddress::parse(text), "{text}");
        }
        assert_eq!(EmailAddress::parse_new("ann"), None);
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
