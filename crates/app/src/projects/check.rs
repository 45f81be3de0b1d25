//! A member wants to know what is wrong with a project document before anything happens with it.

use domain::{Fault, Locations, Pointer, Project, Severity, Source};
use snippet::CodeFault;

/// A document without errors.
#[derive(Debug)]
pub struct CheckedProject {
    /// What it says.
    pub project: Project,
    /// What its author may want to know.
    pub warnings: Vec<Fault>,
}

/// Reads and validates a document, the member's code in it included.
///
/// # Errors
/// All faults of the document, errors first.
pub fn check_document(source: &Source<'_>) -> Result<CheckedProject, Vec<Fault>> {
    let mut parsed = domain::parse(source)?;
    if !parsed.project.groups.is_empty() {
        parsed.warnings.push(groups_are_not_obeyed(&parsed.locations));
    }
    let code_faults = snippet::check(&parsed.project);
    if code_faults.is_empty() {
        return Ok(CheckedProject { project: parsed.project, warnings: parsed.warnings });
    }
    let errors = code_faults.into_iter().map(|fault| placed(fault, &parsed.locations));
    Err(errors.chain(parsed.warnings).collect())
}

/// Mutual exclusion is part of the document, but the runtime does not know it yet: nobody shall rely on it unawares.
fn groups_are_not_obeyed(locations: &Locations) -> Fault {
    let pointer = Pointer::root().field("groups");
    let place = locations.place(&pointer);
    Fault::warning(
        "not_obeyed",
        pointer,
        "groups are not obeyed in the page yet: a visitor may see several members",
    )
    .at(place)
}

/// A fault of the member's code, placed in the document or in the file the code came from.
fn placed(fault: CodeFault, locations: &Locations) -> Fault {
    Fault {
        severity: Severity::Error,
        code: "code",
        place: locations.place_inside(&fault.pointer, fault.line, fault.column),
        pointer: fault.pointer,
        message: fault.message,
        expected: None,
        hint: fault.hint,
    }
}
