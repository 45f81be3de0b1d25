//! Why a server does not do what it is asked for, in words for people and in an exit code for programs.

use oauth::Lifetime;
use serde_json::Value;
use ureq::http::StatusCode;
use ureq::http::response::Parts;
use url::Url;

use crate::failure::Failure;

/// What Assay says why it refuses something (RFC 9457).
const PROBLEM: &str = "application/problem+json";

/// What to do about the address of something else.
const ADDRESS_HINT: &str = "the address is that of the console, such as https://experiments.example, without `/v1`; what signs people in before a server has to let `/v1` and `/oauth2` pass";

/// Nothing is below this address.
pub(crate) fn no_assay(server: &Url) -> Failure {
    Failure::input(format_args!("there is no Assay at `{server}`")).with_hint(ADDRESS_HINT)
}

/// Something else answers at this address.
pub(crate) fn other_than_assay(server: &Url, came: &str) -> Failure {
    let told = format_args!("there is no Assay at `{server}`: another server answers, {came}");
    Failure::input(told).with_hint(ADDRESS_HINT)
}

/// The address where a redirect leads; its query, which may hold a secret, is not told. `None` if the answer is none.
pub(crate) fn led_elsewhere(server: &Url, answer: &Parts) -> Option<Failure> {
    let location = answer.headers.get("location").filter(|_| answer.status.is_redirection())?;
    let target = location.to_str().ok().and_then(|location| server.join(location).ok());
    let target = target.map(|mut target| {
        target.set_query(None);
        target.set_fragment(None);
        // An address without a host has neither.
        let _none = (target.set_username(""), target.set_password(None));
        format!("`{target}`")
    });
    let target = target.unwrap_or_else(|| "another address".to_owned());
    let told = format_args!("`{server}` leads elsewhere ({}), to {target}", answer.status.as_u16());
    Some(Failure::input(told).with_hint(ADDRESS_HINT))
}

/// Problem details (RFC 9457) in words.
pub(super) fn refused(server: &Url, answer: &Parts, problem: &Value) -> Failure {
    if let Some(failure) = led_elsewhere(server, answer) {
        return failure;
    }
    if problem["code"] == "etag_mismatch" {
        return Failure::environment("the draft has changed meanwhile")
            .with_hint("look at `assay diff`, and apply again");
    }
    let status = answer.status;
    if media_type(answer) != PROBLEM {
        return refused_before(server, answer);
    }
    let detail = problem["detail"].as_str().unwrap_or("the server gives no reason");
    let errors = problem["errors"].as_array().into_iter().flatten().map(|error| {
        let pointer = error["pointer"].as_str().unwrap_or_default().trim_start_matches('#');
        format!("\n  {pointer}: {}", error["detail"].as_str().unwrap_or_default())
    });
    let message =
        format!("the server says {}: {detail}{}", status.as_u16(), errors.collect::<String>());
    let failure = failure(status, &message);
    match retry_after(answer).filter(|_| is_later(status)) {
        Some(seconds) => {
            let wait = Lifetime::from_seconds(i64::try_from(seconds).unwrap_or(i64::MAX)).words();
            failure.with_hint(&format!("try again in {wait}"))
        }
        None => failure,
    }
}

/// A proxy or a firewall answered in place of the server.
fn refused_before(server: &Url, answer: &Parts) -> Failure {
    let status = answer.status;
    let told = format!("what stands before `{server}` answers {}, not Assay", status.as_u16());
    let hint = match status {
        StatusCode::PAYLOAD_TOO_LARGE => {
            "let requests of 16 MB pass, with nginx by `client_max_body_size 16m`"
        }
        StatusCode::TOO_MANY_REQUESTS => "it limits requests: try again later",
        _ if status.is_server_error() => "the server may be away, or starting: try again later",
        StatusCode::FORBIDDEN | StatusCode::NOT_ACCEPTABLE => {
            "a firewall that reads requests must let `/v1` and `/oauth2` pass: documents of projects have code in them"
        }
        _ => ADDRESS_HINT,
    };
    failure(status, &told).with_hint(hint)
}

fn failure(status: StatusCode, message: &str) -> Failure {
    if is_later(status) { Failure::environment(message) } else { Failure::input(message) }
}

/// Whether the same request may be answered later.
fn is_later(status: StatusCode) -> bool {
    status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS
}

/// For how many seconds the server wants no request (RFC 9110 section 10.2.3).
pub(crate) fn retry_after(answer: &Parts) -> Option<u64> {
    answer.headers.get("retry-after")?.to_str().ok()?.parse().ok()
}

/// The media type of an answer, without parameters.
pub(super) fn media_type(answer: &Parts) -> &str {
    let told = answer.headers.get("content-type").and_then(|value| value.to_str().ok());
    told.and_then(|told| told.split(';').next()).map(str::trim).unwrap_or_default()
}
