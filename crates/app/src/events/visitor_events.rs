//! Tells all that is kept of a visitor, for a person who asks what a site knows of them.

use std::path::PathBuf;

use domain::ProjectId;
use events::{Record, Visitor};
use lake::{Folder, Wanted, read_file};
use serde_json::{Value, json};
use storage::{AuditEvent, NewAuditEntry};

use crate::App;
use crate::events::export::{ExportFormat, append, empty_folder, finish, line};
use crate::events::folder::{EventFilesError, KeptEventsError, event_folder, locked, off_thread};
use crate::events::log::{LogParts, decoded};
use crate::events::seal::write_days;
use crate::events::visitors::{VisitorKey, VisitorName};
use crate::roles::{Actor, Permission};

/// More is for a file: an answer is in memory as a whole. People do a few thousand things, programs may do any number.
const EVENTS_TOLD_AT_MOST: usize = 100_000;

/// Above it, a number of JSON is another one to programs that read it as a double.
const EXACT_AT_MOST: u64 = 1 << 53;

/// What is kept of a visitor.
#[derive(Debug, Clone, PartialEq)]
pub struct VisitorEvents {
    /// The visitor, as files of events have it.
    pub visitor: i64,
    /// How many events there are.
    pub total: u64,
    /// The first 100,000 of them, by time, with the columns of files of events. Whole numbers above 2^53 are texts.
    pub events: Vec<Value>,
}

/// What was written of a visitor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExportedVisitor {
    /// The visitor, as files of events have it.
    pub visitor: i64,
    /// How many events were written.
    pub events: u64,
}

/// All events of the visitor who is called so.
///
/// # Errors
/// See [`KeptEventsError`].
pub async fn list_visitor_events(
    app: &App,
    actor: &Actor,
    project: ProjectId,
    name: &VisitorName,
) -> Result<VisitorEvents, KeptEventsError> {
    let visitor = asked_for(app, actor, project, name).await?;
    let records = audited_records(app, actor, project, visitor).await?;
    let events = records.iter().take(EVENTS_TOLD_AT_MOST).map(exact_line).collect();
    Ok(VisitorEvents { visitor: visitor.number(), total: records.len() as u64, events })
}

/// Writes them into an empty folder.
///
/// # Errors
/// See [`KeptEventsError`].
pub async fn export_visitor(
    app: &App,
    actor: &Actor,
    project: ProjectId,
    name: &VisitorName,
    (out, format): (PathBuf, ExportFormat),
) -> Result<ExportedVisitor, KeptEventsError> {
    let visitor = asked_for(app, actor, project, name).await?;
    empty_folder(&out)?;
    let records = audited_records(app, actor, project, visitor).await?;
    let (events, now) = (records.len() as u64, app.now());
    let write = move || match format {
        ExportFormat::Parquet => {
            write_days(&Folder::as_it_is(&out), project, records, now).map(drop)
        }
        ExportFormat::Ndjson => append(&out, &records).and_then(|()| finish(&out)),
    };
    off_thread(write).await?;
    Ok(ExportedVisitor { visitor: visitor.number(), events })
}

async fn asked_for(
    app: &App,
    actor: &Actor,
    project: ProjectId,
    name: &VisitorName,
) -> Result<Visitor, KeptEventsError> {
    actor.require(app, Some(project), Permission::ReadVisitors).await?;
    if app.store().find_project(project).await?.is_none() {
        return Err(KeptEventsError::UnknownProject);
    }
    Ok(VisitorKey::of_project(app, project).await?.named(name))
}

/// The audit log has it before anything is read: what fails on the way may have been seen.
async fn audited_records(
    app: &App,
    actor: &Actor,
    project: ProjectId,
    visitor: Visitor,
) -> Result<Vec<Record>, EventFilesError> {
    let number = visitor.number();
    let entity = format!("visitor {number}");
    let entry = actor.entry(app, AuditEvent::VisitorExported, (project, &entity), &Value::Null);
    let entry = NewAuditEntry { detail: number.to_string(), ..entry };
    app.store().add_audit_entry(entry).await?;
    records_of(app, project, visitor).await
}

/// From files and the log, by time.
async fn records_of(
    app: &App,
    project: ProjectId,
    visitor: Visitor,
) -> Result<Vec<Record>, EventFilesError> {
    let folder = event_folder(app).await?;
    // What is not read yet stays where it is.
    let _lock = locked(folder.clone()).await?;
    let mut found = Vec::new();
    for file in app.store().list_event_files(project).await? {
        let folder = folder.clone().ok_or(EventFilesError::NoFolder)?;
        found.append(&mut off_thread(move || in_file(&folder, &file.name, visitor)).await?);
    }
    let mut log = LogParts::of(project);
    while let Some(part) = log.next(app).await? {
        let theirs = move || {
            let mut records = decoded(part)?;
            records.retain(|record| record.visitor == visitor);
            Ok(records)
        };
        found.append(&mut off_thread(theirs).await?);
    }
    found.sort_by_key(|record| record.at);
    Ok(found)
}

fn in_file(folder: &Folder, name: &str, visitor: Visitor) -> Result<Vec<Record>, EventFilesError> {
    let unreadable = |error| EventFilesError::Read { name: name.to_owned(), error };
    let theirs = Wanted { visitors: visitor..=visitor, ..Wanted::all() };
    let mut found = Vec::new();
    for group in read_file(&folder.path().join(name), &theirs).map_err(unreadable)? {
        found.append(&mut group.map_err(unreadable)?);
    }
    Ok(found)
}

fn exact_line(record: &Record) -> Value {
    let mut line = line(record);
    let values = line.as_object_mut().into_iter().flat_map(serde_json::Map::values_mut);
    for value in values {
        let size = value.as_i64().map(i64::unsigned_abs).or_else(|| value.as_u64());
        if size.is_some_and(|size| size > EXACT_AT_MOST) {
            *value = json!(value.to_string());
        }
    }
    line
}
