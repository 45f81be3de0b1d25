//! Deletes all that is known of a visitor, from the log and from files.

use domain::ProjectId;
use events::{Day, Visitor};
use lake::{CompactError, Folder, Without, write_without};
use serde_json::Value;
use storage::{AuditEvent, EventFile, MovedEvents, NewAuditEntry, Replacement, StorageError};

use crate::App;
use crate::events::delete::{ATTEMPTS_AT_MOST, delete_at_once};
use crate::events::folder::{EventFilesError, KeptEventsError, event_folder, locked, off_thread};
use crate::events::take_out::take_out_of_log;
use crate::events::visitors::{VisitorKey, VisitorName};
use crate::roles::{Actor, Permission};

/// What was deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Forgotten {
    /// The visitor, as files of events have it.
    pub visitor: i64,
    /// How many events of theirs there were.
    pub events: u64,
}

/// Deletes all events of the visitor who is called so. What they do afterwards is counted anew. A damaged file keeps nothing
/// else from it.
///
/// # Errors
/// See [`KeptEventsError`]. [`EventFilesError::Damaged`] tells that all is deleted but what damaged files may have.
pub async fn forget_visitor(
    app: &App,
    actor: &Actor,
    project: ProjectId,
    name: &VisitorName,
) -> Result<Forgotten, KeptEventsError> {
    actor.require(app, Some(project), Permission::ForgetVisitors).await?;
    if app.store().find_project(project).await?.is_none() {
        return Err(KeptEventsError::UnknownProject);
    }
    let visitor = VisitorKey::of_project(app, project).await?.named(name);
    let folder = event_folder(app).await?;
    // Sealing and compaction wait, so that nothing that is read here moves.
    let _lock = locked(folder.clone()).await?;
    let number = visitor.number();
    let entry = |events: u64| {
        let entity = format!("visitor {number}");
        let entry =
            actor.entry(app, AuditEvent::VisitorForgotten, (project, &entity), &Value::Null);
        NewAuditEntry { detail: format!("{number}, {events} events"), ..entry }
    };
    for _ in 0..ATTEMPTS_AT_MOST {
        let mut moved = MovedEvents::of(project);
        let mut events =
            take_out_of_log(app, &mut moved, move |record| record.visitor == visitor).await?;
        let found = from_files(app, folder.as_ref(), visitor, &mut moved).await?;
        events += found.events;
        moved.entry = Some(entry(events));
        let is_done = delete_at_once(app, folder.as_ref(), moved).await?;
        if is_done && !found.damaged.is_empty() {
            return Err(EventFilesError::Damaged { files: found.damaged }.into());
        }
        if is_done {
            return Ok(Forgotten { visitor: number, events });
        }
    }
    Err(StorageError::Busy.into())
}

/// What was found in files.
#[derive(Default)]
struct InFiles {
    /// How many events of the visitor.
    events: u64,
    /// The files that cannot be read.
    damaged: Vec<String>,
}

async fn from_files(
    app: &App,
    folder: Option<&Folder>,
    visitor: Visitor,
    moved: &mut MovedEvents,
) -> Result<InFiles, EventFilesError> {
    let (project, mut found) = (moved.project, InFiles::default());
    for file in app.store().list_event_files(project).await? {
        let folder = folder.ok_or(EventFilesError::NoFolder)?.clone();
        let (name, day) = (file.name.clone(), day(&file));
        let place = project.to_string();
        let write = move || match write_without(folder.path(), (&place, day), &name, visitor) {
            Err(CompactError::Unreadable { .. }) => Ok(None),
            written => Ok(Some(written?)),
        };
        let left = match off_thread(write).await? {
            None => {
                found.damaged.push(file.name);
                continue;
            }
            Some(Without::Unchanged) => continue,
            Some(Without::Empty) => None,
            Some(Without::Rewritten(written)) => Some(EventFile {
                name: written.name,
                events: written.rows,
                bytes: written.bytes,
                ..file.clone()
            }),
        };
        found.events += file.events - left.as_ref().map_or(0, |left| left.events);
        moved
            .replacements
            .extend(left.map(|left| Replacement { of: file.name.clone(), file: left }));
        moved.from_files.push(file.name);
    }
    Ok(found)
}

fn day(file: &EventFile) -> Day {
    Day(i32::try_from(file.day).unwrap_or_default())
}
