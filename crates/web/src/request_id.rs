//! One id for each request: in the answer's `X-Request-Id`, in every log line, on every error page. It is what a person quotes
//! when something went wrong.

use app::App;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;

const HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// A proxy in front may bring its own id, so that its log and ours can be laid side by side.
const LENGTH_AT_MOST: usize = 64;

/// The id of the request being answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestId(String);

impl RequestId {
    /// The id as text: letters, digits and hyphens.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn new(random: [u8; 12]) -> Self {
        let digits = random.into_iter().flat_map(|byte| [byte >> 4, byte & 0xf]);
        let digit = |four_bits| char::from_digit(u32::from(four_bits), 16);
        Self(digits.map(|four_bits| digit(four_bits).expect("four bits are a digit")).collect())
    }

    fn sent(value: &HeaderValue) -> Option<Self> {
        let text = value.to_str().ok()?;
        let is_plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        (is_plain && (1..=LENGTH_AT_MOST).contains(&text.len())).then(|| Self(text.to_owned()))
    }
}

/// Gives each request its id and returns it with the answer.
pub(crate) async fn identify(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let sent = request.headers().get(HEADER).and_then(RequestId::sent);
    let id = sent.unwrap_or_else(|| RequestId::new(app.random()));
    request.extensions_mut().insert(id.clone());
    let mut response = next.run(request).await;
    let value = HeaderValue::from_str(id.as_str()).expect("an id is letters, digits and hyphens");
    response.headers_mut().insert(HEADER, value);
    response
}

impl<S: Send + Sync> FromRequestParts<S> for RequestId {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Self::Rejection> {
        Ok(parts.extensions.get().cloned().expect("every router is wrapped in `web::edge`"))
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::RequestId;

    #[test]
    fn an_id_of_ours_is_hexadecimal() {
        assert_eq!(RequestId::new([0xab; 12]).as_str(), "ab".repeat(12));
    }

    #[test]
    fn an_id_from_outside_is_taken_only_when_it_is_plain_and_short() {
        let taken = |text: &'static str| RequestId::sent(&HeaderValue::from_static(text)).is_some();

        assert!(taken("7f3c-01"));
        assert!(!taken(""));
        assert!(!taken("a b"));
        assert!(!taken("{\"level\":\"error\"}"));
        assert!(!taken("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"));
    }
}
