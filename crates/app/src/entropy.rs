//! The source of randomness. The real one is in `server`; tests use a seeded one.

/// A source of random bytes good enough for secrets.
pub trait Entropy: Send + Sync + 'static {
    /// Fills the whole buffer.
    fn fill(&self, buffer: &mut [u8]);
}

/// A fixed number of random bytes, for secrets, salts and ids.
pub(crate) fn random<const LENGTH: usize>(entropy: &dyn Entropy) -> [u8; LENGTH] {
    let mut bytes = [0; LENGTH];
    entropy.fill(&mut bytes);
    bytes
}

/// Letters and digits that people do not mistake for each other: 32 of them, five bits each.
const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// Random text that people can read and type, with five random bits in each character.
pub(crate) fn readable<const LENGTH: usize>(entropy: &dyn Entropy) -> String {
    let bytes: [u8; LENGTH] = random(entropy);
    bytes.iter().map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect()
}
