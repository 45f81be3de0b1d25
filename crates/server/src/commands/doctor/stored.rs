//! What is stored: the database, its newest moment, members, and the projects that count events.

use app::App;
use app::drafts::open_draft;
use app::projects::list_projects;
use app::setup::needs_setup;
use domain::Results;
use oauth::Lifetime;
use storage::{FoundSchema, Page, StorageError, WhichProjects};

use super::finding::{Finding, failed, fault, fine, warning};
use crate::clock::machine_time;
use crate::data_place::DataPlace;
use crate::failure::Failure;
use crate::offline;
use crate::opening::{self, Place};

const DATABASE: &str = "database";
const CLOCK: &str = "clock";
const MEMBERS: &str = "members";
const ORIGINS: &str = "origins";

/// Synchronised clocks differ by less.
const CLOCKS_DIFFER_BY: Lifetime = Lifetime::from_seconds(60);

const PER_PAGE: u32 = 500;

pub(super) fn look(place: &DataPlace) -> Vec<Finding> {
    // To open a database is to migrate it. So it is opened only if there is nothing to migrate.
    let schema = match opening::find_schema(place) {
        Ok(Some(schema)) => schema,
        Ok(None) => return vec![missing(place)],
        Err(failure) => return vec![failed(DATABASE, &failure)],
    };
    match schema {
        FoundSchema::Empty => vec![fine(DATABASE, "is empty: `assay serve` makes its tables")],
        FoundSchema::Older { found, known } => {
            let told = format_args!(
                "is at schema {found}, and this assay knows {known}; what is in it was not looked at"
            );
            let cure =
                "`assay serve` migrates it; make an `assay backup` before, to have a way back";
            vec![warning(DATABASE, told, cure)]
        }
        FoundSchema::Current => {
            let looked =
                offline::look(place, async |app| look_at(app).await.map_err(Failure::environment));
            looked.unwrap_or_else(|failure| vec![failed(DATABASE, &failure)])
        }
    }
}

fn missing(place: &DataPlace) -> Finding {
    let path = match opening::at(place) {
        Place::File(path) => path.display().to_string(),
        Place::Server(_) => "the database".to_owned(),
    };
    fine(DATABASE, format_args!("`{path}` is not there: `assay serve` makes it"))
}

async fn look_at(app: &App) -> Result<Vec<Finding>, StorageError> {
    let writable = match app.store().is_writable().await {
        Ok(()) => fine(DATABASE, "takes writes"),
        Err(error) => {
            let cure = "look at the disk, and at the rights to the database";
            fault(DATABASE, format_args!("takes no writes: {error}"), cure)
        }
    };
    let mut findings = vec![writable, clock(app).await?];
    findings.push(if needs_setup(app).await? {
        let cure =
            "open the address that `assay serve` prints after `set up`, or `assay member add`";
        warning(MEMBERS, "this server has no member yet", cure)
    } else {
        fine(MEMBERS, "there are some")
    });
    for page in 1.. {
        let found = list_projects(app, WhichProjects::Current, Page { page, per_page: PER_PAGE });
        let found = found.await?;
        for project in &found {
            if let Some(draft) = open_draft(app, project.id).await?
                && draft.project.results == Results::On
                && draft.project.origins.is_empty()
            {
                let told = format!("project `{}` takes events from pages of any site", project.id);
                let cure = "name your site's in `origins`, such as \"https://*.shop.example\"";
                findings.push(warning(ORIGINS, told, cure));
            }
        }
        if found.len() < PER_PAGE as usize {
            break;
        }
    }
    Ok(findings)
}

async fn clock(app: &App) -> Result<Finding, StorageError> {
    let newest = app.store().newest_moment().await?;
    let now = machine_time();
    Ok(match newest {
        Some(newest) if newest > now + CLOCKS_DIFFER_BY => fault(
            CLOCK,
            "the machine's clock is behind the database's newest moment",
            "synchronise it (NTP): tokens, schedules and certificates depend on it",
        ),
        Some(_) | None => fine(CLOCK, "not behind the database"),
    })
}
