//! A ticket that a browser returns with its answer: our question, its expiry, and our signature. So we store nothing for an unanswered
//! challenge. A ticket is bound to this browser, and spent by the commit of its purpose.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use oauth::{CredentialHash, Lifetime, SigningKey, Timestamp};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest as _, Sha256};
use storage::AnsweredChallenge;

/// Identifies it to people and secret scanners, and separates these signatures from others that the key makes.
const PREFIX: &str = "assay_wa";

/// A ticket lists the passkeys that a member has: twenty of some 90 bytes; few authenticators have longer ids.
const LENGTH_AT_MOST: usize = 32 * 1024;

/// Enough time to find a security key, and to touch it again.
pub(crate) const GOOD_FOR: Duration = Duration::from_mins(5);

/// Enough time to think of a password and to write it down, or to find a second factor.
const GOOD_FOR_A_PASSWORD: Duration = Duration::from_mins(15);

/// Enough time for a mail to arrive; a mailbox that is broken into tomorrow has no use of it.
const GOOD_FOR_A_MAIL: Duration = Duration::from_mins(30);

/// The purpose of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    Add,
    SignIn,
    ChoosePassword,
    ForgottenPassword,
    AskProvider,
}

/// What is signed beside the question.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds<'a> {
    pub(crate) purpose: Purpose,
    /// The form token of the asked browser.
    pub(crate) browser: &'a str,
}

/// A returned ticket.
#[derive(Debug)]
pub(crate) struct Returned<S> {
    /// The question.
    pub(crate) question: S,
    /// The challenge that the answer spends.
    pub(crate) challenge: AnsweredChallenge,
}

impl Bounds<'_> {
    pub(crate) fn write(
        self,
        question: &impl Serialize,
        key: &SigningKey,
        now: Timestamp,
    ) -> String {
        let question = serde_json::to_vec(question).expect("a question is plain data");
        let lifetime = Lifetime::from_seconds(self.purpose.good_for().as_secs().cast_signed());
        let expires_at = (now + lifetime).as_milliseconds();
        let shown = format!("{PREFIX}.{expires_at}.{}", URL_SAFE_NO_PAD.encode(question));
        format!("{shown}.{}", key.sign(&self.signed(&shown)))
    }

    /// `None` unless we gave it to this browser for this purpose, and it has not expired.
    pub(crate) fn read<S: DeserializeOwned>(
        self,
        text: &str,
        key: &SigningKey,
        now: Timestamp,
    ) -> Option<Returned<S>> {
        let (shown, signature) = text.rsplit_once('.')?;
        if text.len() > LENGTH_AT_MOST || !key.verifies(&self.signed(shown), signature) {
            return None;
        }
        let mut parts = shown.split('.').skip(1);
        let expires_at = Timestamp::from_milliseconds(parts.next()?.parse().ok()?);
        let question = URL_SAFE_NO_PAD.decode(parts.next()?).ok()?;
        let hash = CredentialHash::from_bytes(Sha256::digest(shown).into());
        let challenge = AnsweredChallenge { hash, expires_at };
        let question = serde_json::from_slice(&question).ok()?;
        (now < expires_at).then_some(Returned { question, challenge })
    }

    fn signed(self, shown: &str) -> String {
        let purpose = match self.purpose {
            Purpose::Add => "add",
            Purpose::SignIn => "sign in",
            Purpose::ChoosePassword => "choose password",
            Purpose::ForgottenPassword => "forgotten password",
            Purpose::AskProvider => "ask provider",
        };
        format!("{shown}.{purpose}.{}", self.browser)
    }
}

impl Purpose {
    const fn good_for(self) -> Duration {
        match self {
            Self::Add | Self::SignIn => GOOD_FOR,
            Self::ChoosePassword | Self::AskProvider => GOOD_FOR_A_PASSWORD,
            Self::ForgottenPassword => GOOD_FOR_A_MAIL,
        }
    }
}

#[cfg(test)]
mod tests {
    use oauth::{SigningKey, Timestamp};

    use super::{Bounds, Purpose};

    const HERE: Bounds<'_> = Bounds { purpose: Purpose::SignIn, browser: "here" };

    fn key() -> SigningKey {
        SigningKey::from_bytes([7; 32])
    }

    fn at(milliseconds: i64) -> Timestamp {
        Timestamp::from_milliseconds(milliseconds)
    }

    fn read(bounds: Bounds<'_>, text: &str, now: i64) -> Option<String> {
        bounds.read(text, &key(), at(now)).map(|returned| returned.question)
    }

    #[test]
    fn a_ticket_is_good_for_five_minutes() {
        let text = HERE.write(&"who?", &key(), at(0));

        assert_eq!(read(HERE, &text, 299_999).as_deref(), Some("who?"));
        assert_eq!(read(HERE, &text, 300_000), None);
    }

    #[test]
    fn a_ticket_is_good_in_one_browser_for_one_purpose() {
        let text = HERE.write(&"who?", &key(), at(0));

        assert_eq!(read(Bounds { browser: "there", ..HERE }, &text, 0), None);
        assert_eq!(read(Bounds { purpose: Purpose::Add, ..HERE }, &text, 0), None);
        assert!(HERE.read::<String>(&text, &SigningKey::from_bytes([8; 32]), at(0)).is_none());
    }

    #[test]
    fn a_ticket_altered_at_any_place_is_none() {
        let text = HERE.write(&"who?", &key(), at(0));

        for place in 0..text.len() {
            let altered = [&text[..place], "0", &text[place + 1..]].concat();
            assert_eq!(read(HERE, &altered, 0).is_some(), altered == text, "{altered}");
        }
        for text in ["", ".", "assay_wa.1.e30"] {
            assert_eq!(read(HERE, text, 0), None, "{text}");
        }
    }

    #[test]
    fn each_ticket_is_spent_by_itself() {
        let spent = |question: &str| {
            let text = HERE.write(&question, &key(), at(0));
            HERE.read::<String>(&text, &key(), at(0)).unwrap().challenge
        };

        assert_eq!(spent("one"), spent("one"));
        assert_ne!(spent("one").hash, spent("other").hash);
    }
}
