//! Documents for tests, and what a person would see of their faults.

use domain::{Fault, FileReader, NoFiles, Parsed, Project, Source, parse};

/// A document that uses every field.
pub(crate) const EVERYTHING: &str = include_str!("../documents/everything.yaml");

/// Files beside a document, each of which returns its own name.
pub(crate) struct Names;

impl FileReader for Names {
    fn read(&self, relative: &str) -> Result<String, String> {
        Ok(format!("return `{relative}`"))
    }
}

pub(crate) fn parse_named(name: &str, text: &str) -> Result<Parsed, Vec<Fault>> {
    parse(&Source { name, text, files: &Names })
}

/// The valid project in a text.
pub(crate) fn project(text: &str) -> Project {
    match parse(&Source { name: "demo.yaml", text, files: &NoFiles }) {
        Ok(parsed) => parsed.project,
        Err(faults) => panic!("{}", lines(&faults)),
    }
}

/// All faults of a text as `assay check` prints them; warnings only if there are no errors.
pub(crate) fn faults_of_text(text: &str) -> String {
    match parse_named("demo.yaml", text) {
        Ok(parsed) => lines(&parsed.warnings),
        Err(faults) => lines(&faults),
    }
}

/// All faults of a document whose first two lines, version and project, are fine.
pub(crate) fn faults(rest: &str) -> String {
    faults_of_text(&with_head(rest))
}

/// A document with the first two lines that every document has.
pub(crate) fn with_head(rest: &str) -> String {
    format!("version: 1\nproject: {{key: demo}}\n{rest}")
}

fn lines(faults: &[Fault]) -> String {
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}
