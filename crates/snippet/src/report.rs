//! What a snippet weighs and what it carries: the numbers behind `assay compile --report`.

use domain::Project;
use serde::Serialize;

use crate::compile::{CompileError, Snippet, assemble};
use crate::config::{Config, running};
use crate::{encode, features, javascript};

/// Sizes and contents of a compiled project.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// The project.
    pub project_id: String,
    /// The snippet's hash.
    pub snippet_hash: String,
    /// The whole snippet.
    pub bytes: Bytes,
    /// The runtime this project needs, without the project's data.
    pub runtime: Bytes,
    /// The runtime features compiled in.
    pub features: Vec<String>,
    /// Running campaigns.
    pub campaigns: usize,
    /// Their experiments.
    pub experiments: usize,
}

/// A script's size, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Bytes {
    /// As it is.
    pub raw: usize,
    /// Compressed with gzip at its best level.
    pub gzip: usize,
    /// Compressed with brotli at its best level.
    pub brotli: usize,
}

impl Bytes {
    fn of(text: &str) -> Self {
        Self { raw: text.len(), gzip: encode::gzip(text).len(), brotli: encode::brotli(text).len() }
    }
}

/// Weighs `snippet`, which `project` was compiled to.
///
/// # Errors
/// If the project does not compile.
pub fn report(project: &Project, snippet: &Snippet) -> Result<Report, CompileError> {
    let config = Config::of(project);
    let program = assemble(&config.opaque_constants(), &[]);
    let runtime = javascript::minify(&program, &features::constants(project))
        .map_err(CompileError::Internal)?;
    Ok(Report {
        project_id: project.id.to_string(),
        snippet_hash: snippet.hash.clone(),
        bytes: Bytes::of(&snippet.javascript),
        runtime: Bytes::of(&runtime.text),
        features: features::names(project),
        campaigns: running(project).count(),
        experiments: running(project).map(|campaign| campaign.experiments.len()).sum(),
    })
}
