//! Documents: rules about a project's document, from a file or from a program. Nothing here uses the store.

mod announcements;
mod cap;
mod check;
mod differences;
mod entity_tag;
mod fault_places;
mod kind;
mod late_moments;
mod moments;
mod patch;
mod resource_path;
mod same_text;
mod stamps;
mod stored;

pub use announcements::WebhookEvent;
pub(crate) use announcements::{
    Announcer, PublicationNote, TEST_EVENT, announced_project, announced_title, announcements,
};
pub(crate) use cap::{capped, capped_notices, capped_patch};
pub use check::{CheckedProject, check_document, check_written};
pub(crate) use check::{check_shared, check_shared_anew};
pub(crate) use differences::differences;
pub use differences::{Difference, FieldChange};
pub use entity_tag::tag_of;
pub use fault_places::seen_around;
pub(crate) use fault_places::seen_from;
pub use kind::ResourceKind;
pub(crate) use late_moments::{STARTS_LATE_AT_MOST, late_moments};
pub(crate) use moments::{apply, apply_done, moments_of};
pub(crate) use patch::patch_between;
pub(crate) use resource_path::{ResourcePath, all, count, find, id_of, list_of};
pub(crate) use same_text::is_same_text;
pub(crate) use stamps::{Live, Stamps, changes_between, resource_name, stamp, stamp_live};
pub(crate) use stored::{StoredDocument, project_of, read_stored};
