//! `assay restore`: restores a backup into an empty database.

mod copied_events;

use app::events::event_folder_owner;
use app::numerals::quantity;
use std::collections::HashSet;
use std::fs::File;

use app::Entropy as _;
use oauth::SigningKey;
use serde_json::json;
use storage::{
    Backup, NewKeys, PostgresStore, RestoreError, RestoreSummary, RestoredTokens, SqliteStore,
};

use self::copied_events::CopiedEvents;
use crate::cli::RestoreArguments;
use crate::clock::machine_time;
use crate::commands::backup::event_files::counted;
use crate::commands::tokens::{ended_in_words, json_of_ended};
use crate::data_place::DataPlace;
use crate::entropy::SystemEntropy;
use crate::failure::Failure;
use crate::opening::DatabaseLocation;
use crate::output::Percents;
use crate::{opening, output};

/// Restores all of it or nothing, and prints the number of rows.
pub(crate) fn run(arguments: &RestoreArguments) -> Result<(), Failure> {
    let path = arguments.file.display();
    let file = File::open(&arguments.file);
    let file =
        file.map_err(|error| Failure::unreadable(format_args!("backup `{path}`"), &error))?;
    let mut backup = Backup::check(file).map_err(failure)?;
    let replaced = check_empty(&arguments.place)?;
    let _unserved = opening::refuse_served(&arguments.place)?;
    let listed = event_files(&mut backup)?;
    let events = CopiedEvents::plan(arguments, &listed, replaced.as_deref())?;
    let restored = restore_all(arguments, events.as_ref(), &mut backup);
    if let (Err(_), Some(events)) = (&restored, &events) {
        events.take_back();
    }
    let restored = restored?;
    copied_events::give_up(arguments, replaced.as_deref())?;
    tell(arguments, &restored, events.map_or(0, |events| events.left_out));
    Ok(())
}

/// The files of events that the backup lists. What a server deletes later must not be a file outside its folder.
fn event_files(backup: &mut Backup) -> Result<HashSet<String>, Failure> {
    let listed = backup.event_files().map_err(failure)?;
    if let Some(other) = listed.iter().find(|name| !lake::is_file_name(name)) {
        return Err(Failure::input(format_args!(
            "the backup lists {other:?} among the files of events, which is no name of one: someone has changed it\n  hint: restore another backup"
        )));
    }
    Ok(listed.into_iter().collect())
}

/// Before anything is copied beside a database that is in use. Gives the owner of the folder of events that a first start has marked.
fn check_empty(place: &DataPlace) -> Result<Option<String>, Failure> {
    let checked = match opening::at(place) {
        DatabaseLocation::File(path) => SqliteStore::check_empty(&path),
        DatabaseLocation::Server(address) => {
            let runtime = tokio::runtime::Runtime::new().map_err(Failure::environment)?;
            runtime.block_on(PostgresStore::check_empty(address))
        }
    };
    Ok(checked.map_err(failure)?.as_ref().map(event_folder_owner))
}

fn restore_all(
    arguments: &RestoreArguments,
    events: Option<&CopiedEvents>,
    backup: &mut Backup,
) -> Result<RestoreSummary, Failure> {
    if let DatabaseLocation::File(path) = opening::at(&arguments.place) {
        opening::create_directory_of(&path)?;
    }
    // First: a database whose files are missing is not served.
    if let Some(events) = events {
        events.copy(arguments)?;
    }
    let tokens = if arguments.original.keep_tokens {
        RestoredTokens::Kept
    } else {
        RestoredTokens::EndedAt(machine_time())
    };
    restore(&arguments.place, backup, tokens, &new_keys(arguments))
}

/// A copy must not share with its original how files of events are marked. What signs ends with the tokens.
fn new_keys(arguments: &RestoreArguments) -> NewKeys {
    let key = || {
        let mut bytes = [0; 32];
        SystemEntropy.fill(&mut bytes);
        SigningKey::from_bytes(bytes)
    };
    NewKeys {
        signatures: (!arguments.original.keep_tokens).then(key),
        event_files: (!arguments.original.take_over).then(key),
    }
}

fn restore(
    place: &DataPlace,
    backup: &mut Backup,
    tokens: RestoredTokens,
    keys: &NewKeys,
) -> Result<RestoreSummary, Failure> {
    let mut percents = Percents::of("restored");
    let mut progress = |done, of| percents.tell(done, of);
    let restored = match opening::at(place) {
        DatabaseLocation::File(path) => {
            SqliteStore::restore(&path, backup, tokens, keys, &mut progress)
        }
        DatabaseLocation::Server(address) => {
            let runtime = tokio::runtime::Runtime::new().map_err(Failure::environment)?;
            runtime.block_on(PostgresStore::restore(address, backup, tokens, keys, &mut progress))
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

fn tell(arguments: &RestoreArguments, restored: &RestoreSummary, left_out: usize) {
    let RestoreSummary { schema, rows, ended } = restored;
    if arguments.json {
        let ended = ended.as_ref().map(json_of_ended);
        let summary = json!({
            "rows": rows,
            "schema": schema,
            "ended": ended,
            "left_out_event_files": left_out,
        });
        output::print(summary);
        return;
    }
    output::print(format_args!("restored {}", quantity(*rows, "row", "rows")));
    if left_out > 0 {
        output::print(format_args!("left out {}, damaged or missing", counted(left_out)));
    }
    if let Some(ended) = ended {
        output::print(ended_in_words(ended));
    }
}
