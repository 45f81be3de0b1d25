//! The cookie that keeps the set-up token once the address has brought it: neither the browser's history nor a screenshot has it for long.

use app::App;
use axum::http::header::SET_COOKIE;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use oauth::Lifetime;
use secrecy::{ExposeSecret as _, SecretString};

use crate::cookie::Cookie;
use crate::forms::FormToken;

const COOKIE: Cookie = Cookie("setup");

/// Long enough to fill in a form, and to be called away meanwhile.
const KEPT_FOR: Lifetime = Lifetime::from_seconds(3_600);

/// The token that a browser keeps while it sets up the server.
pub struct SetUpCookie(SecretString);

impl SetUpCookie {
    /// The cookie of the browser that sent these headers.
    #[must_use]
    pub fn find(app: &App, headers: &HeaderMap) -> Option<Self> {
        COOKIE.read(app, headers).map(|token| Self(SecretString::from(token)))
    }

    /// The cookie for a token that is right.
    #[must_use]
    pub const fn of(token: SecretString) -> Self {
        Self(token)
    }

    /// The set-up token.
    #[must_use]
    pub const fn token(&self) -> &SecretString {
        &self.0
    }

    /// The token of the forms that this browser is shown.
    #[must_use]
    pub fn form_token(&self) -> FormToken {
        FormToken::of(self.0.expose_secret())
    }

    /// The header that lets the browser keep it.
    #[must_use]
    pub fn keep(&self, app: &App) -> (HeaderName, HeaderValue) {
        (SET_COOKIE, COOKIE.keep(app, self.0.expose_secret(), KEPT_FOR))
    }

    /// The header that lets the browser forget it.
    #[must_use]
    pub fn forget(app: &App) -> (HeaderName, HeaderValue) {
        (SET_COOKIE, COOKIE.forget(app))
    }
}
