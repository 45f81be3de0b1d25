//! Where the browser brings the answer to: an address on this machine (RFC 8252 section 7.3).

use std::time::Duration;

use axum::Router;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::Html;
use axum::routing::get;
use oauth2::{AuthorizationCode, CsrfToken};
use serde::Deserialize;
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::failure::Failure;

/// Long enough to find a password, and for a second factor.
const PATIENCE: Duration = Duration::from_mins(10);

/// As long as the browser may take to read the last page.
const GRACE: Duration = Duration::from_secs(1);

/// Listens on this machine alone.
pub(super) struct Callback {
    listener: TcpListener,
    port: u16,
}

/// What a server answers (RFC 6749 section 4.1.2).
#[derive(Deserialize)]
struct Answer {
    state: Option<String>,
    code: Option<String>,
    error: Option<String>,
    /// Who answers (RFC 9207).
    iss: Option<String>,
}

#[derive(Clone)]
struct Waiting {
    state: String,
    issuer: String,
    answers: mpsc::Sender<CallbackOutcome>,
}

/// What an answer comes to.
enum CallbackOutcome {
    Code(String),
    Error(String),
    /// Another server answers, or the answer does not name its server, as ours does.
    Stranger,
}

impl Callback {
    pub(super) async fn listen() -> Result<Self, Failure> {
        let listener = TcpListener::bind("127.0.0.1:0").await.map_err(Failure::environment)?;
        let port = listener.local_addr().map_err(Failure::environment)?.port();
        Ok(Self { listener, port })
    }

    pub(super) fn address(&self) -> String {
        format!("http://127.0.0.1:{}/callback", self.port)
    }

    /// Waits for the answer of this issuer to the request with this state. Whatever else comes is turned away.
    pub(super) async fn answer(
        self,
        state: CsrfToken,
        issuer: String,
    ) -> Result<AuthorizationCode, Failure> {
        let (answers, mut answered) = mpsc::channel(1);
        let waiting = Waiting { state: state.into_secret(), issuer, answers };
        let routes = Router::new().route("/callback", get(take)).with_state(waiting);
        let done = CancellationToken::new();
        let serving = axum::serve(self.listener, routes)
            .with_graceful_shutdown(done.clone().cancelled_owned());
        let serving = tokio::spawn(async move { serving.await });
        let answer = tokio::time::timeout(PATIENCE, answered.recv()).await;
        done.cancel();
        let _page_was_read = tokio::time::timeout(GRACE, serving).await;
        match answer {
            Ok(Some(CallbackOutcome::Code(code))) => Ok(AuthorizationCode::new(code)),
            Ok(Some(CallbackOutcome::Error(error))) if error == "access_denied" => {
                Err(Failure::input("the browser says that you did not allow it"))
            }
            Ok(Some(CallbackOutcome::Error(error))) => {
                Err(Failure::input(format_args!("the server refuses: {}", readable(&error))))
            }
            Ok(Some(CallbackOutcome::Stranger)) => {
                Err(Failure::input("another server answered in the browser than the one asked"))
            }
            Ok(None) | Err(_) => Err(Failure::input("you did not sign in within ten minutes")),
        }
    }
}

async fn take(
    State(waiting): State<Waiting>,
    Query(answer): Query<Answer>,
) -> (StatusCode, Html<&'static str>) {
    if answer.state.as_ref() != Some(&waiting.state) {
        return (StatusCode::BAD_REQUEST, Html(STRANGE));
    }
    let (page, outcome) = match (answer.code, answer.error) {
        _ if answer.iss.as_ref() != Some(&waiting.issuer) => (NOT_DONE, CallbackOutcome::Stranger),
        (Some(code), None) => (DONE, CallbackOutcome::Code(code)),
        (_, error) => (NOT_DONE, CallbackOutcome::Error(error.unwrap_or_default())),
    };
    // A second answer changes nothing.
    let _one_is_enough = waiting.answers.try_send(outcome);
    (StatusCode::OK, Html(page))
}

/// Error codes are ASCII (RFC 6749 section 4.1.2.1); anything else could write to the terminal as it likes.
fn readable(error: &str) -> String {
    error.chars().filter(char::is_ascii_graphic).take(100).collect()
}

const DONE: &str = "<!doctype html><title>Signed in</title><p>Signed in. Go back to the terminal.";
const NOT_DONE: &str =
    "<!doctype html><title>Not signed in</title><p>Not signed in. The terminal says why.";
const STRANGE: &str = "<!doctype html><title>Not expected</title><p>The terminal did not ask for this answer. Start again with <code>assay login</code>.";
