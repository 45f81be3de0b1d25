//! `assay backup`: everything in the database, as it is at this moment, in one file, and the files of events beside it.

pub(super) mod event_files;
mod origin;
mod unfinished;

use app::numerals::quantity;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use serde_json::json;
use storage::{
    Backup, BackupError, BackupSummary, OpenError, PostgresStore, SqliteStore, StorageError,
};
use tempfile::NamedTempFile;

use crate::cli::BackupArguments;
use crate::clock::machine_time;
use crate::commands::backup::event_files::StillFolder;
use crate::data_place::DataPlace;
use crate::failure::Failure;
use crate::opening::DatabaseLocation;
use crate::output::Percents;
use crate::{interruption, links, opening, output, project_file};

/// What to do where a part of the database cannot be read.
const UNREADABLE: &str = "keep earlier backups, and a copy of the database; where there is no backup, `sqlite3 assay.db .recover` gets back what can still be read of a SQLite file";

/// Writes the backup whole or not at all, readable by its owner alone.
pub(crate) fn run(arguments: &BackupArguments) -> Result<(), Failure> {
    let path = &target(&arguments.file)?;
    let folder = project_file::folder(path);
    let unwritable = |error| {
        Failure::environment(format_args!("cannot write backup `{}`: {error}", path.display()))
    };
    unfinished::sweep(folder).map_err(unwritable)?;
    let file = unfinished::begin(folder, &interruption::end_cleanly()?).map_err(unwritable)?;
    // Until all are copied, no file of events takes the place of others.
    let events = StillFolder::of(arguments.events.of(&arguments.place))?;
    let (file, made) = make(&arguments.place, file)?;
    origin::check(file.as_file(), path, events.as_ref().map(StillFolder::path))?;
    file.as_file().sync_all().map_err(unwritable)?;
    let (listed, beside) = (event_files::listed(file.as_file())?, event_files::beside(path));
    event_files::own(&beside, &listed)?;
    let damaged = event_files::copy(events.as_ref(), &beside, &listed)?;
    file.persist(path).map_err(|error| unwritable(error.error))?;
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(unwritable)?;
    event_files::remove_others(&beside, &listed)?;
    tell(arguments, made, listed.len() - damaged.len());
    refuse_damaged(&damaged)
}

/// The backup is made all the same, with what is whole.
fn refuse_damaged(damaged: &[String]) -> Result<(), Failure> {
    let Some(first) = damaged.iter().min() else { return Ok(()) };
    let count = damaged.len();
    Err(Failure::environment(format_args!(
        "files of events are damaged or missing where the server keeps them, and not whole in the backup ({count}), such as `{first}`\n  hint: put them back from an earlier backup, or give them up with `assay events give-up`, and make another one"
    )))
}

/// Where the backup is written to: a new file, or an earlier backup. A link to a file stays one.
fn target(path: &Path) -> Result<PathBuf, Failure> {
    let refused = |why| Err(Failure::input(format_args!("`{}` {why}", path.display())));
    let Ok(there) = fs::metadata(path) else {
        return if path == Path::new("-") {
            refused(
                "is not the name of a file: a backup has files of events beside it, and cannot be streamed",
            )
        } else {
            links::end_of(path).map_err(Failure::environment)
        };
    };
    if !there.is_file() {
        return refused("is not a regular file, as a backup must be");
    }
    let mut earlier = File::open(path).map_err(Failure::environment)?;
    if there.len() > 0 && !Backup::is_one(&mut earlier).map_err(Failure::environment)? {
        return refused("already exists and is not a backup; name another file");
    }
    fs::canonicalize(path).map_err(Failure::environment)
}

fn make(place: &DataPlace, file: NamedTempFile) -> Result<(NamedTempFile, BackupSummary), Failure> {
    let mut percents = Percents::of("backed up");
    let mut progress = |done, of| percents.tell(done, of);
    let made = match opening::at(place) {
        DatabaseLocation::File(path) if !opening::is_there(&path)? => {
            return Err(opening::missing(&path));
        }
        DatabaseLocation::File(path) => {
            SqliteStore::back_up(&path, file, machine_time(), &mut progress)
        }
        DatabaseLocation::Server(address) => {
            let runtime = tokio::runtime::Runtime::new().map_err(Failure::environment)?;
            let made = PostgresStore::back_up(address, file, machine_time(), &mut progress);
            runtime.block_on(made)
        }
    };
    made.map_err(failed)
}

fn failed(error: BackupError) -> Failure {
    match error {
        BackupError::Open(OpenError::Damaged(_))
        | BackupError::Storage(StorageError::Damaged(_)) => {
            Failure::environment(format_args!("no backup is made: {error}\n  hint: {UNREADABLE}"))
        }
        BackupError::Open(_) | BackupError::Write(_) | BackupError::Storage(_) => {
            Failure::environment(error)
        }
    }
}

fn tell(arguments: &BackupArguments, made: BackupSummary, files: usize) {
    let BackupSummary { schema, rows } = made;
    if arguments.json {
        output::print(json!({"rows": rows, "schema": schema, "event_files": files}));
    } else {
        let path = &arguments.file;
        let rows = quantity(rows, "row", "rows");
        output::print(format_args!("backed up {rows} to `{}`", path.display()));
        if files > 0 {
            let beside = event_files::beside(path);
            output::print(format_args!(
                "and {} to `{}`: keep it with the backup",
                event_files::counted(files),
                beside.display()
            ));
        }
    }
}
