//! `assay events`: imports what was measured elsewhere, exports what is there, deletes what is known of one visitor or of all, and gives up
//! what is lost.

mod give_up;

use app::App;
use app::events::{
    DeletedEvents, ExportFormat, ExportedVisitor, Forgotten, ImportError, Imported, ImportedRows,
    KeptEventsError, RefusedRow, VisitorName, delete_events, export_events, export_visitor,
    forget_visitor, import_rows, measured_properties, with_measured,
};
use app::numerals::quantity;
use app::projects::find_readable_project;
use app::roles::Actor;
use domain::ProjectId;
use events::{ColumnNames, RowFormat};
use serde_json::json;

use super::results::{Origin, columns, read_all, refuse_unseen};
use crate::cli::{
    EventFormat, EventKind, EventsCommand, EventsDeleteArguments, EventsExportArguments,
    EventsForgetArguments, EventsImportArguments,
};
use crate::confirmation::is_confirmed;
use crate::failure::Failure;
use crate::{event_room, offline, output};

/// Runs one of the commands.
pub(crate) fn run(command: &EventsCommand) -> Result<(), Failure> {
    match command {
        EventsCommand::Import(arguments) => import(arguments),
        EventsCommand::Export(arguments) => export(arguments),
        EventsCommand::Forget(arguments) => forget(arguments),
        EventsCommand::Delete(arguments) => delete(arguments),
        EventsCommand::GiveUp(arguments) => give_up::run(arguments),
    }
}

fn import(arguments: &EventsImportArguments) -> Result<(), Failure> {
    let given = columns(&arguments.columns)?;
    let keeping = arguments.kept.keeping();
    let (imported, origin) = offline::run_keeping(&arguments.place, keeping, async |app| {
        let project = project_named(app, &arguments.project).await?;
        let measured = measured_properties(app, project).await.map_err(Failure::environment)?;
        let columns = with_measured(given, measured);
        let (rows, origin) = read_rows(arguments, &columns)
            .map_err(|failure| failure.after("nothing is imported"))?;
        event_room::look(app, &arguments.place);
        let imported = import_rows(app, &Actor::Command, project, rows).await;
        let imported = imported.map_err(|error| match error {
            error @ (ImportError::NotPublished | ImportError::Archived) => Failure::input(error),
            error @ (ImportError::Role(_) | ImportError::NoRoom) => Failure::environment(error),
        })?;
        Ok((imported, origin))
    })?;
    let Imported { accepted, rejected, faults } = imported;
    for RefusedRow { place, detail } in &faults {
        output::complain(format_args!("{}: {detail}", origin.of(*place)));
    }
    match rejected - faults.len() as u64 {
        0 => {}
        untold => output::complain(format_args!(
            "{} refused",
            quantity(untold, "more row is", "more rows are")
        )),
    }
    let rejected = rejected + origin.faulty;
    if arguments.json {
        output::print(json!({"accepted": accepted, "rejected": rejected}));
    } else {
        // The log takes rows as they come: which of them are there already shows only where events are read.
        output::print(format_args!(
            "imported {}; those that were there already still count once",
            quantity(accepted, "row", "rows")
        ));
    }
    match rejected {
        0 => Ok(()),
        wrong => {
            let refused = quantity(wrong, "row was", "rows were");
            Err(Failure::input(format_args!("{refused} not imported; see above")))
        }
    }
}

/// The rows of all files, and where they come from.
fn read_rows(
    arguments: &EventsImportArguments,
    columns: &ColumnNames,
) -> Result<(ImportedRows, Origin), Failure> {
    let format = arguments.format.map(RowFormat::from);
    let (rows, origin) = match arguments.kind {
        EventKind::Exposures => {
            let (rows, origin) = read_all(&arguments.files, format, columns)?;
            (ImportedRows::Exposures(rows), origin)
        }
        EventKind::Events => {
            let (rows, origin) = read_all(&arguments.files, format, columns)?;
            (ImportedRows::Events(rows), origin)
        }
    };
    refuse_unseen(&[&origin])?;
    Ok((rows, origin))
}

fn export(arguments: &EventsExportArguments) -> Result<(), Failure> {
    let keeping = arguments.events.keeping(&arguments.place);
    let format = match arguments.format {
        EventFormat::Parquet => ExportFormat::Parquet,
        EventFormat::Ndjson => ExportFormat::Ndjson,
    };
    let (to, out) = ((arguments.out.clone(), format), arguments.out.display());
    if let Some(visitor) = arguments.visitor.clone().map(VisitorName::Id) {
        let exported = offline::run_keeping(&arguments.place, keeping, async |app| {
            let project = project_named(app, &arguments.project).await?;
            let exported = export_visitor(app, &Actor::Command, project, &visitor, to).await;
            exported.map_err(failure_of)
        })?;
        let ExportedVisitor { visitor, events } = exported;
        if arguments.json {
            output::print(json!({"rows": events, "visitor": visitor.to_string()}));
        } else {
            let rows = quantity(events, "row", "rows");
            output::print(format_args!("exported {rows} of visitor {visitor} to `{out}`"));
        }
        return Ok(());
    }
    let rows = offline::run_keeping(&arguments.place, keeping, async |app| {
        let project = project_named(app, &arguments.project).await?;
        export_events(app, &Actor::Command, project, to).await.map_err(failure_of)
    })?;
    if arguments.json {
        output::print(json!({"rows": rows}));
    } else {
        output::print(format_args!("exported {} to `{out}`", quantity(rows, "row", "rows")));
    }
    Ok(())
}

fn forget(arguments: &EventsForgetArguments) -> Result<(), Failure> {
    let keeping = arguments.events.keeping(&arguments.place);
    let by_id = || VisitorName::Id(arguments.visitor.clone().unwrap_or_default());
    let visitor = arguments.number.map_or_else(by_id, VisitorName::Number);
    let forgotten = offline::run_keeping(&arguments.place, keeping, async |app| {
        let project = project_named(app, &arguments.project).await?;
        forget_visitor(app, &Actor::Command, project, &visitor).await.map_err(failure_of)
    })?;
    let Forgotten { visitor, events } = forgotten;
    if arguments.json {
        // A text: many programs read a number of JSON as a double, which has 53 bits.
        output::print(json!({"visitor": visitor.to_string(), "events": events}));
    } else {
        let events = quantity(events, "event", "events");
        output::print(format_args!("deleted {events} of visitor {visitor}"));
    }
    Ok(())
}

fn delete(arguments: &EventsDeleteArguments) -> Result<(), Failure> {
    let keeping = arguments.events.keeping(&arguments.place);
    let (which, words) = match arguments.before {
        Some(day) => (DeletedEvents::Before(day), format!("events before {day}")),
        None => (DeletedEvents::All, "all events".to_owned()),
    };
    let project = &arguments.project;
    if !arguments.yes && !is_confirmed(&format!("this deletes {words} of project {project}.")) {
        return Err(Failure::input(
            "nothing was deleted: deleted events can only be restored from a backup\n  hint: `--yes` deletes without asking",
        ));
    }
    let events = offline::run_keeping(&arguments.place, keeping, async |app| {
        let project = project_named(app, project).await?;
        delete_events(app, &Actor::Command, project, which).await.map_err(failure_of)
    })?;
    if arguments.json {
        output::print(json!({"events": events}));
    } else {
        let events = quantity(events, "event", "events");
        output::print(format_args!("deleted {events} of project {project}"));
    }
    Ok(())
}

/// The project with this id, or else with this key, which may be written as REST has it: `key:shop`.
async fn project_named(app: &App, name: &str) -> Result<ProjectId, Failure> {
    let (id, key) = (name.parse(), name.strip_prefix("key:").unwrap_or(name));
    if let Ok(id) = id {
        return Ok(id);
    }
    let found = find_readable_project(app, &Actor::Command, key).await;
    let unknown = || Failure::input(format_args!("no project has the id or key `{name}`"));
    found.map_err(Failure::environment)?.ok_or_else(unknown)
}

fn failure_of(error: KeptEventsError) -> Failure {
    match error {
        error @ KeptEventsError::UnknownProject => Failure::input(error),
        error @ (KeptEventsError::Role(_) | KeptEventsError::Files(_)) => {
            Failure::environment(error)
        }
    }
}
