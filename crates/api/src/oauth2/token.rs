//! `POST /oauth2/token` (RFC 6749 section 3.2). Parameters come in the query, as the interface documents it, or in a form body.
//! Every answer is JSON that nobody may keep.

use app::App;
use app::grants::{TokenCall, request_tokens};
use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{RawQuery, State};
use axum::http::HeaderMap;
use axum::http::header::{AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE};
use axum::routing::post;
use web::CallerAddress;

use crate::oauth2::token_answer::{TokenAnswer, TokenFailure};

pub(crate) const PATH: &str = "/oauth2/token";

/// Far more than the longest token request needs.
const BODY_BYTES_AT_MOST: usize = 64 * 1024;

pub(crate) fn router() -> Router<App> {
    Router::new().route(PATH, post(request).fallback(wrong_method))
}

async fn request(
    State(app): State<App>,
    CallerAddress(address): CallerAddress,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    body: Body,
) -> Result<TokenAnswer, TokenFailure> {
    let body = read_form(&headers, body).await?;
    let call = TokenCall {
        query: query.as_deref().unwrap_or_default(),
        body: &body,
        authorization: authorization(&headers),
        address,
    };
    Ok(TokenAnswer(request_tokens(&app, call).await?))
}

async fn wrong_method() -> TokenFailure {
    TokenFailure::WrongMethod
}

/// The body, which must be a form unless it is empty.
async fn read_form(headers: &HeaderMap, body: Body) -> Result<Bytes, TokenFailure> {
    if content_length(headers).is_some_and(|length| length > BODY_BYTES_AT_MOST) {
        return Err(TokenFailure::BodyTooLarge);
    }
    let body = to_bytes(body, BODY_BYTES_AT_MOST).await.map_err(|_| TokenFailure::BodyTooLarge)?;
    if body.is_empty() || is_form(headers) { Ok(body) } else { Err(TokenFailure::NoForm) }
}

fn content_length(headers: &HeaderMap) -> Option<usize> {
    headers.get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

fn is_form(headers: &HeaderMap) -> bool {
    let content_type =
        headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let media_type = content_type.split(';').next().unwrap_or_default().trim();
    media_type.eq_ignore_ascii_case("application/x-www-form-urlencoded")
}

/// The `Authorization` header. Two of them are no header that anybody could read.
fn authorization(headers: &HeaderMap) -> Option<&[u8]> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let value = values.next()?.as_bytes();
    Some(if values.next().is_some() { b"" } else { value })
}
