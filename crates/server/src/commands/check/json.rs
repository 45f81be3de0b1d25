//! Findings as JSON: one object with all files.

use domain::{Fault, Severity};
use serde::Serialize;

use super::Findings;

#[derive(Serialize)]
struct Report<'f> {
    errors: usize,
    warnings: usize,
    files: Vec<File<'f>>,
}

#[derive(Serialize)]
struct File<'f> {
    #[serde(rename = "file")]
    name: &'f str,
    valid: bool,
    /// The id of the project, if the file is valid.
    project_id: Option<String>,
    findings: &'f [Fault],
}

/// The report as text.
pub(super) fn report(findings: &[Findings]) -> String {
    let count = |severity| findings.iter().map(|found| found.count(severity)).sum();
    let files = findings.iter().map(|found| File {
        name: &found.file,
        valid: found.project.is_some(),
        project_id: found.project.as_ref().map(|project| project.id.to_string()),
        findings: &found.faults,
    });
    let report = Report {
        errors: count(Severity::Error),
        warnings: count(Severity::Warning),
        files: files.collect(),
    };
    serde_json::to_string_pretty(&report).expect("findings are always JSON")
}
