//! Watches a project file and the files it refers to, and publishes each valid change.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use app::App;
use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher as _};
use tokio::sync::mpsc;

use crate::failure::Failure;
use crate::going_live::go_live;
use crate::project_file::{self, ProjectFile};

/// Editors save in several steps (write, rename, set times): wait until they have been still for this long.
const QUIET: Duration = Duration::from_millis(50);

/// A project file and what it refers to, under observation.
pub(crate) struct Watch {
    path: PathBuf,
    watcher: RecommendedWatcher,
    files: Arc<Mutex<HashSet<PathBuf>>>,
    changes: mpsc::Receiver<()>,
}

impl Watch {
    /// Starts to watch the project file at `path`, and these files it was read from. Every change from
    /// now on is noticed.
    pub(crate) fn start(path: &Path, files: &[PathBuf]) -> Result<Self, Failure> {
        let (sender, changes) = mpsc::channel(1);
        let files_watched = Arc::new(Mutex::new(HashSet::new()));
        let known = Arc::clone(&files_watched);
        let watcher = notify::recommended_watcher(move |event| {
            if is_change(&event, &known.lock().unwrap_or_else(PoisonError::into_inner)) {
                // One waiting notice covers any number of changes.
                let _already_waiting = sender.try_send(());
            }
        });
        let watcher = watcher.map_err(cannot_watch)?;
        let mut watch = Self { path: path.to_owned(), watcher, files: files_watched, changes };
        watch.include(files)?;
        Ok(watch)
    }

    /// Watches these files too. It is their folders that are watched, since many editors replace the file itself.
    fn include(&mut self, files: &[PathBuf]) -> Result<(), Failure> {
        for file in files {
            // Events name absolute paths.
            let file = std::path::absolute(file).map_err(cannot_watch)?;
            let folder = project_file::folder(&file).to_owned();
            if self.files.lock().unwrap_or_else(PoisonError::into_inner).insert(file) {
                self.watcher.watch(&folder, RecursiveMode::NonRecursive).map_err(cannot_watch)?;
            }
        }
        Ok(())
    }

    /// Publishes each change, for as long as the process lives.
    pub(crate) async fn follow(mut self, app: App) {
        while self.changes.recv().await.is_some() {
            while tokio::time::timeout(QUIET, self.changes.recv()).await.is_ok() {}
            let files = publish(&app, &self.path).await;
            if let Err(failure) = self.include(&files) {
                tracing::error!("{failure}");
            }
        }
    }
}

/// Whether something happened to one of the files. Our own reading is an event too, and so is a log that is written beside them.
fn is_change(event: &notify::Result<Event>, files: &HashSet<PathBuf>) -> bool {
    match event {
        Ok(event) => !event.kind.is_access() && event.paths.iter().any(|path| files.contains(path)),
        // What the watcher could not make out may have been a change.
        Err(_) => true,
    }
}

/// Publishes the present file; a faulty file leaves the last good revision live. Returns the files that were read.
async fn publish(app: &App, path: &Path) -> Vec<PathBuf> {
    let ProjectFile { checked, written, files } = match project_file::read(path) {
        Ok(file) => file,
        Err(failure) => {
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
        Err(failure) => tracing::error!("the last good revision stays live\n{failure}"),
    }
    files
}

fn cannot_watch(error: impl std::fmt::Display) -> Failure {
    Failure::environment(format_args!("cannot watch the project file: {error}"))
}
