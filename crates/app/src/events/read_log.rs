//! Reads a project's events.

use domain::ProjectId;
use events::{Record, without_doubles};
use storage::StorageError;

use crate::App;

/// How much of the log is read at a time.
const BYTES_AT_A_TIME: i64 = 16 * 1024 * 1024;

/// All events of a project, each once.
pub(crate) async fn records_of(app: &App, project: ProjectId) -> Result<Vec<Record>, StorageError> {
    let (mut records, mut after) = (Vec::new(), 0);
    loop {
        let part = app.store().list_logged_events(project, after, BYTES_AT_A_TIME).await?;
        let Some(last) = part.last() else { break };
        after = last.sequence;
        // Many events take milliseconds of computation, so they stay off the async threads.
        let decode = move || -> Result<Vec<Record>, StorageError> {
            let bodies = part.iter().map(|row| serde_json::from_slice::<Vec<Record>>(&row.body));
            let bodies: Result<Vec<_>, _> = bodies.collect();
            let bodies =
                bodies.map_err(|error| StorageError::corrupt(format!("events: {error}")))?;
            Ok(bodies.into_iter().flatten().collect())
        };
        let decoded = tokio::task::spawn_blocking(decode).await;
        records.append(&mut decoded.map_err(|panic| StorageError::corrupt(panic.to_string()))??);
    }
    let single = tokio::task::spawn_blocking(move || without_doubles(records)).await;
    single.map_err(|panic| StorageError::corrupt(panic.to_string()))
}
