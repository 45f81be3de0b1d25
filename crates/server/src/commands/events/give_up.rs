//! `assay events give-up`: takes lost files of events from the list, once the operator has seen what goes with them.

use std::fmt::Write as _;

use app::events::{
    GiveUpError, LostEvents, day_in_words, days_in_words, events_of, find_lost_events,
    give_up_events, lost_days_json,
};
use app::numerals::quantity;
use app::roles::Actor;
use serde_json::json;

use super::{failure_of, project_named};
use crate::cli::EventsGiveUpArguments;
use crate::confirmation::is_confirmed;
use crate::failure::Failure;
use crate::{offline, output};

const NOT_AGREED: &str = "nothing was given up: files that are given up do not count again, even if they come back\n  hint: `--yes` gives them up without asking";

/// A folder without any is mostly another one, or its disk is not mounted.
const ARE_ALL: &str = "nothing was given up: no file of the project is in the folder, so it may be another one, or its disk may not be mounted\n  hint: mount the disk, or name the folder with `--events`; if all are lost, name each file, or let `assay events delete --all` delete all events";

pub(super) fn run(arguments: &EventsGiveUpArguments) -> Result<(), Failure> {
    let keeping = arguments.events.keeping(&arguments.place);
    let given_up = offline::run_keeping(&arguments.place, keeping, async |app| {
        let project = project_named(app, &arguments.project).await?;
        let by = Actor::Command;
        let lost = find_lost_events(app, &by, project, &arguments.files).await.map_err(refused)?;
        if lost.files.is_empty() {
            return Ok(lost);
        }
        output::complain(question(&lost, &arguments.project));
        if lost.are_all && arguments.files.is_empty() {
            return Err(Failure::input(ARE_ALL));
        }
        if !arguments.yes && !is_confirmed("this gives them up for good.") {
            return Err(Failure::input(NOT_AGREED));
        }
        // What has been lost since was not agreed to.
        give_up_events(app, &by, project, &lost.files).await.map_err(refused)
    })?;
    tell(arguments, &given_up);
    Ok(())
}

/// What goes with the files.
fn question(lost: &LostEvents, project: &str) -> String {
    let files = quantity(lost.files.len() as u64, "file", "files");
    let mut text = format!("{files} of events of project {project} {} lost:", are(lost));
    for day in &lost.days {
        let (events, day) = (quantity(day.events, "event", "events"), day_in_words(day.day));
        let _ = write!(text, "\n  {day}: {events}");
    }
    text
}

fn are(lost: &LostEvents) -> &'static str {
    if lost.files.len() == 1 { "is" } else { "are" }
}

fn tell(arguments: &EventsGiveUpArguments, given_up: &LostEvents) {
    let LostEvents { files, days, .. } = given_up;
    let (events, project) = (events_of(days), &arguments.project);
    if arguments.json {
        let told = json!({"files": files, "days": lost_days_json(days), "events": events});
        output::print(told);
    } else if files.is_empty() {
        output::print(format_args!("no file of events of project {project} is lost"));
    } else {
        let (files, events) =
            (quantity(files.len() as u64, "file", "files"), quantity(events, "event", "events"));
        let days = days_in_words(days);
        output::print(format_args!("gave up {files} with {events} of project {project}: {days}"));
    }
}

fn refused(error: GiveUpError) -> Failure {
    match error {
        GiveUpError::Kept(error) => failure_of(error),
        error @ (GiveUpError::NotListed(_) | GiveUpError::Whole(_)) => Failure::input(error),
    }
}
