//! Projects: create, describe and list them, and publish a whole document.

mod access;
mod create;
mod describe;
mod list;
mod publish;
mod seed;
mod stored_documents;

pub(crate) use access::require_project;
pub use access::{ProjectAccess, project_access, project_exists};
pub(crate) use create::other_id;
pub use create::{CreateProjectError, create_project, create_project_of_document};
pub(crate) use describe::DescriptionCache;
pub use describe::{
    DraftDescription, LiveContent, LiveDescription, ProjectDescription, describe_projects,
};
pub use list::{ProjectFilter, find_readable_project, list_projects, list_readable_projects};
pub use publish::{Origin, PublishError, Published, publish_project, with_live_ids};
pub use seed::seed_project;
pub use stored_documents::{StoredDocuments, read_stored_documents};
