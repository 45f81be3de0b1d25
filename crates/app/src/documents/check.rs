//! Checks a project document for errors before it is used.

use domain::{
    Fault, Kind, Locations, Parsed, Project, Severity, SharedDocument, Source, TextPosition,
};
use serde_json::Value;
use snippet::CodeFault;

use crate::applications;

/// A document without errors.
#[derive(Debug)]
pub struct CheckedProject {
    /// Its content.
    pub project: Project,
    /// Warnings for its author.
    pub warnings: Vec<Fault>,
}

/// Reads and validates a document, including the member's code and the applications.
///
/// # Errors
/// All faults of the document, errors first.
pub fn check_document(source: &Source<'_>) -> Result<CheckedProject, Vec<Fault>> {
    check_parsed(domain::parse(source)?)
}

/// The same, with the document as its author wrote it (`domain::Parsed::as_written`): for a server that adds the ids of the live project.
///
/// # Errors
/// All faults of the document, errors first.
pub fn check_written(source: &Source<'_>) -> Result<(CheckedProject, Value), Vec<Fault>> {
    let parsed = domain::parse(source)?;
    let written = parsed.as_written();
    Ok((check_parsed(parsed)?, written))
}

fn check_parsed(parsed: Parsed) -> Result<CheckedProject, Vec<Fault>> {
    let Parsed { project, mut warnings, locations, .. } = parsed;
    let of_code = snippet::check(&project).into_iter().map(|fault| placed(fault, &locations));
    let of_applications = applications::find_faults(&project).into_iter().map(|fault| {
        let place = locations.place(&fault.pointer);
        fault.at(place)
    });
    let errors: Vec<Fault> = of_code.chain(of_applications).collect();
    if errors.is_empty() {
        let newer = snippet::find_newer_syntax(&project).into_iter();
        warnings.extend(newer.map(|fault| as_warning(placed(fault, &locations))));
        return Ok(CheckedProject { project, warnings });
    }
    Err(errors.into_iter().chain(warnings).collect())
}

/// The same for a document in memory: its faults have no position in a file.
///
/// # Errors
/// All errors of the document.
pub(crate) fn check_shared(document: &SharedDocument) -> Result<CheckedProject, Vec<Fault>> {
    check_read(domain::parse_shared(document))
}

/// The same; resources without ids are new, and get none that is spent.
///
/// # Errors
/// All errors of the document.
pub(crate) fn check_shared_anew(
    document: &SharedDocument,
    is_spent: &dyn Fn(Kind, u64) -> bool,
) -> Result<CheckedProject, Vec<Fault>> {
    check_read(domain::parse_shared_anew(document, is_spent))
}

fn check_read(
    read: Result<(Project, Vec<Fault>), Vec<Fault>>,
) -> Result<CheckedProject, Vec<Fault>> {
    let (project, mut warnings) = read.map_err(|mut faults| {
        faults.retain(|fault| fault.severity == Severity::Error);
        faults
    })?;
    let code_faults = snippet::check(&project);
    if code_faults.is_empty() {
        let newer = snippet::find_newer_syntax(&project).into_iter();
        warnings.extend(newer.map(|fault| as_warning(unplaced(fault))));
        return Ok(CheckedProject { project, warnings });
    }
    Err(code_faults.into_iter().map(unplaced).collect())
}

/// A fault of the member's code, with its position in the code.
fn unplaced(fault: CodeFault) -> Fault {
    let CodeFault { pointer, line, column, message, hint } = fault;
    let fault = Fault::error("code", pointer, message).inside(TextPosition { line, column });
    Fault { hint, ..fault }
}

/// A fault of the member's code, with its position in the document or in the code's file.
fn placed(fault: CodeFault, locations: &Locations) -> Fault {
    let place = locations.place_inside(&fault.pointer, fault.line, fault.column);
    unplaced(fault).at(place)
}

/// Code that works, but not in all browsers that the snippet works in otherwise.
fn as_warning(fault: Fault) -> Fault {
    Fault { severity: Severity::Warning, code: "newer_syntax", ..fault }
}
