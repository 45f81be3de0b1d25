//! Takes a batch of events: each by itself, and what is taken is on the disk before the sender hears so.

use domain::ProjectId;
use events::{
    Batch, BatchEntry, BatchError, EventFault, Marks, Millis, Occurrence, ReceivedEvent, Record,
    UserAgent, Visitor, corrected, is_crawler,
};
use oauth::{Lifetime, Timestamp};
use serde_json::Value;
use storage::StorageError;
use thiserror::Error;

use crate::App;
use crate::events::log::log_row;
use crate::events::names::{EventNames, Hints, live_names};
use crate::events::sender::Sender;
use crate::events::visitors::VisitorKey;
use crate::roles::{Permission, RoleError};
use crate::throttle::TooManyFailures;

/// Events that are longer than this on average count as more: the limit of a project is one of bytes, too.
const BYTES_OF_AN_EVENT: usize = 256;

/// What became of a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcceptedEvents {
    /// How many are kept.
    pub accepted: usize,
    /// Those that are not.
    pub rejected: Vec<RejectedEvent>,
    /// The places in the batch of those that are kept with the time of their arrival, since they told of one that cannot be.
    pub late: Vec<usize>,
}

/// An event that is not kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RejectedEvent {
    /// Its place in the batch, from 0.
    pub index: usize,
    /// What is wrong, for programs.
    pub code: String,
    /// What is wrong, for people.
    pub detail: String,
}

/// A batch as it was sent.
#[derive(Debug, Clone, Copy)]
pub struct SentBatch<'a> {
    /// What it says.
    pub json: &'a Value,
    /// How many bytes it has.
    pub bytes: usize,
}

/// Why nothing of a batch is kept.
#[derive(Debug, Error)]
pub enum AcceptError {
    /// It is no batch.
    #[error(transparent)]
    Batch(#[from] BatchError),
    /// No event of it can be kept.
    #[error("none of these events can be kept")]
    NoValidEvent(Vec<RejectedEvent>),
    /// Nothing of the project is live, or there is none, or the sender may not send for it.
    #[error("no project with this id is live")]
    UnknownProject,
    /// The live project is archived.
    #[error("the live project is archived, and takes no events")]
    Archived,
    /// The live project does not collect events.
    #[error("the live project has `results: off`")]
    ResultsOff,
    /// The page is of none of the origins that the project lists.
    #[error("the live project takes no events from pages of this origin; its `origins` are listed")]
    OriginNotListed,
    /// The program may not send events of the project.
    #[error(transparent)]
    Role(#[from] RoleError),
    /// The address sends too much, or shows too many wrong keys.
    #[error("too many batches come from this address; try again in {}", .0.wait())]
    TooMany(#[from] TooManyFailures),
    /// The key is not that of the project.
    #[error("the key is not that of the project: a member may have renewed it")]
    WrongKey,
    /// Pages and apps send too many events of the project.
    #[error("too many events arrive for this project; try again in {}", Lifetime::from_seconds((*.0).into()).words())]
    TooManyOfProject(u32),
    /// There is no room for more.
    #[error(
        "events wait to be moved out of the database, and there is no room for more; try again later"
    )]
    NoRoom,
    /// The store does not answer.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl AcceptError {
    /// Counts the refusal, for operators.
    pub(super) fn note(&self, app: &App) {
        app.monitor().refused_batch(self.as_str());
    }

    /// The reason in a word, for operators.
    const fn as_str(&self) -> &'static str {
        match self {
            Self::Batch(_) => "no_batch",
            Self::NoValidEvent(_) => "no_valid_event",
            Self::UnknownProject => "unknown_project",
            Self::Archived => "project_archived",
            Self::ResultsOff => "results_off",
            Self::OriginNotListed => "origin_not_listed",
            Self::Role(_) => "role",
            Self::TooMany(_) => "too_many",
            Self::WrongKey => "wrong_key",
            Self::TooManyOfProject(_) => "too_many_of_project",
            Self::NoRoom => "no_room",
            Self::Storage(_) => "storage",
        }
    }
}

/// Takes a batch.
///
/// # Errors
/// See [`AcceptError`].
pub async fn accept_events(
    app: &App,
    sender: Sender,
    sent: SentBatch<'_>,
) -> Result<AcceptedEvents, AcceptError> {
    let taken = take(app, sender, sent).await;
    match &taken {
        Ok(AcceptedEvents { accepted, .. }) => app.monitor().accepted_events(*accepted),
        Err(error) => error.note(app),
    }
    taken
}

async fn take(
    app: &App,
    sender: Sender,
    SentBatch { json, bytes }: SentBatch<'_>,
) -> Result<AcceptedEvents, AcceptError> {
    let received_at = app.wall_time();
    sender.count_length(app, bytes);
    if !app.event_room().is_there() {
        return Err(AcceptError::NoRoom);
    }
    let batch = Batch::read(json)?;
    let project = batch.project.parse().map_err(|_| AcceptError::UnknownProject)?;
    if let Sender::Program(actor) = &sender {
        actor.require(app, Some(project), Permission::SendEvents).await?;
    }
    sender.check_key(app, project)?;
    let names = live_names(app, project).await?.ok_or(AcceptError::UnknownProject)?;
    if names.is_archived {
        return Err(AcceptError::Archived);
    }
    if !names.is_collecting {
        return Err(AcceptError::ResultsOff);
    }
    sender.may_send(&names)?;
    if !matches!(sender, Sender::Program(_)) {
        count_for_project(app, project, &batch, bytes)?;
    }
    let key = VisitorKey::of_project(app, project).await?;
    let (is_bot, agent) = match &sender {
        Sender::Page { user_agent, .. } => (is_crawler(user_agent), UserAgent::read(user_agent)),
        // What a server calls itself says nothing of its visitors.
        Sender::Keyed { .. } | Sender::Program(_) => (false, UserAgent::default()),
    };
    let is_trusted = matches!(sender, Sender::Program(_));
    // The clock of a server is right. What it sends again after an outage says when it was sent first, and did not happen now.
    let sent = batch.sent.filter(|_| !is_trusted);
    let hints = Hints::default();
    let context =
        BatchContext { names: &names, hints, is_trusted, is_bot, agent, received_at, sent };
    let (mut records, mut rejected, mut late) = (Vec::new(), Vec::new(), Vec::new());
    for BatchEntry { index, visitor, event } in batch.events {
        match event.and_then(|event| context.record(event, key.visitor(&visitor))) {
            Ok(record) => {
                // An event of snapshots may be several exposures, which come one after another.
                if record.marks.is_late && late.last() != Some(&index) {
                    late.push(index);
                }
                records.push(record);
            }
            Err(EventFault { code, detail }) => {
                app.monitor().rejected_event(code.as_str());
                rejected.push(RejectedEvent { index, code: code.to_string(), detail });
            }
        }
    }
    if records.is_empty() && !rejected.is_empty() {
        return Err(AcceptError::NoValidEvent(rejected));
    }
    let accepted = records.len();
    if accepted > 0 {
        let row = log_row(project, received_at, &records)?;
        let Some(_room) = app.event_room().take(row.body.len() as u64) else {
            return Err(AcceptError::NoRoom);
        };
        app.store().log_events(row).await?;
    }
    Ok(AcceptedEvents { accepted, rejected, late })
}

/// Counts the events of a batch for its project, or its bytes if it is long. A batch counts as no more than a minute has, so that each is taken
/// some time.
fn count_for_project(
    app: &App,
    project: ProjectId,
    batch: &Batch,
    bytes: usize,
) -> Result<(), AcceptError> {
    let quotas = &app.limits().project_events;
    let number = |number| u32::try_from(number).unwrap_or(u32::MAX);
    let by_length = number(bytes.div_ceil(BYTES_OF_AN_EVENT)).min(quotas.per_minute());
    let events = number(batch.events.len()).max(by_length);
    let quota = quotas.count(project, events, app.now());
    let is_taken = quota.remaining.map(|_| ());
    is_taken.ok_or(AcceptError::TooManyOfProject(quota.resets_in_seconds))
}

/// What the events of a batch share.
struct BatchContext<'a> {
    names: &'a EventNames,
    hints: Hints,
    is_trusted: bool,
    /// The sender is a program that visits pages.
    is_bot: bool,
    /// With what the visitor came, where an event does not say otherwise.
    agent: UserAgent,
    received_at: Timestamp,
    sent: Option<Millis>,
}

impl BatchContext<'_> {
    fn record(&self, event: ReceivedEvent, visitor: Visitor) -> Result<Record, EventFault> {
        let received = Millis(self.received_at.as_milliseconds());
        let happened = corrected(event.at, self.sent, received);
        let (mut what, marks) = self.names.recorded(event.what, &self.hints)?;
        if let Occurrence::Exposure { agent, .. } = &mut what {
            *agent = agent.or(self.agent);
        }
        let marks = Marks {
            is_trusted: self.is_trusted,
            is_bot: marks.is_bot || self.is_bot,
            is_late: happened.is_clamped,
            ..marks
        };
        Ok(Record { id: event.id, visitor, at: happened.at, received, what, marks })
    }
}
