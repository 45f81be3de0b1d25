//! The house rules that need no compiler: `cargo xtask tidy`. One rule per file; each finding says
//! what is wrong and how to fix it. The rules with their reasons: `docs/HOUSE-RULES.md`.

mod allow_attribute;
mod app_folders;
mod document_link;
mod file_header;
mod file_length;
mod file_name;
mod function_length;
mod integration_test;
mod layers;
mod machine_path;
mod migrations;
mod reserved_dependency;
mod runtime_circle;
mod runtime_dependency;
mod runtime_export;
mod runtime_file;
mod runtime_type;
mod shared_build;
mod sql;
mod store_use;
mod test_name;
mod todo;
mod type_name;
mod unstable_test;
mod vectors;

use std::fmt::{self, Display};
use std::process::ExitCode;

use anyhow::Result;

use crate::output;
use crate::repository::Repository;
use crate::source_file::SourceFile;

/// Rules that look at one file at a time.
const FILE_RULES: &[fn(&SourceFile) -> Vec<Finding>] = &[
    allow_attribute::check,
    app_folders::check,
    file_header::check,
    file_length::check,
    file_name::check,
    function_length::check,
    integration_test::check,
    machine_path::check,
    runtime_dependency::check,
    runtime_type::check,
    sql::check,
    store_use::check,
    test_name::check,
    todo::check,
    type_name::check,
    unstable_test::check,
];

/// Rules that need to see more than one file.
const REPOSITORY_RULES: &[fn(&Repository) -> Vec<Finding>] = &[
    document_link::check,
    layers::check,
    migrations::check,
    reserved_dependency::check,
    runtime_circle::check,
    runtime_export::check,
    runtime_file::check,
    shared_build::check,
    vectors::check,
];

/// Something a rule objects to.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Finding {
    path: String,
    line: usize,
    message: String,
}

impl Finding {
    fn new(path: &str, line: usize, message: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line, message: message.into() }
    }

    fn in_file(file: &SourceFile, line: usize, message: impl Into<String>) -> Self {
        Self::new(file.path(), line, message)
    }
}

impl Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.message)
    }
}

/// Prints all findings; fails if there are any.
pub(crate) fn run() -> Result<ExitCode> {
    let repository = Repository::load()?;
    let findings = findings(&repository);
    for finding in &findings {
        output::say(finding);
    }
    if findings.is_empty() {
        output::say(format_args!("tidy: {} files, no findings", repository.files.len()));
        return Ok(ExitCode::SUCCESS);
    }
    output::say(format_args!("tidy: {} findings", findings.len()));
    Ok(ExitCode::FAILURE)
}

fn findings(repository: &Repository) -> Vec<Finding> {
    let by_file =
        repository.files.iter().flat_map(|file| FILE_RULES.iter().flat_map(|rule| rule(file)));
    let by_repository = REPOSITORY_RULES.iter().flat_map(|rule| rule(repository));
    let mut findings: Vec<Finding> = by_file.chain(by_repository).collect();
    findings.sort();
    findings
}

#[cfg(test)]
mod testing {
    //! What the tests of all rules share.

    use super::Finding;
    use crate::source_file::SourceFile;

    /// No line at all.
    pub(super) const NONE: [usize; 0] = [];

    /// The lines at which `rule` objects to a file.
    pub(super) fn lines(
        rule: fn(&SourceFile) -> Vec<Finding>,
        path: &str,
        text: &str,
    ) -> Vec<usize> {
        rule(&SourceFile::new(path, text)).iter().map(|finding| finding.line).collect()
    }
}
