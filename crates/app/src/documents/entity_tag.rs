//! Entity tags, which identify a state.

use sha2::{Digest as _, Sha256};

/// 128 bits of a hash, in quotes: two different states never have the same tag.
#[must_use]
pub fn tag_of(text: &str) -> String {
    let hash: [u8; 32] = Sha256::digest(text).into();
    let first = hash.iter().take(16).fold(0_u128, |bits, byte| (bits << 8) | u128::from(*byte));
    format!("\"{first:032x}\"")
}
