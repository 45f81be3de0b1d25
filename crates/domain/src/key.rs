//! Keys: the short names by which authors refer to resources in a document, `[a-z0-9][a-z0-9_-]{0,63}`.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use crate::limits::MAX_KEY_LENGTH;

/// A short name for a resource, unique within its kind. A page's key is also its in-page API name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Key(String);

/// A text that is not a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a key is 1 to 64 of `a-z`, `0-9`, `_` and `-`, the first a letter or digit")]
pub struct UnreadableKey;

impl Key {
    /// The key as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The key of a resource that has only a name: lower case, with one `_` for each run of other characters. `None` if the name has no
    /// character that a key may contain.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let lower = name.to_lowercase();
        let words: Vec<&str> = lower
            .split(|character: char| !character.is_ascii_alphanumeric())
            .filter(|word| !word.is_empty())
            .collect();
        let mut key = words.join("_");
        key.truncate(MAX_KEY_LENGTH);
        key.truncate(key.trim_end_matches('_').len());
        key.parse().ok()
    }
}

impl fmt::Display for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl FromStr for Key {
    type Err = UnreadableKey;

    fn from_str(text: &str) -> Result<Self, UnreadableKey> {
        let is_allowed = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-');
        let starts_well = text.starts_with(|first: char| first.is_ascii_alphanumeric());
        let is_key = starts_well && text.len() <= MAX_KEY_LENGTH && text.bytes().all(is_allowed);
        is_key.then(|| Self(text.to_owned())).ok_or(UnreadableKey)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn derived(name: &str) -> Option<String> {
        Key::from_name(name).map(|key| key.0)
    }

    #[test]
    fn a_key_is_made_from_the_letters_and_digits_of_a_name() {
        assert_eq!(derived("Hero text").as_deref(), Some("hero_text"));
        assert_eq!(derived("  50% off -- today! ").as_deref(), Some("50_off_today"));
        assert_eq!(derived("Überraschung").as_deref(), Some("berraschung"));
        assert_eq!(derived("日本"), None);
        assert_eq!(derived(""), None);
    }

    #[test]
    fn a_key_from_a_long_name_is_cut_and_does_not_end_in_a_joint() {
        let name = format!("{} b", "a".repeat(63));

        assert_eq!(derived(&name), Some("a".repeat(63)));
    }

    #[test]
    fn a_key_is_lower_case_and_starts_with_a_letter_or_digit() {
        assert!("7-eleven_x".parse::<Key>().is_ok());
        for text in ["", "Hero", "_a", "-a", "a b", "é", &"a".repeat(65)] {
            assert_eq!(text.parse::<Key>(), Err(UnreadableKey), "{text}");
        }
    }
}
