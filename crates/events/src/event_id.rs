//! The id by which an event that is told twice is counted once.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// An event's id: the sender's UUID, or of another text the first 16 bytes of its SHA-256, so that the browser and the server can tell of
/// the same order by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct EventId([u8; 16]);

impl EventId {
    /// The id that a sender wrote so.
    #[must_use]
    pub fn of(text: &str) -> Self {
        Self(uuid(text).unwrap_or_else(|| {
            let digest = Sha256::digest(text);
            let mut start = [0; 16];
            start.copy_from_slice(&digest[..16]);
            start
        }))
    }

    /// The id that a store has as these bytes.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// Its bytes, for a store.
    #[must_use]
    pub const fn bytes(self) -> [u8; 16] {
        self.0
    }
}

/// The bytes of a UUID in its text form (RFC 9562, section 4), in either case.
fn uuid(text: &str) -> Option<[u8; 16]> {
    const HYPHENS: [usize; 4] = [8, 13, 18, 23];
    let bytes = text.as_bytes();
    if bytes.len() != 36 || HYPHENS.iter().any(|place| bytes[*place] != b'-') {
        return None;
    }
    let mut id = [0; 16];
    let digits = bytes.iter().enumerate().filter(|(place, _)| !HYPHENS.contains(place));
    for (place, (_, digit)) in digits.enumerate() {
        let digit = char::from(*digit).to_digit(16)?;
        id[place / 2] = id[place / 2] << 4 | u8::try_from(digit).ok()?;
    }
    Some(id)
}

#[cfg(test)]
mod tests {
    use super::EventId;

    #[test]
    fn a_uuid_is_the_same_in_either_case_and_other_texts_are_told_apart() {
        let lower = EventId::of("0193a0f2-7a11-7c3e-9f00-00deadbeef42");

        assert_eq!(lower.bytes()[..4], [0x01, 0x93, 0xa0, 0xf2]);
        assert_eq!(lower, EventId::of("0193A0F2-7A11-7C3E-9F00-00DEADBEEF42"));
        assert_ne!(EventId::of("ord_42"), EventId::of("ord_43"));
        for text in [
            "",
            "0193a0f2-7a11-7c3e-9f00-00deadbeef4",
            "0193a0f2+7a11-7c3e-9f00-00deadbeef42",
            "é193a0f2-7a11-7c3e-9f00-00deadbeef4",
        ] {
            assert_ne!(EventId::of(text), lower, "{text}");
        }
    }
}
