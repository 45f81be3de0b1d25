//! Entity tags, by which a state is told from all others.

use sha2::{Digest as _, Sha256};

/// 128 bits of a hash, in quotes: no two states of anything ever have the same.
#[must_use]
pub fn tag_of(text: &str) -> String {
    let hash: [u8; 32] = Sha256::digest(text).into();
    let (first, _) = hash.split_first_chunk().expect("the tag is shorter than the hash");
    format!("\"{:032x}\"", u128::from_be_bytes(*first))
}
