//! Forms that only our own pages may send. Two independent checks: a token that is bound to a cookie of this browser, and what the
//! browser itself says about where the form came from.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use app::App;
use axum::http::header::{HOST, HeaderValue, ORIGIN};
use axum::http::{HeaderMap, HeaderName};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

pub(crate) const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The hidden field `csrf` of a form. It is derived from a secret cookie, so nothing is stored for it, and it does not give the cookie
/// away.
pub struct FormToken(String);

/// How many pages with forms this process has shown.
static DISPLAYS: AtomicU64 = AtomicU64::new(0);

/// Something random, by which displays of other processes are others.
static PROCESS: LazyLock<u64> = LazyLock::new(|| RandomState::new().build_hasher().finish());

impl FormToken {
    /// The token of the forms that are shown to the browser holding this cookie value.
    #[must_use]
    pub fn of(cookie_value: &str) -> Self {
        let digest =
            Sha256::new().chain_update(b"assay form token\0").chain_update(cookie_value).finalize();
        Self(URL_SAFE_NO_PAD.encode(digest))
    }

    /// The token alone, which is the same on all pages that the browser is shown.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What the hidden field holds on one display of a page, with a number of its own: a member who sees a form again and sends it means it again.
    #[must_use]
    pub fn shown(&self) -> String {
        let display = DISPLAYS.fetch_add(1, Ordering::Relaxed);
        format!("{}.{:x}-{display}", self.0, *PROCESS)
    }

    /// Whether a form brought this token back, from whichever display.
    #[must_use]
    pub fn is(&self, sent: &str) -> bool {
        let token = sent.split_once('.').map_or(sent, |(token, _)| token);
        self.0.as_bytes().ct_eq(token.as_bytes()).into()
    }
}

/// Whether the browser says that a form was sent by another site. A browser that says nothing is not accused: pages with
/// `no-referrer` make it send `Origin: null`, and programs send neither header; the form token still guards them.
#[must_use]
pub fn is_from_elsewhere(app: &App, headers: &HeaderMap) -> bool {
    if let Some(site) = headers.get(SEC_FETCH_SITE) {
        return site != "same-origin" && site != "none";
    }
    let origin = headers.get(ORIGIN).filter(|origin| *origin != "null");
    origin.is_some_and(|origin| !is_own_origin(app, origin, headers.get(HOST)))
}

/// The public URL is ours, and so is the host that the form was sent to: a cross-site form cannot choose its `Host`.
fn is_own_origin(app: &App, origin: &HeaderValue, host: Option<&HeaderValue>) -> bool {
    let Ok(origin) = origin.to_str() else { return false };
    let sent_to = host.and_then(|host| host.to_str().ok());
    let origin_host = origin.split_once("://").map(|(_, host)| host);
    origin == app.public_url().as_str() || (origin_host.is_some() && origin_host == sent_to)
}

#[cfg(test)]
mod tests {
    use super::FormToken;

    #[test]
    fn a_form_token_belongs_to_one_cookie_value() {
        let token = FormToken::of("one");

        assert!(token.is(&FormToken::of("one").shown()));
        assert!(!token.is(&FormToken::of("two").shown()));
        assert!(!token.is("") && !token.is(".1"));
    }

    #[test]
    fn each_display_of_a_form_has_a_token_of_its_own() {
        let token = FormToken::of("one");

        assert_ne!(token.shown(), token.shown());
    }
}
