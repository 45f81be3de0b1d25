//! Gives up files of events that are lost for good: results then count what is left, and say of which days some is missing.

use std::collections::BTreeSet;

use domain::ProjectId;
use lake::{Folder, is_whole};
use serde_json::Value;
use storage::{AuditEvent, EventFile, LostEventDay, MovedEvents, NewAuditEntry, StorageError};
use thiserror::Error;

use crate::App;
use crate::events::delete::{ATTEMPTS_AT_MOST, delete_at_once};
use crate::events::folder::{EventFilesError, KeptEventsError, event_folder, locked, off_thread};
use crate::events::lost::{days_in_words, days_of, events_of, lost_event_files};
use crate::numerals::quantity;
use crate::roles::{Actor, Permission};

/// Files of a project that are lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LostEvents {
    /// Their names, in the order of their days.
    pub files: Vec<String>,
    /// The days that they are of, with how many events they have of each.
    pub days: Vec<LostEventDay>,
    /// Whether no file of the project is left.
    pub are_all: bool,
}

/// Why no file is given up.
#[derive(Debug, Error)]
pub enum GiveUpError {
    /// The project has no such file.
    #[error("the project has no file of events `{0}`")]
    NotListed(String),
    /// The file is as it was written.
    #[error(
        "the file of events `{0}` is there and whole; `assay events delete` deletes events that are there"
    )]
    Whole(String),
    /// See [`KeptEventsError`].
    #[error(transparent)]
    Kept(#[from] KeptEventsError),
}

impl From<StorageError> for GiveUpError {
    fn from(error: StorageError) -> Self {
        Self::Kept(error.into())
    }
}

impl From<EventFilesError> for GiveUpError {
    fn from(error: EventFilesError) -> Self {
        Self::Kept(error.into())
    }
}

/// The lost files of a project with these names; all that are missing or cut off without any. One that is damaged otherwise has to be named.
///
/// # Errors
/// See [`GiveUpError`].
pub async fn find_lost_events(
    app: &App,
    actor: &Actor,
    project: ProjectId,
    names: &[String],
) -> Result<LostEvents, GiveUpError> {
    allow(app, actor, project).await?;
    let listed = app.store().list_event_files(project).await?.len();
    let lost = find(app, project, names).await?;
    Ok(summary_of_lost(&lost, listed))
}

/// Takes them from the list of files, and notes how many events each day lacks. What is left of a damaged one is removed.
///
/// # Errors
/// See [`GiveUpError`].
pub async fn give_up_events(
    app: &App,
    actor: &Actor,
    project: ProjectId,
    names: &[String],
) -> Result<LostEvents, GiveUpError> {
    allow(app, actor, project).await?;
    let folder = event_folder(app).await?;
    // Sealing and compaction wait, so that nothing that is looked for here moves.
    let _lock = locked(folder.clone()).await?;
    for _ in 0..ATTEMPTS_AT_MOST {
        let listed = app.store().list_event_files(project).await?.len();
        let lost = find(app, project, names).await?;
        let given_up = summary_of_lost(&lost, listed);
        if lost.is_empty() {
            return Ok(given_up);
        }
        let entry = actor.entry(app, AuditEvent::EventsDeleted, (project, "events"), &Value::Null);
        let moved = MovedEvents {
            from_files: given_up.files.clone(),
            lost: given_up.days.clone(),
            entry: Some(NewAuditEntry { detail: detail(&given_up.days), ..entry }),
            ..MovedEvents::of(project)
        };
        if delete_at_once(app, folder.as_ref(), moved).await? {
            return Ok(given_up);
        }
    }
    Err(StorageError::Busy.into())
}

async fn allow(app: &App, actor: &Actor, project: ProjectId) -> Result<(), KeptEventsError> {
    actor.require(app, Some(project), Permission::ForgetVisitors).await?;
    let found = app.store().find_project(project).await?;
    found.map(drop).ok_or(KeptEventsError::UnknownProject)
}

async fn find(
    app: &App,
    project: ProjectId,
    names: &[String],
) -> Result<Vec<EventFile>, GiveUpError> {
    if names.is_empty() {
        return Ok(lost_event_files(app, project).await?);
    }
    let names: BTreeSet<&String> = names.iter().collect();
    let mut files = app.store().list_event_files(project).await?;
    files.retain(|file| names.contains(&file.name));
    let is_listed = |name: &&String| files.iter().any(|file| file.name == **name);
    if let Some(name) = names.iter().find(|name| !is_listed(name)) {
        return Err(GiveUpError::NotListed((*name).clone()));
    }
    let folder = event_folder(app).await?.ok_or(EventFilesError::NoFolder)?;
    for file in &files {
        if is_there(&folder, file.name.clone()).await? {
            return Err(GiveUpError::Whole(file.name.clone()));
        }
    }
    Ok(files)
}

/// Whether a file is as it was written, which takes to read it.
async fn is_there(folder: &Folder, name: String) -> Result<bool, EventFilesError> {
    let folder = folder.path().to_owned();
    off_thread(move || Ok(is_whole(&folder, &name)?)).await
}

fn summary_of_lost(lost: &[EventFile], listed: usize) -> LostEvents {
    let files = lost.iter().map(|file| file.name.clone()).collect();
    LostEvents { files, days: days_of(lost), are_all: lost.len() == listed }
}

/// What the audit log says.
fn detail(days: &[LostEventDay]) -> String {
    let events = quantity(events_of(days), "event", "events");
    format!("{events} of {} that were lost with their files", days_in_words(days))
}
