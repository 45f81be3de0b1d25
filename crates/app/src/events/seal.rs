//! Moves events from the log into files, and makes one file of many small ones.
//!
//! A file is on the disk before the list names it, and the commit that lists it deletes the rows of the log that it was made of. So an event is
//! in exactly one of log and listed files, wherever a process is killed; what it leaves is a file that no list has.

use std::collections::{BTreeMap, HashSet};

use domain::ProjectId;
use events::{Day, Millis, Record};
use lake::{Folder, WrittenFile, compact_files, write_file};
use oauth::Timestamp;
use storage::{EventFile, EventLog, LoggedEvents, MovedEvents};

use crate::App;
use crate::events::folder::{EventFilesError, event_folder, in_background, off_thread};
use crate::events::read::decoded;

/// A log that is larger does not wait: reading one for results takes a second for some thirty megabytes.
const LOG_BYTES_AT_MOST: u64 = 32 * 1024 * 1024;

/// How much of the log goes into files at a time: others that write wait while the rows are deleted, a few milliseconds.
const SEALED_BYTES: i64 = 3 * 1024 * 1024;

/// So many small files of a day, of about the same size, are made into one.
const SMALL_FILES: usize = 8;

/// Files below eight times this are of about the same size, then those below eight times as much, and so on.
const LEAST_BYTES: u64 = 64 * 1024;

/// While a sink lacks more small files of a project, it is away for long, and may get what is in them twice: results read few files faster.
const UNSENT_AT_MOST: usize = 1_000;

/// A larger file stays as it is: tools read larger ones no faster.
const SMALL_BYTES: u64 = 64 * 1024 * 1024;

/// Small files of a day that is over are made into one when none has come for an hour.
const COMPACT_AFTER_MS: i64 = 3_600_000;

/// What was done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sealed {
    /// Events that were moved into files.
    pub events: u64,
    /// The files that were made.
    pub files: u64,
}

/// Removes what a crash left in the folder. Tells how many files that were.
///
/// # Errors
/// See [`EventFilesError`].
pub async fn tidy_event_folder(app: &App) -> Result<u64, EventFilesError> {
    let Some(folder) = event_folder(app).await? else { return Ok(0) };
    let waiting = folder.clone();
    let lock = off_thread(move || Ok(waiting.lock()?)).await?;
    let mut listed = HashSet::new();
    for project in app.store().list_projects_with_event_files().await? {
        let files = app.store().list_event_files(project).await?;
        listed.extend(files.into_iter().map(|file| file.name));
    }
    let missing = listed.iter().find(|name| !folder.path().join(name).exists());
    if let Some(name) = missing {
        let path = folder.path().to_owned();
        let error = std::io::Error::other(format!("`{name}` is not in it"));
        return Err(EventFilesError::Folder { path, error });
    }
    off_thread(move || Ok(folder.remove_left_over(&lock, &listed)?)).await
}

/// Moves what has waited for long enough. While another process does so, nothing happens.
///
/// # Errors
/// See [`EventFilesError`].
pub async fn seal_events(app: &App) -> Result<Sealed, EventFilesError> {
    let Some(folder) = event_folder(app).await? else { return Ok(Sealed::default()) };
    let Some(_lock) = folder.try_lock()? else { return Ok(Sealed::default()) };
    let waited = Timestamp::from_milliseconds(
        app.now().as_milliseconds().saturating_sub(app.event_keeping().logged_ms),
    );
    let mut sealed = Sealed::default();
    for log in app.store().list_event_logs().await? {
        if log.oldest_at <= waited || log.bytes >= LOG_BYTES_AT_MOST {
            let done = seal_log(app, &folder, log).await?;
            sealed.events += done.events;
            sealed.files += done.files;
        }
    }
    for project in app.store().list_projects_with_event_files().await? {
        compact(app, &folder, project).await?;
    }
    Ok(sealed)
}

/// As much as there was: what comes meanwhile has time.
async fn seal_log(app: &App, folder: &Folder, log: EventLog) -> Result<Sealed, EventFilesError> {
    let (mut left, mut sealed) = (log.bytes, Sealed::default());
    while left > 0 {
        let rows = app.store().list_logged_events(log.project, 0, SEALED_BYTES).await?;
        let bytes: usize = rows.iter().map(|row| row.body.len()).sum();
        if rows.is_empty() {
            break;
        }
        left = left.saturating_sub(bytes as u64);
        let Some(done) = seal_rows(app, folder, log.project, rows).await? else { break };
        sealed.events += done.events;
        sealed.files += done.files;
    }
    Ok(sealed)
}

/// `None` if the rows are not there any more.
async fn seal_rows(
    app: &App,
    folder: &Folder,
    project: ProjectId,
    rows: Vec<LoggedEvents>,
) -> Result<Option<Sealed>, EventFilesError> {
    let from_log = rows.iter().map(|row| row.sequence).collect();
    let (place, now) = (folder.clone(), app.now());
    let write = move || write_days(&place, project, decoded(rows)?, now);
    let to_files = in_background(write).await?;
    let done = Sealed {
        events: to_files.iter().map(|file| file.events).sum(),
        files: to_files.len() as u64,
    };
    let names: Vec<String> = to_files.iter().map(|file| file.name.clone()).collect();
    let moved = MovedEvents { from_log, to_files, ..MovedEvents::of(project) };
    if app.store().move_events(moved).await? {
        return Ok(Some(done));
    }
    discard(app, folder, project, &names).await?;
    Ok(None)
}

/// Files of these records, one for each day.
pub(super) fn write_days(
    folder: &Folder,
    project: ProjectId,
    records: Vec<Record>,
    now: Timestamp,
) -> Result<Vec<EventFile>, EventFilesError> {
    let mut days: BTreeMap<Day, Vec<Record>> = BTreeMap::new();
    for record in records {
        days.entry(record.at.day()).or_default().push(record);
    }
    let files = days.into_iter().map(|(day, records)| {
        let span = Span::of(&records);
        let written = write_file(folder.path(), &project.to_string(), day, records)?;
        Ok(span.file(written, day, now))
    });
    files.collect()
}

/// When the events of a file happened and came.
#[derive(Clone, Copy)]
pub(super) struct Span {
    first_at: i64,
    last_at: i64,
    received_until: i64,
}

impl Span {
    fn of(records: &[Record]) -> Self {
        let mut span = Self { first_at: i64::MAX, last_at: i64::MIN, received_until: i64::MIN };
        for Record { at: Millis(at), received: Millis(received), .. } in records {
            span.first_at = span.first_at.min(*at);
            span.last_at = span.last_at.max(*at);
            span.received_until = span.received_until.max(*received);
        }
        span
    }

    fn of_files(files: &[EventFile]) -> Self {
        let received = |file: &EventFile| file.received_until.as_milliseconds();
        Self {
            first_at: files.iter().map(|file| file.first_at).min().unwrap_or_default(),
            last_at: files.iter().map(|file| file.last_at).max().unwrap_or_default(),
            received_until: files.iter().map(received).max().unwrap_or_default(),
        }
    }

    fn file(self, written: WrittenFile, day: Day, now: Timestamp) -> EventFile {
        EventFile {
            name: written.name,
            day: day.0.into(),
            events: written.rows,
            bytes: written.bytes,
            first_at: self.first_at,
            last_at: self.last_at,
            received_until: Timestamp::from_milliseconds(self.received_until),
            sealed_at: now,
        }
    }
}

/// Makes one file of the small ones of each day that has many of a size, or that is long over.
async fn compact(app: &App, folder: &Folder, project: ProjectId) -> Result<(), EventFilesError> {
    let mut days: BTreeMap<i64, Vec<EventFile>> = BTreeMap::new();
    for file in small_files(app, project).await? {
        days.entry(file.day).or_default().push(file);
    }
    for small in days.into_values() {
        let Some(mut files) = due(small, app.now()) else { continue };
        files.sort_by_key(|file| file.bytes);
        files.truncate(lake::COMPACTED_AT_MOST);
        compact_day(app, folder, project, files).await?;
    }
    Ok(())
}

/// Without those that a sink has not taken: it may have got a part of one under the name of that file, and has to get all of it under the same name.
async fn small_files(app: &App, project: ProjectId) -> Result<Vec<EventFile>, EventFilesError> {
    let mut small = app.store().list_event_files(project).await?;
    small.retain(|file| file.bytes < SMALL_BYTES);
    let Some(sink) = &app.event_keeping().sink else { return Ok(small) };
    let taken = app.store().list_sent_event_files(sink, project).await?;
    let taken: HashSet<&str> = taken.iter().map(String::as_str).collect();
    let is_taken = |file: &EventFile| taken.contains(file.name.as_str());
    if small.iter().filter(|file| !is_taken(file)).count() <= UNSENT_AT_MOST {
        small.retain(is_taken);
    }
    Ok(small)
}

/// Those that are to become one: all, if the day is long over, or those of a size. So each event is written a few times, however many come.
fn due(small: Vec<EventFile>, now: Timestamp) -> Option<Vec<EventFile>> {
    if is_settled(&small, now) {
        return Some(small);
    }
    let mut sizes: BTreeMap<u32, Vec<EventFile>> = BTreeMap::new();
    for file in small {
        sizes.entry(size(file.bytes)).or_default().push(file);
    }
    sizes.into_values().find(|files| files.len() >= SMALL_FILES)
}

fn size(bytes: u64) -> u32 {
    (bytes / LEAST_BYTES).max(1).ilog(SMALL_FILES as u64)
}

fn is_settled(small: &[EventFile], now: Timestamp) -> bool {
    let newest = small.iter().map(|file| file.sealed_at.as_milliseconds()).max();
    let is_quiet =
        newest.is_some_and(|at| at.saturating_add(COMPACT_AFTER_MS) <= now.as_milliseconds());
    let is_over = small
        .first()
        .is_some_and(|file| file.day < i64::from(Millis(now.as_milliseconds()).day().0));
    small.len() > 1 && is_over && is_quiet
}

async fn compact_day(
    app: &App,
    folder: &Folder,
    project: ProjectId,
    files: Vec<EventFile>,
) -> Result<(), EventFilesError> {
    let from_files: Vec<String> = files.iter().map(|file| file.name.clone()).collect();
    let (place, names, now) = (folder.clone(), from_files.clone(), app.now());
    let work = move || {
        let span = Span::of_files(&files);
        let day = files.first().and_then(|file| i32::try_from(file.day).ok()).map_or(Day(0), Day);
        let written = compact_files(place.path(), &project.to_string(), day, &names)?;
        Ok(span.file(written, day, now))
    };
    let file = in_background(work).await?;
    let mut left_over = from_files.clone();
    left_over.push(file.name.clone());
    let moved = MovedEvents { from_files, to_files: vec![file], ..MovedEvents::of(project) };
    app.store().move_events(moved).await?;
    discard(app, folder, project, &left_over).await
}

/// Removes those of these files that are not listed.
pub(super) async fn discard(
    app: &App,
    folder: &Folder,
    project: ProjectId,
    names: &[String],
) -> Result<(), EventFilesError> {
    let listed = app.store().list_event_files(project).await?;
    let listed: HashSet<&str> = listed.iter().map(|file| file.name.as_str()).collect();
    for name in names.iter().filter(|name| !listed.contains(name.as_str())) {
        folder.remove(name)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use oauth::Timestamp;
    use storage::EventFile;

    use super::{COMPACT_AFTER_MS, SMALL_BYTES, due};

    const DAY: i64 = 20_000;

    /// Files of the day with so many bytes, made at noon.
    fn files(bytes: &[u64]) -> Vec<EventFile> {
        let file = |bytes: &u64| EventFile {
            name: bytes.to_string(),
            day: DAY,
            events: 1,
            bytes: *bytes,
            first_at: 0,
            last_at: 0,
            received_until: at(12),
            sealed_at: at(12),
        };
        bytes.iter().map(file).collect()
    }

    fn at(hour: i64) -> Timestamp {
        Timestamp::from_milliseconds((DAY * 24 + hour) * 3_600_000)
    }

    #[test]
    fn files_become_one_when_there_are_eight_of_a_size() {
        let (tiny, large) = (1_000, 3_000_000);
        let seven_of_each = [[tiny; 7], [large; 7]].concat();

        assert_eq!(due(files(&seven_of_each), at(13)), None);
        let eight = [&seven_of_each[..], &[5 * large / 4]].concat();
        assert_eq!(due(files(&eight), at(13)), Some(files(&eight[7..])));
    }

    /// Makes one of the small files that are due, which are known by their bytes; tells how many bytes were written.
    fn merge(small: &mut Vec<u64>) -> Option<u64> {
        let merged = due(files(small), at(13))?;
        for one in &merged {
            let place = small.iter().position(|bytes| *bytes == one.bytes)?;
            small.swap_remove(place);
        }
        let sum = merged.iter().map(|file| file.bytes).sum();
        small.extend((sum < SMALL_BYTES).then_some(sum));
        Some(sum)
    }

    #[test]
    fn an_event_is_written_anew_a_few_times_however_many_come() {
        let (mut small, mut written, mut came) = (Vec::new(), 0, 0);
        for bytes in [100_000; 2_000] {
            small.push(bytes);
            came += bytes;
            while let Some(merged) = merge(&mut small) {
                written += merged;
            }
        }

        assert!(written <= 4 * came, "{written} of {came}");
        assert!(small.len() <= 28, "{small:?}");
    }

    #[test]
    fn all_become_one_when_the_day_is_over_and_quiet() {
        let few = [1_000, 3_000_000];
        let (over, quiet) =
            (at(24), Timestamp::from_milliseconds(at(12).as_milliseconds() + COMPACT_AFTER_MS));

        assert_eq!(due(files(&few), quiet), None);
        assert_eq!(due(files(&few), over), Some(files(&few)));
        assert_eq!(due(files(&few[..1]), over), None);
    }
}
