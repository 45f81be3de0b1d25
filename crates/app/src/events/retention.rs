//! Deletes events that are too old to be kept.

use events::Millis;
use oauth::Timestamp;
use storage::MovedEvents;

use crate::App;
use crate::events::folder::{EventFilesError, event_folder};
use crate::events::seal::discard;

/// Events are kept this long unless the operator says otherwise: two seasons can be compared, and a month more.
pub const EVENTS_KEPT_DAYS: u32 = 400;

/// The moment since which events are kept at this one. `None` if all are.
#[must_use]
pub fn events_kept_since(app: &App, now: Timestamp) -> Option<Millis> {
    let days = app.event_keeping().days?;
    Some(Millis(now.as_milliseconds()).before_days(days))
}

/// Deletes the days that were over at this moment. Tells how many events that were, those in the log by their requests.
///
/// # Errors
/// See [`EventFilesError`].
pub async fn delete_old_events(app: &App, first_kept: Millis) -> Result<u64, EventFilesError> {
    // A row of the log is as old as its newest event, which may have been imported long after it happened.
    let mut deleted = 0;
    loop {
        let rows =
            app.store().delete_logged_events(Timestamp::from_milliseconds(first_kept.0)).await?;
        deleted += rows;
        if rows == 0 {
            break;
        }
    }
    let Some(folder) = event_folder(app).await? else { return Ok(deleted) };
    let Some(_lock) = folder.try_lock()? else { return Ok(deleted) };
    for project in app.store().list_projects_with_event_files().await? {
        let mut old = app.store().list_event_files(project).await?;
        old.retain(|file| file.day < i64::from(first_kept.day().0));
        if old.is_empty() {
            continue;
        }
        let from_files: Vec<String> = old.iter().map(|file| file.name.clone()).collect();
        let names = from_files.clone();
        let moved = MovedEvents { from_files, ..MovedEvents::of(project) };
        if app.store().move_events(moved).await? {
            deleted += old.iter().map(|file| file.events).sum::<u64>();
            discard(app, &folder, project, &names).await?;
        }
    }
    Ok(deleted)
}
