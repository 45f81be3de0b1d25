//! What publishing makes of a project: the document as it is stored, and the snippet in every encoding.

use std::sync::Arc;

use domain::Project;
use sha2::{Digest as _, Sha256};
use snippet::{CompileError, Snippet};

/// Everything of a revision that follows from the project.
pub(crate) struct Compiled {
    pub(crate) project: Arc<Project>,
    pub(crate) document: String,
    /// SHA-256 in hexadecimal digits, by which a document can be told from all others.
    pub(crate) document_hash: String,
    pub(crate) snippet: Snippet,
    pub(crate) brotli: Vec<u8>,
    pub(crate) gzip: Vec<u8>,
}

/// Compiles a project. Compiling and compressing take milliseconds of pure computation: not on the async threads.
pub(crate) async fn compile(project: Arc<Project>) -> Result<Compiled, CompileError> {
    let work = move || {
        let document = serde_json::to_string(&*project).expect("a project is always JSON");
        let document_hash = hex::encode(Sha256::digest(&document));
        let snippet = snippet::compile_written(&project, &document_hash)?;
        let (brotli, gzip) = (snippet.brotli(), snippet.gzip());
        Ok(Compiled { project, document, document_hash, snippet, brotli, gzip })
    };
    match tokio::task::spawn_blocking(work).await {
        Ok(compiled) => compiled,
        Err(panic) => Err(CompileError::Internal(panic.to_string())),
    }
}
