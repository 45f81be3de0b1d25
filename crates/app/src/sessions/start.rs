//! Starts a session after a member has proved their identity. It is always a new session: an attacker cannot plant one beforehand, and the
//! browser's previous session ends.

use std::net::IpAddr;

use oauth::{CredentialKind, Lifetime, SESSION_ABSOLUTE};
use secrecy::{ExposeSecret as _, SecretString};
use storage::{ActorKind, Earlier, IdentityUse, MemberId, NewSession, Proof, StorageError};

use crate::App;
use crate::entropy::readable;
use crate::sessions::browser_words::browser_words;
use crate::sessions::known_device::{KNOWN_DEVICE, KnownDevice};

/// 50 random bits distinguish the sessions of a member, including ended ones.
const SESSION_ID_LENGTH: usize = 10;

/// The browser in which a member signs in.
#[derive(Debug)]
pub struct SigningBrowser {
    /// The address of the browser.
    pub address: IpAddr,
    /// The `User-Agent` of the browser.
    pub user_agent: String,
    /// The session it sends, if any.
    pub session: Option<SecretString>,
    /// The device credential from an earlier sign-in, if any.
    pub device: Option<SecretString>,
}

/// A session that has just started.
#[derive(Debug)]
pub struct StartedSession {
    /// The credential that the browser keeps. Stored only as a hash.
    pub credential: SecretString,
    /// How long the session lasts at most.
    pub lifetime: Lifetime,
    /// The credential by which the next sign-in recognises the browser.
    pub device: SecretString,
    /// How long that is valid.
    pub device_lifetime: Lifetime,
}

/// A session to start, and the credentials that its browser then gets.
pub(super) struct Beginning {
    pub(super) session: NewSession,
    pub(super) credential: NewCredential,
}

/// The credential for the browser; it grants no access before the session has started.
pub(super) struct NewCredential(SecretString);

impl Beginning {
    pub(super) fn of(app: &App, member: MemberId, proof: Proof, browser: &SigningBrowser) -> Self {
        let minted = app.issue_credential(CredentialKind::Session);
        let shown = browser.session.as_ref();
        let session = NewSession {
            hash: minted.hash,
            id: readable::<SESSION_ID_LENGTH>(app.entropy()),
            member,
            proof,
            browser: browser_words(&browser.user_agent),
            replaced: shown.and_then(|shown| oauth::hash(shown.expose_secret())),
            act: app.act(ActorKind::Member, Some(browser.address)),
        };
        Self { session, credential: NewCredential(minted.credential) }
    }
}

impl NewCredential {
    /// Completes the start of the session.
    pub(super) async fn started(
        self,
        app: &App,
        member: MemberId,
    ) -> Result<StartedSession, StorageError> {
        Ok(StartedSession {
            credential: self.0,
            lifetime: SESSION_ABSOLUTE,
            device: KnownDevice::remember(app, member).await?,
            device_lifetime: KNOWN_DEVICE,
        })
    }
}

pub(crate) async fn start(
    app: &App,
    member: MemberId,
    proof: Proof,
    browser: &SigningBrowser,
) -> Result<StartedSession, StorageError> {
    let Beginning { session, credential } = Beginning::of(app, member, proof, browser);
    app.store().add_session(session).await?;
    credential.started(app, member).await
}

/// The same, with what became of how the member signed in before.
pub(crate) async fn start_by_identity(
    app: &App,
    member: MemberId,
    used: IdentityUse,
    browser: &SigningBrowser,
) -> Result<(StartedSession, Earlier), StorageError> {
    let proof = Proof::Identity(used);
    let Beginning { session, credential } = Beginning::of(app, member, proof, browser);
    let earlier = app.store().add_session(session).await?;
    Ok((credential.started(app, member).await?, earlier))
}
