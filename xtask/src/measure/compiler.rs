//! The compiler under measurement: the real binary, asked on its command line.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use serde::Deserialize;

use crate::program::Program;
use crate::repository::root;

/// The output of `assay compile --report json`.
#[derive(Deserialize)]
pub(super) struct Report {
    /// The whole snippet.
    pub(super) bytes: Bytes,
    /// The same without the project's configuration.
    pub(super) runtime: Bytes,
}

/// How much has to be parsed, and how much travels.
#[derive(Clone, Copy, Deserialize)]
pub(super) struct Bytes {
    pub(super) raw: u32,
    pub(super) gzip: u32,
    pub(super) brotli: u32,
}

/// The binary that `cargo build --release` makes.
pub(super) fn binary() -> PathBuf {
    root().join("target/release/assay")
}

/// Compiles a project file to a snippet.
pub(super) fn compile(project: &Path, snippet: &Path) -> Result<()> {
    let (program, project, snippet) =
        (binary(), project.to_string_lossy(), snippet.to_string_lossy());
    Program::new(&program.to_string_lossy(), ["compile", &project, "-o", &snippet]).must_succeed()
}

/// Compiles a project file, and returns the size of the snippet.
pub(super) fn report_on(project: &Path) -> Result<Report> {
    let shown = project.display();
    let (program, project) = (binary(), project.to_string_lossy());
    let answer =
        Program::new(&program.to_string_lossy(), ["compile", &project, "--report", "json"])
            .answer();
    ensure!(answer.is_some(), "`assay compile {shown}` failed; `assay check` says why");
    let answer = answer.unwrap_or_default();
    serde_json::from_str(&answer).with_context(|| format!("the report on {shown} is unreadable"))
}
