//! Reads the stored documents of a project, and tells what is wrong with one that cannot be read.

use domain::{Fault, Project, parse_value};
use serde_json::Value;
use storage::{ProjectSummary, StorageError};

use crate::App;
use crate::computation::compute;

/// A stored document of a project.
#[derive(Debug)]
pub struct StoredDocument {
    /// The number of the live revision; `None` for the draft.
    pub live_revision: Option<u32>,
    /// What the document says, or its first fault in words.
    pub project: Result<Project, String>,
}

/// The draft of a project and its live revision, if there is one. No cache is asked.
///
/// # Errors
/// If the store does not answer.
pub async fn read_stored_documents(
    app: &App,
    project: &ProjectSummary,
) -> Result<Vec<StoredDocument>, StorageError> {
    let mut found = Vec::new();
    if let Some(draft) = app.store().find_draft(project.id).await? {
        found.push(StoredDocument { live_revision: None, project: read(draft.document).await });
    }
    if let Some(number) = project.head.live_revision {
        let document = app.store().lookup_revision_document(project.id, number).await?;
        let project = match document {
            Some(document) => read(document).await,
            None => Err("it is not there".to_owned()),
        };
        found.push(StoredDocument { live_revision: Some(number), project });
    }
    Ok(found)
}

async fn read(document: String) -> Result<Project, String> {
    let work = move || {
        let value: Value = serde_json::from_str(&document).map_err(|error| error.to_string())?;
        parse_value(&value).map(|(project, _)| project).map_err(|faults| in_words(&faults))
    };
    compute("read_document", work).await.unwrap_or_else(|panic| Err(panic.to_string()))
}

fn in_words(faults: &[Fault]) -> String {
    let Some(first) = faults.first() else { return "it has faults".to_owned() };
    let told = format!("`{}`: {}", first.pointer, first.message);
    match faults.len() {
        1 => told,
        count => format!("{told} (and {} more)", count - 1),
    }
}
