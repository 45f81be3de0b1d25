//! The size of a snippet and of its parts: the numbers behind `assay compile --report`.

mod share;

use domain::Project;
use serde::Serialize;

use crate::compile::{CompileError, Snippet, compiling};
use crate::config::{Config, revision_of, running};
use crate::encode;
use crate::features::{Feature, Features};
use crate::program::Program;

pub use self::share::Share;

/// Sizes and contents of a compiled project.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// The project.
    pub project_id: String,
    /// The snippet's hash.
    pub snippet_hash: String,
    /// The whole snippet.
    pub bytes: Bytes,
    /// The runtime this project needs, as it is for any values: those of a project make it shorter again.
    pub runtime: Bytes,
    /// The runtime features compiled in.
    pub features: Vec<String>,
    /// Running campaigns.
    pub campaigns: usize,
    /// Their experiments.
    pub experiments: usize,
    /// What each feature adds to the snippet, the largest first.
    pub by_feature: Vec<Share>,
    /// What each experiment adds to the snippet, the largest first; of many those that say the
    /// most.
    pub by_experiment: Vec<Share>,
}

impl Report {
    /// The experiments that were not weighed: their documents are shorter.
    #[must_use]
    pub fn unweighed(&self) -> usize {
        self.experiments.saturating_sub(self.by_experiment.len())
    }
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
    compiling(project, || weigh(&project.in_use(), snippet))
}

fn weigh(project: &Project, snippet: &Snippet) -> Result<Report, CompileError> {
    let program = Program::of_runtime(&Config::of(project, revision_of(project)));
    let runtime = program.minify(&Features::of(project))?;
    let bytes = Bytes::of(&snippet.javascript);
    let runtime = Bytes::of(&runtime.text);
    Ok(Report {
        project_id: project.id.to_string(),
        snippet_hash: snippet.hash.clone(),
        bytes,
        runtime,
        features: Features::of(project).iter().map(Feature::name).collect(),
        campaigns: running(project).count(),
        experiments: running(project).map(|campaign| campaign.experiments.len()).sum(),
        by_feature: share::by_feature(project, snippet)?,
        by_experiment: share::by_experiment(project, snippet)?,
    })
}
