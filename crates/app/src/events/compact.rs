//! Makes one file of many small ones: who asks for results, or reads the folder, opens few.
//!
//! As in [`super::seal`], the new file is on the disk before the list names it in the place of the others. Until then both take room, so nothing begins
//! that would leave too little for events.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use domain::ProjectId;
use events::{Day, Millis};
use lake::{COMPACTED_AT_MOST, CompactError, Folder, FolderLock, compact_files};
use oauth::Timestamp;
use storage::{EventFile, MovedEvents};

use crate::App;
use crate::events::folder::{EventFilesError, event_folder, in_background};
use crate::events::seal::{Span, discard, is_log_due, move_or_discard};

/// So many small files of a day, of about the same size, are made into one.
const SMALL_FILES: usize = 8;

/// Files below eight times this are of about the same size, then those below eight times as much, and so on.
const LEAST_BYTES: u64 = 64 * 1024;

/// While a sink lacks more small files of a project, it is away for long, and may get what is in them twice: results read few files faster.
const UNSENT_AT_MOST: usize = 1_000;

/// A larger file stays as it is: tools read larger ones no faster.
const SMALL_BYTES: u64 = 64 * 1024 * 1024;

/// A file of so many bytes may be written anew for any that came after it.
const CHEAP_BYTES: u64 = 4 * 1024 * 1024;

/// Small files of a day that is over are made into one when none has come for an hour.
const COMPACT_AFTER_MS: i64 = 3_600_000;

/// Makes one file of the small ones of each day that has many of a size, or that is long over, until no day has. The rest waits when the log has become
/// large, days for whose file the disk has no room until it has, and all while another process changes the folder.
///
/// # Errors
/// The first one, see [`EventFilesError`]: a damaged file, and a project where something else fails, keep no others waiting.
pub async fn compact_event_files(app: &App) -> Result<(), EventFilesError> {
    let Some(folder) = event_folder(app).await? else { return Ok(()) };
    let (mut is_begun, mut first_failure) = (false, Ok(()));
    for project in app.store().list_projects_with_event_files().await? {
        while let Some(files) = next_due(app, project).await? {
            if is_begun && is_log_due(app).await? {
                return first_failure;
            }
            is_begun = true;
            // Anew each time, so that another process need not wait for all of it.
            let Some(lock) = folder.try_lock()? else { return first_failure };
            let Err(error) = compact_day(app, (&folder, lock), project, files).await else {
                continue;
            };
            let damaged =
                damaged(&error).map(|name| app.event_files().damaged.add(name, app.now()));
            first_failure = first_failure.and(Err(error));
            if damaged.is_none() {
                break;
            }
        }
    }
    first_failure
}

/// The file that alone is the reason.
fn damaged(error: &EventFilesError) -> Option<&str> {
    let EventFilesError::Compact(CompactError::Unreadable { name, .. }) = error else {
        return None;
    };
    Some(name)
}

/// Small files of a day of a project that are to become one.
async fn next_due(
    app: &App,
    project: ProjectId,
) -> Result<Option<Vec<EventFile>>, EventFilesError> {
    let mut days: BTreeMap<i64, Vec<EventFile>> = BTreeMap::new();
    for file in small_files(app, project).await? {
        days.entry(file.day).or_default().push(file);
    }
    let mut due = days.into_values().filter_map(|small| due(small, app.now()));
    Ok(due.find(|files| app.event_room().has_beside_events(bytes_of(files))))
}

/// As much as the file that is made of them takes, or less if events came twice.
fn bytes_of(files: &[EventFile]) -> u64 {
    files.iter().map(|file| file.bytes).sum()
}

/// Small files of a project that may become one.
async fn small_files(app: &App, project: ProjectId) -> Result<Vec<EventFile>, EventFilesError> {
    let mut small = app.store().list_event_files(project).await?;
    small.retain(|file| file.bytes < SMALL_BYTES);
    app.event_files().damaged.remove_from(&mut small, app.now());
    let Some(sink) = &app.event_keeping().sink else { return Ok(small) };
    let taken = app.store().list_sent_event_files(sink, project).await?;
    Ok(sent_alike(small, &taken.into_iter().collect()))
}

/// Without those that a sink has not taken: it may have got a part of one under the name of that file, and has to get all of it under the same name.
/// Once these are very many, they alone: with those that it has taken, it would get these again.
fn sent_alike(small: Vec<EventFile>, taken: &HashSet<String>) -> Vec<EventFile> {
    let (taken, unsent): (Vec<_>, Vec<_>) =
        small.into_iter().partition(|file| taken.contains(&file.name));
    if unsent.len() > UNSENT_AT_MOST { unsent } else { taken }
}

/// Those that are to become one: of a size, or of any, if the day is long over. So each event is written a few times, however many come.
fn due(mut small: Vec<EventFile>, now: Timestamp) -> Option<Vec<EventFile>> {
    if is_settled(&small, now) {
        small.sort_by_key(|file| file.bytes);
        small.truncate(COMPACTED_AT_MOST);
        while is_mostly_the_last(&small) {
            small.pop();
        }
        return (small.len() > 1).then_some(small);
    }
    let mut sizes: BTreeMap<u32, Vec<EventFile>> = BTreeMap::new();
    for file in small {
        sizes.entry(size(file.bytes)).or_default().push(file);
    }
    let mut due = sizes.into_values().find(|files| files.len() >= SMALL_FILES)?;
    due.truncate(COMPACTED_AT_MOST);
    Some(due)
}

/// Whether a large file would be written anew for little that came after it.
fn is_mostly_the_last(sorted: &[EventFile]) -> bool {
    let Some((last, others)) = sorted.split_last() else { return false };
    let others: u64 = others.iter().map(|file| file.bytes).sum();
    last.bytes > others.max(CHEAP_BYTES / SMALL_FILES as u64) * SMALL_FILES as u64
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
    (folder, lock): (&Folder, FolderLock),
    project: ProjectId,
    files: Vec<EventFile>,
) -> Result<(), EventFilesError> {
    let from_files: Vec<String> = files.iter().map(|file| file.name.clone()).collect();
    let (place, names, now) = (folder.clone(), from_files.clone(), app.now());
    // The thread may outlive who waits for it.
    let lock = Arc::new(lock);
    let until_written = Arc::clone(&lock);
    let work = move || {
        let _lock = until_written;
        let span = Span::of_files(&files);
        let day = files.first().and_then(|file| i32::try_from(file.day).ok()).map_or(Day(0), Day);
        let written = compact_files(place.path(), &project.to_string(), day, &names)?;
        Ok(span.file(written, day, now))
    };
    let file = in_background(work).await?;
    let mut left_over = from_files.clone();
    left_over.push(file.name.clone());
    let moved = MovedEvents { from_files, to_files: vec![file], ..MovedEvents::of(project) };
    move_or_discard(app, folder, moved).await?;
    discard(app, folder, project, &left_over).await
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use oauth::Timestamp;
    use storage::EventFile;

    use super::{COMPACT_AFTER_MS, SMALL_BYTES, due, sent_alike};

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

    #[test]
    fn a_large_file_of_a_day_that_is_over_waits_until_an_eighth_of_it_has_come_late() {
        let large = 32_000_000;
        let due = |bytes: &[u64]| due(files(bytes), at(24));

        assert_eq!(due(&[large, 1_000]), None);
        assert_eq!(due(&[large, 1_000, 2_000]), Some(files(&[1_000, 2_000])));
        let enough = [large / 8, large];
        assert_eq!(due(&enough), Some(files(&enough)));
    }

    #[test]
    fn files_that_a_sink_has_not_taken_become_one_when_they_are_very_many_and_with_no_others() {
        let taken = files(&[10, 20]);
        let names: HashSet<String> = taken.iter().map(|file| file.name.clone()).collect();
        let unsent: Vec<u64> = (1_000..=2_000).collect();
        let those_of = |unsent: &[u64]| sent_alike([taken.clone(), files(unsent)].concat(), &names);

        assert_eq!(those_of(&unsent[1..]), taken);
        assert_eq!(those_of(&unsent), files(&unsent));
    }
}
