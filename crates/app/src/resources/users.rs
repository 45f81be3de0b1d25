//! A member reads what uses a resource, and so keeps it from being archived.

use domain::ProjectId;
use serde_json::json;

use crate::App;
use crate::computation::compute;
use crate::documents::{Place, ResourceKind, check_shared, find};
use crate::drafts::{Draft, EditError, ReadError, readable_draft};
use crate::roles::Actor;

/// The code of the fault that a resource refers to an archived one.
pub const ARCHIVED_REFERENCE: &str = "archived_reference";

/// A resource of the project itself that uses another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// Its kind.
    pub kind: ResourceKind,
    /// Its id.
    pub id: String,
    /// Its name, or else its key.
    pub title: String,
}

/// What refers to the resource of this kind with this id in the draft, and would be refused if that were archived.
///
/// # Errors
/// If the actor may not read the project, or if it has no such resource.
pub async fn list_users(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    (kind, name): (ResourceKind, &str),
) -> Result<Vec<User>, EditError> {
    let draft = readable_draft(app, actor, id).await?;
    let place = find(&draft.document, kind, name).ok_or(ReadError::NotFound)?;
    // Large documents take milliseconds of computation, so they stay off the async threads.
    Ok(compute("list_users", move || users(&draft, &place)).await?)
}

fn users(draft: &Draft, place: &Place) -> Vec<User> {
    let mut document = (*draft.document).clone();
    place.get_mut(&mut document)["archived"] = json!(true);
    let faults = check_shared(&document).err().unwrap_or_default();
    let mut users = Vec::new();
    for fault in faults.iter().filter(|fault| fault.code == ARCHIVED_REFERENCE) {
        let mut tokens = fault.pointer.tokens();
        let (Some(list), Some(index)) = (tokens.next(), tokens.next()) else { continue };
        let (Some(kind), Ok(index)) = (ResourceKind::of_collection(&list), index.parse()) else {
            continue;
        };
        let user = Place::top(kind, index).get(&document);
        let text = |field: &str| user[field].as_str().map(str::to_owned);
        let title = text("name").or_else(|| text("key")).unwrap_or_default();
        let user = User { kind, id: text("id").unwrap_or_default(), title };
        if !users.contains(&user) {
            users.push(user);
        }
    }
    users
}
