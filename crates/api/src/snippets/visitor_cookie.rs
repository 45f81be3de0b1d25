//! The visitor's cookie in the answer to a request for a snippet, where the project has the server keep it.

use app::App;
use app::publishing::{AskingVisitor, VisitorCookie};
use axum::http::header::COOKIE;
use axum::http::{HeaderMap, HeaderValue};

/// `runtime/src/visitor/cookies.ts` reads it.
const NAME: &str = "experimentation_id";

/// Browsers keep a cookie for 400 days at most. As in `runtime/src/visitor/cookies.ts`.
const LIFETIME_SECONDS: u32 = 400 * 24 * 60 * 60;

/// The `Set-Cookie` value that keeps the visitor's cookie for another while; `None` where nothing is to be kept.
pub(super) fn renewal(
    app: &App,
    cookie: &VisitorCookie,
    request: &HeaderMap,
) -> Option<HeaderValue> {
    if !is_script_of_the_site(request) {
        return None;
    }
    let id = cookie.renewed(app, visitor(request))?;
    let domain = cookie.domain();
    let secure = if app.public_url().is_https() { "; Secure" } else { "" };
    // Never `HttpOnly`: the snippet reads it.
    let text = format!(
        "{NAME}={id}; Max-Age={LIFETIME_SECONDS}; Path=/; Domain={domain}; SameSite=Lax{secure}"
    );
    HeaderValue::try_from(text).ok()
}

/// On another site's page it would be a third party's cookie; in an address bar there is no visitor of a page.
fn is_script_of_the_site(request: &HeaderMap) -> bool {
    let is_of_site = matches!(text(request, "sec-fetch-site"), Some("same-origin" | "same-site"));
    is_of_site && text(request, "sec-fetch-dest") == Some("script")
}

fn visitor(request: &HeaderMap) -> AskingVisitor<'_> {
    AskingVisitor {
        id: id(request),
        sends_gpc: text(request, "sec-gpc") == Some("1"),
        sends_dnt: text(request, "dnt") == Some("1"),
    }
}

/// The first cookie of the name, as the page takes it.
fn id(request: &HeaderMap) -> Option<&str> {
    let lists = request.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let pairs = lists.flat_map(|list| list.split(';'));
    let mut named = pairs.filter_map(|pair| pair.trim().split_once('='));
    named.find(|(name, _)| *name == NAME).map(|(_, id)| id)
}

fn text<'r>(request: &'r HeaderMap, name: &str) -> Option<&'r str> {
    request.get(name)?.to_str().ok()
}
