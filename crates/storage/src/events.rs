//! Events that pages and servers sent: in the log as they came, later in files of which this keeps the list.

use std::collections::BTreeMap;

use async_trait::async_trait;
use domain::ProjectId;
use oauth::Timestamp;

use crate::row::Row;
use crate::{NewAuditEntry, StorageError};

/// The log of events, and the list of the files into which they are moved.
#[async_trait]
pub trait EventStore: Send + Sync + 'static {
    /// Keeps events.
    async fn log_events(&self, events: NewEvents) -> Result<(), StorageError>;

    /// What a project's log has after this place, the oldest first, some `bytes` of it at most, but one row at least.
    async fn list_logged_events(
        &self,
        project: ProjectId,
        after: i64,
        bytes: i64,
    ) -> Result<Vec<LoggedEvents>, StorageError>;

    /// The logs that are not empty.
    async fn list_event_logs(&self) -> Result<Vec<EventLog>, StorageError>;

    /// A project's files, by day.
    async fn list_event_files(&self, project: ProjectId) -> Result<Vec<EventFile>, StorageError>;

    /// The projects that have files.
    async fn list_projects_with_event_files(&self) -> Result<Vec<ProjectId>, StorageError>;

    /// Moves events, all at once. If something of what is to go is not there any more, nothing happens and this is `false`. A sink has taken a
    /// replacement if it had taken the file before it, and other files that come if it had taken all of those that go, and nothing of the log is in them.
    async fn move_events(&self, moved: MovedEvents) -> Result<bool, StorageError>;

    /// Has nothing of what was deleted stay in the files of the database, as far as this process can: what others read, and what an engine
    /// keeps until it cleans up, stays until then.
    async fn erase_deleted(&self);

    /// Deletes the oldest of what came before this moment, or happened before it altogether, some rows at a time. Tells how many these were.
    async fn delete_logged_events(&self, before: Timestamp) -> Result<u64, StorageError>;

    /// The files of a project that this sink has taken.
    async fn list_sent_event_files(
        &self,
        sink: &str,
        project: ProjectId,
    ) -> Result<Vec<String>, StorageError>;

    /// Keeps in mind that a sink has taken a file. A file that is not listed any more needs no such note.
    async fn add_sent_event_file(
        &self,
        sink: &str,
        project: ProjectId,
        name: &str,
    ) -> Result<(), StorageError>;

    /// The days of a project of which files were given up as lost, in order.
    async fn list_lost_event_days(
        &self,
        project: ProjectId,
    ) -> Result<Vec<LostEventDay>, StorageError>;

    /// How many events of a project there are, in the log and in files.
    async fn weigh_events(&self, project: ProjectId) -> Result<EventWeight, StorageError>;
}

/// Rows of the log that are deleted at a time: others may write between them.
pub(crate) const DELETED_AT_ONCE: i64 = 1_000;

/// What one request brought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEvents {
    /// Of which project.
    pub project: ProjectId,
    /// When they came.
    pub received_at: Timestamp,
    /// When the newest of them happened.
    pub last_at: Timestamp,
    /// How many they are.
    pub events: u32,
    /// The events, as JSON.
    pub body: Vec<u8>,
}

/// What one request brought, in the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedEvents {
    /// Its place in the log.
    pub sequence: i64,
    /// The events, as JSON.
    pub body: Vec<u8>,
}

impl LoggedEvents {
    pub(crate) fn from_row(row: &impl Row) -> Result<Self, StorageError> {
        Ok(Self { sequence: row.column(0)?, body: row.column(1)? })
    }
}

/// A project's log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventLog {
    /// Of which project.
    pub project: ProjectId,
    /// When its oldest events came.
    pub oldest_at: Timestamp,
    /// How large it is.
    pub bytes: u64,
}

impl EventLog {
    pub(crate) fn from_row(row: &impl Row) -> Result<Self, StorageError> {
        let bytes: i64 = row.column(2)?;
        Ok(Self {
            project: project(row.column(0)?)?,
            oldest_at: Timestamp::from_milliseconds(row.column(1)?),
            bytes: bytes.unsigned_abs(),
        })
    }
}

/// A file of events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventFile {
    /// Its path below the folder of all files.
    pub name: String,
    /// Its day, counted from 1970-01-01 (UTC).
    pub day: i64,
    /// How many events it has.
    pub events: u64,
    /// How large it is.
    pub bytes: u64,
    /// When the first of them happened, in milliseconds.
    pub first_at: i64,
    /// When the last of them happened.
    pub last_at: i64,
    /// When the newest of them came.
    pub received_until: Timestamp,
    /// When the file was made.
    pub sealed_at: Timestamp,
}

impl EventFile {
    pub(crate) fn from_row(row: &impl Row) -> Result<Self, StorageError> {
        let name: String = row.column(0)?;
        Self::of(name.clone(), row).map_err(|error| error.in_row("event_file", name))
    }

    fn of(name: String, row: &impl Row) -> Result<Self, StorageError> {
        let (events, bytes): (i64, i64) = (row.column(2)?, row.column(3)?);
        Ok(Self {
            name,
            day: row.column(1)?,
            events: events.unsigned_abs(),
            bytes: bytes.unsigned_abs(),
            first_at: row.column(4)?,
            last_at: row.column(5)?,
            received_until: Timestamp::from_milliseconds(row.column(6)?),
            sealed_at: Timestamp::from_milliseconds(row.column(7)?),
        })
    }

    /// Its values after those of the project, in the order of the statement that adds it.
    pub(crate) fn numbers(&self) -> [i64; 7] {
        let count = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        let (events, bytes) = (count(self.events), count(self.bytes));
        let (received, sealed) =
            (self.received_until.as_milliseconds(), self.sealed_at.as_milliseconds());
        [self.day, events, bytes, self.first_at, self.last_at, received, sealed]
    }
}

/// Events of a day that were lost with their files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LostEventDay {
    /// The day, counted from 1970-01-01 (UTC).
    pub day: i64,
    /// How many they were.
    pub events: u64,
    /// When the newest of them came.
    pub received_until: Timestamp,
}

impl LostEventDay {
    pub(crate) fn from_row(row: &impl Row) -> Result<Self, StorageError> {
        let events: i64 = row.column(1)?;
        Ok(Self {
            day: row.column(0)?,
            events: events.unsigned_abs(),
            received_until: Timestamp::from_milliseconds(row.column(2)?),
        })
    }

    /// Its values after that of the project, in the order of the statement that adds it.
    pub(crate) fn numbers(self) -> [i64; 3] {
        let events = i64::try_from(self.events).unwrap_or(i64::MAX);
        [self.day, events, self.received_until.as_milliseconds()]
    }
}

/// Events that are somewhere else afterwards, or nowhere.
#[derive(Debug, Clone)]
pub struct MovedEvents {
    /// Of which project.
    pub project: ProjectId,
    /// The places in the log that go.
    pub from_log: Vec<i64>,
    /// The names of the files that go.
    pub from_files: Vec<String>,
    /// What the log gets.
    pub to_log: Vec<NewEvents>,
    /// The files that come, and are on the disk already. One that is there already is so.
    pub to_files: Vec<EventFile>,
    /// Files that come as well, each in the place of one that goes.
    pub replacements: Vec<Replacement>,
    /// What is noted as lost, of files that go.
    pub lost: Vec<LostEventDay>,
    /// What the audit log tells of it, if a member or a program wanted it.
    pub entry: Option<NewAuditEntry>,
}

impl MovedEvents {
    /// Nothing yet.
    #[must_use]
    pub fn of(project: ProjectId) -> Self {
        let (from_log, from_files) = (Vec::new(), Vec::new());
        let (to_log, to_files) = (Vec::new(), Vec::new());
        let (replacements, lost) = (Vec::new(), Vec::new());
        Self { project, from_log, from_files, to_log, to_files, replacements, lost, entry: None }
    }
}

/// A file without some events of another one.
#[derive(Debug, Clone)]
pub struct Replacement {
    /// The name of the other, which goes.
    pub of: String,
    /// The file that comes.
    pub file: EventFile,
}

/// The sinks that have taken each of the files that go.
pub(crate) type Sinks = BTreeMap<String, Vec<String>>;

impl MovedEvents {
    /// The files that come, with the sinks that have taken all that is in them.
    pub(crate) fn coming(&self, sinks: &Sinks) -> Vec<(&EventFile, Vec<String>)> {
        let of_all = if self.from_log.is_empty() { of_all(sinks) } else { Vec::new() };
        let files = self.to_files.iter().map(|file| (file, of_all.clone()));
        let replacements = self
            .replacements
            .iter()
            .map(|Replacement { of, file }| (file, sinks.get(of).cloned().unwrap_or_default()));
        files.chain(replacements).collect()
    }
}

fn of_all(sinks: &Sinks) -> Vec<String> {
    let mut files = sinks.values();
    let mut all = files.next().cloned().unwrap_or_default();
    for sinks in files {
        all.retain(|sink| sinks.contains(sink));
    }
    all
}

/// How many events there are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct EventWeight {
    /// Those in the log as often as they came, those in a file once.
    pub events: u64,
    /// When the newest came.
    pub newest_at: Option<Timestamp>,
}

impl EventWeight {
    pub(crate) fn from_row(row: &impl Row) -> Result<Self, StorageError> {
        let events: i64 = row.column(0)?;
        let newest_at: Option<i64> = row.column(1)?;
        Ok(Self {
            events: events.unsigned_abs(),
            newest_at: newest_at.map(Timestamp::from_milliseconds),
        })
    }
}

/// The project that a row is of.
pub(crate) fn project(id: i64) -> Result<ProjectId, StorageError> {
    let id = u64::try_from(id).ok().and_then(ProjectId::new);
    id.ok_or_else(|| StorageError::corrupt("events of a project that cannot be"))
}
