//! Passwords: how they are made, hashed and checked. Secrets of our own making are 256 random bits and need no such work; see
//! `oauth::credential`.

use std::sync::Arc;

use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
use argon2::{Algorithm, Argon2, Params, PasswordHash, Version};
use secrecy::{ExposeSecret as _, SecretString};
use tokio::sync::Semaphore;

use crate::entropy::{Entropy, readable};

/// Memory, passes and lanes: the first choice of the OWASP password storage sheet for argon2id.
const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;
const LANES: u32 = 1;

/// How many hashes run at once. One fills a core for some 20 ms, and sign-ins must not starve everything else.
const RUNNING_AT_MOST: usize = 2;

/// How many run or wait. Beyond that the answer is [`Busy`], so that nobody waits longer than about a second.
const WAITING_AT_MOST: usize = 64;

/// Longer passwords are refused before any work is done.
pub(crate) const PASSWORD_BYTES_AT_MOST: usize = 512;

/// Four groups of six characters are easy to read aloud, and have 120 random bits.
const GROUP_LENGTH: usize = 6;

/// Salts the passwords of members who do not exist; their hashes go nowhere.
const NOBODYS_SALT: [u8; SALT_LENGTH] = [0; SALT_LENGTH];
pub(crate) const SALT_LENGTH: usize = 16;

/// A password hash in PHC string format (`$argon2id$v=19$…`), as the store keeps it.
pub(crate) type PhcString = String;

/// Too many passwords are being hashed at this moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too many passwords are being checked at once")]
pub struct Busy;

/// Hashes passwords on threads of their own, a bounded number at a time.
pub(crate) struct Passwords {
    admitted: Arc<Semaphore>,
    running: Arc<Semaphore>,
}

impl Passwords {
    pub(crate) fn new() -> Self {
        Self {
            admitted: Arc::new(Semaphore::new(WAITING_AT_MOST)),
            running: Arc::new(Semaphore::new(RUNNING_AT_MOST)),
        }
    }

    /// Hashes a new password with a fresh salt.
    pub(crate) async fn hash(
        &self,
        password: SecretString,
        salt: [u8; SALT_LENGTH],
    ) -> Result<PhcString, Busy> {
        self.run(move || hash_blocking(&password, salt)).await
    }

    /// Whether the password is the one that was hashed. Without a hash (no such member) the same work is done and the answer is
    /// no, so that the time spent tells nobody who is a member.
    pub(crate) async fn matches(
        &self,
        password: SecretString,
        expected: Option<PhcString>,
    ) -> Result<bool, Busy> {
        self.run(move || {
            if let Some(expected) = expected {
                return verify_blocking(&password, &expected);
            }
            let _spent_in_vain = hash_blocking(&password, NOBODYS_SALT);
            false
        })
        .await
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Busy> {
        let admitted = Arc::clone(&self.admitted).try_acquire_owned().map_err(|_| Busy)?;
        let running = Arc::clone(&self.running).acquire_owned().await;
        // The permits travel with the work: a caller that goes away does not make room for more.
        let guarded = move || {
            let _permits = (admitted, running.expect("nobody closes this semaphore"));
            work()
        };
        let done = tokio::task::spawn_blocking(guarded).await;
        Ok(done.expect("hashing neither panics nor is cancelled"))
    }
}

/// Makes a password for a member.
pub(crate) fn generate(entropy: &dyn Entropy) -> SecretString {
    let groups: [String; 4] = std::array::from_fn(|_| readable::<GROUP_LENGTH>(entropy));
    SecretString::from(groups.join("-"))
}

fn argon2() -> Argon2<'static> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, None)
        .expect("the parameters are within argon2's limits");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

fn hash_blocking(password: &SecretString, salt: [u8; SALT_LENGTH]) -> PhcString {
    argon2()
        .hash_password_with_salt(password.expose_secret().as_bytes(), &salt)
        .expect("the salt has its recommended length and the password is bounded")
        .to_string()
}

fn verify_blocking(password: &SecretString, expected: &str) -> bool {
    PasswordHash::new(expected).is_ok_and(|hash| {
        argon2().verify_password(password.expose_secret().as_bytes(), &hash).is_ok()
    })
}

#[cfg(test)]
mod tests {
    use secrecy::{ExposeSecret as _, SecretString};

    use super::{Busy, Passwords, WAITING_AT_MOST, generate};
    use crate::entropy::Entropy;

    struct Counting;

    impl Entropy for Counting {
        fn fill(&self, buffer: &mut [u8]) {
            for (byte, value) in buffer.iter_mut().zip(0..) {
                *byte = value;
            }
        }
    }

    #[tokio::test]
    async fn a_password_matches_its_own_hash_only() {
        let passwords = Passwords::new();
        let hash = passwords.hash(SecretString::from("right"), [7; 16]).await.unwrap();

        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        assert_eq!(
            passwords.matches(SecretString::from("right"), Some(hash.clone())).await,
            Ok(true)
        );
        assert_eq!(passwords.matches(SecretString::from("wrong"), Some(hash)).await, Ok(false));
    }

    #[tokio::test]
    async fn nobodys_password_never_matches() {
        let passwords = Passwords::new();

        assert_eq!(passwords.matches(SecretString::from(""), None).await, Ok(false));
    }

    #[tokio::test]
    async fn a_full_queue_answers_at_once() {
        let passwords = Passwords::new();
        let all = u32::try_from(WAITING_AT_MOST).unwrap();
        let _taken = passwords.admitted.clone().try_acquire_many_owned(all).unwrap();

        assert_eq!(passwords.matches(SecretString::from("right"), None).await, Err(Busy));
    }

    #[test]
    fn a_generated_password_is_readable() {
        assert_eq!(generate(&Counting).expose_secret(), "abcdef-abcdef-abcdef-abcdef");
    }
}
