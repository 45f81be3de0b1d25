//! What operators watch while the server runs: counts and durations, which Prometheus reads (docs/monitoring.md).
//!
//! Each label has few values, whatever strangers send: names come from this code, never from a request.

use std::fmt;
use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode_registry;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};
use storage::{MomentOutcome, ScheduledAction};

/// From an answer out of memory to a document of thousands of campaigns; beyond that, a request is given up.
const ANSWER_SECONDS: [f64; 10] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.25, 1.0, 2.5, 10.0];

/// A small project takes ten milliseconds, the largest some seconds.
const BUILD_SECONDS: [f64; 8] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1.0, 5.0];

/// Counts what happens in this process since it began.
pub struct Monitor {
    registry: Registry,
    requests: Family<Answered, Counter>,
    request_duration: Family<RouteLabels, Histogram>,
    events_accepted: Counter,
    events_rejected: Family<Reason, Counter>,
    events_sent: Counter,
    webhook_attempts: Family<Outcome, Counter>,
    scheduled_moments: Family<MomentLabels, Counter>,
    event_files_unsent: Gauge,
    batches_refused: Family<Reason, Counter>,
    snippet_builds: Family<Outcome, Counter>,
    snippet_build_duration: Histogram,
    refusals: Family<Refusal, Counter>,
    token_requests: Family<Outcome, Counter>,
    background_failures: Family<Task, Counter>,
}

/// A request that was answered.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub struct Answered {
    /// The pattern that the path matched, such as `/v1/projects/{id}`.
    pub route: String,
    /// The method; those that HTTP does not define are one.
    pub method: &'static str,
    /// The class of the status, such as `2xx`.
    pub status: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RouteLabels {
    route: String,
    method: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Reason {
    reason: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Outcome {
    result: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct MomentLabels {
    action: &'static str,
    result: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Refusal {
    event: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Task {
    task: &'static str,
}

impl MomentLabels {
    const fn new(action: ScheduledAction, outcome: MomentOutcome) -> Self {
        Self { action: action.as_str(), result: outcome.as_str() }
    }
}

/// Work that no request waits for. Where it fails, only the log and this count say so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BackgroundTask {
    /// Sealing the audit log.
    AuditSealing,
    /// Writing refusals into the audit log.
    Refusals,
    /// Moving events into files.
    EventFiles,
    /// Copying files of events into object storage.
    EventCopies,
    /// Sending events to another system.
    EventSink,
    /// Writing down which pages load the snippet.
    Installations,
    /// Starting and stopping campaigns on time.
    Schedules,
    /// Sending mail.
    Mail,
    /// Publishing changes of the project file.
    ProjectFile,
    /// Delivering to webhooks.
    Webhooks,
    /// Sending traces to the collector.
    Traces,
    /// Moving commits from the log of a SQLite file into the file.
    Checkpoints,
}

impl BackgroundTask {
    const ALL: [Self; 12] = [
        Self::AuditSealing,
        Self::Refusals,
        Self::EventFiles,
        Self::EventCopies,
        Self::EventSink,
        Self::Installations,
        Self::Schedules,
        Self::Mail,
        Self::ProjectFile,
        Self::Webhooks,
        Self::Traces,
        Self::Checkpoints,
    ];

    const fn as_str(self) -> &'static str {
        match self {
            Self::AuditSealing => "audit_sealing",
            Self::Refusals => "refusals",
            Self::EventFiles => "event_files",
            Self::EventCopies => "event_copies",
            Self::EventSink => "event_sink",
            Self::Installations => "installations",
            Self::Schedules => "schedules",
            Self::Mail => "mail",
            Self::ProjectFile => "project_file",
            Self::Webhooks => "webhooks",
            Self::Traces => "traces",
            Self::Checkpoints => "checkpoints",
        }
    }
}

impl Default for Monitor {
    fn default() -> Self {
        let monitor = Self {
            registry: Registry::with_prefix("assay"),
            requests: Family::default(),
            request_duration: Family::new_with_constructor(|| Histogram::new(ANSWER_SECONDS)),
            events_accepted: Counter::default(),
            events_rejected: Family::default(),
            events_sent: Counter::default(),
            webhook_attempts: Family::default(),
            scheduled_moments: Family::default(),
            event_files_unsent: Gauge::default(),
            batches_refused: Family::default(),
            snippet_builds: Family::default(),
            snippet_build_duration: Histogram::new(BUILD_SECONDS),
            refusals: Family::default(),
            token_requests: Family::default(),
            background_failures: Family::default(),
        };
        monitor.begin_at_zero();
        monitor.registered()
    }
}

impl Monitor {
    /// An alert sees the first step of a count only if the count was there before.
    fn begin_at_zero(&self) {
        for task in BackgroundTask::ALL {
            self.background_failures.get_or_create_owned(&Task { task: task.as_str() });
        }
        for result in ["built", "failed"] {
            self.snippet_builds.get_or_create_owned(&Outcome { result });
        }
        for result in ["ok", "failed"] {
            self.webhook_attempts.get_or_create_owned(&Outcome { result });
        }
        for action in [ScheduledAction::Start, ScheduledAction::Stop] {
            for outcome in [MomentOutcome::Done, MomentOutcome::Missed] {
                self.scheduled_moments.get_or_create_owned(&MomentLabels::new(action, outcome));
            }
        }
        for reason in ["storage", "no_room"] {
            self.batches_refused.get_or_create_owned(&Reason { reason });
        }
    }

    fn registered(mut self) -> Self {
        let registry = &mut self.registry;
        registry.register("http_requests", "Requests that were answered", self.requests.clone());
        registry.register_with_unit(
            "http_request_duration",
            "Time from the head of a request to the head of its answer",
            Unit::Seconds,
            self.request_duration.clone(),
        );
        registry.register(
            "events_accepted",
            "Events of visitors that were kept",
            self.events_accepted.clone(),
        );
        registry.register(
            "events_rejected",
            "Events of visitors that were not kept",
            self.events_rejected.clone(),
        );
        registry.register(
            "events_sent",
            "Events that the sink has taken",
            self.events_sent.clone(),
        );
        registry.register(
            "event_files_unsent",
            "Files of events that the sink has not taken yet",
            self.event_files_unsent.clone(),
        );
        registry.register(
            "event_batches_refused",
            "Batches of events of which nothing was kept",
            self.batches_refused.clone(),
        );
        registry.register(
            "snippet_builds",
            "Compilations of a snippet to publish or to check",
            self.snippet_builds.clone(),
        );
        registry.register_with_unit(
            "snippet_build_duration",
            "Time to compile and compress a snippet",
            Unit::Seconds,
            self.snippet_build_duration.clone(),
        );
        registry.register(
            "refusals",
            "Sign-ins and clients that were refused, by the event of the audit log",
            self.refusals.clone(),
        );
        registry.register(
            "token_requests",
            "Requests for tokens, by what came of them",
            self.token_requests.clone(),
        );
        self.register_background();
        self
    }

    /// What happens without a request.
    fn register_background(&mut self) {
        let registry = &mut self.registry;
        registry.register(
            "webhook_attempts",
            "Attempts to deliver to webhooks, by what came of them",
            self.webhook_attempts.clone(),
        );
        registry.register(
            "scheduled_moments",
            "Starts and stops of campaigns that came due, by what came of them",
            self.scheduled_moments.clone(),
        );
        registry.register(
            "background_failures",
            "Failures of work that no request waits for",
            self.background_failures.clone(),
        );
    }

    /// Counts an answer.
    pub fn answered(&self, answered: Answered, elapsed: Duration) {
        self.requests.get_or_create(&answered).inc();
        let Answered { route, method, status: _ } = answered;
        let labels = RouteLabels { route, method };
        self.request_duration.get_or_create(&labels).observe(elapsed.as_secs_f64());
    }

    /// Counts a failure that no request shows.
    pub fn failed(&self, task: BackgroundTask) {
        self.background_failures.get_or_create(&Task { task: task.as_str() }).inc();
    }

    /// Writes all of it in the text format of Prometheus, without its end.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn write_to(&self, writer: &mut impl fmt::Write) -> fmt::Result {
        encode_registry(writer, &self.registry)
    }

    pub(crate) fn accepted_events(&self, number: usize) {
        self.events_accepted.inc_by(u64::try_from(number).unwrap_or(u64::MAX));
    }

    pub(crate) fn sent_events(&self, number: usize) {
        self.events_sent.inc_by(u64::try_from(number).unwrap_or(u64::MAX));
    }

    /// Counts an attempt to deliver to a webhook.
    pub(crate) fn tried_webhook(&self, result: &'static str) {
        self.webhook_attempts.get_or_create(&Outcome { result }).inc();
    }

    /// Counts a scheduled moment that was carried out or missed.
    pub(crate) fn came_due(&self, action: ScheduledAction, outcome: MomentOutcome) {
        self.scheduled_moments.get_or_create(&MomentLabels::new(action, outcome)).inc();
    }

    pub(crate) fn unsent_files(&self, number: usize) {
        self.event_files_unsent.set(i64::try_from(number).unwrap_or(i64::MAX));
    }

    pub(crate) fn rejected_event(&self, reason: &'static str) {
        self.events_rejected.get_or_create(&Reason { reason }).inc();
    }

    /// A batch of events of which nothing was kept.
    pub fn refused_batch(&self, reason: &'static str) {
        self.batches_refused.get_or_create(&Reason { reason }).inc();
    }

    pub(crate) fn built_snippet(&self, result: &'static str, elapsed: Duration) {
        self.snippet_builds.get_or_create(&Outcome { result }).inc();
        self.snippet_build_duration.observe(elapsed.as_secs_f64());
    }

    pub(crate) fn refused(&self, event: &'static str) {
        self.refusals.get_or_create(&Refusal { event }).inc();
    }

    pub(crate) fn token_request(&self, result: &'static str) {
        self.token_requests.get_or_create(&Outcome { result }).inc();
    }
}
