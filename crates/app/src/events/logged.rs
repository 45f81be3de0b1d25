//! Events as a row of the log: the body is read again by [`super::read`].

use domain::ProjectId;
use events::{Millis, Record};
use oauth::Timestamp;
use storage::{NewEvents, StorageError};

/// The row of these events.
///
/// # Errors
/// If they cannot be JSON.
pub(super) fn logged(
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
