//! Gathers a project's events, from the log and from files.

use std::path::PathBuf;
use std::sync::Arc;

use domain::ProjectId;
use events::{Occurrence, Properties, Record};
use lake::LakeError;
use storage::StorageError;

use crate::App;
use crate::events::folder::{EventFilesError, event_folder, off_thread};
use crate::events::log::{LogParts, decoded};
use crate::events::query::{EventQuery, Gather};
use crate::events::sources::EventSources;

/// A list of files that changes more often while it is read is not believed.
const READINGS_AT_MOST: usize = 8;

/// Gathers the events of a project that are asked for, each once: those of one visitor with the same id are the same event, and count as they came first.
/// One whose first telling is older than what is asked for is not among them, however often it is told again.
///
/// The log is read first: an event that is moved meanwhile is read twice, and none is missed.
pub(crate) async fn gather<G: Gather>(
    app: &App,
    project: ProjectId,
    query: EventQuery,
    empty: G,
) -> Result<G, EventFilesError> {
    let query = Arc::new(query);
    let log = Arc::new(logged(app, project, &query).await?);
    for _ in 0..READINGS_AT_MOST {
        let listed = app.store().list_event_files(project).await?;
        let mut files = listed.clone();
        files.retain(|file| !query.without.contains(&file.name));
        let mut folder = PathBuf::new();
        if !files.is_empty() {
            let found = event_folder(app).await?.ok_or(EventFilesError::NoFolder)?;
            found.path().clone_into(&mut folder);
        }
        let sources = EventSources::new((folder, files), Arc::clone(&log), Arc::clone(&query));
        let empty = empty.clone();
        let gathered = off_thread(move || sources.gathered(&empty)).await;
        let Err(EventFilesError::Read { name, error }) = gathered else { return gathered };
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

async fn logged(
    app: &App,
    project: ProjectId,
    query: &Arc<EventQuery>,
) -> Result<Vec<Record>, EventFilesError> {
    let (mut records, mut log) = (Vec::new(), LogParts::of(project));
    while let Some(part) = log.next(app).await? {
        let query = Arc::clone(query);
        let decode = move || {
            let mut part = decoded(part)?;
            // Those of one moment stay in their order, by which the first telling is found.
            part.sort_by_key(|record| record.visitor);
            let mut visitors = query.visitor_filter();
            part.retain(|one| query.wanted.has(one) && visitors.has(one.visitor));
            part.iter_mut().filter(|one| one.at < query.since).for_each(forget_what_else_it_says);
            Ok(part)
        };
        records.append(&mut off_thread(decode).await?);
    }
    Ok(records)
}

/// Of what is older than what is asked for, memory has only by what it is known.
fn forget_what_else_it_says(record: &mut Record) {
    if let Occurrence::Event { properties, .. } = &mut record.what {
        *properties = Properties::default();
    }
}
