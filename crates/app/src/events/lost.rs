//! Files of events that are lost: the database lists them, and they are not in the folder of this process, or are cut off. Their disk may not be
//! mounted, and processes that share a database may have been given different folders.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display, Formatter};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use domain::ProjectId;
use events::Day;
use lake::Folder;
use serde_json::{Value, json};
use storage::{EventFile, LostEventDay};

use crate::App;
use crate::events::folder::{EventFilesError, event_folder, off_thread};
use crate::numerals::quantity;

/// So many days and projects are named in a sentence.
const NAMED_AT_MOST: usize = 3;

/// Files that are lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LostFiles {
    folder: PathBuf,
    /// How many files the database lists.
    listed: usize,
    files: Vec<(ProjectId, EventFile)>,
}

impl LostFiles {
    /// Whether no file is left: then this is another folder, or its disk is not mounted.
    #[must_use]
    pub fn are_all(&self) -> bool {
        self.files.len() == self.listed
    }
}

impl Display for LostFiles {
    fn fmt(&self, to: &mut Formatter<'_>) -> fmt::Result {
        let (count, all, folder) = (self.files.len(), self.listed, self.folder.display());
        write!(to, "{count} of {all} files of events are not in `{folder}`, or are cut off")?;
        if let Some((_, first)) = self.files.first() {
            write!(to, ", such as `{}`", first.name)?;
        }
        let mut projects: BTreeMap<ProjectId, Vec<&EventFile>> = BTreeMap::new();
        for (project, file) in &self.files {
            projects.entry(*project).or_default().push(file);
        }
        for (place, (project, files)) in projects.iter().take(NAMED_AT_MOST).enumerate() {
            let days = days_of(files.iter().copied());
            let events = quantity(events_of(&days), "event", "events");
            let separator = if place == 0 { ":" } else { ";" };
            write!(to, "{separator} {events} of project {project}, of {}", days_in_words(&days))?;
        }
        match projects.len().saturating_sub(NAMED_AT_MOST) {
            0 => Ok(()),
            more => write!(to, "; {} more", quantity(more as u64, "project", "projects")),
        }
    }
}

/// How many events these days lack.
#[must_use]
pub fn events_of(days: &[LostEventDay]) -> u64 {
    days.iter().map(|day| day.events).sum()
}

/// The days for people: each of a few, the first and the last of many.
#[must_use]
pub fn days_in_words(days: &[LostEventDay]) -> String {
    let words = |day: &LostEventDay| day_in_words(day.day);
    match days {
        [first, _, .., last] if days.len() > NAMED_AT_MOST => {
            format!("{} days from {} to {}", days.len(), words(first), words(last))
        }
        [others @ .., last] if !others.is_empty() => {
            format!(
                "{} and {}",
                others.iter().map(words).collect::<Vec<_>>().join(", "),
                words(last)
            )
        }
        days => days.iter().map(words).collect(),
    }
}

/// The days for programs.
#[must_use]
pub fn lost_days_json(days: &[LostEventDay]) -> Value {
    let each = |lost: &LostEventDay| json!({"day": day_in_words(lost.day), "events": lost.events});
    days.iter().map(each).collect()
}

/// A day as people and programs read it.
#[must_use]
pub fn day_in_words(day: i64) -> String {
    Day(i32::try_from(day).unwrap_or(i32::MAX)).date().to_string()
}

/// The days of files, each with how many events they have of it.
pub(crate) fn days_of<'f>(files: impl IntoIterator<Item = &'f EventFile>) -> Vec<LostEventDay> {
    let mut days: BTreeMap<i64, LostEventDay> = BTreeMap::new();
    for EventFile { day, events, received_until, .. } in files {
        let nothing = LostEventDay { day: *day, events: 0, received_until: *received_until };
        let known = days.entry(*day).or_insert(nothing);
        known.events += events;
        known.received_until = known.received_until.max(*received_until);
    }
    days.into_values().collect()
}

/// Checks that all files are there that the database lists.
///
/// # Errors
/// [`EventFilesError::Lost`] names those that are not, and others say why none can be looked for.
pub async fn check_event_files(app: &App) -> Result<(), EventFilesError> {
    let Some(folder) = event_folder(app).await? else { return refuse_files(app).await };
    let (mut files, mut listed) = (Vec::new(), 0);
    for project in app.store().list_projects_with_event_files().await? {
        let of_project = app.store().list_event_files(project).await?;
        listed += of_project.len();
        let lost = lost_among(app, &folder, (project, of_project)).await?;
        files.extend(lost.into_iter().map(|file| (project, file)));
    }
    if files.is_empty() {
        return Ok(());
    }
    let folder = folder.path().to_owned();
    Err(EventFilesError::Lost(Box::new(LostFiles { folder, listed, files })))
}

/// Without a folder, there must be no files.
pub(super) async fn refuse_files(app: &App) -> Result<(), EventFilesError> {
    let is_listed = !app.store().list_projects_with_event_files().await?.is_empty();
    if is_listed { Err(EventFilesError::NoFolder) } else { Ok(()) }
}

/// A folder without any of the files that are listed is another one, or its disk is not mounted: nothing is to be written there.
pub(super) async fn refuse_empty(app: &App, folder: &Folder) -> Result<(), EventFilesError> {
    for project in app.store().list_projects_with_event_files().await? {
        let (files, folder) = (app.store().list_event_files(project).await?, folder.clone());
        let find = move || Ok(files.iter().any(|file| folder.path().join(&file.name).exists()));
        if off_thread(find).await? {
            return Ok(());
        }
    }
    check_event_files(app).await
}

/// The files of a project that are lost: all where their folder cannot be used.
pub(crate) async fn lost_event_files(
    app: &App,
    project: ProjectId,
) -> Result<Vec<EventFile>, EventFilesError> {
    let listed = app.store().list_event_files(project).await?;
    if listed.is_empty() {
        return Ok(Vec::new());
    }
    let folder = match event_folder(app).await {
        Err(EventFilesError::Folder { .. }) => return Ok(listed),
        found => found?.ok_or(EventFilesError::NoFolder)?,
    };
    lost_among(app, &folder, (project, listed)).await
}

/// Those of the listed files that are lost.
async fn lost_among(
    app: &App,
    folder: &Folder,
    (project, files): (ProjectId, Vec<EventFile>),
) -> Result<Vec<EventFile>, EventFilesError> {
    let place = folder.path().to_owned();
    let mut files: Vec<EventFile> = off_thread(move || {
        let each = files.into_iter().map(|file| Ok((is_lost(&place, &file)?, file)));
        let each = each.collect::<Result<Vec<_>, EventFilesError>>()?;
        Ok(each.into_iter().filter_map(|(is_lost, file)| is_lost.then_some(file)).collect())
    })
    .await?;
    if !files.is_empty() {
        // Another process may have put one in the place of several meanwhile.
        let still = app.store().list_event_files(project).await?;
        let still: BTreeSet<String> = still.into_iter().map(|file| file.name).collect();
        files.retain(|file| still.contains(&file.name));
    }
    Ok(files)
}

/// A file that cannot be looked at, for want of a right or because its disk fails, is not lost.
fn is_lost(folder: &Path, file: &EventFile) -> Result<bool, EventFilesError> {
    match folder.join(&file.name).metadata() {
        Ok(found) => Ok(found.len() != file.bytes),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Ok(true)
        }
        Err(error) => Err(EventFilesError::Read { name: file.name.clone(), error: error.into() }),
    }
}

#[cfg(test)]
mod tests {
    use oauth::Timestamp;
    use storage::LostEventDay;

    use super::days_in_words;

    #[test]
    fn a_few_days_are_named_and_many_by_the_first_and_the_last() {
        let received_until = Timestamp::from_milliseconds(0);
        let lost = |day| LostEventDay { day, events: 1, received_until };
        let days: Vec<_> = (20_000..20_005).map(lost).collect();

        let words = [1, 2, 3, 5].map(|count| days_in_words(&days[..count]));

        let named = [
            "2024-10-04",
            "2024-10-04 and 2024-10-05",
            "2024-10-04, 2024-10-05 and 2024-10-06",
            "5 days from 2024-10-04 to 2024-10-08",
        ];
        assert_eq!(words, named);
    }
}
