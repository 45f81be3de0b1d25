//! Whether a backup is of the installation that is meant: a database that was lost, and made anew by a start, must not take the place of
//! the backup that still has it.

use std::fs::File;
use std::path::Path;

use app::events::event_folder_owner;
use lake::Folder;
use oauth::SigningKey;
use storage::{BackupOrigin, RestoreError};

use crate::event_files;
use crate::failure::Failure;

const LOST: &str = "if the database was lost, `assay restore` this backup; otherwise name another file, or remove this one first";

/// Refuses a backup that was just made if the files of events, or the backup that it would replace, are of another database.
pub(super) fn check(made: &File, earlier: &Path, events: Option<&Path>) -> Result<(), Failure> {
    let mut made = made.try_clone().map_err(Failure::environment)?;
    let origin = BackupOrigin::read(&mut made).map_err(Failure::environment)?;
    if let Some(folder) = events {
        let owner = origin.event_files_key.as_ref().map(event_folder_owner);
        Folder::check_owner(folder, owner.as_deref())
            .map_err(|error| event_files::unusable_folder(folder, error))?;
    }
    // One of a newer Assay, or one that ends before its keys, does not tell.
    let Ok(mut file) = File::open(earlier) else { return Ok(()) };
    match BackupOrigin::read(&mut file) {
        Ok(replaced) => refuse_other(earlier, &replaced, &origin),
        Err(error @ RestoreError::Read(_)) => Err(Failure::environment(error)),
        Err(
            RestoreError::NotABackup
            | RestoreError::Damaged(_)
            | RestoreError::NewerFormat { .. }
            | RestoreError::NewerSchema { .. }
            | RestoreError::Open(_)
            | RestoreError::NotEmpty(_)
            | RestoreError::Storage(_),
        ) => Ok(()),
    }
}

fn refuse_other(
    path: &Path,
    replaced: &BackupOrigin,
    origin: &BackupOrigin,
) -> Result<(), Failure> {
    let (earlier, made) = (mark(replaced.lasting_key.as_ref()), mark(origin.lasting_key.as_ref()));
    let shown = path.display();
    let refused = if earlier.is_some() && earlier != made {
        format!("`{shown}` is a backup of another database, and stays as it is")
    } else if replaced.is_set_up && !origin.is_set_up {
        format!(
            "`{shown}` stays as it is: the database has no member and no project, unlike that backup"
        )
    } else {
        return Ok(());
    };
    Err(Failure::input(refused).with_hint(LOST))
}

/// Keys are compared nowhere.
fn mark(key: Option<&SigningKey>) -> Option<String> {
    key.map(event_folder_owner)
}
