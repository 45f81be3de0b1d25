//! `assay decide`: what visitors get, and why, without a server or a browser.

mod answer_text;
mod visit_lines;

use app::decisions::{PreparedProject, VisitRequest};
use decide::{Answer, Effort, Visit};
use serde_json::json;

use crate::cli::DecideArguments;
use crate::commands::decide::answer_text::answer_text;
use crate::commands::decide::visit_lines::VisitLines;
use crate::failure::Failure;
use crate::{interruption, output, project_file};

pub(crate) fn run(arguments: DecideArguments) -> Result<(), Failure> {
    let file = project_file::read(&arguments.project_file)?;
    for warning in &file.checked.warnings {
        output::complain(warning);
    }
    let project = PreparedProject::new(&file.checked.project);
    let format = if arguments.json { Format::Json } else { Format::Text };
    if let Some(path) = &arguments.visits {
        // Visits may come for as long as a container lives.
        let _nothing = interruption::end_cleanly()?;
        return decide_each(&project, VisitLines::open(path)?, format);
    }
    let visit = project.understand(&written(arguments)).map_err(Failure::Faults)?;
    format.show(&decided(&project, &visit)?);
    Ok(())
}

fn decided(project: &PreparedProject, visit: &Visit) -> Result<Answer, Failure> {
    project.decide(visit, &Effort::default()).map_err(Failure::input)
}

/// How answers are printed.
#[derive(Clone, Copy)]
enum Format {
    Json,
    Text,
}

impl Format {
    fn show(self, answer: &Answer) {
        match self {
            Self::Json => {
                output::print(serde_json::to_string(answer).expect("an answer is always JSON"));
            }
            Self::Text => output::print(answer_text(answer)),
        }
    }

    /// A program that waits for an answer to each of its lines gets one to a wrong line, too.
    fn refuse(self, line: u32, failure: &Failure) {
        if matches!(self, Self::Json) {
            output::print(json!({"line": line, "error": failure.message()}));
        }
        output::complain(failure);
    }
}

/// Answers each line as it arrives. Reports an invalid line and continues with the next one.
fn decide_each(
    project: &PreparedProject,
    mut lines: VisitLines,
    format: Format,
) -> Result<(), Failure> {
    let mut refused = 0_u64;
    while output::is_open()
        && let Some(line) = lines.next_line()?
    {
        let visit = line.and_then(|line| project.read_visit(line).map_err(Failure::Faults));
        match visit.and_then(|visit| decided(project, &visit)) {
            Ok(answer) => format.show(&answer),
            Err(failure) => {
                refused += 1;
                format.refuse(lines.number(), &failure);
            }
        }
    }
    match refused {
        0 => Ok(()),
        1 => Err(Failure::input("1 line is not a valid visit; see above")),
        _ => Err(Failure::input(format_args!("{refused} lines are not valid visits; see above"))),
    }
}

fn written(arguments: DecideArguments) -> VisitRequest {
    let details = arguments.details;
    VisitRequest {
        visitor_id: arguments.visitor.unwrap_or_default(),
        url: arguments.url.unwrap_or_default(),
        referrer: details.referrer,
        cookies: details.cookies,
        attributes: details.attributes,
        user_agent: details.user_agent,
        touch_points: details.touch_points,
        language: details.language,
        local_time: details.local_time,
        location: details.location,
        first_session: details.first_session,
        earlier_variations: details.stored,
        forced_variations: details.force,
        activated_pages: details.pages,
    }
}
