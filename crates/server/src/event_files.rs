//! Keeps events in files while the server runs: moves them out of the log, and deletes those that are too old.

use std::collections::BTreeMap;
use std::time::Duration;

use app::events::{
    CopyEventsError, EventFilesError, Sealed, compact_event_files, copy_event_files,
    delete_old_events, list_all_event_files, seal_events, send_event_files, tidy_event_folder,
};
use app::{App, BackgroundTask};
use oauth::{Lifetime, Timestamp};
use tokio::time::{MissedTickBehavior, interval};

use crate::event_sink::HttpSink;
use crate::failure::Failure;
use crate::object_storage::ObjectStorage;

/// Often enough for any time that events may wait: to look costs a short statement.
const EVERY: Duration = Duration::from_secs(1);

const BETWEEN_DELETIONS: Lifetime = Lifetime::from_seconds(3_600);

const AFTER_FAILURE: Lifetime = Lifetime::from_seconds(60);

/// Often enough for who reads copies; to look costs a short statement for each project.
const BETWEEN_COPIES: Duration = Duration::from_secs(2);

/// A sink that fails is asked again after this time, and then after twice the time, up to a minute.
const FIRST_PAUSE: Duration = Duration::from_secs(2);

const LONGEST_PAUSE: Duration = Duration::from_mins(1);

/// Copies that others deleted are there again after this time.
const BETWEEN_LISTS_OF_COPIES: Lifetime = Lifetime::from_seconds(3_600);

/// Where events are as well, if anywhere.
pub(crate) struct Elsewhere {
    /// Copies of their files.
    pub(crate) copies: Option<ObjectStorage>,
    /// Another system.
    pub(crate) sink: Option<HttpSink>,
}

/// Removes what a crash left, and then works until the process ends.
pub(crate) async fn start(app: App, elsewhere: Elsewhere) -> Result<(), Failure> {
    match tidy_event_folder(&app).await.map_err(Failure::environment)? {
        0 => {}
        removed => tracing::info!(removed, "files of events that were left over are gone"),
    }
    if let Some(copies) = elsewhere.copies {
        tokio::spawn(copy(app.clone(), copies));
    }
    if let Some(sink) = elsewhere.sink {
        tokio::spawn(send(app.clone(), sink));
    }
    tokio::spawn(async move {
        let mut ticks = interval(EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut keeping = Keeping::default();
        loop {
            ticks.tick().await;
            keeping.step(&app).await;
        }
    });
    Ok(())
}

/// What is done with files, each whatever becomes of the others.
#[derive(Default)]
struct Keeping {
    sealing: Chore,
    compacting: Chore,
    deleting: Chore,
}

impl Keeping {
    async fn step(&mut self, app: &App) {
        let sealed = seal_events(app).await;
        if let Ok(Sealed { events, files: files @ 1.. }) = sealed {
            tracing::debug!(events, files, "events are in files");
        }
        self.sealing.note(app, sealed.as_ref().err(), "events stay in the log");

        if self.compacting.is_due(app) {
            let failed = compact_event_files(app).await.err();
            // It may have read files of many megabytes before it failed.
            let pause = failed.is_some().then_some(AFTER_FAILURE);
            self.compacting.pause(app, pause);
            self.compacting.note(app, failed.as_ref(), "small files of events stay as they are");
        }
        if self.deleting.is_due(app) {
            let deleted = delete_old_events(app).await;
            if let Ok(deleted @ 1..) = deleted {
                tracing::info!(deleted, "old events are deleted");
            }
            let pause = if deleted.is_ok() { BETWEEN_DELETIONS } else { AFTER_FAILURE };
            self.deleting.pause(app, Some(pause));
            self.deleting.note(app, deleted.as_ref().err(), "old events are not deleted");
        }
    }
}

/// When something is done again, and whether the log says that it fails.
#[derive(Default)]
struct Chore {
    is_failing: bool,
    due_at: Option<Timestamp>,
}

impl Chore {
    fn is_due(&self, app: &App) -> bool {
        self.due_at.is_none_or(|at| app.now() >= at)
    }

    fn pause(&mut self, app: &App, pause: Option<Lifetime>) {
        self.due_at = pause.map(|pause| app.now() + pause);
    }

    /// Logs a failure once, until it is over.
    fn note(&mut self, app: &App, failed: Option<&EventFilesError>, so: &'static str) {
        if failed.is_some() {
            app.monitor().failed(BackgroundTask::EventFiles);
        }
        if let Some(error) = failed
            && !self.is_failing
        {
            tracing::warn!(%error, "{so}");
        }
        self.is_failing = failed.is_some();
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
    is_failing: bool,
    copied: Option<(Timestamp, BTreeMap<String, u64>)>,
}

impl Copying {
    /// Logs a failure once, until it is over.
    async fn step(&mut self, app: &App, copies: &ObjectStorage) {
        let failed = self.copy(app, copies).await.err();
        if failed.is_some() {
            app.monitor().failed(BackgroundTask::EventCopies);
        }
        if let Some(error) = &failed
            && !self.is_failing
        {
            tracing::warn!(%error, "files of events are not copied");
        }
        self.is_failing = failed.is_some();
    }

    async fn copy(&mut self, app: &App, copies: &ObjectStorage) -> Result<(), CopyEventsError> {
        let (now, files) = (app.now(), list_all_event_files(app).await?);
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

/// Sends files of events to another system, as they come. Nothing waits for it. A failure is logged once, until it is over.
async fn send(app: App, sink: HttpSink) {
    let mut pause = FIRST_PAUSE;
    let mut is_failing = false;
    loop {
        tokio::time::sleep(pause).await;
        let failed = send_event_files(&app, &sink).await.err();
        if let Some(error) = failed.as_ref().filter(|_| !is_failing) {
            tracing::warn!(%error, "events wait to be sent to the sink");
        }
        if failed.is_none() && is_failing {
            tracing::info!("events are sent to the sink again");
        }
        if failed.is_some() {
            app.monitor().failed(BackgroundTask::EventSink);
        }
        is_failing = failed.is_some();
        pause = if is_failing { LONGEST_PAUSE.min(pause * 2) } else { FIRST_PAUSE };
    }
}
