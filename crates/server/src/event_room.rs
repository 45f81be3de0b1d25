//! Looks how much room there is where events are kept, while they come: they stop before the disk is full.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use app::App;
use app::events::FREE_BYTES_AT_LEAST;
use rustix::fs::statvfs;
use tokio::time::{MissedTickBehavior, interval};

use crate::cli::EventKeepingArguments;
use crate::data_place::DataPlace;
use crate::opening::{self, DatabaseLocation};

/// What the process itself writes in this time is counted; this is for what others write.
const EVERY: Duration = Duration::from_secs(1);

/// Runs until the process ends. A database on another machine says by itself when its disk is full.
pub(crate) fn start(app: App, place: &DataPlace, events: &EventKeepingArguments) {
    watch(app, folders(place, events));
}

fn watch(app: App, folders: Vec<PathBuf>) {
    tokio::spawn(async move {
        let mut ticks = interval(EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            let (looked, written) = (folders.clone(), app.event_room().written());
            // A network's disk may take its time.
            let free = tokio::task::spawn_blocking(move || free_bytes(&looked)).await;
            let Ok(Some(free)) = free else {
                app.event_room().look_in_vain(written);
                continue;
            };
            if app.event_room().look_since(written, free) {
                tell(&app);
            }
        }
    });
}

/// For a command that writes events: looks at once, and again while it runs.
pub(crate) fn look(app: &App, place: &DataPlace) {
    let folders = Vec::from_iter(database_folder(place));
    if let Some(free) = free_bytes(&folders) {
        app.event_room().look(free);
    }
    watch(app.clone(), folders);
}

/// Where events are kept on disks of this machine.
fn folders(place: &DataPlace, events: &EventKeepingArguments) -> Vec<PathBuf> {
    database_folder(place).into_iter().chain(events.folder.of(place)).collect()
}

/// The folder of a database in a file.
pub(crate) fn database_folder(place: &DataPlace) -> Option<PathBuf> {
    match opening::at(place) {
        // The name of a file in the present folder has an empty parent.
        DatabaseLocation::File(file) => file.parent().map(|folder| {
            if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder.to_owned() }
        }),
        DatabaseLocation::Server(_) => None,
    }
}

fn tell(app: &App) {
    if app.event_room().is_there() {
        tracing::info!("there is room for events again");
    } else {
        let megabytes = FREE_BYTES_AT_LEAST / (1024 * 1024);
        tracing::error!("events are refused: less than {megabytes} MiB of the disk are free");
    }
}

/// What programs like this one may write to the fullest of these disks. A folder that is not there yet says nothing.
fn free_bytes(folders: &[PathBuf]) -> Option<u64> {
    folders.iter().filter_map(|folder| free_bytes_of(folder).ok()).min()
}

/// What programs like this one may write to the disk of a folder.
pub(crate) fn free_bytes_of(folder: &Path) -> io::Result<u64> {
    let disk = statvfs(folder)?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::{database_folder, free_bytes};
    use crate::data_place::{DataPlace, Database};

    #[test]
    fn folders_that_are_there_have_room_and_others_say_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("missing");

        assert_eq!(free_bytes(std::slice::from_ref(&missing)), None);
        let free = free_bytes(&[missing, folder.path().to_owned()]);
        assert!(free > Some(0), "{free:?}");
    }

    #[test]
    fn a_database_in_the_present_folder_has_that_folder() {
        let at = |file: &str| {
            let database = Some(Database::Sqlite(PathBuf::from(file)));
            database_folder(&DataPlace { database, ..DataPlace::default() })
        };

        assert_eq!(at("assay.db").as_deref(), Some(Path::new(".")));
        assert_eq!(at("data/assay.db").as_deref(), Some(Path::new("data")));
    }
}
