//! Sends events to another system, such as `ClickHouse`. What is sent is the files, each whole: a file is either taken or not, and the store says which. So
//! nothing waits for the other system, nothing is lost while it is away, and what it may get twice has the same id.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::io::ErrorKind;

use async_trait::async_trait;
use domain::ProjectId;
use events::Record;
use lake::{LakeError, Records, Wanted, read_file};
use storage::{EventFile, StorageError};
use thiserror::Error;

use crate::App;
use crate::events::export::line;
use crate::events::folder::{EventFilesError, event_folder, off_thread};

/// Some three megabytes: a request that takes a while, and is soon repeated.
const EVENTS_OF_A_REQUEST: usize = 8_192;

/// Another system that takes events.
#[async_trait]
pub trait EventSink: Send + Sync + 'static {
    /// The same for the same system, and no other's: what one has taken, another has not.
    fn id(&self) -> &str;

    /// Hands over lines of JSON, one for each event. A system that gets the same `key` again gets the same lines again.
    async fn send(&self, key: &str, lines: String) -> Result<(), SinkError>;
}

/// Why a sink does not take events, without any secret.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct SinkError(pub String);

/// Why events are not sent.
#[derive(Debug, Error)]
pub enum SendEventsError {
    /// See [`SinkError`].
    #[error(transparent)]
    Sink(#[from] SinkError),
    /// See [`EventFilesError`].
    #[error(transparent)]
    Files(#[from] EventFilesError),
}

impl From<StorageError> for SendEventsError {
    fn from(error: StorageError) -> Self {
        Self::Files(error.into())
    }
}

/// What was sent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SentEvents {
    /// Files that the sink has now.
    pub files: u64,
    /// The events in them.
    pub events: u64,
}

/// Sends the files that the sink has not taken yet, the oldest days first.
///
/// # Errors
/// See [`SendEventsError`]. Files that were taken until then are not sent again. One that is damaged keeps no others waiting.
pub async fn send_event_files(
    app: &App,
    sink: &dyn EventSink,
) -> Result<SentEvents, SendEventsError> {
    let mut unsent = unsent_files(app, sink).await?;
    let mut sent = SentEvents::default();
    let mut first_failure = Ok(());
    unsent.reverse();
    loop {
        app.monitor().unsent_files(unsent.len());
        let Some((project, file)) = unsent.pop() else { return first_failure.map(|()| sent) };
        match send_file(app, sink, (project, &file)).await {
            Ok(None) => {}
            Ok(Some(events)) => {
                app.store().add_sent_event_file(sink.id(), project, &file.name).await?;
                sent.files += 1;
                sent.events += events;
            }
            Err(damaged @ SendEventsError::Files(EventFilesError::Read { .. })) => {
                app.event_files().damaged.add(&file.name, app.now());
                first_failure = first_failure.and(Err(damaged));
            }
            Err(error) => return Err(error),
        }
    }
}

async fn unsent_files(
    app: &App,
    sink: &dyn EventSink,
) -> Result<Vec<(ProjectId, EventFile)>, StorageError> {
    let mut unsent = Vec::new();
    for project in app.store().list_projects_with_event_files().await? {
        let taken = app.store().list_sent_event_files(sink.id(), project).await?;
        let taken: HashSet<String> = taken.into_iter().collect();
        let mut files = app.store().list_event_files(project).await?;
        files.retain(|file| !taken.contains(&file.name));
        app.event_files().damaged.remove_from(&mut files, app.now());
        unsent.extend(files.into_iter().map(|file| (project, file)));
    }
    Ok(unsent)
}

/// `None` if the file is gone: another one has its events.
async fn send_file(
    app: &App,
    sink: &dyn EventSink,
    (project, file): (ProjectId, &EventFile),
) -> Result<Option<u64>, SendEventsError> {
    let folder = event_folder(app).await?.ok_or(EventFilesError::NoFolder)?;
    let path = folder.path().join(&file.name);
    let unreadable = |error| EventFilesError::Read { name: file.name.clone(), error };
    let mut records = match off_thread(move || Ok(read_file(&path, &Wanted::all()))).await? {
        Err(LakeError::Io(error)) if error.kind() == ErrorKind::NotFound => return Ok(None),
        opened => opened.map_err(unreadable)?,
    };
    let (mut events, mut requests) = (0, 0_u32);
    loop {
        let (rest, group) = off_thread(move || Ok(next_group(records))).await?;
        let Some(group) = group else { return Ok(Some(events)) };
        records = rest;
        for part in group.map_err(unreadable)?.chunks(EVENTS_OF_A_REQUEST) {
            sink.send(&format!("{}#{requests}", file.name), lines(project, part)).await?;
            app.monitor().sent_events(part.len());
            events += part.len() as u64;
            requests += 1;
        }
    }
}

fn next_group(mut records: Records) -> (Records, Option<Result<Vec<Record>, LakeError>>) {
    let group = records.next();
    (records, group)
}

/// The columns of files, and the project, which files have in the name of their folder.
fn lines(project: ProjectId, records: &[Record]) -> String {
    let mut lines = String::new();
    for record in records {
        let mut line = line(record);
        if let Some(fields) = line.as_object_mut() {
            fields.insert("project".to_owned(), project.get().into());
        }
        writeln!(lines, "{line}").expect("a text takes everything");
    }
    lines
}
