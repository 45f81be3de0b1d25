//! Watches a project file and the files it refers to, and publishes each valid change. SIGHUP publishes too, for file systems
//! that tell of no change.

mod changes;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use app::projects::Published;
use app::{App, BackgroundTask};
use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};
use tokio::signal::unix::Signal;
use tokio::sync::mpsc;

use self::changes::Changes;
use crate::failure::Failure;
use crate::going_live::go_live;
use crate::links::way_to;
use crate::project_file::{self, ProjectFile};
use crate::serving::hang_up;

/// Editors save in several steps (write, rename, set times): wait until they have been still for this long.
const QUIET: Duration = Duration::from_millis(50);

/// A program that copies in place (`scp`, `rsync --inplace`) may pause in the middle of a file, whose beginning can be a valid project. Linux
/// tells when it closes the file; if it does not for so long, as after a bare `truncate`, the file counts as it is. Other systems do not tell.
const STALLED: Duration =
    if cfg!(target_os = "linux") { Duration::from_mins(1) } else { Duration::from_secs(1) };

/// After so long, what the environment kept from being published is tried again.
const AGAIN: Duration = Duration::from_secs(10);

/// How often a folder is looked for that comes at the moment when it is.
const TRIES: usize = 8;

/// A project file and what it refers to, under observation.
pub(crate) struct Watch {
    path: PathBuf,
    /// The project file and those that it refers to, by absolute path: what is wrong can be put right in these alone.
    files: HashSet<PathBuf>,
    watcher: RecommendedWatcher,
    /// The folders that are watched.
    folders: HashSet<PathBuf>,
    known: Arc<Mutex<Changes>>,
    changes: mpsc::Receiver<()>,
    hang_up: Signal,
}

impl Watch {
    /// Starts to watch the project file at `path`: it and what it refers to are these files. Every change from
    /// now on is noticed.
    pub(crate) fn start(path: &Path, files: &[PathBuf]) -> Result<Self, Failure> {
        let (sender, changes) = mpsc::channel(1);
        let known = Arc::new(Mutex::new(Changes::default()));
        let noted = Arc::clone(&known);
        let watcher = notify::recommended_watcher(move |event| {
            if noted.lock().unwrap_or_else(PoisonError::into_inner).note(&event) {
                // One waiting notice covers any number of changes.
                let _already_waiting = sender.try_send(());
            }
        });
        let (watcher, hang_up) = (watcher.map_err(cannot_watch)?, hang_up()?);
        let path = path.to_owned();
        let (files, folders) = (absolute(files)?, HashSet::new());
        let mut watch = Self { path, files, watcher, folders, known, changes, hang_up };
        watch.look()?;
        Ok(watch)
    }

    /// Watches the present ways to the files. It is the folders that are watched, since many editors replace the file itself, and
    /// tools that deploy replace a link to its folder.
    fn look(&mut self) -> Result<(), Failure> {
        let mut entries: HashSet<_> = self.files.iter().flat_map(|file| way_to(file)).collect();
        let folders: HashSet<_> =
            entries.iter().map(|entry| project_file::folder(entry).to_owned()).collect();
        let mut watched_now = HashSet::new();
        for folder in folders {
            let watched = self.watch_nearest(&folder)?;
            // The folder may go and come back, and so may those above it.
            let way = folder.ancestors().take_while(|part| part.starts_with(&watched));
            entries.extend(way.map(Path::to_owned));
            watched_now.insert(watched);
        }
        for folder in self.folders.difference(&watched_now) {
            // One that is gone is not watched any more.
            let _gone = self.watcher.unwatch(folder);
        }
        self.folders = watched_now;
        self.known().look_at(entries);
        Ok(())
    }

    /// Watches this folder or, where it is not there, the nearest one above it that is.
    fn watch_nearest(&mut self, folder: &Path) -> Result<PathBuf, Failure> {
        for _ in 0..TRIES {
            let Some(watched) = self.watch_first(folder.ancestors())? else { break };
            // The next one on the way may have come before its folder was watched.
            let next = folder.ancestors().take_while(|part| *part != watched).last();
            if next.is_none_or(|next| !next.exists()) {
                return Ok(watched);
            }
        }
        Err(cannot_watch(format_args!("`{}` comes and goes", folder.display())))
    }

    fn watch_first<'p>(
        &mut self,
        folders: impl Iterator<Item = &'p Path>,
    ) -> Result<Option<PathBuf>, Failure> {
        for folder in folders {
            // Again also where it was watched before: a folder that came back under its name is another one.
            match self.watcher.watch(folder, RecursiveMode::NonRecursive) {
                Ok(()) => return Ok(Some(folder.to_owned())),
                Err(error) if folder.exists() => return Err(cannot_watch(error)),
                Err(_) => {}
            }
        }
        Ok(None)
    }

    /// Publishes each change after the revision that is live, for as long as the process lives.
    pub(crate) async fn follow(mut self, app: App, mut live: u32) {
        let mut not_taken = None;
        while self.next(not_taken.as_ref()).await {
            let read = self.read();
            // What was read may be half of it; the next notice is on its way.
            if self.known().being_written().is_some() {
                continue;
            }
            match publish(&app, &self.path, read, (live, not_taken)).await {
                Ok(revision) => (live, not_taken) = (revision, None),
                Err(reason) => not_taken = reason,
            }
        }
    }

    /// Reads the present file, and watches from now on what it names.
    fn read(&mut self) -> Result<ProjectFile, Failure> {
        // Before it is read, so that a change meanwhile is noticed; and after, since other files may be named.
        self.look()?;
        let (read, named) = project_file::read_with_files(&self.path);
        let named = absolute(&named)?;
        let is_known = named.is_subset(&self.files);
        self.files = named;
        self.look()?;
        // Those that are new may have changed before they were watched.
        if is_known { read } else { project_file::read(&self.path) }
    }

    /// Waits until something changed and is still, or until SIGHUP, or until the last change is to be tried again.
    async fn next(&mut self, not_taken: Option<&NotTaken>) -> bool {
        tokio::select! {
            _ = self.hang_up.recv() => return true,
            () = tokio::time::sleep(AGAIN), if not_taken.is_some() => return true,
            change = self.changes.recv() => if change.is_none() { return false },
        }
        loop {
            while tokio::time::timeout(QUIET, self.changes.recv()).await.is_ok() {}
            let Some(file) = self.known().being_written().map(Path::to_owned) else { return true };
            tracing::debug!(
                "`{}` is being written, and published once it is closed",
                file.display()
            );
            let changed = tokio::time::timeout(STALLED, self.changes.recv());
            tokio::select! {
                _ = self.hang_up.recv() => return true,
                changed = changed => if changed.is_err() {
                    self.known().give_up_writers();
                    return true;
                }
            }
        }
    }

    fn known(&self) -> MutexGuard<'_, Changes> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The environment kept the file from being published for this reason, as while the database is away: its author does not save it once more for that.
#[derive(PartialEq, Eq)]
struct NotTaken(String);

/// Publishes what was read after this revision, and gives the number of what is live then; a faulty file leaves the last good revision live.
async fn publish(
    app: &App,
    path: &Path,
    read: Result<ProjectFile, Failure>,
    (live, before): (u32, Option<NotTaken>),
) -> Result<u32, Option<NotTaken>> {
    let published = match read {
        Ok(file) => go_live(app, file.checked.project, file.written).await,
        Err(failure) => Err(failure),
    };
    let failure = match published {
        Ok(Published { revision, .. }) if revision == live => {
            tracing::info!(revision, "`{}` says what is live already", path.display());
            return Ok(revision);
        }
        Ok(Published { revision, brotli_bytes: bytes, .. }) => {
            tracing::info!(revision, bytes, "published `{}`", path.display());
            return Ok(revision);
        }
        Err(failure) => failure,
    };
    app.monitor().failed(BackgroundTask::ProjectFile);
    let reason = NotTaken(failure.to_string());
    if before.as_ref() != Some(&reason) {
        tracing::error!("the last good revision stays live\n{failure}");
    }
    Err(matches!(failure, Failure::Environment(_)).then_some(reason))
}

fn absolute(files: &[PathBuf]) -> Result<HashSet<PathBuf>, Failure> {
    files.iter().map(std::path::absolute).collect::<Result<_, _>>().map_err(cannot_watch)
}

fn cannot_watch(error: impl std::fmt::Display) -> Failure {
    Failure::environment(format_args!("cannot watch the project file: {error}"))
}
