//! Watches a project file and the files it refers to, and publishes each valid change. SIGHUP publishes too, for file systems
//! that tell of no change.

mod way;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use app::{App, BackgroundTask};
use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher as _};
use tokio::signal::unix::Signal;
use tokio::sync::mpsc;

use self::way::way_to;
use crate::failure::Failure;
use crate::going_live::go_live;
use crate::project_file::{self, ProjectFile};
use crate::serving::hang_up;

/// Editors save in several steps (write, rename, set times): wait until they have been still for this long.
const QUIET: Duration = Duration::from_millis(50);

/// A project file and what it refers to, under observation.
pub(crate) struct Watch {
    path: PathBuf,
    /// The project file and those it was last read from, by absolute path.
    files: Vec<PathBuf>,
    watcher: RecommendedWatcher,
    /// What the files are read through: themselves, and the links on the way to them.
    entries: Arc<Mutex<HashSet<PathBuf>>>,
    changes: mpsc::Receiver<()>,
    hang_up: Signal,
}

impl Watch {
    /// Starts to watch the project file at `path`, and these files it was read from. Every change from
    /// now on is noticed.
    pub(crate) fn start(path: &Path, files: &[PathBuf]) -> Result<Self, Failure> {
        let (sender, changes) = mpsc::channel(1);
        let entries = Arc::new(Mutex::new(HashSet::new()));
        let known = Arc::clone(&entries);
        let watcher = notify::recommended_watcher(move |event| {
            if is_change(&event, &known.lock().unwrap_or_else(PoisonError::into_inner)) {
                // One waiting notice covers any number of changes.
                let _already_waiting = sender.try_send(());
            }
        });
        let (watcher, hang_up) = (watcher.map_err(cannot_watch)?, hang_up()?);
        let path = path.to_owned();
        let mut watch = Self { path, files: Vec::new(), watcher, entries, changes, hang_up };
        watch.name(files)?;
        watch.look()?;
        Ok(watch)
    }

    /// These are the files from now on, if there are any.
    fn name(&mut self, files: &[PathBuf]) -> Result<(), Failure> {
        if !files.is_empty() {
            let absolute = files.iter().map(std::path::absolute).collect::<Result<_, _>>();
            self.files = absolute.map_err(cannot_watch)?;
        }
        Ok(())
    }

    /// Watches the present ways to the files. It is the folders that are watched, since many editors replace the file itself, and
    /// tools that deploy replace a link to its folder.
    fn look(&mut self) -> Result<(), Failure> {
        let entries: HashSet<_> = self.files.iter().flat_map(|file| way_to(file)).collect();
        let folders: HashSet<_> = entries.iter().map(|entry| project_file::folder(entry)).collect();
        for folder in folders.into_iter().filter(|folder| folder.exists()) {
            // Again also where it was watched before: a folder that came back under its name is another one.
            self.watcher.watch(folder, RecursiveMode::NonRecursive).map_err(cannot_watch)?;
        }
        *self.entries.lock().unwrap_or_else(PoisonError::into_inner) = entries;
        Ok(())
    }

    /// Publishes each change, for as long as the process lives.
    pub(crate) async fn follow(mut self, app: App) {
        while self.next().await {
            // Before it reads, so that a change meanwhile is noticed; and after, since other files may be named.
            let looked = self.look();
            let files = publish(&app, &self.path).await;
            let named = looked.and_then(|()| self.name(&files)).and_then(|()| self.look());
            if let Err(failure) = named {
                tracing::error!("{failure}");
            }
        }
    }

    /// Waits until something changed and is still, or until SIGHUP.
    async fn next(&mut self) -> bool {
        tokio::select! {
            _ = self.hang_up.recv() => return true,
            change = self.changes.recv() => if change.is_none() { return false },
        }
        while tokio::time::timeout(QUIET, self.changes.recv()).await.is_ok() {}
        true
    }
}

/// Whether something happened to one of the files. Our own reading is an event too, and so is a log that is written beside them.
fn is_change(event: &notify::Result<Event>, entries: &HashSet<PathBuf>) -> bool {
    match event {
        Ok(event) => {
            !event.kind.is_access() && event.paths.iter().any(|path| entries.contains(path))
        }
        // What the watcher could not make out may have been a change.
        Err(_) => true,
    }
}

/// Publishes the present file; a faulty file leaves the last good revision live. Returns the files that were read.
async fn publish(app: &App, path: &Path) -> Vec<PathBuf> {
    let ProjectFile { checked, written, files, .. } = match project_file::read(path) {
        Ok(file) => file,
        Err(failure) => {
            app.monitor().failed(BackgroundTask::ProjectFile);
            tracing::error!("the last good revision stays live\n{failure}");
            return Vec::new();
        }
    };
    match go_live(app, checked.project, written).await {
        Ok(published) => tracing::info!(
            revision = published.revision,
            bytes = published.brotli_bytes,
            "published `{}`",
            path.display()
        ),
        Err(failure) => {
            app.monitor().failed(BackgroundTask::ProjectFile);
            tracing::error!("the last good revision stays live\n{failure}");
        }
    }
    files
}

fn cannot_watch(error: impl std::fmt::Display) -> Failure {
    Failure::environment(format_args!("cannot watch the project file: {error}"))
}
