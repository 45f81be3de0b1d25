//! Compiles a project into a document to store, and a snippet in every encoding.

use std::sync::Arc;
use std::time::Instant;

use domain::Project;
use sha2::{Digest as _, Sha256};
use snippet::{CompileError, Snippet};

use crate::App;
use crate::computation::compute;

/// The parts of a revision that are computed from the project.
pub(crate) struct Compiled {
    pub(crate) project: Arc<Project>,
    pub(crate) document: String,
    /// SHA-256 in hexadecimal digits, which identifies the document.
    pub(crate) document_hash: String,
    pub(crate) snippet: Snippet,
    pub(crate) brotli: Vec<u8>,
    pub(crate) gzip: Vec<u8>,
}

/// Compiles a project. Compiling and compressing take milliseconds of computation, so they stay off the async threads.
pub(crate) async fn compile(app: &App, project: Arc<Project>) -> Result<Compiled, CompileError> {
    let work = move || {
        let document = serde_json::to_string(&*project).expect("a project is always JSON");
        let document_hash = hex::encode(Sha256::digest(&document));
        let snippet = snippet::compile_written(&project, &document_hash)?;
        let (brotli, gzip) = (snippet.brotli(), snippet.gzip());
        Ok(Compiled { project, document, document_hash, snippet, brotli, gzip })
    };
    let started = Instant::now();
    let compiled = match compute("compile_snippet", work).await {
        Ok(compiled) => compiled,
        Err(panic) => Err(CompileError::Internal(panic.to_string())),
    };
    let result = if compiled.is_ok() { "built" } else { "failed" };
    app.monitor().built_snippet(result, started.elapsed());
    compiled
}
