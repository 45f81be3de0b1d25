//! A program archives or restores a resource. The resource keeps its id, so references to it stay valid.

use std::collections::HashSet;

use domain::{Fault, Pointer, Project, ProjectId};
use serde_json::{Value, json};

use crate::App;
use crate::documents::{ResourceKind, ResourcePath, find};
use crate::drafts::{
    Draft, Edit, EditError, ExpectedVersion, ReadError, edit_draft, project_view, view,
};
use crate::publishing::read_live;
use crate::resources::ActionError;
use crate::resources::users::users;
use crate::roles::Actor;

/// Archive or restore.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Archiving {
    /// Archive it.
    Archive,
    /// Restore it.
    Restore,
}

/// Archives or restores the resource of this kind with this id, or with this key behind `key:`. Campaigns have a status instead, which
/// `campaigns::act_on_campaign` changes.
///
/// # Errors
/// See [`ActionError`].
pub async fn archive_resource(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    (kind, name): (ResourceKind, String),
    (archiving, expected): (Archiving, ExpectedVersion),
) -> Result<Value, ActionError> {
    let change = move |draft: &Draft| {
        let path = find(&draft.document, kind, &name).ok_or(ReadError::NotFound)?;
        archiving.check(&view(draft, kind, &path), &expected)?;
        let users = if archiving == Archiving::Archive { users(draft, &path) } else { Vec::new() };
        if !users.is_empty() {
            return Err(ActionError::InUse(users));
        }
        let mut document = (*draft.document).clone();
        path.get_mut(&mut document)["archived"] = archiving.value();
        Ok::<_, ActionError>(Edit { document, changed: path.pointer(), word: kind.word() })
    };
    let (draft, changed) = edit_draft(app, actor, id, change).await?;
    let path = ResourcePath::of(&changed).ok_or(ReadError::NotFound)?;
    Ok(view(&draft, kind, &path))
}

/// Archives or restores a project. A project with running campaigns, in the draft or live, cannot be archived: their visitors would keep
/// seeing them until an editor publishes the draft.
///
/// # Errors
/// See [`ActionError`].
pub async fn archive_project(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    archiving: Archiving,
    expected: ExpectedVersion,
) -> Result<Value, ActionError> {
    let live = match app.store().find_project(id).await? {
        Some(head) => read_live(app, id, head).await?,
        None => None,
    };
    let change = move |draft: &Draft| {
        archiving.check(&project_view(draft), &expected)?;
        if archiving == Archiving::Archive {
            refuse_while_running(&draft.project, live.as_deref().map(|live| &*live.project))?;
        }
        let mut document = (*draft.document).clone();
        if let Some(project) = document.value_mut("project") {
            project["archived"] = archiving.value();
        }
        Ok::<_, ActionError>(Edit {
            document,
            changed: Pointer::root().field("project"),
            word: "project",
        })
    };
    let (draft, _) = edit_draft(app, actor, id, change).await?;
    Ok(project_view(&draft))
}

/// A campaign that starts meanwhile changes the draft, so the retry checks this again.
fn refuse_while_running(draft: &Project, live: Option<&Project>) -> Result<(), EditError> {
    let mut faults: Vec<Fault> = Vec::new();
    let mut told = HashSet::new();
    for campaign in live.into_iter().chain([draft]).flat_map(Project::served) {
        if told.insert(campaign.id) {
            let message =
                format!("the campaign `{}` ({}) is running", campaign.title(), campaign.id);
            let fault = Fault::error("running_campaign", Pointer::root(), message);
            faults.push(fault.hint("pause or conclude it first"));
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(EditError::Breaking(faults)) }
}

impl Archiving {
    fn value(self) -> Value {
        json!(self == Self::Archive)
    }

    fn check(self, current: &Value, expected: &ExpectedVersion) -> Result<(), ActionError> {
        expected.check(current)?;
        let (action, state, allowed) = match (self, current["archived"] == true) {
            (Self::Archive, false) | (Self::Restore, true) => return Ok(()),
            (Self::Archive, true) => ("archive", "archived", "restore"),
            (Self::Restore, false) => ("restore", "in use", "archive"),
        };
        Err(ActionError::InvalidTransition { action, state, allowed: vec![allowed] })
    }
}
