//! The way to the collector: sends what the exporter has made, on the exporter's own thread, and logs it if that does not work, once in a while.

use std::io::{Read as _, Write as _};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use app::{App, BackgroundTask};
use async_trait::async_trait;
use flate2::Compression;
use flate2::write::GzEncoder;
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use ureq::http::HeaderValue;
use ureq::http::header::CONTENT_ENCODING;
use ureq::{Agent, Body};

use super::settings::Settings;
use crate::{authorities, proxies};

/// How often a collector that does not take traces is worth a line.
const TOLD_EVERY: Duration = Duration::from_mins(10);

/// An answer says in a few bytes how many spans were refused.
const ANSWER_BYTES: u64 = 64 * 1_024;

/// A collector.
#[derive(Clone)]
pub(super) struct Collector {
    agent: Agent,
    is_compressed: bool,
    notes: Arc<Mutex<FailureNotes>>,
    app: Arc<OnceLock<App>>,
}

/// When the log last heard of a failure, and whether sending still fails.
#[derive(Default)]
struct FailureNotes {
    failed_at: Option<Instant>,
    is_failing: bool,
}

impl Collector {
    pub(super) fn new(settings: &Settings) -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .proxy(proxies::from_environment())
            .timeout_global(Some(settings.timeout))
            .tls_config(authorities::tls())
            .build();
        let is_compressed = settings.is_compressed;
        Self { agent: config.into(), is_compressed, notes: Arc::default(), app: Arc::default() }
    }

    pub(super) fn count_failures(&self, app: App) {
        // There is one for each process.
        let _known = self.app.set(app);
    }

    fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let (mut head, mut body) = request.into_parts();
        if self.is_compressed {
            body = compressed(&body)?;
            head.headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        let answer = self.agent.run(Request::from_parts(head, &*body))?;
        let (head, body) = answer.into_parts();
        Ok(Response::from_parts(head, beginning(body)))
    }

    fn note(&self, failure: Option<String>) {
        let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(failure) = failure else {
            if std::mem::take(&mut notes.is_failing) {
                tracing::info!("the collector takes traces again");
            }
            return;
        };
        if let Some(app) = self.app.get() {
            app.monitor().failed(BackgroundTask::Traces);
        }
        if notes.failed_at.is_none_or(|at| at.elapsed() >= TOLD_EVERY) {
            *notes = FailureNotes { failed_at: Some(Instant::now()), is_failing: true };
            tracing::warn!("the collector does not take traces, which are lost: {failure}");
        }
    }
}

impl std::fmt::Debug for Collector {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Collector")
    }
}

#[async_trait]
impl HttpClient for Collector {
    /// Blocks: the exporter has a thread of its own, and waits for nothing else.
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let answer = self.send(request);
        self.note(match &answer {
            Ok(answer) if answer.status().is_success() => None,
            Ok(answer) => Some(format!("it answers {}", answer.status())),
            Err(error) => Some(message_without_address(error)),
        });
        answer
    }
}

/// What went wrong. Errors about the address quote it, and it may be a secret.
fn message_without_address(error: &HttpError) -> String {
    match error.downcast_ref() {
        Some(ureq::Error::BadUri(_) | ureq::Error::Http(_)) => {
            "its address cannot be used".to_owned()
        }
        Some(_) | None => error.to_string(),
    }
}

fn compressed(body: &[u8]) -> Result<Bytes, HttpError> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(body)?;
    Ok(encoder.finish()?.into())
}

/// An answer that is cut short is one as well: its status counts.
fn beginning(mut body: Body) -> Bytes {
    let mut bytes = Vec::new();
    let _cut_short = body.as_reader().take(ANSWER_BYTES).read_to_end(&mut bytes);
    bytes.into()
}
