//! Deletes events that are too old to be kept.

use events::Millis;
use oauth::Timestamp;
use storage::MovedEvents;

use crate::App;
use crate::events::folder::{EventFilesError, event_folder};
use crate::events::seal::discard;

/// Events are kept this long unless the operator says otherwise: two seasons can be compared, and a month more.
pub const EVENTS_KEPT_DAYS: u32 = 400;

/// The moment since which events are kept. `None` if all are.
#[must_use]
pub fn events_kept_since(app: &App) -> Option<Millis> {
    let days = app.event_keeping().days?;
    Some(Millis(app.wall_time().as_milliseconds()).before_days(days))
}

/// What is too old. A machine may start with a clock that is far ahead, and be told the time a moment later; no event comes back that was
/// deleted meanwhile. So an event has to be too old twice, and the caller lets an hour pass in between.
#[derive(Debug, Default)]
pub struct OldEvents {
    kept_since: Option<Millis>,
}

impl OldEvents {
    /// The moment before which events are deleted now, of those that are kept since this one.
    pub fn before(&mut self, kept_since: Option<Millis>) -> Option<Millis> {
        std::mem::replace(&mut self.kept_since, kept_since).min(kept_since)
    }
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

#[cfg(test)]
mod tests {
    use events::Millis;

    use super::OldEvents;

    #[test]
    fn no_event_is_deleted_by_a_clock_that_is_ahead_for_less_than_an_hour() {
        let (right, next, ahead) = (Some(Millis(1_000)), Some(Millis(1_001)), Some(Millis(9_000)));

        let mut after_start = OldEvents::default();
        assert_eq!(after_start.before(ahead), None);
        assert_eq!(after_start.before(right), right);

        let mut running = OldEvents::default();
        running.before(right);
        assert_eq!(running.before(ahead), right);
        assert_eq!(running.before(next), next);
        assert_eq!(running.before(None), None, "all are kept");
    }
}
