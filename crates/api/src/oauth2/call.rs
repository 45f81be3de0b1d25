//! How the endpoints that clients call read a request: parameters in the query, as the interface documents it, or in a form body,
//! and the client's credentials among them or in the `Authorization` header.

use std::convert::Infallible;
use std::error::Error;
use std::net::IpAddr;

use app::grants::TokenCall;
use axum::RequestExt as _;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{FromRequest, Request};
use axum::http::HeaderMap;
use axum::http::header::{AUTHORIZATION, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, ORIGIN};
use axum::response::{IntoResponse, Response};
use http_body_util::LengthLimitError;
use web::CallerAddress;

use crate::cross_origin::for_any_page;
use crate::oauth2::answer::Failure;

/// Far more than the longest request needs.
const BODY_BYTES_AT_MOST: usize = 64 * 1024;

/// A request with its body read. There is no `Debug`: it holds secrets.
pub(super) struct Call {
    query: String,
    body: Bytes,
    authorization: Option<Vec<u8>>,
    address: IpAddr,
    is_from_page: bool,
}

/// A request whose body cannot be read.
pub(super) struct UnreadCall {
    failure: Failure,
    is_readable: bool,
}

impl Call {
    /// What the use cases take.
    pub(super) fn as_token_call(&self) -> TokenCall<'_> {
        TokenCall {
            query: &self.query,
            body: &self.body,
            authorization: self.authorization.as_deref(),
            address: self.address,
        }
    }

    /// The answer, which the page that asked may read unless the call shows a secret.
    pub(super) fn let_page_read(&self, answered: Result<Response, Failure>) -> Response {
        let response = answered.into_response();
        if self.is_readable() { for_any_page(response) } else { response }
    }

    fn is_readable(&self) -> bool {
        self.is_from_page && !self.as_token_call().shows_secret()
    }
}

impl UnreadCall {
    /// The refusal, which the page that asked may read unless the rest of the call shows a secret.
    pub(super) fn let_page_read(self) -> Response {
        let Self { failure, is_readable } = self;
        let response = failure.into_response();
        if is_readable { for_any_page(response) } else { response }
    }
}

impl IntoResponse for UnreadCall {
    /// The refusal, which no page may read.
    fn into_response(self) -> Response {
        self.failure.into_response()
    }
}

impl<S: Send + Sync> FromRequest<S> for Call {
    type Rejection = UnreadCall;

    async fn from_request(mut request: Request, _: &S) -> Result<Self, UnreadCall> {
        let CallerAddress(address) = match request.extract_parts().await {
            Ok(address) => address,
            Err::<_, Infallible>(never) => match never {},
        };
        let query = request.uri().query().unwrap_or_default().to_owned();
        let authorization = authorization(request.headers());
        let is_from_page = request.headers().contains_key(ORIGIN);
        let (parts, body) = request.into_parts();
        let call = Self { query, body: Bytes::new(), authorization, address, is_from_page };
        match read_form(&parts.headers, body).await {
            Ok(body) => Ok(Self { body, ..call }),
            Err(failure) => Err(UnreadCall { failure, is_readable: call.is_readable() }),
        }
    }
}

/// The body, which must be a form unless it is empty.
async fn read_form(headers: &HeaderMap, body: Body) -> Result<Bytes, Failure> {
    if content_length(headers).is_some_and(|length| length > BODY_BYTES_AT_MOST) {
        return Err(Failure::BodyTooLarge);
    }
    let body = to_bytes(body, BODY_BYTES_AT_MOST).await.map_err(|error| why_unread(&error))?;
    if body.is_empty() || is_form(headers) { Ok(body) } else { Err(Failure::NoForm) }
}

fn why_unread(error: &axum::Error) -> Failure {
    let is_too_large = error.source().is_some_and(<dyn Error>::is::<LengthLimitError>);
    if is_too_large { Failure::BodyTooLarge } else { Failure::UnreadableBody }
}

fn content_length(headers: &HeaderMap) -> Option<usize> {
    headers.get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

fn is_form(headers: &HeaderMap) -> bool {
    if headers.contains_key(CONTENT_ENCODING) {
        return false;
    }
    let content_type =
        headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let media_type = content_type.split(';').next().unwrap_or_default().trim();
    media_type.eq_ignore_ascii_case("application/x-www-form-urlencoded")
}

/// The `Authorization` header. Two of them are no readable header.
fn authorization(headers: &HeaderMap) -> Option<Vec<u8>> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let value = values.next()?.as_bytes();
    Some(if values.next().is_some() { Vec::new() } else { value.to_owned() })
}
