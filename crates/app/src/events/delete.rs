//! Deletes the events of a project, all of them or the old ones, from the log and from files.

use domain::{CalendarDay, ProjectId};
use events::Day;
use lake::Folder;
use serde_json::Value;
use storage::{AuditEvent, EventFile, MovedEvents, NewAuditEntry, StorageError};

use crate::App;
use crate::events::folder::{EventFilesError, KeptEventsError, event_folder, locked};
use crate::events::seal::discard;
use crate::events::take_out::take_out_of_log;
use crate::roles::{Actor, Permission};

/// Events may move while they are looked for. So often is a lot of times.
pub(super) const ATTEMPTS_AT_MOST: usize = 8;

/// Which events of a project are deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeletedEvents {
    /// All that there are.
    All,
    /// Those that happened before this day, in UTC.
    Before(CalendarDay),
}

/// Deletes these events of a project, and tells how many they were. What comes meanwhile stays. A file has the events of one day, so it goes
/// whole, and is not read: a damaged one goes like all others.
///
/// # Errors
/// See [`KeptEventsError`].
pub async fn delete_events(
    app: &App,
    actor: &Actor,
    project: ProjectId,
    which: DeletedEvents,
) -> Result<u64, KeptEventsError> {
    actor.require(app, Some(project), Permission::ForgetVisitors).await?;
    if app.store().find_project(project).await?.is_none() {
        return Err(KeptEventsError::UnknownProject);
    }
    let folder = event_folder(app).await?;
    // Sealing and compaction wait, so that nothing that is read here moves.
    let _lock = locked(folder.clone()).await?;
    for _ in 0..ATTEMPTS_AT_MOST {
        let mut moved = MovedEvents::of(project);
        let from_log =
            take_out_of_log(app, &mut moved, move |record| which.has(record.at.day())).await?;
        let files = files(app, folder.as_ref(), project, which).await?;
        let events = from_log + files.iter().map(|file| file.events).sum::<u64>();
        moved.from_files = files.into_iter().map(|file| file.name).collect();
        let entry = actor.entry(app, AuditEvent::EventsDeleted, (project, "events"), &Value::Null);
        moved.entry = Some(NewAuditEntry { detail: which.detail(events), ..entry });
        if delete_at_once(app, folder.as_ref(), moved).await? {
            return Ok(events);
        }
    }
    Err(StorageError::Busy.into())
}

/// The files of these events.
async fn files(
    app: &App,
    folder: Option<&Folder>,
    project: ProjectId,
    which: DeletedEvents,
) -> Result<Vec<EventFile>, EventFilesError> {
    let mut files = app.store().list_event_files(project).await?;
    files.retain(|file| i32::try_from(file.day).is_ok_and(|day| which.has(Day(day))));
    // Who does not know where they are must not say that they are gone.
    if folder.is_none() && !files.is_empty() {
        return Err(EventFilesError::NoFolder);
    }
    Ok(files)
}

/// Deletes what goes, all at once, and then removes its files. `false` if something of it is not there any more: then nothing is deleted.
pub(super) async fn delete_at_once(
    app: &App,
    folder: Option<&Folder>,
    moved: MovedEvents,
) -> Result<bool, EventFilesError> {
    let project = moved.project;
    let new = moved.replacements.iter().map(|new| &new.file.name);
    let touched: Vec<String> = moved.from_files.iter().chain(new).cloned().collect();
    let is_done = app.store().move_events(moved).await?;
    if is_done {
        app.store().erase_deleted().await;
    }
    if let Some(folder) = folder {
        discard(app, folder, project, &touched).await?;
    }
    Ok(is_done)
}

impl DeletedEvents {
    /// Whether what happened on a day is among them.
    fn has(self, day: Day) -> bool {
        match self {
            Self::All => true,
            Self::Before(first_kept) => day < Day::from(first_kept.date()),
        }
    }

    /// What the audit log says.
    fn detail(self, events: u64) -> String {
        match self {
            Self::All => format!("{events} events"),
            Self::Before(first_kept) => format!("{events} events before {first_kept}"),
        }
    }
}
