//! Reads a project's events, from the log and from files, for who makes something small of each.

use std::borrow::Borrow;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use domain::ProjectId;
use events::{Millis, Properties, Record, Recorded, Visitor, VisitorSearch, Visitors};
use lake::{LakeError, Row, Wanted};
use storage::{LoggedEvents, StorageError};

use crate::App;
use crate::events::folder::{EventFilesError, event_folder, off_thread};
use crate::events::reading::Reading;

/// How much of the log is read at a time. In memory its events take some four times as much.
const BYTES_AT_A_TIME: i64 = 16 * 1024 * 1024;

/// A list of files that changes more often while it is read is not believed.
const READINGS_AT_MOST: usize = 8;

/// What is asked of a project's events.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    /// Those that matter: row groups without them are skipped.
    pub(crate) wanted: Wanted,
    /// Those since then. Of what is older, it matters only whether it is told again.
    pub(crate) since: Millis,
    /// Of these visitors, if not of all.
    pub(crate) visitors: Option<Arc<Visitors>>,
    /// The properties that events have to have.
    pub(crate) properties: BTreeSet<String>,
}

/// Makes something small of events. Several threads have one each, which begin as copies.
pub(crate) trait Gather: Clone + Send + Sync + 'static {
    /// What is kept of an event.
    type Kept: Send;

    /// What is kept of this one; `None` if nothing is.
    fn keep(&mut self, row: &Row<'_>) -> Option<Self::Kept>;

    /// Adds what was kept by this one, once it is sure that the event was not told before.
    fn add(&mut self, kept: Self::Kept);

    /// Puts in order what has been gathered so far: each thread its own part, then `Reading` the whole.
    fn put_in_order(&mut self) {}

    /// Takes over what another thread has gathered.
    fn append(&mut self, other: Self);
}

/// Who is asked about.
pub(super) struct Theirs<'a>(Option<VisitorSearch<'a>>);

impl Asked {
    /// Begins to ask what is of the right visitor.
    pub(super) fn theirs(&self) -> Theirs<'_> {
        Theirs(self.visitors.as_deref().map(Visitors::search))
    }
}

impl Theirs<'_> {
    /// Whether this visitor is asked about.
    pub(super) fn have(&mut self, visitor: Visitor) -> bool {
        self.0.as_mut().is_none_or(|theirs| theirs.has(visitor))
    }
}

/// Gathers the events of a project that are asked for, each once: those of one visitor with the same id are the same event, and count as they came first.
/// One whose first telling is older than what is asked for is not among them, however often it is told again.
///
/// The log is read first: an event that is moved meanwhile is read twice, and none is missed.
pub(crate) async fn gather<G: Gather>(
    app: &App,
    project: ProjectId,
    asked: Asked,
    empty: G,
) -> Result<G, EventFilesError> {
    let asked = Arc::new(asked);
    let log = Arc::new(logged(app, project, &asked).await?);
    for _ in 0..READINGS_AT_MOST {
        let files = app.store().list_event_files(project).await?;
        let mut folder = PathBuf::new();
        if !files.is_empty() {
            let found = event_folder(app).await?.ok_or(EventFilesError::NoFolder)?;
            found.path().clone_into(&mut folder);
        }
        let listed = files.clone();
        let reading = Reading::new((folder, files), Arc::clone(&log), Arc::clone(&asked));
        let empty = empty.clone();
        let read = off_thread(move || reading.gathered(&empty)).await;
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

async fn logged(
    app: &App,
    project: ProjectId,
    asked: &Arc<Asked>,
) -> Result<Vec<Record>, EventFilesError> {
    let (mut records, mut log) = (Vec::new(), LogParts::of(project));
    while let Some(part) = log.next(app).await? {
        let asked = Arc::clone(asked);
        let decode = move || {
            let mut part = decoded(part)?;
            // Those of one moment stay in their order, by which the first telling is found.
            part.sort_by_key(|record| record.visitor);
            let mut theirs = asked.theirs();
            part.retain(|one| asked.wanted.has(one) && theirs.have(one.visitor));
            part.iter_mut().filter(|one| one.at < asked.since).for_each(forget_what_else_it_says);
            Ok(part)
        };
        records.append(&mut off_thread(decode).await?);
    }
    Ok(records)
}

/// Of what is older than what is asked for, memory has only by what it is known.
fn forget_what_else_it_says(record: &mut Record) {
    if let Recorded::Event { properties, .. } = &mut record.what {
        *properties = Properties::default();
    }
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
