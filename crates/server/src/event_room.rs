//! Looks how much room there is where events are kept, while the server runs: events stop before the disk is full.

use std::path::PathBuf;
use std::time::Duration;

use app::App;
use app::events::FREE_BYTES_AT_LEAST;
use rustix::fs::statvfs;
use tokio::time::{MissedTickBehavior, interval};

use crate::cli::EventKeepingArguments;
use crate::data_place::DataPlace;
use crate::opening::{self, Place};

/// A process takes less than a tenth of the room that is kept free in this time.
const EVERY: Duration = Duration::from_secs(1);

/// Runs until the process ends. A database on another machine says by itself when its disk is full.
pub(crate) fn start(app: App, place: &DataPlace, events: &EventKeepingArguments) {
    let folders: Vec<PathBuf> =
        database_folder(place).into_iter().chain(events.folder.of(place)).collect();
    tokio::spawn(async move {
        let mut ticks = interval(EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            let looked = folders.clone();
            // A network's disk may take its time.
            let Ok(Some(free)) = tokio::task::spawn_blocking(move || free_bytes(&looked)).await
            else {
                continue;
            };
            if app.event_room().look(free) {
                tell(&app);
            }
        }
    });
}

/// Looks once, for a command.
pub(crate) fn look(app: &App, place: &DataPlace) {
    if let Some(free) = free_bytes(database_folder(place).as_slice()) {
        app.event_room().look(free);
    }
}

fn database_folder(place: &DataPlace) -> Option<PathBuf> {
    match opening::at(place) {
        Place::File(file) => file.parent().map(PathBuf::from),
        Place::Server(_) => None,
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
    let free = folders.iter().filter_map(|folder| {
        // The name of a file in the present folder has an empty parent.
        let folder = if folder.as_os_str().is_empty() { ".".as_ref() } else { folder.as_path() };
        let disk = statvfs(folder).ok()?;
        Some(disk.f_bavail.saturating_mul(disk.f_frsize))
    });
    free.min()
}

#[cfg(test)]
mod tests {
    use super::free_bytes;

    #[test]
    fn folders_that_are_there_have_room_and_others_say_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("missing");

        assert_eq!(free_bytes(std::slice::from_ref(&missing)), None);
        let free = free_bytes(&[missing, folder.path().to_owned(), "".into()]);
        assert!(free > Some(0), "{free:?}");
    }
}
