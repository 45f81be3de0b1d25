//! The audit log: who did what to whom, when and from where. Acts that write are written down by the store, in the same commit; here
//! are those that are refused, and the reading of it all.

mod entry_json;
mod list;
mod refusals;

pub use entry_json::entry_json;
pub use list::{AUDIT_KEPT_FOR, list_audit, read_audit};
pub(crate) use refusals::{Refusals, Refused, network_of, note_refusal};
