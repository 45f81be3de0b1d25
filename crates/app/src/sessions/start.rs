//! A member has proved who they are, and a session starts. It is always a new one: nobody can plant one beforehand, and the one that
//! this browser had before is over.

use std::net::IpAddr;

use oauth::{CredentialKind, Lifetime, SESSION_ABSOLUTE};
use secrecy::{ExposeSecret as _, SecretString};
use storage::{ActorKind, MemberId, NewSession, Proof, StorageError};

use crate::App;
use crate::entropy::readable;
use crate::sessions::browser_words::browser_words;
use crate::sessions::known_device::{KNOWN_DEVICE, KnownDevice};

/// 50 random bits tell the sessions of a member apart, also those that are over.
const SESSION_ID_LENGTH: usize = 10;

/// The browser in which somebody signs in.
#[derive(Debug)]
pub struct SigningBrowser {
    /// Where the attempt comes from.
    pub address: IpAddr,
    /// What the browser calls itself.
    pub user_agent: String,
    /// The session it shows, if any.
    pub session: Option<SecretString>,
    /// What it was given when somebody signed in there before, if that ever happened.
    pub device: Option<SecretString>,
}

/// A session that has just started.
#[derive(Debug)]
pub struct StartedSession {
    /// What the browser keeps to show that it is signed in. Stored only as a hash.
    pub credential: SecretString,
    /// How long the session lasts at most.
    pub lifetime: Lifetime,
    /// What the browser keeps to be known at the next sign-in.
    pub device: SecretString,
    /// How long that is good.
    pub device_lifetime: Lifetime,
}

/// A session to start, and what its browser gets once it has.
pub(super) struct Beginning {
    pub(super) session: NewSession,
    pub(super) credential: NewCredential,
}

/// What the browser is to show; it opens nothing before the session has started.
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
    /// The session has started.
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
