//! Watches a project file and the files it refers to, and publishes each valid change.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use app::App;
use app::projects::publish_project;
use notify::{RecursiveMode, Watcher as _};
use tokio::sync::mpsc;

use crate::failure::Failure;
use crate::project_file::{self, ProjectFile};

/// Editors save in several steps (write, rename, set times): wait until they have been still for this long.
const QUIET: Duration = Duration::from_millis(50);

/// Who published, as the revision's author.
pub(crate) const AUTHOR: &str = "project file";

/// Follows the project file until the process ends. `files` are those that the last good reading touched.
pub(crate) async fn follow(app: App, path: PathBuf, files: Vec<PathBuf>) -> Result<(), Failure> {
    let (sender, mut changes) = mpsc::channel(1);
    let mut watcher = notify::recommended_watcher(move |_event| {
        // One waiting notice stands for any number of changes.
        let _already_waiting = sender.try_send(());
    })
    .map_err(cannot_watch)?;
    let mut folders = HashSet::new();
    watch_folders(&mut watcher, &mut folders, &files)?;
    while changes.recv().await.is_some() {
        while tokio::time::timeout(QUIET, changes.recv()).await.is_ok() {}
        if let Some(files) = publish(&app, &path).await {
            watch_folders(&mut watcher, &mut folders, &files)?;
        }
    }
    Ok(())
}

/// Watches folders, since many editors replace the file itself.
fn watch_folders(
    watcher: &mut notify::RecommendedWatcher,
    folders: &mut HashSet<PathBuf>,
    files: &[PathBuf],
) -> Result<(), Failure> {
    for folder in files.iter().filter_map(|file| file.parent()) {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        if folders.insert(folder.to_owned()) {
            watcher.watch(folder, RecursiveMode::NonRecursive).map_err(cannot_watch)?;
        }
    }
    Ok(())
}

/// Publishes what the file says now; a faulty file leaves the last good revision live. Gives the files that were read.
async fn publish(app: &App, path: &Path) -> Option<Vec<PathBuf>> {
    let ProjectFile { checked, files } = match project_file::read(path) {
        Ok(file) => file,
        Err(failure) => {
            tracing::error!("the last good revision stays live\n{failure}");
            return None;
        }
    };
    match publish_project(app, checked.project, AUTHOR).await {
        Ok(published) => tracing::info!(
            revision = published.revision,
            bytes = published.brotli_bytes,
            "published `{}`",
            path.display()
        ),
        Err(error) => tracing::error!("the last good revision stays live: {error}"),
    }
    Some(files)
}

fn cannot_watch(error: impl std::fmt::Display) -> Failure {
    Failure::environment(format_args!("cannot watch the project file: {error}"))
}
