//! Cookies: `HttpOnly`, `SameSite=Lax`, for the whole host, and with the `__Host-` prefix over TLS, so that neither a neighbouring
//! subdomain nor a plain connection can set or read them (RFC 6265bis section 4.1.3.2).

use app::App;
use axum::http::header::COOKIE;
use axum::http::{HeaderMap, HeaderValue};
use oauth::Lifetime;

/// A cookie of ours, known by its bare name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cookie(pub(crate) &'static str);

impl Cookie {
    /// The value that the browser sent, if it sent exactly one.
    pub(crate) fn read(self, app: &App, headers: &HeaderMap) -> Option<String> {
        let name = self.name(app);
        let pairs = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut values = pairs.flat_map(|pairs| pairs.split(';')).filter_map(|pair| {
            let (found, value) = pair.trim().split_once('=')?;
            (found == name).then_some(value)
        });
        let value = values.next()?;
        values.next().is_none().then(|| value.to_owned())
    }

    /// The `Set-Cookie` value that keeps the cookie for so long.
    pub(crate) fn keep(self, app: &App, value: &str, lifetime: Lifetime) -> HeaderValue {
        self.header(app, value, lifetime.seconds())
    }

    /// The `Set-Cookie` value that removes the cookie.
    pub(crate) fn forget(self, app: &App) -> HeaderValue {
        self.header(app, "", 0)
    }

    fn header(self, app: &App, value: &str, seconds: i64) -> HeaderValue {
        let secure = if app.public_url().is_https() { "; Secure" } else { "" };
        let name = self.name(app);
        let text =
            format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
        HeaderValue::from_str(&text).expect("names and values of cookies are plain ASCII")
    }

    fn name(self, app: &App) -> String {
        let prefix = if app.public_url().is_https() { "__Host-" } else { "" };
        format!("{prefix}assay_{}", self.0)
    }
}
