//! Projects: check a document, publish it, list what is live, deliver its snippet.

mod check;
mod compile;
mod create;
mod deliver;
mod deliver_by_hash;
mod describe;
mod go_live;
mod list;
mod live_project;
mod publish;
mod seed;
mod visitor_cookie;

pub(crate) use check::check_shared;
pub use check::{CheckedProject, check_document, check_written};
pub(crate) use compile::compile;
pub use create::{create_project, create_project_of_document};
pub use deliver::{DeliveredSnippet, SnippetShelf, live_snippet};
pub(crate) use deliver_by_hash::OldSnippetShelf;
pub use deliver_by_hash::{find_snippet, read_snippet};
pub use describe::{CampaignLine, ProjectDescription, describe_project};
pub(crate) use go_live::{Going, go_live};
pub use list::{find_readable_project, list_projects, list_readable_projects};
pub(crate) use live_project::{live_number, live_project, project_of, read_stored};
pub use publish::{Origin, PublishError, Published, publish_project, with_live_ids};
pub use seed::seed_project;
pub use visitor_cookie::{AskingVisitor, VisitorCookie};
