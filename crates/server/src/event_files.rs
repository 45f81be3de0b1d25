//! Keeps events in files while the server runs: moves them out of the log, and deletes those that are too old.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::time::{Duration, Instant};

use app::events::{
    CopyEventsError, EventFilesError, Sealed, check_event_files, compact_event_files,
    copy_event_files, delete_old_events, events_kept_since, list_all_event_files, seal_events,
    send_event_files, tidy_event_folder,
};
use app::{App, BackgroundTask};
use lake::Folder;
use oauth::Steadiness;
use storage::CLOCK_STEADY_FOR;
use tokio::time::{MissedTickBehavior, interval};

use crate::data_place::DataPlace;
use crate::event_sink::HttpSink;
use crate::failure::Failure;
use crate::failure_log::FailureLog;
use crate::object_storage::ObjectStorage;
use crate::opening::{self, DatabaseLocation};

/// Often enough for any time that events may wait: to look costs a short statement.
const EVERY: Duration = Duration::from_secs(1);

const BETWEEN_DELETIONS: Duration = Duration::from_hours(1);

/// To look for each file that is listed takes milliseconds.
const BETWEEN_LOOKS: Duration = Duration::from_mins(1);

/// What to do about the folder of another database.
pub(crate) const OF_ANOTHER: &str = "name a folder of this database's own with --events; where it takes the place of a database that is gone, restore with --take-over; if the folder is a copy made for it, remove `.assay` in it";

/// What to do where a database had a folder, and is not there any more.
pub(crate) const OF_ONE_GONE: &str = "move the database back; if it is lost, restore with --take-over from the newest backup; to begin anew, name another folder with --events; if the folder is a copy made for a new database, remove `.assay` in it";

/// What to do about files that are lost.
const LOST: &str = "mount their disk, or name their folder with --events; if they are lost, copy them into it from the folder beside a backup or from object storage, or give them up with `assay events give-up`";

const AFTER_FAILURE: Duration = Duration::from_mins(1);

/// Often enough for who reads copies; to look costs a short statement for each project.
const BETWEEN_COPIES: Duration = Duration::from_secs(2);

/// A sink that fails is asked again after this time, and then after twice the time, up to a minute.
const FIRST_PAUSE: Duration = Duration::from_secs(2);

const LONGEST_PAUSE: Duration = Duration::from_mins(1);

/// Copies that others deleted are there again after this time.
const BETWEEN_LISTS_OF_COPIES: Duration = Duration::from_hours(1);

/// Where events are as well, if anywhere.
pub(crate) struct Elsewhere {
    /// Copies of their files.
    pub(crate) copies: Option<ObjectStorage>,
    /// Another system.
    pub(crate) sink: Option<HttpSink>,
}

/// Removes what a crash left, and then works until the process ends.
pub(crate) async fn start(app: App, elsewhere: Elsewhere) -> Result<(), Failure> {
    match tidy_event_folder(&app).await {
        Ok(0) => {}
        Ok(removed) => {
            tracing::warn!(removed, "files of events are removed that the database does not list");
        }
        Err(error) if !is_out_of_reach(&app, &error).await? => return Err(unusable(&error)),
        // Pages get their snippets all the same. The first look says what is wrong.
        Err(_) => {}
    }
    let mut maintenance = FileMaintenance::default();
    maintenance.look(&app).await;
    if let Some(copies) = elsewhere.copies {
        tokio::spawn(copy(app.clone(), copies));
    }
    if let Some(sink) = elsewhere.sink {
        tokio::spawn(send(app.clone(), sink));
    }
    tokio::spawn(async move {
        let mut ticks = interval(EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            maintenance.step(&app).await;
        }
    });
    Ok(())
}

/// Whether the files that there are cannot be reached, as where their disk is not mounted, or the server may not look at them. Without any, the
/// name of the folder is wrong.
async fn is_out_of_reach(app: &App, error: &EventFilesError) -> Result<bool, Failure> {
    if matches!(error, EventFilesError::Read { .. }) {
        return Ok(true);
    }
    let EventFilesError::Folder { error, .. } = error else { return Ok(false) };
    let files = list_all_event_files(app).await.map_err(|error| unusable(&error))?;
    Ok(error.kind() != ErrorKind::InvalidInput && !files.is_empty())
}

/// Refuses a folder that belongs to a database before a new one is made: the one that was there may have been lost, and nothing is to stand
/// in the way of its backup.
pub(crate) async fn check_unowned_if_new(
    place: &DataPlace,
    folder: Option<&Path>,
) -> Result<(), Failure> {
    let Some(folder) = folder else { return Ok(()) };
    // First the folder: a process that makes a database marks its folder afterwards.
    let Err(error) = Folder::check_owner(folder, None) else { return Ok(()) };
    // What else is wrong with the folder is told where it is opened.
    let is_owned = error.kind() == ErrorKind::InvalidInput;
    if !is_owned || !opening::is_new(place).await? {
        return Ok(());
    }
    let error = EventFilesError::Folder { path: folder.to_owned(), error };
    let failure = Failure::environment(error).with_hint(OF_ONE_GONE);
    Err(match opening::at(place) {
        DatabaseLocation::File(path) => {
            failure.after(&format!("the database `{}` is gone", path.display()))
        }
        DatabaseLocation::Server(_) => failure.after("the database is empty"),
    })
}

/// The folder is of another database, or cannot be read.
pub(crate) fn unusable_folder(path: &Path, error: io::Error) -> Failure {
    unusable(&EventFilesError::Folder { path: path.to_owned(), error })
}

fn unusable(error: &EventFilesError) -> Failure {
    let failure = Failure::environment(error);
    match error {
        EventFilesError::Folder { error, .. } if error.kind() == ErrorKind::InvalidInput => {
            failure.with_hint(OF_ANOTHER)
        }
        EventFilesError::Folder { .. }
        | EventFilesError::Write(_)
        | EventFilesError::Read { .. }
        | EventFilesError::Damaged { .. }
        | EventFilesError::Compact(_)
        | EventFilesError::Lost(_)
        | EventFilesError::NoFolder
        | EventFilesError::Storage(_) => failure,
    }
}

/// What is done with files, each whatever becomes of the others.
#[derive(Default)]
struct FileMaintenance {
    sealing: PeriodicTask,
    compacting: PeriodicTask,
    deleting: PeriodicTask,
    check: FileCheck,
    clock: Steadiness,
}

impl FileMaintenance {
    async fn step(&mut self, app: &App) {
        if self.check.task.is_due() {
            self.look(app).await;
        }
        if !self.check.has_folder {
            return;
        }
        let sealed = seal_events(app).await;
        if let Ok(Sealed { events, files: files @ 1.. }) = sealed {
            tracing::debug!(events, files, "events are in files");
        }
        self.sealing.note(app, sealed.as_ref().err(), "events stay in the log");

        if self.compacting.is_due() {
            let failed = compact_event_files(app).await.err();
            // It may have read files of many megabytes before it failed.
            let pause = failed.is_some().then_some(AFTER_FAILURE);
            self.compacting.pause(pause);
            self.compacting.note(app, failed.as_ref(), "small files of events stay as they are");
        }
        if self.deleting.is_due() {
            let deleted = self.delete(app).await;
            if let Ok(deleted @ 1..) = deleted {
                tracing::info!(deleted, "old events are deleted");
            }
            let pause = if deleted.is_ok() { BETWEEN_DELETIONS } else { AFTER_FAILURE };
            self.deleting.pause(Some(pause));
            self.deleting.note(app, deleted.as_ref().err(), "old events are not deleted");
        }
    }

    /// Looks for each file. What is lost is told once, and again where something else is.
    async fn look(&mut self, app: &App) {
        let lost = check_event_files(app).await.err();
        let check = &mut self.check;
        check.task.pause(Some(BETWEEN_LOOKS));
        check.has_folder = match &lost {
            Some(EventFilesError::Lost(lost)) => !lost.are_all(),
            Some(EventFilesError::Folder { .. }) => false,
            Some(_) | None => true,
        };
        if lost.is_some() {
            app.monitor().failed(BackgroundTask::EventFiles);
        }
        let told = lost.map(|error| error.to_string());
        match &told {
            Some(told) if check.told.as_ref() != Some(told) => check.tell(told),
            None if check.told.is_some() => {
                tracing::info!("all files of events are there again");
            }
            Some(_) | None => {}
        }
        check.told = told;
    }

    /// No event comes back that was deleted while the clock was ahead.
    async fn delete(&mut self, app: &App) -> Result<u64, EventFilesError> {
        let now = app.wall_time();
        let steady_for = self.clock.look(now, Instant::now());
        match events_kept_since(app, now) {
            Some(first_kept) if steady_for >= CLOCK_STEADY_FOR => {
                delete_old_events(app, first_kept).await
            }
            Some(_) | None => Ok(0),
        }
    }
}

/// What was seen of the files.
struct FileCheck {
    task: PeriodicTask,
    /// Whether there are files in their folder. Without any, nothing is written to it: it is another one, or its disk is not mounted.
    has_folder: bool,
    /// What the log says of files that are lost.
    told: Option<String>,
}

impl Default for FileCheck {
    fn default() -> Self {
        Self { task: PeriodicTask::default(), has_folder: true, told: None }
    }
}

impl FileCheck {
    fn tell(&self, lost: &str) {
        let meanwhile = if self.has_folder {
            ""
        } else {
            "new events are kept in the database until then, and "
        };
        tracing::error!(
            "{lost}; {meanwhile}results of campaigns that need them are not computed; hint: {LOST}"
        );
    }
}

/// When something is done again, whatever the clock is set to, and whether the log says that it fails.
#[derive(Default)]
struct PeriodicTask {
    failures: FailureLog,
    due_at: Option<Instant>,
}

impl PeriodicTask {
    fn is_due(&self) -> bool {
        self.due_at.is_none_or(|at| Instant::now() >= at)
    }

    fn pause(&mut self, pause: Option<Duration>) {
        self.due_at = pause.map(|pause| Instant::now() + pause);
    }

    fn note(&mut self, app: &App, failed: Option<&EventFilesError>, so: &'static str) {
        self.failures.note((app, BackgroundTask::EventFiles), failed, so);
    }
}

/// Lets copies follow the files. To send them takes a while, so nothing else waits for it.
async fn copy(app: App, copies: ObjectStorage) {
    let mut ticks = interval(BETWEEN_COPIES);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut copying = Copying::default();
    loop {
        ticks.tick().await;
        copying.step(&app, &copies).await;
    }
}

/// What was copied at last, and when.
#[derive(Default)]
struct Copying {
    failures: FailureLog,
    copied: Option<(Instant, BTreeMap<String, u64>)>,
}

impl Copying {
    async fn step(&mut self, app: &App, copies: &ObjectStorage) {
        let failed = self.copy(app, copies).await.err();
        let task = (app, BackgroundTask::EventCopies);
        self.failures.note(task, failed.as_ref(), "files of events are not copied");
    }

    async fn copy(&mut self, app: &App, copies: &ObjectStorage) -> Result<(), CopyEventsError> {
        let (now, files) = (Instant::now(), list_all_event_files(app).await?);
        let is_same = self
            .copied
            .as_ref()
            .is_some_and(|(at, copied)| now < *at + BETWEEN_LISTS_OF_COPIES && *copied == files);
        if is_same {
            return Ok(());
        }
        let done = copy_event_files(app, copies).await?;
        tracing::debug!(copied = done.copied, deleted = done.deleted, "files of events are copied");
        self.copied = Some((now, files));
        Ok(())
    }
}

/// Sends files of events to another system, as they come. Nothing waits for it.
async fn send(app: App, sink: HttpSink) {
    let mut pause = FIRST_PAUSE;
    let mut log = FailureLog::default();
    loop {
        tokio::time::sleep(pause).await;
        let failed = send_event_files(&app, &sink).await.err();
        let task = (&app, BackgroundTask::EventSink);
        if log.note(task, failed.as_ref(), "events wait to be sent to the sink") {
            tracing::info!("events are sent to the sink again");
        }
        pause = if failed.is_some() { LONGEST_PAUSE.min(pause * 2) } else { FIRST_PAUSE };
    }
}
