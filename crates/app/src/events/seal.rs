//! Moves events from the log into files.
//!
//! A file is on the disk before the list names it, and the commit that lists it deletes the rows of the log that it was made of. So an event is
//! in exactly one of log and listed files, wherever a process is killed; what it leaves is a file that no list has.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use domain::ProjectId;
use events::{Day, Millis, Record};
use lake::{Folder, FolderLock, WrittenFile, write_file};
use oauth::Timestamp;
use storage::{EventFile, EventLog, LoggedEvents, MovedEvents, StorageError};

use crate::App;
use crate::events::copies::list_all_event_files;
use crate::events::folder::{EventFilesError, event_folder, in_background, off_thread};
use crate::events::log::decoded;
use crate::events::lost::{refuse_empty, refuse_files};

/// A log that is larger does not wait: reading one for results takes a second for some thirty megabytes.
const LOG_BYTES_AT_MOST: u64 = 32 * 1024 * 1024;

/// How much of the log goes into files at a time: some ten times this is in memory, and others that write wait while the rows are deleted, a millisecond or two.
const SEALED_BYTES: i64 = 1024 * 1024;

/// What was done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sealed {
    /// Events that were moved into files.
    pub events: u64,
    /// The files that were made.
    pub files: u64,
}

/// Removes what a crash left in the folder. Tells how many files that were. In a folder without any of the files that are listed, which is another
/// one, or its disk is not mounted, all stays as it is; without a folder, no file may be listed.
///
/// # Errors
/// See [`EventFilesError`].
pub async fn tidy_event_folder(app: &App) -> Result<u64, EventFilesError> {
    let Some(folder) = event_folder(app).await? else {
        return refuse_files(app).await.map(|()| 0);
    };
    let waiting = folder.clone();
    let lock = off_thread(move || Ok(waiting.lock()?)).await?;
    match refuse_empty(app, &folder).await {
        Err(EventFilesError::Lost(_)) => return Ok(0),
        checked => checked?,
    }
    let listed = list_all_event_files(app).await?.into_keys().collect();
    off_thread(move || Ok(folder.remove_left_over(&lock, &listed)?)).await
}

/// Moves what has waited for long enough. While another process does so, nothing happens, and while all files are lost, events stay in the log.
///
/// # Errors
/// The first one, see [`EventFilesError`]: what fails for one project is done for the others.
pub async fn seal_events(app: &App) -> Result<Sealed, EventFilesError> {
    let Some(folder) = event_folder(app).await? else { return Ok(Sealed::default()) };
    let Some(lock) = folder.try_lock()? else { return Ok(Sealed::default()) };
    let lock = Arc::new(lock);
    let logs = due_logs(app).await?;
    if !logs.is_empty() {
        refuse_empty(app, &folder).await?;
    }
    let (mut sealed, mut first_failure) = (Sealed::default(), Ok(()));
    for log in logs {
        let failed = seal_log(app, (&folder, &lock), log, &mut sealed).await.err();
        first_failure = first_failure.and(failed.map_or(Ok(()), Err));
    }
    first_failure.map(|()| sealed)
}

/// The logs that have waited for long enough, or are large.
async fn due_logs(app: &App) -> Result<Vec<EventLog>, EventFilesError> {
    let waited = Timestamp::from_milliseconds(
        app.wall_time().as_milliseconds().saturating_sub(app.event_keeping().logged_ms),
    );
    let mut logs = app.store().list_event_logs().await?;
    logs.retain(|log| log.oldest_at <= waited || log.bytes >= LOG_BYTES_AT_MOST);
    Ok(logs)
}

/// Whether a log is so large that nothing else comes before it.
pub(super) async fn is_log_due(app: &App) -> Result<bool, EventFilesError> {
    let logs = app.store().list_event_logs().await?;
    Ok(logs.iter().any(|log| log.bytes >= LOG_BYTES_AT_MOST))
}

/// As much as there was: what comes meanwhile has time.
async fn seal_log(
    app: &App,
    (folder, lock): (&Folder, &Arc<FolderLock>),
    log: EventLog,
    sealed: &mut Sealed,
) -> Result<(), EventFilesError> {
    let mut left = log.bytes;
    while left > 0 {
        let rows = app.store().list_logged_events(log.project, 0, SEALED_BYTES).await?;
        let bytes: usize = rows.iter().map(|row| row.body.len()).sum();
        if rows.is_empty() {
            break;
        }
        // A database does not shrink by what leaves it, so a full disk gains nothing.
        let Some(_room) = app.event_room().take_for_files(bytes as u64) else { break };
        left = left.saturating_sub(bytes as u64);
        let work = Sealing { lock: Arc::clone(lock), is_behind: log.bytes >= LOG_BYTES_AT_MOST };
        let Some(done) = seal_rows(app, folder, log.project, rows, work).await? else { break };
        sealed.events += done.events;
        sealed.files += done.files;
    }
    Ok(())
}

/// How rows are moved.
struct Sealing {
    /// A thread keeps it, too: it may outlive who waits for it.
    lock: Arc<FolderLock>,
    /// The log grows faster than a thread that gives way empties it.
    is_behind: bool,
}

/// `None` if the rows are not there any more.
async fn seal_rows(
    app: &App,
    folder: &Folder,
    project: ProjectId,
    rows: Vec<LoggedEvents>,
    Sealing { lock, is_behind }: Sealing,
) -> Result<Option<Sealed>, EventFilesError> {
    let from_log = rows.iter().map(|row| row.sequence).collect();
    let (place, now) = (folder.clone(), app.now());
    let write = move || {
        let _until_written = lock;
        write_days(&place, project, decoded(rows)?, now)
    };
    let to_files = if is_behind { off_thread(write).await } else { in_background(write).await }?;
    let done = Sealed {
        events: to_files.iter().map(|file| file.events).sum(),
        files: to_files.len() as u64,
    };
    let names: Vec<String> = to_files.iter().map(|file| file.name.clone()).collect();
    let moved = MovedEvents { from_log, to_files, ..MovedEvents::of(project) };
    if move_or_discard(app, folder, moved).await? {
        return Ok(Some(done));
    }
    discard(app, folder, project, &names).await?;
    Ok(None)
}

/// Moves events. Where the database says that its disk is full, nothing has moved, and the new files go again: they would fill the disk further, one with
/// each attempt. After another failure the move may still come to be, and they stay.
pub(super) async fn move_or_discard(
    app: &App,
    folder: &Folder,
    moved: MovedEvents,
) -> Result<bool, EventFilesError> {
    let (project, new) = (moved.project, moved.to_files.iter().map(|file| file.name.clone()));
    let new: Vec<String> = new.collect();
    let done = app.store().move_events(moved).await;
    if done == Err(StorageError::Full) {
        discard(app, folder, project, &new).await?;
    }
    Ok(done?)
}

/// Files of these records, one for each day.
pub(super) fn write_days(
    folder: &Folder,
    project: ProjectId,
    records: Vec<Record>,
    now: Timestamp,
) -> Result<Vec<EventFile>, EventFilesError> {
    let mut days: BTreeMap<Day, Vec<Record>> = BTreeMap::new();
    for record in records {
        days.entry(record.at.day()).or_default().push(record);
    }
    let files = days.into_iter().map(|(day, records)| {
        let span = Span::of(&records);
        let written = write_file(folder.path(), &project.to_string(), day, records)?;
        Ok(span.file(written, day, now))
    });
    files.collect()
}

/// When the events of a file happened and came.
#[derive(Clone, Copy)]
pub(super) struct Span {
    first_at: i64,
    last_at: i64,
    received_until: i64,
}

impl Span {
    fn of(records: &[Record]) -> Self {
        let mut span = Self { first_at: i64::MAX, last_at: i64::MIN, received_until: i64::MIN };
        for Record { at: Millis(at), received: Millis(received), .. } in records {
            span.first_at = span.first_at.min(*at);
            span.last_at = span.last_at.max(*at);
            span.received_until = span.received_until.max(*received);
        }
        span
    }

    pub(super) fn of_files(files: &[EventFile]) -> Self {
        let received = |file: &EventFile| file.received_until.as_milliseconds();
        Self {
            first_at: files.iter().map(|file| file.first_at).min().unwrap_or_default(),
            last_at: files.iter().map(|file| file.last_at).max().unwrap_or_default(),
            received_until: files.iter().map(received).max().unwrap_or_default(),
        }
    }

    pub(super) fn file(self, written: WrittenFile, day: Day, now: Timestamp) -> EventFile {
        EventFile {
            name: written.name,
            day: day.0.into(),
            events: written.rows,
            bytes: written.bytes,
            first_at: self.first_at,
            last_at: self.last_at,
            received_until: Timestamp::from_milliseconds(self.received_until),
            sealed_at: now,
        }
    }
}

/// Removes those of these files that are not listed. One that cannot be removed keeps no other.
pub(super) async fn discard(
    app: &App,
    folder: &Folder,
    project: ProjectId,
    names: &[String],
) -> Result<(), EventFilesError> {
    let listed = app.store().list_event_files(project).await?;
    let listed: HashSet<&str> = listed.iter().map(|file| file.name.as_str()).collect();
    let left_over = names.iter().filter(|name| !listed.contains(name.as_str()));
    let removed = left_over.map(|name| folder.remove(name));
    Ok(removed.fold(Ok(()), Result::and)?)
}
