//! Signatures of our own making: HMAC-SHA-256 (RFC 2104), for what this server gives out and later wants to know again without having
//! kept it, such as preview links.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use subtle::ConstantTimeEq as _;

/// A secret that only the server knows. It is never shown, logged or compared.
#[derive(Clone)]
pub struct SigningKey([u8; 32]);

impl SigningKey {
    /// The key that these bytes are: fresh random ones, or as they come back from the store.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The bytes of the key, for the store alone.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The signature of `text`, in base64url.
    #[must_use]
    pub fn sign(&self, text: &str) -> String {
        URL_SAFE_NO_PAD.encode(self.code(text.as_bytes()))
    }

    /// Whether `signature` is exactly that of `text`. It takes as long for a wrong one as for the right one.
    #[must_use]
    pub fn verifies(&self, text: &str, signature: &str) -> bool {
        self.sign(text).as_bytes().ct_eq(signature.as_bytes()).into()
    }

    /// The message authentication code of `text`: also a key, for what only this one purpose needs.
    pub(crate) fn code(&self, text: &[u8]) -> [u8; 32] {
        let code = Hmac::<Sha256>::new_from_slice(&self.0).expect("a key has any length");
        code.chain_update(text).finalize().into_bytes().into()
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SigningKey(…)")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::SigningKey;

    /// A key of fewer bytes is the same as one with zeros behind it.
    fn padded(key: &[u8]) -> [u8; 32] {
        let mut bytes = [0; 32];
        bytes[..key.len()].copy_from_slice(key);
        bytes
    }

    /// RFC 4231, test cases 1, 2, 3 and 4: those whose keys fit.
    #[test]
    fn signatures_are_those_of_the_standard() {
        let counted: Vec<u8> = (1..=25).collect();
        let vectors: [(&[u8], Vec<u8>, &str); 4] = [
            (
                &[0x0b; 20],
                b"Hi There".to_vec(),
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
            ),
            (
                b"Jefe",
                b"what do ya want for nothing?".to_vec(),
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
            ),
            (
                &[0xaa; 20],
                vec![0xdd; 50],
                "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe",
            ),
            (
                &counted,
                vec![0xcd; 50],
                "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b",
            ),
        ];

        for (key, text, expected) in vectors {
            let key = SigningKey::from_bytes(padded(key));
            assert_eq!(hex::encode(key.code(&text)), expected);
        }
    }

    #[test]
    fn debug_output_shows_nothing() {
        assert_eq!(format!("{:?}", SigningKey::from_bytes([7; 32])), "SigningKey(…)");
    }

    proptest! {
        #[test]
        fn only_the_text_that_was_signed_verifies(key: [u8; 32], other: [u8; 32], text: String, place: prop::sample::Index) {
            let key = SigningKey::from_bytes(key);
            let signature = key.sign(&text);

            prop_assert!(key.verifies(&text, &signature));
            let longer = format!("{text}x");
            prop_assert!(!key.verifies(&longer, &signature));
            prop_assert!(SigningKey::from_bytes(other).0 == key.0 || !SigningKey::from_bytes(other).verifies(&text, &signature));
            for replacement in ["A", "B", "-", ""] {
                let place = place.index(signature.len());
                let altered = [&signature[..place], replacement, &signature[place + 1..]].concat();
                prop_assert_eq!(key.verifies(&text, &altered), altered == signature);
            }
        }
    }
}
