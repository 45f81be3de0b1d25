//! A running server as commands reach it: over REST, with an access token. Nothing of the token is ever shown.

mod expected;
mod refusal;

use std::borrow::Cow;
use std::time::Duration;

use secrecy::{ExposeSecret as _, SecretString};
use serde_json::Value;
use ureq::http::{Request, Response, StatusCode};
use ureq::{Agent, Body};
use url::{Host, Url};

pub(crate) use self::expected::Expected;
pub(crate) use self::refusal::{led_elsewhere, no_assay, other_than_assay, retry_after};
use self::refusal::{media_type, refused};
use crate::cli::RemoteArguments;
use crate::failure::Failure;
use crate::{authorities, credentials, proxies};

/// Publishing the largest project takes a fraction of that.
const PATIENCE: Duration = Duration::from_mins(1);

/// The largest answer is a document, which has four megabytes at most; its JSON can be somewhat longer.
const ANSWER_BYTES_AT_MOST: u64 = 16 * 1024 * 1024;

/// A server, and an access token for it.
pub(crate) struct Remote {
    agent: Agent,
    server: Url,
    token: SecretString,
}

/// A server's successful answer.
pub(crate) struct Answer {
    /// The answer's entity tag, if it has one.
    pub(crate) tag: Option<String>,
    pub(crate) body: Value,
    /// The body as it came.
    pub(crate) text: String,
}

/// A request to a server.
pub(crate) struct Question<'a> {
    pub(crate) method: &'static str,
    /// Below the server's address.
    pub(crate) path: String,
    pub(crate) headers: &'a [(&'static str, &'a str)],
    pub(crate) body: Option<&'a Value>,
    pub(crate) expected: Expected,
}

impl Remote {
    /// The server that the arguments name.
    pub(crate) fn new(arguments: &RemoteArguments) -> Result<Self, Failure> {
        let server = match &arguments.server {
            Some(server) => server.clone(),
            None => credentials::last_server()?.ok_or_else(|| {
                Failure::input(
                    "the server's address is needed\n  hint: `--server URL`, the environment variable `ASSAY_SERVER`, or `assay login`",
                )
            })?,
        };
        Self::of(&server, arguments.token.as_ref())
    }

    /// The server at this address.
    pub(crate) fn of(server: &str, token: Option<&SecretString>) -> Result<Self, Failure> {
        let server = address_of(server)?;
        authorities::check()?;
        let token = match token {
            Some(token) => Some(token.clone()),
            None => credentials::access_token(&server)?,
        };
        let token = token.ok_or_else(|| {
            Failure::input(format_args!(
                "an access token is needed\n  hint: `assay login --server {server}`, or put one into the environment variable `ASSAY_TOKEN`"
            ))
        })?;
        Ok(Self { agent: agent(), server, token })
    }

    /// The address of a resource on the server.
    pub(crate) fn address(&self, path: &str) -> String {
        format!("{}{path}", self.server.as_str().trim_end_matches('/'))
    }

    /// Sends the request and returns the answer; `None` if there is no such resource. What another server answers is a failure.
    pub(crate) fn ask(&self, question: &Question<'_>) -> Result<Option<Answer>, Failure> {
        let (parts, mut body) = self.send(question)?.into_parts();
        let text = body.with_config().limit(ANSWER_BYTES_AT_MOST).read_to_string();
        let text = text.map_err(|error| self.unreachable(&error))?;
        let body = serde_json::from_str(&text).unwrap_or(Value::Null);
        match parts.status {
            StatusCode::NOT_FOUND if self.is_assay()? => Ok(None),
            StatusCode::NOT_FOUND => Err(no_assay(&self.server)),
            status if status.is_success() => {
                let other = question.expected.other_than(&parts, &body);
                if let Some(came) = other {
                    return Err(other_than_assay(&self.server, &came));
                }
                // Any server may send text.
                if matches!(question.expected, Expected::Text(_)) && !self.is_assay()? {
                    return Err(no_assay(&self.server));
                }
                let tag = parts.headers.get("etag").and_then(|tag| tag.to_str().ok());
                Ok(Some(Answer { tag: tag.map(str::to_owned), body, text }))
            }
            _ => Err(refused(&self.server, &parts, &body)),
        }
    }

    /// Whether the interface is below the address: what is not there for any caller, such as behind a wrong path, is no missing resource.
    fn is_assay(&self) -> Result<bool, Failure> {
        let (path, expected) = ("/v1/me".to_owned(), Expected::Nothing);
        let me = Question { method: "GET", path, headers: &[], body: None, expected };
        let (answer, _) = self.send(&me)?.into_parts();
        Ok(answer.status != StatusCode::NOT_FOUND && media_type(&answer).ends_with("json"))
    }

    fn send(&self, question: &Question<'_>) -> Result<Response<Body>, Failure> {
        let Question { method, path, headers, body, expected: _ } = question;
        let mut request = Request::builder()
            .method(*method)
            .uri(self.address(path))
            .header("authorization", format!("Bearer {}", self.token.expose_secret()))
            .header("content-type", "application/json");
        for (name, value) in *headers {
            request = request.header(*name, *value);
        }
        let body = body.map(ToString::to_string).unwrap_or_default();
        let request = request
            .body(body)
            .map_err(|_| Failure::input("the token contains characters that no token has"))?;
        self.agent.run(request).map_err(|error| self.unreachable(&error))
    }

    fn unreachable(&self, error: &ureq::Error) -> Failure {
        silent(&self.server, error)
    }
}

/// The server does not answer, or it is unknown whether it is the right one.
pub(crate) fn silent(server: &Url, error: &ureq::Error) -> Failure {
    let told = error.to_string();
    let through = proxies::of(server).map(|proxy| format!(" through {proxy}"));
    let through = through.unwrap_or_default();
    let failure = Failure::environment(format_args!("`{server}` does not answer{through}: {told}"));
    match authorities::hint(&told) {
        Some(hint) => failure.with_hint(hint),
        None => failure,
    }
}

/// How REST names a project that a person names by its id or by its key.
pub(crate) fn named(project: &str) -> Cow<'_, str> {
    let is_told =
        project.starts_with("key:") || project.bytes().all(|digit| digit.is_ascii_digit());
    if is_told { Cow::Borrowed(project) } else { Cow::Owned(format!("key:{project}")) }
}

/// What sends requests to servers.
pub(crate) fn agent() -> Agent {
    agent_with(PATIENCE)
}

/// The same with this time for a request and its whole answer.
pub(crate) fn agent_with(patience: Duration) -> Agent {
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .proxy(proxies::from_environment())
        .timeout_global(Some(patience))
        .tls_config(authorities::tls())
        .build();
    config.into()
}

/// The address of a server to which a token may go.
pub(crate) fn address_of(server: &str) -> Result<Url, Failure> {
    let url: Url = server
        .parse()
        .map_err(|error| Failure::input(format_args!("`--server {server}`: {error}")))?;
    if is_protected(&url) {
        return Ok(url);
    }
    Err(Failure::input(
        "`--server`: others could read the token over plain http, expected an https address",
    ))
}

/// Whether the token is safe in transit.
pub(crate) fn is_protected(server: &Url) -> bool {
    server.scheme() == "https" || (server.scheme() == "http" && is_here(server))
}

/// Whether the address is this machine's own.
pub(crate) fn is_here(server: &Url) -> bool {
    match server.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_protected;

    #[test]
    fn a_token_goes_only_where_others_cannot_read_it() {
        for (server, expected) in [
            ("https://assay.example", true),
            ("http://localhost:8080", true),
            ("http://127.0.0.1", true),
            ("http://[::1]:1", true),
            ("http://assay.example", false),
            ("http://localhost.example", false),
            ("ftp://localhost", false),
        ] {
            assert_eq!(is_protected(&server.parse().unwrap()), expected, "{server}");
        }
    }
}
