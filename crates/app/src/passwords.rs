//! Makes, hashes and checks passwords. Secrets that we issue are 256 random bits and need no such work; see `oauth::credential`.

use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
use argon2::{Algorithm, Argon2, Params, PasswordHash, Version};
use secrecy::{ExposeSecret as _, SecretString};
use tokio::task::spawn_blocking;
use tracing::Instrument as _;

use crate::computation::{finished, traced};
use crate::heavy_work::{self, Lane, Overloaded};
use crate::new_password::{NewPassword, PASSWORD_CHARACTERS_AT_MOST};

/// Memory, passes and lanes: the first choice of the OWASP password storage sheet for argon2id.
const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;
const LANES: u32 = 1;

/// How many hashes run at once. One fills a core for some 20 ms, and sign-ins must not starve everything else.
const RUNNING_AT_MOST: usize = 2;

/// How many hashes wait. Beyond that the answer is [`Busy`], so that no request waits longer than about a second.
const WAITING_AT_MOST: usize = 64;

/// We refuse longer passwords before any work. As many characters as members may choose have no more bytes in any script.
pub(crate) const PASSWORD_BYTES_AT_MOST: usize = 4 * PASSWORD_CHARACTERS_AT_MOST;

/// The salt for passwords of unknown members; their hashes are discarded.
const NOBODYS_SALT: [u8; SALT_LENGTH] = [0; SALT_LENGTH];
pub(crate) const SALT_LENGTH: usize = 16;

/// A password hash in PHC string format (`$argon2id$v=19$…`), as the store keeps it.
pub(crate) type PhcString = String;

/// Too many passwords are being hashed at this moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too many passwords are being checked at once")]
pub struct Busy;

/// Hashes passwords on threads of their own, a bounded number at a time.
pub(crate) struct Passwords(Lane);

impl Passwords {
    pub(crate) fn new() -> Self {
        Self(Lane::new(RUNNING_AT_MOST, WAITING_AT_MOST))
    }

    /// Hashes a new password with a fresh salt.
    pub(crate) async fn hash(
        &self,
        password: NewPassword,
        salt: [u8; SALT_LENGTH],
    ) -> Result<PhcString, Busy> {
        let password = password.into_secret();
        self.run(move || hash_blocking(&password, salt)).await
    }

    /// A new hash of the same password with our current parameters, if `known` has others: only sign-in has the password at hand.
    pub(crate) async fn renewed(
        &self,
        password: SecretString,
        known: &str,
        salt: [u8; SALT_LENGTH],
    ) -> Result<Option<PhcString>, Busy> {
        if is_up_to_date(known) {
            return Ok(None);
        }
        self.run(move || hash_blocking(&password, salt)).await.map(Some)
    }

    /// Whether the password has this hash; see [`Turn::matches`].
    pub(crate) async fn matches(
        &self,
        password: SecretString,
        expected: Option<PhcString>,
    ) -> Result<bool, Busy> {
        Ok(self.turn().await?.matches(password, expected).await)
    }

    /// Waits for a turn to hash.
    pub(crate) async fn turn(&self) -> Result<Turn, Busy> {
        self.0.turn().await.map(Turn).map_err(|Overloaded| Busy)
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Busy> {
        Ok(self.turn().await?.run(work).await)
    }
}

/// The right to hash one password now.
pub(crate) struct Turn(heavy_work::Turn);

impl Turn {
    /// Whether the password has this hash. Without a hash (no such member, or no password) it does the same work and returns `false`, so that
    /// the time reveals no member.
    pub(crate) async fn matches(self, password: SecretString, expected: Option<PhcString>) -> bool {
        self.run(move || {
            if let Some(expected) = expected.filter(|hash| !hash.is_empty()) {
                return verify_blocking(&password, &expected);
            }
            let _spent_in_vain = hash_blocking(&password, NOBODYS_SALT);
            false
        })
        .await
    }

    async fn run<T: Send + 'static>(self, work: impl FnOnce() -> T + Send + 'static) -> T {
        // The turn travels with the work: a caller that disconnects does not free its turn early.
        let guarded = move || {
            let Self(_turn) = self;
            work()
        };
        finished(spawn_blocking(guarded)).instrument(traced("hash_password")).await
    }
}

fn argon2() -> Argon2<'static> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, None)
        .expect("the parameters are within argon2's limits");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

fn is_up_to_date(hash: &str) -> bool {
    hash.starts_with(&format!("$argon2id$v=19$m={MEMORY_KIB},t={PASSES},p={LANES}$"))
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
    use std::net::{IpAddr, Ipv4Addr};
    use std::path::Path;
    use std::sync::Arc;

    use argon2::password_hash::PasswordHasher as _;
    use argon2::{Algorithm, Argon2, Params, Version};
    use oauth::{
        Client, ClientId, ClientKind, ClientOrigin, ClientSecret, RedirectUri, ScopeSet, Timestamp,
    };
    use secrecy::SecretString;
    use storage::{
        Act, ActorKind, Authority, Consent, NewAuthorizationCode, NewMember, NewSession, Proof,
        SqliteStore,
    };
    use tokio::task::JoinSet;

    use super::{Busy, Passwords, RUNNING_AT_MOST, WAITING_AT_MOST};
    use crate::grants::{TokenCall, request_tokens};
    use crate::heavy_work::Lane;
    use crate::new_password::NewPassword;
    use crate::sessions::{SignIn, SignInError, SignedInWith, SigningBrowser, sign_in};
    use crate::{App, Clock, Entropy, Parts, PublicUrl};

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
        let right = || SecretString::from("right and long");
        let chosen = NewPassword::parse(right()).unwrap();
        let hash = passwords.hash(chosen, [7; 16]).await.unwrap();

        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        assert_eq!(passwords.matches(right(), Some(hash.clone())).await, Ok(true));
        assert_eq!(passwords.matches(SecretString::from("wrong"), Some(hash)).await, Ok(false));
    }

    #[tokio::test]
    async fn a_hash_of_another_strength_still_matches_and_is_renewed() {
        let passwords = Passwords::new();
        let weak = Argon2::new(
            Algorithm::Argon2id,
            Version::V0x13,
            Params::new(8 * 1024, 1, 1, None).unwrap(),
        );
        let weak = weak.hash_password_with_salt(b"right", &[7; 16]).unwrap().to_string();
        let right = || SecretString::from("right");

        assert_eq!(passwords.matches(right(), Some(weak.clone())).await, Ok(true));
        let renewed = passwords.renewed(right(), &weak, [8; 16]).await.unwrap().unwrap();
        assert!(renewed.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{renewed}");
        assert_eq!(passwords.matches(right(), Some(renewed.clone())).await, Ok(true));
        assert_eq!(passwords.renewed(right(), &renewed, [9; 16]).await, Ok(None));
    }

    #[tokio::test]
    async fn a_member_without_a_password_matches_none() {
        let passwords = Passwords::new();

        assert_eq!(passwords.matches(SecretString::from(""), None).await, Ok(false));
    }

    #[tokio::test]
    async fn a_full_queue_answers_at_once() {
        let passwords = Passwords(Lane::new(1, 0));
        let _taken = passwords.turn().await.ok().unwrap();

        assert_eq!(passwords.matches(SecretString::from("right"), None).await, Err(Busy));
    }

    #[tokio::test]
    async fn tokens_are_given_while_a_hundred_sign_ins_wait_or_are_sent_away() {
        let folder = tempfile::tempdir().unwrap();
        let app = app_in(folder.path());
        let client_secret = client_with_code(&app).await;
        let mut held = Vec::new();
        for _ in 0..RUNNING_AT_MOST {
            held.push(app.passwords().turn().await.ok().unwrap());
        }
        let mut sign_ins = JoinSet::new();
        for number in 0..100 {
            sign_ins.spawn(try_wrongly(app.clone(), number));
        }
        let mut sent_away = 0;
        while sent_away < 100 - WAITING_AT_MOST {
            let answer = sign_ins.join_next().await.unwrap().unwrap();
            assert!(matches!(answer, Err(SignInError::Busy(Busy))), "{answer:?}");
            sent_away += 1;
        }

        let body = format!(
            "grant_type=authorization_code&code=code&redirect_uri={REDIRECT_URI}\
             &client_id=reports&client_secret={client_secret}"
        );
        let call =
            TokenCall { query: "", body: body.as_bytes(), authorization: None, address: HERE };
        let tokens = request_tokens(&app, call).await;

        assert!(tokens.is_ok(), "{:?}", tokens.err());
        assert!(sign_ins.try_join_next().is_none(), "they still wait");
        drop(held);
        while let Some(answer) = sign_ins.join_next().await {
            assert!(matches!(answer.unwrap(), Err(SignInError::WrongCredentials)));
        }
    }

    const REDIRECT_URI: &str = "https://reports.example/callback";
    const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

    struct StandingClock;

    impl Clock for StandingClock {
        fn now(&self) -> Timestamp {
            Timestamp::from_milliseconds(1_800_000_000_000)
        }

        fn wall_time(&self) -> Timestamp {
            self.now()
        }
    }

    fn app_in(folder: &Path) -> App {
        App::new(Parts {
            store: Arc::new(SqliteStore::open(&folder.join("assay.db")).unwrap()),
            clock: Arc::new(StandingClock),
            entropy: Arc::new(Counting),
            public_url: PublicUrl::parse("https://assay.example").unwrap(),
            identity_provider: None,
            writes_per_minute: 1,
            heavy_reads_per_minute: 1,
            events_per_minute: 1,
            mailer: None,
            events: crate::events::EventKeeping::default(),
            webhooks: None,
        })
    }

    /// Adds a client `reports` with the code `code`; returns its secret.
    async fn client_with_code(app: &App) -> &'static str {
        let now = app.now();
        let act = Act { by: ActorKind::Command, member: None, address: None, at: now };
        let [email, password_hash] = ["ann@example.com", ""].map(str::to_owned);
        let member = NewMember {
            email,
            password_hash,
            is_password_temporary: false,
            roles: Vec::new(),
            through: None,
            act,
        };
        let member = app.store().add_member(member, Authority::Operator).await.unwrap();
        let client_id: ClientId = "reports".parse().unwrap();
        let secret = ClientSecret {
            id: "first".to_owned(),
            hash: oauth::hash("secret").unwrap(),
            note: String::new(),
            created_at: now,
            last_used_at: None,
        };
        let client = Client {
            client_id: client_id.clone(),
            name: "Reports".to_owned(),
            kind: ClientKind::Confidential,
            redirect_uris: vec![RedirectUri::parse(REDIRECT_URI).unwrap()],
            secrets: vec![secret],
            scope: None,
            origin: ClientOrigin::Command,
            disabled_at: None,
        };
        app.store().add_client(client, act).await.unwrap();
        let session = NewSession {
            hash: oauth::hash("session").unwrap(),
            id: "session".to_owned(),
            member,
            proof: Proof::Password(String::new()),
            browser: String::new(),
            replaced: None,
            act,
        };
        app.store().add_session(session).await.unwrap();
        let code = NewAuthorizationCode {
            hash: oauth::hash("code").unwrap(),
            client_id,
            member,
            redirect_uri: REDIRECT_URI.to_owned(),
            scope: ScopeSet::ALL,
            names_scope: true,
            code_challenge: None,
            consent: Consent::Remembered,
            session: oauth::hash("session").unwrap(),
            now,
        };
        app.store().add_authorization_code(code).await.unwrap();
        "secret"
    }

    /// With a wrong password for an account of its own, so that none is slowed.
    async fn try_wrongly(app: App, number: u8) -> Result<SignedInWith, SignInError> {
        let attempt = SignIn {
            email: format!("{number}@example.com"),
            password: SecretString::from("wrong"),
            form_token: String::new(),
            browser: SigningBrowser {
                address: IpAddr::V4(Ipv4Addr::new(192, 0, 2, number)),
                user_agent: String::new(),
                session: None,
                device: None,
            },
        };
        sign_in(&app, attempt).await
    }
}
