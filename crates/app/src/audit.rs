//! The audit log: who did what to whom, when and from where. The store logs each write in the same commit; this module counts refusals, and
//! reads, exports, seals and verifies the log.

mod entry_json;
mod export;
mod list;
mod refusals;
mod seal;
mod search;
mod verify;

pub use entry_json::entry_json;
pub use export::AuditExport;
pub use list::{AUDIT_KEPT_FOR, read_audit};
pub(crate) use refusals::{Refusals, Refused, note_refusal};
pub use seal::{seal_audit, seal_audit_beside};
pub use search::{AuditSearch, FoundEntries, search_audit};
pub use verify::{VerifiedAudit, VerifyAuditError, verify_audit, verify_export};
