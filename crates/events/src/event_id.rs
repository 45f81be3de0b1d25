//! The id by which an event that is told twice is counted once.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// An event's id: 8 bytes, made of 16. These are the sender's UUID, or of another text the first of its SHA-256, so that the browser and the
/// server can tell of the same order by its number. The second half is mixed before it lies upon the first (exclusive or), since senders also put
/// two small numbers into the halves of a UUID.
///
/// It tells apart the events of one visitor that have one name: of a million, two have the same id in one of 37 million cases. In files nothing else
/// was as large, since random bytes cannot be compressed. What stores from before have, all 16 bytes, is the same id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "[u8; 16]", into = "[u8; 16]")]
pub struct EventId([u8; 8]);

impl EventId {
    /// The id that a sender wrote so.
    #[must_use]
    pub fn of(text: &str) -> Self {
        Self::from_bytes(uuid(text).unwrap_or_else(|| {
            let digest = Sha256::digest(text);
            let mut start = [0; 16];
            start.copy_from_slice(&digest[..16]);
            start
        }))
    }

    /// The id that a store has as these bytes.
    #[must_use]
    pub fn from_bytes(bytes: [u8; 16]) -> Self {
        let [high, low] =
            [0, 8].map(|half| u64::from_be_bytes(std::array::from_fn(|place| bytes[half + place])));
        Self((high ^ mixed(low)).to_be_bytes())
    }

    /// The same as a number.
    pub(crate) fn number(self) -> u64 {
        u64::from_be_bytes(self.0)
    }

    /// Its bytes, for a store: the last 8 are zeros.
    #[must_use]
    pub fn bytes(self) -> [u8; 16] {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&self.0);
        bytes
    }
}

/// The last step of `MurmurHash3` for 64 bits: each number has one of its own, and zero has zero.
fn mixed(number: u64) -> u64 {
    let number = (number ^ (number >> 33)).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
    let number = (number ^ (number >> 33)).wrapping_mul(0xC4CE_B9FE_1A85_EC53);
    number ^ (number >> 33)
}

impl From<[u8; 16]> for EventId {
    fn from(bytes: [u8; 16]) -> Self {
        Self::from_bytes(bytes)
    }
}

impl From<EventId> for [u8; 16] {
    fn from(id: EventId) -> Self {
        id.bytes()
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
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::EventId;

    #[test]
    fn a_uuid_is_the_same_in_either_case_and_other_texts_are_told_apart() {
        let lower = EventId::of("0193a0f2-7a11-7c3e-9f00-00deadbeef42");

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
    #[test]
    fn two_numbers_in_the_halves_of_a_uuid_make_an_id_of_their_own() {
        let ids: HashSet<EventId> = (0..300_u128)
            .flat_map(|order| (0..300).map(move |item| (order << 64) | item))
            .map(|both| EventId::from_bytes(both.to_be_bytes()))
            .collect();

        assert_eq!(ids.len(), 300 * 300);
    }

    proptest! {
        #[test]
        fn what_a_store_has_is_the_same_id_in_16_bytes_and_in_8(bytes in any::<[u8; 16]>()) {
            let id = EventId::from_bytes(bytes);

            prop_assert_eq!(EventId::from_bytes(id.bytes()), id);
            prop_assert_eq!(&id.bytes()[8..], &[0; 8]);
            let logged = serde_json::to_string(&bytes).unwrap();
            prop_assert_eq!(serde_json::from_str::<EventId>(&logged).unwrap(), id);
            prop_assert_eq!(serde_json::to_string(&id).unwrap(), serde_json::to_string(&id.bytes()).unwrap());
        }
    }
}
