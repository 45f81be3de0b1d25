//! What is stored: the database, its newest moment, its files of events, members, and the projects that count events.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use app::App;
use app::events::{list_all_event_files, owns_event_files};
use app::projects::{StoredDocuments, list_projects, read_stored_documents};
use app::setup::needs_setup;
use domain::{Project, Results};
use lake::Folder;
use oauth::{CLOCK_AHEAD, Timestamp};
use storage::{FoundSchema, ListRange, ProjectSummary, SqliteStore, StorageError, WhichProjects};

use super::finding::{Finding, failed, fault, fine, warning};
use crate::clock::{CLOCKS_DIFFER_BY, machine_time};
use crate::data_place::DataPlace;
use crate::event_files::{OF_ANOTHER, OF_ONE_GONE};
use crate::failure::Failure;
use crate::offline;
use crate::opening::{self, DAMAGED, DatabaseLocation};

const DATABASE: &str = "database";
const CLOCK: &str = "clock";
const EVENT_FILES: &str = "event files";
const MEMBERS: &str = "members";
const ORIGINS: &str = "origins";

const DOCUMENTS: &str = "documents";

const PER_PAGE: u32 = 500;

const MISSING_FILES: &str = "mount their disk, name their folder with --events, put them back from a backup, or give them up with `assay events give-up`: until then, results that need them are not computed";

const DAMAGED_FILES: &str = "put them back from a backup, which has them under the same names, or give them up with `assay events give-up`: until then, results that need them are not computed";

/// What a store says of a row that it cannot read.
const DAMAGED_ROW: &str = "stored data is damaged";

const RESTORE: &str = "keep a copy of the database, and `assay restore` the newest backup from before the damage into a new place";

const REPLACE: &str = "replace it by a project file (`assay apply`), or discard the draft in the console; docs/storage.md says more";

const REPUBLISH: &str =
    "publish another revision (`assay apply --publish`, or the draft in the console)";

pub(super) fn look(place: &DataPlace, events: Option<&Path>) -> Vec<Finding> {
    // To open a database is to migrate it. So it is opened only if there is nothing to migrate.
    let found = opening::check_sessions(place).and_then(|()| opening::find_schema(place));
    let schema = match found {
        Ok(Some(schema)) => schema,
        Ok(None) => return [vec![missing(place, events)], marked_before(events)].concat(),
        Err(failure) => return vec![unusable(place, &failure)],
    };
    if let Err(failure) = opening::check_rights(place, schema) {
        return vec![unusable(place, &failure)];
    }
    match schema {
        FoundSchema::Empty => {
            let empty = fine(DATABASE, "is empty: `assay serve` creates its tables");
            [vec![empty], marked_before(events)].concat()
        }
        FoundSchema::Older { found, known } => {
            let told = format_args!(
                "is at schema {found}, and this assay knows {known}; what is in it was not looked at"
            );
            let cure =
                "`assay serve` migrates it; make an `assay backup` before, to have a way back";
            vec![warning(DATABASE, told, cure)]
        }
        FoundSchema::Current => match damage(place) {
            Some(finding) => vec![finding],
            None => offline::look(place, async |app| {
                look_at(app, events).await.map_err(Failure::environment)
            })
            .unwrap_or_else(|failure| vec![unusable(place, &failure)]),
        },
    }
}

/// What the engine finds in a file; PostgreSQL looks after its own.
fn damage(place: &DataPlace) -> Option<Finding> {
    let DatabaseLocation::File(path) = opening::at(place) else { return None };
    match SqliteStore::find_damage(&path) {
        Ok(None) => None,
        Ok(Some(told)) => {
            Some(fault(DATABASE, format_args!("a part of the file is damaged: {told}"), DAMAGED))
        }
        Err(error) => Some(unusable(place, &Failure::environment(error))),
    }
}

fn unusable(place: &DataPlace, failure: &Failure) -> Finding {
    let Finding { told, cure, .. } = failed(DATABASE, failure);
    let cure = cure.unwrap_or_else(|| {
        let other = match opening::at(place) {
            // SQLite finds out where it reads the part that is damaged.
            DatabaseLocation::File(_) if told.contains("malformed") => DAMAGED,
            _ if told.contains(DAMAGED_ROW) => RESTORE,
            DatabaseLocation::File(_) => "look at the disk of the file, and at the rights to it",
            DatabaseLocation::Server(_) => "look at the log of PostgreSQL",
        };
        other.to_owned()
    });
    fault(DATABASE, told, cure)
}

/// A folder that belongs to a database cannot be that of one which is still to be made.
fn marked_before(folder: Option<&Path>) -> Vec<Finding> {
    let Some(folder) = folder else { return Vec::new() };
    match Folder::owner(folder) {
        Ok(None) => Vec::new(),
        Ok(Some(owner)) => vec![of_another(folder, &owner)],
        Err(error) => vec![unreadable(folder, &error)],
    }
}

/// What `assay serve` refuses.
fn of_another(folder: &Path, owner: &str) -> Finding {
    let other = if owner == Folder::BACKUP { "a backup" } else { "another database" };
    let shown = folder.display();
    let told = format_args!("`{shown}` belongs to {other}: its file `.assay` says so");
    fault(EVENT_FILES, told, OF_ANOTHER)
}

fn unreadable(folder: &Path, error: &io::Error) -> Finding {
    let told = format_args!("cannot read `.assay` in `{}`: {error}", folder.display());
    fault(EVENT_FILES, told, "run this as the user who runs `assay serve`")
}

fn missing(place: &DataPlace, events: Option<&Path>) -> Finding {
    let path = match opening::at(place) {
        DatabaseLocation::File(path) => path.display().to_string(),
        DatabaseLocation::Server(_) => "the database".to_owned(),
    };
    if let Some(folder) = events
        && let Ok(Some(_)) = Folder::owner(folder)
    {
        let shown = folder.display();
        let told = format_args!("`{path}` is gone: `{shown}` has the events of a database");
        return fault(DATABASE, told, OF_ONE_GONE);
    }
    fine(DATABASE, format_args!("`{path}` does not exist yet: `assay serve` creates it"))
}

async fn look_at(app: &App, events: Option<&Path>) -> Result<Vec<Finding>, StorageError> {
    let writable = match app.store().is_writable().await {
        Ok(()) => fine(DATABASE, "takes writes"),
        Err(error) => {
            let cure = "look at the disk, and at the rights to the database";
            fault(DATABASE, format_args!("takes no writes: {error}"), cure)
        }
    };
    let mut findings = vec![writable, clock(app).await?];
    let foreign = match events {
        Some(folder) => foreign(app, folder).await?,
        None => None,
    };
    findings.extend(match foreign {
        Some(finding) => Some(finding),
        None => event_files(app, events).await?,
    });
    findings.push(if needs_setup(app).await? {
        let cure =
            "open the address that `assay serve` prints after `set up`, or `assay member add`";
        warning(MEMBERS, "this server has no member yet", cure)
    } else {
        fine(MEMBERS, "there are some")
    });
    findings.extend(projects(app).await?);
    Ok(findings)
}

/// Documents that cannot be read, and projects that count events from anywhere.
async fn projects(app: &App) -> Result<Vec<Finding>, StorageError> {
    let mut findings = Vec::new();
    for page in 1.. {
        let page = ListRange { page, per_page: PER_PAGE };
        let found = list_projects(app, WhichProjects::Any, page).await?;
        for project in &found {
            match read_stored_documents(app, project).await {
                Ok(StoredDocuments { draft, live }) => {
                    findings.extend(draft.and_then(|draft| look_at_draft(project, draft)));
                    let unreadable = live.and_then(Result::err);
                    findings.extend(unreadable.map(|error| fault(DOCUMENTS, error, REPUBLISH)));
                }
                Err(StorageError::Corrupt(told)) => {
                    let told = format_args!("of project `{}` cannot be read: {told}", project.id);
                    findings.push(fault(DOCUMENTS, told, RESTORE));
                }
                Err(error) => return Err(error),
            }
        }
        if found.len() < PER_PAGE as usize {
            break;
        }
    }
    Ok(findings)
}

fn look_at_draft(
    project: &ProjectSummary,
    draft: Result<Project, StorageError>,
) -> Option<Finding> {
    match draft {
        Err(error) => Some(fault(DOCUMENTS, error, REPLACE)),
        Ok(draft)
            if !project.is_archived && draft.results == Results::On && draft.origins.is_empty() =>
        {
            let told = format!("project `{}` takes events from pages of any site", project.id);
            let cure = "name your site's in `origins`, such as \"https://*.shop.example\"";
            Some(warning(ORIGINS, told, cure))
        }
        Ok(_) => None,
    }
}

/// Whose the folder is, where that is not this database's; nothing else of it matters then.
async fn foreign(app: &App, folder: &Path) -> Result<Option<Finding>, StorageError> {
    match Folder::owner(folder) {
        Ok(Some(owner)) if !owns_event_files(app, &owner).await? => {
            Ok(Some(of_another(folder, &owner)))
        }
        Ok(_) => Ok(None),
        Err(error) => Ok(Some(unreadable(folder, &error))),
    }
}

/// Whether the files are there that the database lists, and as long as they were written. Nothing if it lists none.
async fn event_files(app: &App, folder: Option<&Path>) -> Result<Option<Finding>, StorageError> {
    let length = |name: &str| Some(folder?.join(name).metadata().ok()?.len());
    let listed = list_all_event_files(app).await?;
    let mut wrong: BTreeMap<&String, Option<u64>> = listed
        .iter()
        .map(|(name, bytes)| (name, length(name), *bytes))
        .filter(|(_, found, bytes)| *found != Some(*bytes))
        .map(|(name, found, _)| (name, found))
        .collect();
    // A server that is running may have replaced some meanwhile.
    let still = if wrong.is_empty() { BTreeMap::new() } else { list_all_event_files(app).await? };
    wrong.retain(|name, _| still.contains_key(*name));
    let all = listed.len();
    let Some((first, _)) = wrong.first_key_value() else {
        return Ok((all > 0).then(|| fine(EVENT_FILES, format_args!("all {all} are there"))));
    };
    let Some(folder) = folder else {
        let told = format_args!("the database lists {all}, and no folder is named");
        return Ok(Some(fault(EVENT_FILES, told, "name it with --events")));
    };
    let missing = wrong.values().filter(|found| found.is_none()).count();
    Ok(Some(if missing == wrong.len() {
        let path = folder.join(first);
        let told = format_args!("{missing} of {all} are missing, such as `{}`", path.display());
        fault(EVENT_FILES, told, MISSING_FILES)
    } else {
        let damaged = wrong.iter().find_map(|(name, found)| Some((*name, (*found)?)));
        let (name, found) = damaged.unwrap_or((first, 0));
        let (path, bytes) = (folder.join(name), listed[name]);
        let told = format_args!(
            "{} of {all} are missing or damaged, such as `{}`, which has {found} of {bytes} bytes",
            wrong.len(),
            path.display()
        );
        fault(EVENT_FILES, told, DAMAGED_FILES)
    }))
}

async fn clock(app: &App) -> Result<Finding, StorageError> {
    let newest = app.store().newest_moment().await?;
    // By the database's clock, if it has one.
    let (now, machine) = (app.wall_time(), machine_time());
    let (ahead_by, behind_by) = (machine.since(now), now.since(machine));
    if ahead_by.max(behind_by) > CLOCKS_DIFFER_BY {
        let (by, how) =
            if ahead_by > behind_by { (ahead_by, "ahead") } else { (behind_by, "behind") };
        let told = format_args!(
            "differs from that of the database, by which Assay goes: it is {} {how}",
            by.words()
        );
        return Ok(warning(CLOCK, told, "synchronise both machines (NTP)"));
    }
    let newest = newest.filter(|newest| *newest > now + CLOCKS_DIFFER_BY);
    Ok(newest.map_or_else(|| fine(CLOCK, "not behind the database"), |newest| ahead(newest, now)))
}

/// The store cannot tell which clock is wrong.
fn ahead(newest: Timestamp, now: Timestamp) -> Finding {
    let ahead_by = newest.since(now).words();
    let told = format_args!(
        "the database has moments that are {ahead_by} ahead of this clock: a clock was ahead earlier, or this one is behind now"
    );
    let cure = if newest > now + CLOCK_AHEAD {
        "look at `date -u`. If it is right, `assay tokens end-all` removes what the wrong clock left; if not, synchronise this machine (NTP)"
    } else {
        "look at `date -u`. If it is right, nothing is to be done: time goes on at half speed until the clock has caught up; if not, synchronise this machine (NTP)"
    };
    warning(CLOCK, told, cure)
}
