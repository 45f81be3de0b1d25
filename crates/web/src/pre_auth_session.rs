//! A browser before a member signs in. Its sign-in form is bound to a random cookie of its own, because another site that could
//! send the form could sign members in under another member's account.

use app::App;
use axum::http::header::SET_COOKIE;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::cookie::Cookie;
use crate::forms::FormToken;

const COOKIE: Cookie = Cookie("pre_auth");

/// The session of a browser before a member signs in there: it has a tab with a sign-in form open.
pub struct PreAuthSession {
    secret: String,
}

impl PreAuthSession {
    /// The browser that sent these headers, if it was shown a sign-in form before.
    #[must_use]
    pub fn find(app: &App, headers: &HeaderMap) -> Option<Self> {
        COOKIE.read(app, headers).filter(|secret| !secret.is_empty()).map(|secret| Self { secret })
    }

    /// The browser that sent these headers, which may come for the first time.
    #[must_use]
    pub fn of(app: &App, headers: &HeaderMap) -> Self {
        Self::find(app, headers)
            .unwrap_or_else(|| Self { secret: URL_SAFE_NO_PAD.encode(app.random::<32>()) })
    }

    /// The token of the sign-in forms that this browser is shown.
    #[must_use]
    pub fn form_token(&self) -> FormToken {
        FormToken::of(&self.secret)
    }

    /// The header that lets the browser be recognised.
    #[must_use]
    pub fn keep(&self, app: &App) -> (HeaderName, HeaderValue) {
        (SET_COOKIE, COOKIE.keep(app, &self.secret, oauth::SESSION_IDLE))
    }
}
