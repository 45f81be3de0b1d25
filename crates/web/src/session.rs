//! The session cookie, which says who is signed in in this browser. A second cookie outlives it, gives no access, and says that the
//! member once was.

use std::net::IpAddr;

use app::App;
use app::sessions::{SignedIn, SigningBrowser, StartedSession, authenticate};
use axum::http::header::{SET_COOKIE, USER_AGENT};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use secrecy::{ExposeSecret as _, SecretString};
use sha2::{Digest as _, Sha256};
use storage::StorageError;

use crate::cookie::Cookie;
use crate::forms::FormToken;

const COOKIE: Cookie = Cookie("session");

const DEVICE: Cookie = Cookie("device");

/// The member who is signed in in the browser that sent a request.
pub struct Session {
    /// Who it is.
    pub member: SignedIn,
    credential: SecretString,
}

impl Session {
    /// The session of the request with these headers, if it has a valid one.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn find(app: &App, headers: &HeaderMap) -> Result<Option<Self>, StorageError> {
        let Some(credential) = COOKIE.read(app, headers).map(SecretString::from) else {
            return Ok(None);
        };
        let member = authenticate(app, credential.expose_secret()).await?;
        Ok(member.map(|member| Self { member, credential }))
    }

    /// What the browser showed.
    #[must_use]
    pub fn credential(&self) -> &str {
        self.credential.expose_secret()
    }

    /// Unguessable bytes of this session alone, always the same for the same name.
    #[must_use]
    pub fn bytes_for(&self, name: &str) -> [u8; 32] {
        let digest = Sha256::new().chain_update(b"assay session bytes\0");
        digest
            .chain_update(self.credential())
            .chain_update([0])
            .chain_update(name)
            .finalize()
            .into()
    }

    /// The token of the forms that this session is shown.
    #[must_use]
    pub fn form_token(&self) -> FormToken {
        FormToken::of(self.credential())
    }
}

/// The headers that let the browser keep a new session, and be known when its member signs in again.
#[must_use]
pub fn keep_session(app: &App, session: &StartedSession) -> [(HeaderName, HeaderValue); 2] {
    let credential = session.credential.expose_secret();
    let device = session.device.expose_secret();
    [
        (SET_COOKIE, COOKIE.keep(app, credential, session.lifetime)),
        (SET_COOKIE, DEVICE.keep(app, device, session.device_lifetime)),
    ]
}

/// The browser of a sign-in, as it identifies itself.
#[must_use]
pub fn signing_browser(app: &App, headers: &HeaderMap, address: IpAddr) -> SigningBrowser {
    let user_agent = headers.get(USER_AGENT).and_then(|value| value.to_str().ok());
    SigningBrowser {
        address,
        user_agent: user_agent.unwrap_or_default().to_owned(),
        session: COOKIE.read(app, headers).map(SecretString::from),
        device: DEVICE.read(app, headers).map(SecretString::from),
    }
}

/// The header that lets the browser forget its session.
#[must_use]
pub fn forget_session(app: &App) -> (HeaderName, HeaderValue) {
    (SET_COOKIE, COOKIE.forget(app))
}
