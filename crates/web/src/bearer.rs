//! Bearer tokens (RFC 6750): a program shows an access token in the `Authorization` header, and nowhere else.

use app::App;
use app::tokens::{CheckBearerError, check_bearer};
use axum::extract::FromRequestParts;
use axum::http::header::{AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE, TRANSFER_ENCODING};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue};
use oauth::Scope;
use percent_encoding::percent_decode_str;
use secrecy::{ExposeSecret as _, SecretString};
use storage::{AccessGrant, ActingCredential};

use crate::problem::Problem;
use crate::problem_code::ProblemCode;

/// The token of a request, not checked yet: [`Bearer::grant_for`] does that.
#[derive(Debug)]
pub struct Bearer(SecretString);

impl Bearer {
    /// What the token allows, if that includes `scope`.
    ///
    /// # Errors
    /// 401 for a token that is unknown, expired or revoked, 403 for one whose scope is too small, 503 if the store does not answer.
    pub async fn grant_for(&self, app: &App, scope: Scope) -> Result<AccessGrant, Problem> {
        let grant = self.grant(app).await?;
        if grant.scope.contains(scope) {
            Ok(grant)
        } else {
            Err(Problem::insufficient_scope(scope))
        }
    }

    /// The token, as what is made on its authority names it.
    #[must_use]
    pub fn credential(&self) -> Option<ActingCredential> {
        oauth::hash(self.0.expose_secret()).map(ActingCredential::AccessToken)
    }

    /// The token, if it is the key of a project, which is public and adds events only.
    ///
    /// # Errors
    /// The token itself, if it is any other.
    pub fn into_events_key(self) -> Result<SecretString, Self> {
        let is_key = oauth::is_events_key(self.0.expose_secret());
        if is_key { Ok(self.0) } else { Err(self) }
    }

    /// What the token allows, whatever that is.
    ///
    /// # Errors
    /// 401 for a token that is unknown, expired or revoked, 503 if the store does not answer.
    pub async fn grant(&self, app: &App) -> Result<AccessGrant, Problem> {
        check_bearer(app, self.0.expose_secret()).await.map_err(|error| match error {
            CheckBearerError::InvalidToken => Problem::invalid_token(),
            CheckBearerError::Storage(error) => Problem::from(error),
        })
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Bearer {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Problem> {
        if parts.headers.get_all(AUTHORIZATION).iter().count() > 1 {
            return Err(misplaced(
                "the request has more than one `Authorization` header; send one",
            ));
        }
        let token = token(&parts.headers).ok_or_else(no_token)?;
        // RFC 6750 section 2: one method of sending the token for each request.
        let is_in_query = parts.uri.query().is_some_and(has_access_token);
        if is_in_query {
            return Err(misplaced("the access token belongs in the `Authorization` header only"));
        }
        if has_form(&parts.headers) {
            return Err(misplaced(FORM));
        }
        Ok(Self(token))
    }
}

/// Whether a query holds an access token, which belongs in the header.
#[must_use]
pub fn has_access_token(query: &str) -> bool {
    let mut names = query.split('&').filter_map(|pair| pair.split('=').next());
    names.any(|name| percent_decode_str(name).eq(*b"access_token"))
}

/// Whether a body could hold a second token. Nothing that takes access tokens takes forms, so there is no need to read it.
fn has_form(headers: &HeaderMap) -> bool {
    let length = headers.get(CONTENT_LENGTH).map(HeaderValue::as_bytes);
    let has_body =
        headers.contains_key(TRANSFER_ENCODING) || length.is_some_and(|length| length != b"0");
    let content_type = headers.get(CONTENT_TYPE).map(HeaderValue::as_bytes).unwrap_or_default();
    let media_type = content_type.split(|byte| *byte == b';').next().unwrap_or_default();
    has_body && media_type.trim_ascii().eq_ignore_ascii_case(b"application/x-www-form-urlencoded")
}

/// The credentials of the one `Authorization: Bearer …` header; the scheme's case does not matter (RFC 9110 section 11.1).
fn token(headers: &HeaderMap) -> Option<SecretString> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let value = values.next().filter(|_| values.next().is_none())?;
    let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| SecretString::from(token.trim_start()))
}

/// RFC 6750 section 3.1: a request without a token gets no error code. But a challenge has one parameter at least (section 3).
fn no_token() -> Problem {
    Problem::challenge(
        ProblemCode::TokenRequired,
        "an access token is needed in `Authorization: Bearer`",
        "Bearer realm=\"assay\"",
    )
}

/// What `curl -d` sends unless it is told otherwise.
const FORM: &str = "the body is a form, in which there could be a second access token; send JSON, with `Content-Type: application/json`";

fn misplaced(detail: &'static str) -> Problem {
    let header = "Bearer realm=\"assay\", error=\"invalid_request\"";
    Problem::challenge(ProblemCode::TokenMisplaced, detail, header)
}

#[cfg(test)]
mod tests {
    use axum::http::header::AUTHORIZATION;
    use axum::http::{HeaderMap, HeaderValue};
    use secrecy::ExposeSecret as _;

    use super::token;

    fn sent(values: &[&'static str]) -> Option<String> {
        let values = values.iter().map(|value| (AUTHORIZATION, HeaderValue::from_static(value)));
        let mut headers = HeaderMap::new();
        for (name, value) in values {
            headers.append(name, value);
        }
        token(&headers).map(|token| token.expose_secret().to_owned())
    }

    #[test]
    fn the_scheme_is_case_insensitive() {
        for value in ["Bearer t", "bearer t", "BEARER  t"] {
            assert_eq!(sent(&[value]).as_deref(), Some("t"), "{value}");
        }
    }

    #[test]
    fn other_schemes_and_two_headers_bring_no_token() {
        assert_eq!(sent(&[]), None);
        assert_eq!(sent(&["Token t"]), None);
        assert_eq!(sent(&["Bearer"]), None);
        assert_eq!(sent(&["Bearer t", "Bearer t"]), None);
    }
}
