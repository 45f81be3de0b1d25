//! A member publishes a project: the document becomes an immutable revision, compiled once, and its snippet goes live.

use domain::Project;
use snippet::{CompileError, Snippet};
use storage::{NewRevision, StorageError};
use thiserror::Error;

use crate::App;
use crate::projects::deliver::DeliveredSnippet;
use crate::projects::visitor_cookie::VisitorCookie;

/// A revision that is live now.
#[derive(Debug)]
pub struct Published {
    /// Its number within the project, from 1. Publishing what is live already gives the same number again.
    pub revision: u32,
    /// The snippet's hash.
    pub snippet_hash: String,
    /// The snippet's size as most browsers receive it.
    pub brotli_bytes: usize,
}

/// Why nothing was published. What was live stays live.
#[derive(Debug, Error)]
pub enum PublishError {
    /// The project does not compile.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// The revision could not be stored.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Publishes `project` in the name of `author`.
///
/// # Errors
/// See [`PublishError`].
pub async fn publish_project(
    app: &App,
    project: Project,
    author: &str,
) -> Result<Published, PublishError> {
    let (project_id, project_key, project_name) =
        (project.id, project.key.to_string(), project.name.clone());
    let visitor_cookie = VisitorCookie::of(&project);
    let compiled = compile(project).await?;
    let new = NewRevision {
        project_id,
        project_key,
        project_name,
        document: compiled.document,
        snippet_hash: compiled.snippet.hash,
        javascript: compiled.snippet.javascript,
        brotli: compiled.brotli,
        gzip: compiled.gzip,
        author: author.to_owned(),
        message: String::new(),
        created_at: app.now(),
    };
    let revision = app.store().publish_revision(new).await?;
    app.last_list().forget();
    let published = Published {
        revision: revision.number,
        snippet_hash: revision.snippet_hash.clone(),
        brotli_bytes: revision.brotli.len(),
    };
    app.snippets().put(DeliveredSnippet::new(revision, visitor_cookie));
    Ok(published)
}

/// What compiling gives to a revision. Compiling and compressing take milliseconds of pure computation: not on the async threads.
struct Compiled {
    document: String,
    snippet: Snippet,
    brotli: Vec<u8>,
    gzip: Vec<u8>,
}

async fn compile(project: Project) -> Result<Compiled, CompileError> {
    let work = move || {
        let snippet = snippet::compile(&project)?;
        let document = serde_json::to_string(&project).expect("a project is always JSON");
        Ok(Compiled { document, brotli: snippet.brotli(), gzip: snippet.gzip(), snippet })
    };
    match tokio::task::spawn_blocking(work).await {
        Ok(compiled) => compiled,
        Err(panic) => Err(CompileError::Internal(panic.to_string())),
    }
}
