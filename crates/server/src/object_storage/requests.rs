//! The HTTP client that this process uses for everything, as `object_store` wants it.

use std::io;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use http_body_util::BodyExt as _;
use object_store::ClientOptions;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpService,
};
use ureq::http::{Request, Response};
use ureq::{Agent, Error};

use crate::{authorities, proxies};

/// A part of a file has eight megabytes.
const PATIENCE: Duration = Duration::from_mins(2);

/// A list of a thousand objects has some hundred kilobytes. Files are not read from there.
const ANSWER_BYTES_AT_MOST: u64 = 16 * 1024 * 1024;

/// A command is waited for.
const PATIENCE_OF_COMMANDS: Duration = Duration::from_secs(10);

/// How long to wait for an answer, and whether to ask again.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Patience {
    /// A server has time, and tries again.
    Server,
    /// A command tells what it was answered.
    Command,
}

/// Makes clients.
#[derive(Debug)]
pub(super) struct Requests(pub(super) Patience);

#[derive(Debug)]
struct Client(Agent);

impl HttpConnector for Requests {
    fn connect(&self, _options: &ClientOptions) -> object_store::Result<HttpClient> {
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .proxy(proxies::from_environment())
            .timeout_global(Some(match self.0 {
                Patience::Server => PATIENCE,
                Patience::Command => PATIENCE_OF_COMMANDS,
            }))
            .tls_config(authorities::tls())
            .build();
        Ok(HttpClient::new(Client(agent.into())))
    }
}

#[async_trait]
impl HttpService for Client {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let (head, body) = request.into_parts();
        let body = body.collect().await?.to_bytes();
        let agent = self.0.clone();
        let send = move || send(&agent, Request::from_parts(head, body));
        let answer = tokio::task::spawn_blocking(send).await;
        let answer = answer.map_err(|panic| HttpError::new(HttpErrorKind::Unknown, panic))?;
        answer.map_err(|error| HttpError::new(kind(&error), error))
    }
}

fn send(agent: &Agent, request: Request<Bytes>) -> Result<HttpResponse, Error> {
    let has_body = !request.body().is_empty();
    let (head, mut body) = if has_body {
        agent.run(request.map(|body| body.to_vec()))?.into_parts()
    } else {
        agent.run(request.map(|_| ()))?.into_parts()
    };
    let body = body.with_config().limit(ANSWER_BYTES_AT_MOST).read_to_vec()?;
    Ok(Response::from_parts(head, body.into()))
}

/// By this it is known what may be tried again.
fn kind(error: &Error) -> HttpErrorKind {
    let is_refused = |error: &io::Error| error.kind() == io::ErrorKind::ConnectionRefused;
    if matches!(error, Error::ConnectionFailed | Error::HostNotFound) {
        return HttpErrorKind::Connect;
    }
    if let Error::Io(error) = error {
        return if is_refused(error) { HttpErrorKind::Connect } else { HttpErrorKind::Interrupted };
    }
    if matches!(error, Error::Timeout(_)) { HttpErrorKind::Timeout } else { HttpErrorKind::Unknown }
}
