//! Reads a project's events, from the log and from files.

use std::collections::HashSet;
use std::sync::Arc;

use domain::ProjectId;
use events::{Millis, Record, Visitor, without_doubles};
use lake::{Folder, LakeError, Wanted, read_file};
use storage::{EventFile, LoggedEvents, StorageError};

use crate::App;
use crate::events::folder::{EventFilesError, event_folder, off_thread};

/// How much of the log is read at a time. In memory its events take some four times as much.
pub(super) const BYTES_AT_A_TIME: i64 = 16 * 1024 * 1024;

/// A list of files that changes more often while it is read is not believed.
const READINGS_AT_MOST: usize = 8;

/// What is asked of a project's events.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    /// Those that matter: row groups without them are skipped.
    pub(crate) wanted: Wanted,
    /// Those since then: older files are skipped.
    pub(crate) since: Millis,
    /// Of these visitors, if not of all.
    pub(crate) visitors: Option<Arc<HashSet<Visitor>>>,
}

impl Asked {
    fn has(&self, record: &Record) -> bool {
        let is_theirs = |visitors: &Arc<HashSet<_>>| visitors.contains(&record.visitor);
        self.wanted.has(record)
            && record.at >= self.since
            && self.visitors.as_ref().is_none_or(is_theirs)
    }
}

/// The events of a project that are asked for, each once.
///
/// The log is read first: an event that is moved meanwhile is read twice, and none is missed.
pub(crate) async fn records_of(
    app: &App,
    project: ProjectId,
    asked: Asked,
) -> Result<Vec<Record>, EventFilesError> {
    let mut records = logged(app, project, &asked).await?;
    records.append(&mut filed(app, project, &asked).await?);
    off_thread(move || Ok(without_doubles(records))).await
}

async fn logged(
    app: &App,
    project: ProjectId,
    asked: &Asked,
) -> Result<Vec<Record>, EventFilesError> {
    let (mut records, mut log) = (Vec::new(), LogParts::of(project));
    while let Some(part) = log.next(app).await? {
        let asked = asked.clone();
        let decode = move || {
            let mut part = decoded(&part)?;
            part.retain(|record| asked.has(record));
            Ok(part)
        };
        records.append(&mut off_thread(decode).await?);
    }
    Ok(records)
}

/// The log of a project, part by part.
pub(super) struct LogParts {
    project: ProjectId,
    after: i64,
}

impl LogParts {
    pub(super) fn of(project: ProjectId) -> Self {
        Self { project, after: 0 }
    }

    pub(super) async fn next(
        &mut self,
        app: &App,
    ) -> Result<Option<Vec<LoggedEvents>>, StorageError> {
        let store = app.store();
        let part = store.list_logged_events(self.project, self.after, BYTES_AT_A_TIME).await?;
        let Some(last) = part.last() else { return Ok(None) };
        self.after = last.sequence;
        Ok(Some(part))
    }
}

/// The events of these rows.
pub(super) fn decoded(rows: &[LoggedEvents]) -> Result<Vec<Record>, EventFilesError> {
    let mut records = Vec::new();
    for row in rows {
        let body = serde_json::from_slice::<Vec<Record>>(&row.body);
        let body = body.map_err(|error| StorageError::corrupt(format!("events: {error}")))?;
        records.extend(body);
    }
    Ok(records)
}

async fn filed(
    app: &App,
    project: ProjectId,
    asked: &Asked,
) -> Result<Vec<Record>, EventFilesError> {
    for _ in 0..READINGS_AT_MOST {
        let files = app.store().list_event_files(project).await?;
        if files.is_empty() {
            return Ok(Vec::new());
        }
        let folder = event_folder(app).await?.ok_or(EventFilesError::NoFolder)?;
        let (listed, asked) = (files.clone(), asked.clone());
        let read = off_thread(move || read_files(&folder, &files, &asked)).await;
        let Err(EventFilesError::Read { name, error }) = read else { return read };
        // Others may have taken its place, and then it is not listed any more.
        let is_gone =
            matches!(&error, LakeError::Io(error) if error.kind() == std::io::ErrorKind::NotFound);
        let now = app.store().list_event_files(project).await?;
        if !is_gone || now == listed {
            return Err(EventFilesError::Read { name, error });
        }
    }
    Err(StorageError::Busy.into())
}

fn read_files(
    folder: &Folder,
    files: &[EventFile],
    asked: &Asked,
) -> Result<Vec<Record>, EventFilesError> {
    let mut records = Vec::new();
    for EventFile { name, .. } in files.iter().filter(|file| file.last_at >= asked.since.0) {
        let unreadable = |error| EventFilesError::Read { name: name.clone(), error };
        let groups = read_file(&folder.path().join(name), &asked.wanted).map_err(unreadable)?;
        for group in groups {
            records
                .extend(group.map_err(unreadable)?.into_iter().filter(|record| asked.has(record)));
        }
    }
    Ok(records)
}
