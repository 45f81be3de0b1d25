//! The log of events: its rows as they are written, and read again part by part.

use std::borrow::Borrow;

use domain::ProjectId;
use events::{Millis, Record};
use oauth::Timestamp;
use storage::{LoggedEvents, NewEvents, StorageError};

use crate::App;
use crate::events::folder::EventFilesError;

/// How much of the log is read at a time. In memory its events take some four times as much.
const BYTES_AT_A_TIME: i64 = 16 * 1024 * 1024;

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

/// The row of these events.
///
/// # Errors
/// If they cannot be JSON.
pub(super) fn log_row(
    project: ProjectId,
    received_at: Timestamp,
    records: &[Record],
) -> Result<NewEvents, StorageError> {
    let body = serde_json::to_vec(records)
        .map_err(|error| StorageError::Unavailable(format!("events cannot be written: {error}")))?;
    let happened = records.iter().map(|Record { at: Millis(at), .. }| *at);
    let last_at = happened.max().map_or(received_at, Timestamp::from_milliseconds);
    let events = u32::try_from(records.len()).unwrap_or(u32::MAX);
    Ok(NewEvents { project, received_at, last_at, events, body })
}

/// The events of these rows. Rows that are handed over leave memory one by one.
pub(super) fn decoded<R: Borrow<LoggedEvents>>(
    rows: impl IntoIterator<Item = R>,
) -> Result<Vec<Record>, EventFilesError> {
    let mut records = Vec::new();
    for row in rows {
        let body = serde_json::from_slice::<Vec<Record>>(&row.borrow().body);
        let body = body.map_err(|error| StorageError::corrupt(format!("events: {error}")))?;
        records.extend(body);
    }
    Ok(records)
}
