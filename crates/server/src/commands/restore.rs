//! `assay restore`: restores a backup into an empty database.

use std::collections::HashSet;
use std::fs::File;

use serde_json::json;
use storage::{
    Backup, EndedEverything, PostgresStore, RestoreError, RestoreSummary, RestoredTokens,
    SqliteStore,
};

use crate::cli::RestoreArguments;
use crate::clock::machine_time;
use crate::commands::backup::event_files::{self, StillFolder};
use crate::data_place::DataPlace;
use crate::failure::Failure;
use crate::opening::Place;
use crate::output::Percents;
use crate::{opening, output};

/// Restores all of it or nothing, and prints the number of rows.
pub(crate) fn run(arguments: &RestoreArguments) -> Result<(), Failure> {
    let path = arguments.file.display();
    let file = File::open(&arguments.file);
    let file =
        file.map_err(|error| Failure::unreadable(format_args!("backup `{path}`"), &error))?;
    let mut backup = Backup::check(file).map_err(failure)?;
    // First: a database whose files are missing is not served.
    let listed: HashSet<String> = backup.event_files().map_err(failure)?.into_iter().collect();
    restore_events(arguments, &listed)?;
    let tokens = if arguments.keep_tokens {
        RestoredTokens::Kept
    } else {
        RestoredTokens::EndedAt(machine_time())
    };
    let restored = restore(&arguments.place, &mut backup, tokens)?;
    tell(arguments, &restored);
    Ok(())
}

fn restore_events(arguments: &RestoreArguments, listed: &HashSet<String>) -> Result<(), Failure> {
    if listed.is_empty() {
        return Ok(());
    }
    let beside = event_files::beside(&arguments.file);
    let to = arguments.events.of(&arguments.place).ok_or_else(|| {
        Failure::input("the backup has files of events\n  hint: name their folder with --events")
    })?;
    event_files::copy(StillFolder::of(Some(beside))?.as_ref(), &to, listed)
}

fn restore(
    place: &DataPlace,
    backup: &mut Backup,
    tokens: RestoredTokens,
) -> Result<RestoreSummary, Failure> {
    let mut percents = Percents::of("restored");
    let mut progress = |done, of| percents.tell(done, of);
    let restored = match opening::at(place) {
        Place::File(path) => {
            opening::create_directory_of(&path)?;
            SqliteStore::restore(&path, backup, tokens, &mut progress)
        }
        Place::Server(address) => {
            let runtime = tokio::runtime::Runtime::new().map_err(Failure::environment)?;
            runtime.block_on(PostgresStore::restore(address, backup, tokens, &mut progress))
        }
    };
    restored.map_err(failure)
}

fn failure(error: RestoreError) -> Failure {
    match error {
        RestoreError::NotEmpty(_) => Failure::input(format_args!(
            "{error}\n  hint: name an empty or new one with --data or --database"
        )),
        RestoreError::NotABackup
        | RestoreError::Damaged(_)
        | RestoreError::NewerFormat { .. }
        | RestoreError::NewerSchema { .. } => Failure::input(error),
        RestoreError::Read(_) | RestoreError::Open(_) | RestoreError::Storage(_) => {
            Failure::environment(error)
        }
    }
}

fn tell(arguments: &RestoreArguments, restored: &RestoreSummary) {
    let RestoreSummary { schema, rows, ended } = restored;
    if arguments.json {
        let ended =
            ended.map(|ended| json!({"families": ended.families, "sessions": ended.sessions}));
        output::print(json!({"rows": rows, "schema": schema, "ended": ended}));
        return;
    }
    output::print(format_args!("restored {rows} rows"));
    if let Some(EndedEverything { families, sessions }) = ended {
        output::print(format_args!(
            "ended {families} authorizations of applications and {sessions} sessions of members"
        ));
    }
}
