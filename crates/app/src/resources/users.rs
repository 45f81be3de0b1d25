//! What uses a resource, and so keeps it from being archived.

use serde_json::json;

use crate::documents::{ResourceKind, ResourcePath, check_shared};
use crate::drafts::Draft;

/// The code of the fault that a resource refers to an archived one.
const ARCHIVED_REFERENCE: &str = "archived_reference";

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

/// What refers to a resource of the draft, and would be refused if that were archived.
pub(super) fn users(draft: &Draft, path: &ResourcePath) -> Vec<User> {
    let mut document = (*draft.document).clone();
    path.get_mut(&mut document)["archived"] = json!(true);
    let faults = check_shared(&document).err().unwrap_or_default();
    let mut users = Vec::new();
    for fault in faults.iter().filter(|fault| fault.code == ARCHIVED_REFERENCE) {
        let mut tokens = fault.pointer.tokens();
        let (Some(list), Some(index)) = (tokens.next(), tokens.next()) else { continue };
        let (Some(kind), Ok(index)) = (ResourceKind::of_collection(&list), index.parse()) else {
            continue;
        };
        let user = ResourcePath::top(kind, index).get(&document);
        let text = |field: &str| user[field].as_str().map(str::to_owned);
        let title = text("name").or_else(|| text("key")).unwrap_or_default();
        let user = User { kind, id: text("id").unwrap_or_default(), title };
        if !users.contains(&user) {
            users.push(user);
        }
    }
    users
}
