//! The warnings of a draft, each with the resource that it is about.

use std::sync::Arc;

use domain::{Fault, Pointer, SharedDocument};
use serde_json::Value;
use storage::StorageError;

use crate::App;
use crate::documents::{ResourceKind, late_moments};
use crate::drafts::Draft;

/// A warning for the authors of a draft.
#[derive(Debug, Clone)]
pub struct DraftWarning {
    /// The resource that it is about; `None` if it is about the project as a whole.
    pub resource: Option<(ResourceKind, Arc<Value>)>,
    /// The warning. Its pointer leads into the resource, if there is one.
    pub fault: Fault,
}

/// The warnings of a draft that is to go live at this moment: also of what its schedules do at once then, or never.
///
/// # Errors
/// If the store does not answer.
pub async fn warnings_at_publication(app: &App, draft: &Draft) -> Result<Vec<Fault>, StorageError> {
    let known = app.store().list_moments(draft.project.id).await?;
    let late = late_moments(&draft.project, &known, app.wall_time());
    Ok(draft.warnings.iter().cloned().chain(late).collect())
}

/// The same, each with the resource that it is about.
///
/// # Errors
/// If the store does not answer.
pub async fn located_warnings_at_publication(
    app: &App,
    draft: &Draft,
) -> Result<Vec<DraftWarning>, StorageError> {
    Ok(located(&draft.document, &warnings_at_publication(app, draft).await?))
}

impl Draft {
    /// Its warnings, each with the resource that it is about.
    #[must_use]
    pub fn warnings_of_resources(&self) -> Vec<DraftWarning> {
        located(&self.document, &self.warnings)
    }
}

/// The warnings of a document, each with the resource that it is about.
pub(crate) fn located(document: &SharedDocument, warnings: &[Fault]) -> Vec<DraftWarning> {
    warnings.iter().map(|fault| locate(document, fault)).collect()
}

fn locate(document: &SharedDocument, fault: &Fault) -> DraftWarning {
    let mut tokens = fault.pointer.tokens();
    let resource = tokens.next().zip(tokens.next()).and_then(|(list, place)| {
        let kind = ResourceKind::of_collection(&list)?;
        let place: usize = place.parse().ok()?;
        Some((kind, Arc::clone(document.list(kind.collection()).get(place)?)))
    });
    let pointer = match resource {
        Some(_) => tokens.fold(Pointer::root(), |pointer, token| pointer.field(&token)),
        None => fault.pointer.clone(),
    };
    DraftWarning { resource, fault: Fault { pointer, ..fault.clone() } }
}

#[cfg(test)]
mod tests {
    use domain::{Fault, Pointer, SharedDocument};
    use serde_json::json;

    use super::located;

    #[test]
    fn a_warning_names_its_resource_and_leads_into_it() {
        let document = json!({"pages": [{"id": "1"}, {"id": "2"}]});
        let document = SharedDocument::of(document).unwrap();
        let root = Pointer::root;
        let of_page = root().field("pages").element(1).field("conditions").element(0);
        let of_project = root().field("project").field("snippet");
        let warning = |pointer: &Pointer| Fault::warning("x", pointer.clone(), "doubtful");

        let told = located(&document, &[warning(&of_page), warning(&of_project), warning(&root())]);

        let told = told.iter().map(|one| {
            let id = one.resource.as_ref().map(|(_, resource)| resource["id"].clone());
            (id, one.fault.pointer.as_str())
        });
        assert_eq!(
            told.collect::<Vec<_>>(),
            [(Some(json!("2")), "/conditions/0"), (None, "/project/snippet"), (None, "")]
        );
    }
}
