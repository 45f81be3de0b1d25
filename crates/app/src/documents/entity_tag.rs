//! Entity tags, by which a state is told from all others.

use sha2::{Digest as _, Sha256};

/// 128 bits of a hash, in quotes: no two states of anything ever have the same.
#[must_use]
pub fn tag_of(text: &str) -> String {
    let hash: [u8; 32] = Sha256::digest(text).into();
    let first = hash.iter().take(16).fold(0_u128, |bits, byte| (bits << 8) | u128::from(*byte));
    format!("\"{first:032x}\"")
}
