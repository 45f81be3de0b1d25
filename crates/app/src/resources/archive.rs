//! A program puts a thing away, or takes it out again. It keeps its id, so nothing that ever named it is wrong.

use domain::{Pointer, ProjectId};
use serde_json::{Value, json};

use crate::App;
use crate::drafts::{Draft, Edit, EditError, Editor, Seen, edit_draft};
use crate::resources::place::find;
use crate::resources::{Place, ResourceKind, project_view, view};

/// Which of the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Archiving {
    /// Put it away.
    Archive,
    /// Take it out again.
    Restore,
}

/// Puts away, or takes out again, the thing of this kind with this id, or with this key behind `key:`. Campaigns have a status, which
/// `campaigns::act_on_campaign` changes.
///
/// # Errors
/// See [`EditError`].
pub async fn archive_resource(
    app: &App,
    editor: &Editor,
    id: ProjectId,
    (kind, name): (ResourceKind, String),
    (archiving, seen): (Archiving, Seen),
) -> Result<Value, EditError> {
    let change = move |draft: &Draft| {
        let place = find(&draft.document, kind, &name).ok_or(EditError::NotFound)?;
        archiving.check(view(draft, kind, &place), &seen)?;
        let mut document = (*draft.document).clone();
        place.get_mut(&mut document)["archived"] = archiving.value();
        Ok(Edit { document, changed: place.pointer(), word: kind.word() })
    };
    let (draft, changed) = edit_draft(app, editor, id, change).await?;
    let place = Place::of(&changed).ok_or(EditError::NotFound)?;
    Ok(view(&draft, kind, &place))
}

/// Puts away, or takes out again, a project.
///
/// # Errors
/// See [`EditError`].
pub async fn archive_project(
    app: &App,
    editor: &Editor,
    id: ProjectId,
    archiving: Archiving,
    seen: Seen,
) -> Result<Value, EditError> {
    let change = move |draft: &Draft| {
        archiving.check(project_view(draft), &seen)?;
        let mut document = (*draft.document).clone();
        if let Some(project) = document.value_mut("project") {
            project["archived"] = archiving.value();
        }
        Ok(Edit { document, changed: Pointer::root().field("project"), word: "project" })
    };
    let (draft, _) = edit_draft(app, editor, id, change).await?;
    Ok(project_view(&draft))
}

impl Archiving {
    fn value(self) -> Value {
        json!(self == Self::Archive)
    }

    fn check(self, current: Value, seen: &Seen) -> Result<(), EditError> {
        if !seen(&current) {
            return Err(EditError::changed(current, None));
        }
        let (action, state, allowed) = match (self, current["archived"] == true) {
            (Self::Archive, false) | (Self::Restore, true) => return Ok(()),
            (Self::Archive, true) => ("archive", "archived", "restore"),
            (Self::Restore, false) => ("restore", "in use", "archive"),
        };
        Err(EditError::InvalidTransition { action, state, allowed: vec![allowed] })
    }
}
