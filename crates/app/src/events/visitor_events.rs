//! Tells all that is kept of a visitor, for a person who asks what a site knows of them.

use std::path::PathBuf;

use domain::ProjectId;
use events::{Millis, Record, Visitor};
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

/// Bytes of these events as JSON: of a hundred thousand usual ones, each with some three hundred. One with long properties has many times as
/// many.
const BYTES_TOLD_AT_MOST: usize = 32 * 1024 * 1024;

/// Above it, a number of JSON is another one to programs that read it as a double.
const EXACT_AT_MOST: u64 = 1 << 53;

/// What is kept of a visitor.
#[derive(Debug, Clone, PartialEq)]
pub struct VisitorEvents {
    /// The visitor, as files of events have it.
    pub visitor: i64,
    /// How many events there are.
    pub total: u64,
    /// The answer to who asks, in JSON: `visitor` and `total`, and of `events`, by time, the first 100,000 and the first 32 MiB at most, with
    /// the columns of files of events. Whole numbers above 2^53 are texts.
    pub json: String,
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
    let first = audited_records(app, actor, project, visitor, FirstEvents::default()).await?;
    let total = first.total;
    let json = off_thread(move || Ok(first.answer(visitor))).await?;
    Ok(VisitorEvents { visitor: visitor.number(), total, json })
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
    let mut records = audited_records(app, actor, project, visitor, Vec::new()).await?;
    let (events, now) = (records.len() as u64, app.now());
    let write = move || {
        records.sort_by_key(|record| record.at);
        match format {
            ExportFormat::Parquet => {
                write_days(&Folder::as_it_is(&out), project, records, now).map(drop)
            }
            ExportFormat::Ndjson => append(&out, &records).and_then(|()| finish(&out)),
        }
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
async fn audited_records<R: Extend<Record> + Send + 'static>(
    app: &App,
    actor: &Actor,
    project: ProjectId,
    visitor: Visitor,
    found: R,
) -> Result<R, EventFilesError> {
    let number = visitor.number();
    let entity = format!("visitor {number}");
    let entry = actor.entry(app, AuditEvent::VisitorExported, (project, &entity), &Value::Null);
    let entry = NewAuditEntry { detail: number.to_string(), ..entry };
    app.store().add_audit_entry(entry).await?;
    with_records_of(app, project, visitor, found).await
}

/// Adds those from files and the log, some at a time.
async fn with_records_of<R: Extend<Record> + Send + 'static>(
    app: &App,
    project: ProjectId,
    visitor: Visitor,
    mut found: R,
) -> Result<R, EventFilesError> {
    let folder = event_folder(app).await?;
    // What is not read yet stays where it is.
    let _lock = locked(folder.clone()).await?;
    for file in app.store().list_event_files(project).await? {
        let folder = folder.clone().ok_or(EventFilesError::NoFolder)?;
        let add = move || add_of_file(&folder, &file.name, visitor, &mut found).map(|()| found);
        found = off_thread(add).await?;
    }
    let mut log = LogParts::of(project);
    while let Some(part) = log.next(app).await? {
        let add = move || {
            found.extend(decoded(part)?.into_iter().filter(|record| record.visitor == visitor));
            Ok(found)
        };
        found = off_thread(add).await?;
    }
    Ok(found)
}

fn add_of_file(
    folder: &Folder,
    name: &str,
    visitor: Visitor,
    found: &mut impl Extend<Record>,
) -> Result<(), EventFilesError> {
    let unreadable = |error| EventFilesError::Read { name: name.to_owned(), error };
    let theirs = Wanted { visitors: visitor..=visitor, ..Wanted::all() };
    for group in read_file(&folder.path().join(name), &theirs).map_err(unreadable)? {
        found.extend(group.map_err(unreadable)?);
    }
    Ok(())
}

/// The first events of a visitor, by time, whatever the order in which they are found.
#[derive(Default)]
struct FirstEvents {
    total: u64,
    /// Each with its time.
    lines: Vec<(Millis, String)>,
    /// Bytes of the lines.
    bytes: usize,
    /// The first event that is not told: none after it is.
    until: Option<Millis>,
}

impl Extend<Record> for FirstEvents {
    fn extend<I: IntoIterator<Item = Record>>(&mut self, records: I) {
        for record in records {
            self.total += 1;
            if self.until.is_some_and(|until| record.at >= until) {
                continue;
            }
            let line = exact_line(&record).to_string();
            self.bytes += line.len();
            self.lines.push((record.at, line));
            // Now and then, since it sorts them all.
            if self.bytes > BYTES_TOLD_AT_MOST / 4 * 5 || self.lines.len() > EVENTS_TOLD_AT_MOST * 2
            {
                self.keep_first();
            }
        }
    }
}

impl FirstEvents {
    /// Forgets those that come after as many as are told.
    fn keep_first(&mut self) {
        self.lines.sort_by_key(|(at, _)| *at);
        let mut bytes = 0;
        let is_told = |(_, line): &&(Millis, String)| {
            bytes += line.len();
            bytes <= BYTES_TOLD_AT_MOST
        };
        let told = self.lines.iter().take(EVENTS_TOLD_AT_MOST).take_while(is_told).count();
        self.until = self.lines.get(told).map(|(at, _)| *at).or(self.until);
        self.lines.truncate(told);
        self.bytes = self.lines.iter().map(|(_, line)| line.len()).sum();
    }

    fn answer(mut self, visitor: Visitor) -> String {
        self.keep_first();
        let (visitor, total) = (visitor.number(), self.total);
        let mut json = format!(r#"{{"visitor":"{visitor}","total":{total},"events":["#);
        json.reserve(self.bytes + self.lines.len() + 2);
        for (place, (_, line)) in self.lines.into_iter().enumerate() {
            json.push_str(if place == 0 { "" } else { "," });
            json.push_str(&line);
        }
        json.push_str("]}");
        json
    }
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

#[cfg(test)]
mod tests {
    use events::{EventId, Marks, Millis, Occurrence, Properties, Record, Visitor};
    use serde_json::Value;

    use super::{BYTES_TOLD_AT_MOST, FirstEvents};

    fn event(at: i64, name: String) -> Record {
        Record {
            id: EventId::of(&at.to_string()),
            visitor: Visitor::of(&[7; 32], "ada"),
            at: Millis(at),
            received: Millis(at),
            what: Occurrence::Event {
                name,
                revenue: None,
                value: None,
                properties: Properties::default(),
            },
            marks: Marks::default(),
        }
    }

    fn told(first: FirstEvents) -> (u64, Vec<Value>) {
        let told: Value =
            serde_json::from_str(&first.answer(Visitor::of(&[7; 32], "ada"))).unwrap();
        (told["total"].as_u64().unwrap(), told["events"].as_array().unwrap().clone())
    }

    #[test]
    fn the_first_events_by_time_are_told_up_to_their_bytes() {
        let mut first = FirstEvents::default();
        let mut most = 0;
        for at in (0..64).rev() {
            first.extend([event(at, "n".repeat(1024 * 1024))]);
            most = most.max(first.lines.len());
        }
        // After what is not told any more, however short it is.
        first.extend([event(40, "short".to_owned())]);

        assert!(most <= BYTES_TOLD_AT_MOST / (1024 * 1024) / 4 * 5, "{most} in memory");
        let (total, events) = told(first);
        assert_eq!(total, 65);
        let times: Vec<_> = events.iter().map(|one| one["time"].as_str().unwrap()).collect();
        assert_eq!((times.len(), times[0]), (31, "1970-01-01T00:00:00.000Z"));
        assert!(times.is_sorted(), "{times:?}");
    }
}
