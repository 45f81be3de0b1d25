//! Credentials of our own making: codes, tokens, client secrets and sessions. Each is a prefix that tells its kind, 256 random
//! bits, and a checksum, so that secret scanners can find one in any text and be sure. Only [`CredentialHash`]es are kept.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use secrecy::SecretString;
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

/// What a credential is good for. One kind is never taken for another: each has its own prefix and its own table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CredentialKind {
    /// What the redirect brings to the client (RFC 6749 section 1.3.1).
    AuthorizationCode,
    /// What opens the API (section 1.4).
    AccessToken,
    /// What gets further access tokens (section 1.5).
    RefreshToken,
    /// What a confidential client proves itself with (section 2.3.1).
    ClientSecret,
    /// What the browser of a signed-in member keeps in its cookie.
    Session,
}

/// Anything longer is not one of ours, and would only cost work. A declared client secret may be longer than those we make.
const LENGTH_AT_MOST: usize = 256;

/// Six digits in base 62 hold any CRC-32.
const CHECKSUM_LENGTH: usize = 6;
const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

impl CredentialKind {
    const fn prefix(self) -> &'static str {
        match self {
            Self::AuthorizationCode => "assay_ac_",
            Self::AccessToken => "assay_at_",
            Self::RefreshToken => "assay_rt_",
            Self::ClientSecret => "assay_cs_",
            Self::Session => "assay_se_",
        }
    }
}

/// The SHA-256 of a credential: all that is stored of it. 256 random bits need no slow hash. Comparing takes constant time.
#[derive(Clone, Copy)]
pub struct CredentialHash([u8; 32]);

/// Makes a credential of 32 fresh random bytes.
#[must_use]
pub fn mint(kind: CredentialKind, random: [u8; 32]) -> SecretString {
    let mut text = format!("{}{}", kind.prefix(), URL_SAFE_NO_PAD.encode(random));
    let checksum = checksum(&text);
    text.push_str(&checksum);
    SecretString::from(text)
}

/// Hashes a credential that somebody shows; `None` if it is empty or longer than any credential.
#[must_use]
pub fn hash(credential: &str) -> Option<CredentialHash> {
    let is_possible = !credential.is_empty() && credential.len() <= LENGTH_AT_MOST;
    is_possible.then(|| CredentialHash(Sha256::digest(credential).into()))
}

/// CRC-32 of what precedes, in base 62, padded to a fixed length.
fn checksum(text: &str) -> String {
    let mut rest = crc32fast::hash(text.as_bytes());
    let mut digits = [b'0'; CHECKSUM_LENGTH];
    for digit in digits.iter_mut().rev() {
        *digit = BASE62[(rest % 62) as usize];
        rest /= 62;
    }
    digits.iter().copied().map(char::from).collect()
}

impl CredentialHash {
    /// The hash that these bytes are, as they come back from the store.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The bytes of the hash.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl PartialEq for CredentialHash {
    fn eq(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

impl Eq for CredentialHash {}

impl fmt::Debug for CredentialHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("CredentialHash(…)")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use secrecy::ExposeSecret as _;

    use super::{CHECKSUM_LENGTH, CredentialKind, LENGTH_AT_MOST, checksum, hash, mint};

    const KINDS: [CredentialKind; 5] = [
        CredentialKind::AuthorizationCode,
        CredentialKind::AccessToken,
        CredentialKind::RefreshToken,
        CredentialKind::ClientSecret,
        CredentialKind::Session,
    ];

    fn minted(kind: CredentialKind, random: [u8; 32]) -> String {
        mint(kind, random).expose_secret().to_owned()
    }

    #[test]
    fn a_credential_looks_the_same_for_ever() {
        assert_eq!(
            minted(CredentialKind::AccessToken, [0; 32]),
            "assay_at_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA02RlEM"
        );
    }

    #[test]
    fn only_the_whole_credential_has_its_hash() {
        let credential = minted(CredentialKind::RefreshToken, [7; 32]);
        let expected = hash(&credential);

        assert_eq!(hash(&credential.clone()), expected);
        assert_ne!(hash(&credential[1..]), expected);
        assert_ne!(hash(&credential.to_lowercase()), expected);
        assert_ne!(hash(&format!("{credential} ")), expected);
    }

    #[test]
    fn nothing_and_far_too_much_have_no_hash() {
        assert_eq!(hash(""), None);
        assert!(hash(&"a".repeat(LENGTH_AT_MOST)).is_some());
        assert_eq!(hash(&"a".repeat(LENGTH_AT_MOST + 1)), None);
    }

    #[test]
    fn debug_output_shows_nothing() {
        let credential = mint(CredentialKind::Session, [7; 32]);
        let hashed = hash(credential.expose_secret());

        assert!(!format!("{credential:?} {hashed:?}").contains('7'));
    }

    proptest! {
        #[test]
        fn every_credential_tells_its_kind_and_carries_its_checksum(random: [u8; 32]) {
            for kind in KINDS {
                let credential = minted(kind, random);
                let (body, sum) = credential.split_at(credential.len() - CHECKSUM_LENGTH);

                prop_assert!(credential.starts_with(kind.prefix()));
                prop_assert_eq!(sum, checksum(body));
                prop_assert!(credential.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)));
            }
        }

        #[test]
        fn different_randomness_gives_different_credentials(one: [u8; 32], other: [u8; 32]) {
            prop_assume!(one != other);
            let [one, other] = [one, other].map(|random| minted(CredentialKind::Session, random));

            prop_assert_ne!(hash(&one), hash(&other));
        }
    }
}
