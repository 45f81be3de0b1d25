//! A running server as commands reach it: over REST, with an access token. Nothing of the token is ever shown.

use std::borrow::Cow;
use std::time::Duration;

use secrecy::{ExposeSecret as _, SecretString};
use serde_json::Value;
use ureq::http::{Request, Response, StatusCode};
use ureq::{Agent, Body};
use url::{Host, Url};

use crate::cli::RemoteArguments;
use crate::failure::Failure;
use crate::{authorities, credentials};

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

    /// Sends the request and returns the answer; `None` if there is no such resource.
    pub(crate) fn ask(&self, question: &Question<'_>) -> Result<Option<Answer>, Failure> {
        let response = self.send(question)?;
        let status = response.status();
        let tag = response.headers().get("etag").and_then(|tag| tag.to_str().ok());
        let tag = tag.map(str::to_owned);
        let mut body = response.into_body();
        let text = body.with_config().limit(ANSWER_BYTES_AT_MOST).read_to_string();
        let text = text.map_err(|error| self.unreachable(&error))?;
        let body = serde_json::from_str(&text).unwrap_or(Value::Null);
        match status {
            StatusCode::NOT_FOUND if self.is_assay()? => Ok(None),
            StatusCode::NOT_FOUND => Err(no_assay(&self.server)),
            status if status.is_success() => Ok(Some(Answer { tag, body, text })),
            status => Err(refused(status, &body)),
        }
    }

    /// Whether the interface is below the address: what is not there for anybody, such as behind a wrong path, is no missing resource.
    fn is_assay(&self) -> Result<bool, Failure> {
        let me = Question { method: "GET", path: "/v1/me".to_owned(), headers: &[], body: None };
        Ok(self.send(&me)?.status() != StatusCode::NOT_FOUND)
    }

    fn send(&self, question: &Question<'_>) -> Result<Response<Body>, Failure> {
        let Question { method, path, headers, body } = question;
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

/// The server does not answer, or nobody knows whether it is the one.
pub(crate) fn silent(server: &Url, error: &ureq::Error) -> Failure {
    let told = error.to_string();
    let failure = Failure::environment(format_args!("`{server}` does not answer: {told}"));
    match authorities::hint(&told) {
        Some(hint) => failure.with_hint(hint),
        None => failure,
    }
}

/// Something else answers at this address.
pub(crate) fn no_assay(server: &Url) -> Failure {
    Failure::input(format_args!(
        "there is no Assay at `{server}`\n  hint: the address is that of the console, such as https://experiments.example, without `/v1`"
    ))
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
    let is_here = match server.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    };
    server.scheme() == "https" || (server.scheme() == "http" && is_here)
}

/// Problem details (RFC 9457) in words.
fn refused(status: StatusCode, problem: &Value) -> Failure {
    if problem["code"] == "etag_mismatch" {
        return Failure::input(
            "the draft has changed meanwhile\n  hint: look at `assay diff`, and apply again",
        );
    }
    let detail = problem["detail"].as_str().unwrap_or("the server gives no reason");
    let errors = problem["errors"].as_array().into_iter().flatten().map(|error| {
        let pointer = error["pointer"].as_str().unwrap_or_default().trim_start_matches('#');
        format!("\n  {pointer}: {}", error["detail"].as_str().unwrap_or_default())
    });
    let message =
        format!("the server says {}: {detail}{}", status.as_u16(), errors.collect::<String>());
    if status.is_server_error() { Failure::environment(message) } else { Failure::input(message) }
}

#[cfg(test)]
mod tests {
    use super::is_protected;

    #[test]
    fn a_token_goes_only_where_nobody_reads_along() {
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
