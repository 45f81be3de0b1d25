//! Writes all events of a project into a folder, for other tools.

use std::fs::{self, DirBuilder, File};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use domain::ProjectId;
use events::{Amount, Millis, Occurrence, Record};
use lake::{FILE_MODE, FOLDER_MODE, Folder, LakeError, Wanted, copy_file, read_file};
use oauth::{Moment, Timestamp};
use serde_json::{Value, json};
use storage::{AuditEvent, NewAuditEntry};

use crate::App;
use crate::events::folder::{EventFilesError, KeptEventsError, event_folder, locked, off_thread};
use crate::events::log::{LogParts, decoded};
use crate::events::seal::write_days;
use crate::roles::{Actor, Permission};

/// What is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportFormat {
    /// The files of events, and one more for each day of which some are still in the log.
    Parquet,
    /// One file with a JSON object per line.
    Ndjson,
}

/// The file of an export with lines.
const LINES: &str = "events.ndjson";

/// Its name until it is whole.
const UNFINISHED_LINES: &str = "events.ndjson.unfinished";

/// Writes all events of a project into an empty folder. Tells how many rows that were: one that was told twice may be there twice.
///
/// # Errors
/// See [`KeptEventsError`].
pub async fn export_events(
    app: &App,
    actor: &Actor,
    project: ProjectId,
    to: (PathBuf, ExportFormat),
) -> Result<u64, KeptEventsError> {
    actor.require(app, Some(project), Permission::ReadResults).await?;
    if app.store().find_project(project).await?.is_none() {
        return Err(KeptEventsError::UnknownProject);
    }
    let entry = actor.entry(app, AuditEvent::EventsExported, (project, "events"), &Value::Null);
    let format = match to.1 {
        ExportFormat::Parquet => "parquet",
        ExportFormat::Ndjson => "ndjson",
    };
    let entry = NewAuditEntry { detail: format.to_owned(), ..entry };
    Ok(write_all(app, project, to, entry).await?)
}

async fn write_all(
    app: &App,
    project: ProjectId,
    (out, format): (PathBuf, ExportFormat),
    entry: NewAuditEntry,
) -> Result<u64, EventFilesError> {
    let folder = event_folder(app).await?;
    // What is not read yet stays where it is.
    let _lock = locked(folder.clone()).await?;
    empty_folder(&out)?;
    // Before anything is written: what fails on the way may have been seen.
    app.store().add_audit_entry(entry).await?;
    let mut rows = 0;
    for file in app.store().list_event_files(project).await? {
        let folder = folder.clone().ok_or(EventFilesError::NoFolder)?;
        rows += file.events;
        let (out, name) = (out.clone(), file.name);
        off_thread(move || match format {
            ExportFormat::Parquet => copy_whole(&folder, name, &out),
            ExportFormat::Ndjson => append_file(&folder, &name, &out),
        })
        .await?;
    }
    let mut log = LogParts::of(project);
    while let Some(part) = log.next(app).await? {
        let (out, now) = (out.clone(), app.now());
        let write = move || {
            let records = decoded(&part)?;
            let read = records.len() as u64;
            match format {
                ExportFormat::Parquet => {
                    let written = write_days(&Folder::as_it_is(&out), project, records, now)?;
                    Ok(written.iter().map(|file| file.events).sum())
                }
                ExportFormat::Ndjson => append(&out, &records).map(|()| read),
            }
        };
        rows += off_thread(write).await?;
    }
    off_thread(move || finish(&out)).await?;
    Ok(rows)
}

/// Makes the folder, if it is not there, for those who may read the server's own.
pub(super) fn empty_folder(out: &Path) -> Result<(), EventFilesError> {
    DirBuilder::new().recursive(true).mode(FOLDER_MODE).create(out)?;
    if fs::read_dir(out)?.next().is_some() {
        return Err(io::Error::other("the folder is not empty").into());
    }
    Ok(())
}

fn copy_whole(folder: &Folder, name: String, out: &Path) -> Result<(), EventFilesError> {
    if copy_file(folder.path(), out, &name)? {
        return Ok(());
    }
    let error = LakeError::Damaged("it is not what its name tells".to_owned());
    Err(EventFilesError::Read { name, error })
}

fn append_file(folder: &Folder, name: &str, out: &Path) -> Result<(), EventFilesError> {
    let unreadable = |error| EventFilesError::Read { name: name.to_owned(), error };
    for group in read_file(&folder.path().join(name), &Wanted::all()).map_err(unreadable)? {
        append(out, &group.map_err(unreadable)?)?;
    }
    Ok(())
}

/// Gives the file with lines its name, if there is one.
pub(super) fn finish(out: &Path) -> Result<(), EventFilesError> {
    match fs::rename(out.join(UNFINISHED_LINES), out.join(LINES)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error.into()),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Adds lines to the file, which has its name once it is finished.
pub(super) fn append(out: &Path, records: &[Record]) -> Result<(), EventFilesError> {
    let mut options = File::options();
    options.create(true).append(true).mode(FILE_MODE);
    let mut lines = BufWriter::new(options.open(out.join(UNFINISHED_LINES))?);
    for record in records {
        writeln!(lines, "{}", line(record))?;
    }
    lines.flush()?;
    Ok(())
}

/// The columns of a file of events (docs/events-files.md).
pub(super) fn line(record: &Record) -> Value {
    let mut line = json!({
        "visitor": record.visitor.number(),
        "time": time(record.at),
        "received": time(record.received),
        "event_id": hex::encode(record.id.bytes()),
        "is_held_back": record.marks.is_held_back,
        "is_forced": record.marks.is_forced,
        "is_previewed": record.marks.is_previewed,
        "is_bot": record.marks.is_bot,
        "is_trusted": record.marks.is_trusted,
        "is_late": record.marks.is_late,
        "may_flicker": record.marks.may_flicker,
    });
    let more = match &record.what {
        Occurrence::Exposure { campaign, experiment, variation, agent, page } => json!({
            "kind": "exposure", "campaign_id": campaign, "experiment_id": experiment, "variation_id": variation,
            "browser": agent.browser, "device": agent.device, "page_id": page,
        }),
        Occurrence::Event { name, revenue, value, properties } => json!({
            "kind": "event", "name": name, "revenue": revenue, "properties": properties,
            "value": value.map(decimal),
        }),
    };
    if let (Some(line), Value::Object(more)) = (line.as_object_mut(), more) {
        line.extend(more);
    }
    line
}

/// With milliseconds: they tell what came first.
fn time(Millis(at): Millis) -> String {
    let seconds = Moment::from(Timestamp::from_milliseconds(at)).machine();
    format!("{}.{:03}Z", seconds.trim_end_matches('Z'), at.rem_euclid(1_000))
}

/// With six digits behind the point, as a text: a number of JSON need not be exact.
fn decimal(value: Amount) -> String {
    let millionths = value.millionths();
    let sign = if millionths < 0 { "-" } else { "" };
    let (whole, rest) =
        (millionths.unsigned_abs() / 1_000_000, millionths.unsigned_abs() % 1_000_000);
    format!("{sign}{whole}.{rest:06}")
}

#[cfg(test)]
mod tests {
    use events::Millis;

    use super::time;

    #[test]
    fn times_of_lines_tell_the_millisecond() {
        let told = [1_763_691_299_007, 1_763_691_299_000].map(|at| time(Millis(at)));

        let right = ["2025-11-21T02:14:59.007Z", "2025-11-21T02:14:59.000Z"];
        assert_eq!(told, right);
    }
}
