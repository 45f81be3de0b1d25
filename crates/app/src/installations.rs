//! Where a project's snippet is installed: the origins of the pages that load it, and nothing about their visitors. Delivery notes a load in
//! memory; a background step writes it to the store.

mod list;
mod loads;
mod note;
mod record;

pub use list::{ListedInstallation, list_installations};
pub(crate) use loads::Loads;
pub use note::{PageHeaders, note_load};
pub use record::record_loads;
