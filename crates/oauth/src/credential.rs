//! Credentials of our own making: codes, tokens, client secrets and sessions. Each is a prefix for its kind, the second in
//! which it was made, 256 random bits, and a checksum, so that secret scanners can find one in any text and be sure. Only
//! [`CredentialHash`]es are kept.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use secrecy::SecretString;
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

use crate::Timestamp;

/// The kind of a credential. One kind is never accepted as another: each has its own prefix and its own table.
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
    /// What a member makes for a program that acts for them.
    PersonalToken,
    /// What a member makes for a service.
    ServiceToken,
    /// What brings an invited person to the page on which they become a member.
    Invitation,
    /// What opens the results of a campaign to anyone who has the link.
    ResultsLink,
    /// What servers and apps add events of a project with. It is public.
    EventsKey,
}

/// Anything longer is not one of ours, and would only cost work. A declared client secret may be longer than those we make.
const LENGTH_AT_MOST: usize = 256;

/// The second, counted from 1970 on, comes first. It lasts until 2106.
const SECOND_LENGTH: usize = 4;
const RANDOM_LENGTH: usize = 32;

/// The length of the prefixes of credentials that are stored in order. Those of API tokens are longer: there are few of these, in any order.
const PREFIX_LENGTH: usize = 9;

/// Three bytes take four characters of base64, and there are 36.
const BODY_LENGTH: usize = (SECOND_LENGTH + RANDOM_LENGTH) / 3 * 4;

/// The characters of the body that hold the second, and a little more.
const CHARACTERS_OF_SECOND: usize = 8;

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
            Self::PersonalToken => "assay_pat_",
            Self::ServiceToken => "assay_svc_",
            Self::Invitation => "assay_in_",
            Self::ResultsLink => "assay_rl_",
            Self::EventsKey => "assay_ek_",
        }
    }
}

/// The stored form of a credential: its second, and the SHA-256 of the whole without its first four bytes, which the second replaces.
/// 256 random bits need no slow hash. Comparing takes constant time.
///
/// The second is for the store, which keeps hashes in order: new rows are together, however many old ones there are.
#[derive(Clone, Copy)]
pub struct CredentialHash([u8; 32]);

/// Makes a credential of 32 fresh random bytes.
#[must_use]
pub fn mint(kind: CredentialKind, made_at: Timestamp, random: [u8; RANDOM_LENGTH]) -> SecretString {
    let mut bytes = [0; SECOND_LENGTH + RANDOM_LENGTH];
    let (second, rest) = bytes.split_at_mut(SECOND_LENGTH);
    second.copy_from_slice(&second_of(made_at));
    rest.copy_from_slice(&random);
    let mut text = format!("{}{}", kind.prefix(), URL_SAFE_NO_PAD.encode(bytes));
    let checksum = checksum(&text);
    text.push_str(&checksum);
    SecretString::from(text)
}

/// Whether a presented credential says that it is the public key with which servers and apps add events of a project.
#[must_use]
pub fn is_events_key(credential: &str) -> bool {
    credential.starts_with(CredentialKind::EventsKey.prefix())
}

/// Hashes a presented credential; `None` if it is empty or longer than any credential. A text that is not a credential of ours, such as
/// a declared client secret, has a hash without a second.
#[must_use]
pub fn hash(credential: &str) -> Option<CredentialHash> {
    let is_possible = !credential.is_empty() && credential.len() <= LENGTH_AT_MOST;
    is_possible.then(|| {
        let mut bytes: [u8; 32] = Sha256::digest(credential).into();
        if let Some(second) = second_in(credential) {
            bytes[..SECOND_LENGTH].copy_from_slice(&second);
        }
        CredentialHash(bytes)
    })
}

fn second_of(moment: Timestamp) -> [u8; SECOND_LENGTH] {
    let second = (moment.as_milliseconds() / 1_000).clamp(0, u32::MAX.into());
    u32::try_from(second).unwrap_or(u32::MAX).to_be_bytes()
}

/// An invented second gives a hash that no credential has: the rest of it decides.
fn second_in(credential: &str) -> Option<[u8; SECOND_LENGTH]> {
    let is_ours = credential.len() == PREFIX_LENGTH + BODY_LENGTH + CHECKSUM_LENGTH;
    let characters = credential.get(PREFIX_LENGTH..PREFIX_LENGTH + CHARACTERS_OF_SECOND)?;
    let bytes = is_ours.then(|| URL_SAFE_NO_PAD.decode(characters).ok())??;
    bytes.first_chunk().copied()
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

    use super::{
        BODY_LENGTH, CHECKSUM_LENGTH, CredentialKind, LENGTH_AT_MOST, checksum, hash, mint,
    };
    use crate::Timestamp;

    const NOON: Timestamp = Timestamp::from_milliseconds(1_800_000_000_000);

    const KINDS: [CredentialKind; 9] = [
        CredentialKind::AuthorizationCode,
        CredentialKind::AccessToken,
        CredentialKind::RefreshToken,
        CredentialKind::ClientSecret,
        CredentialKind::Session,
        CredentialKind::PersonalToken,
        CredentialKind::ServiceToken,
        CredentialKind::Invitation,
        CredentialKind::ResultsLink,
    ];

    fn minted(kind: CredentialKind, random: [u8; 32]) -> String {
        mint(kind, NOON, random).expose_secret().to_owned()
    }

    #[test]
    fn a_credential_looks_the_same_for_ever() {
        assert_eq!(
            minted(CredentialKind::AccessToken, [0; 32]),
            "assay_at_a0nSAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA1XRcLM"
        );
    }

    #[test]
    fn a_newer_credential_has_a_higher_hash() {
        let hash_made = |seconds: i64, random| {
            let made_at = Timestamp::from_milliseconds(seconds * 1_000 + 999);
            let credential = mint(CredentialKind::AccessToken, made_at, [random; 32]);
            *hash(credential.expose_secret()).unwrap().as_bytes()
        };
        let seconds = [0, 1, 255, 256, 1_800_000_000, i64::from(u32::MAX)];
        let hashes: Vec<_> = seconds.map(|second| hash_made(second, 7)).into();

        assert!(hashes.is_sorted());
        // Beyond what can be counted nothing is in order any more, and nothing else is wrong.
        assert_eq!(hash_made(i64::from(u32::MAX) + 1, 7)[..4], [255; 4]);
        assert_eq!(hash_made(-1, 7)[..4], [0; 4]);
        assert_ne!(hash_made(1, 7), hash_made(1, 8));
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
        let credential = mint(CredentialKind::Session, NOON, [7; 32]);
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
                prop_assert_eq!(body.len(), kind.prefix().len() + BODY_LENGTH);
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
