//! The resources of a project as programs see them, one by one. Each is a view of the draft, which is one document: changing a resource
//! changes the document, and the whole must stay valid.

mod action_error;
mod archive;
mod change;
mod create;
mod history;
mod list;
mod past;
mod priorities;
mod read_only;
mod users;

pub use action_error::ActionError;
pub use archive::{Archiving, archive_project, archive_resource};
pub use change::{change_project, change_resource, check_change};
pub use create::{check_new_resource, create_resource};
pub use history::{list_history, list_project_history};
pub use list::{
    Archived, Listed, Order, OrderField, ResourceFilter, State, find_live_resources, find_resource,
    find_resource_in, list_audience_references, list_resources,
};
pub use past::{Edit, PastEdits, Publication, list_edits};
pub(crate) use read_only::TOLD_ONLY;
pub use users::User;
