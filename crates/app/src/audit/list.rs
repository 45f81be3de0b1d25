//! A member or an operator reads the audit log, newest entries first.

use std::ops::ControlFlow;

use oauth::{Lifetime, Timestamp};
use storage::{AuditEntry, ListRange};

use crate::App;
use crate::roles::{Actor, Permission, RoleError};

/// How long the server keeps entries by default: a year, plus a month to review them.
pub const AUDIT_KEPT_FOR: Lifetime = Lifetime::from_seconds(400 * 86_400);

/// How many entries one read returns: few enough for memory, enough for a long log to take few reads.
const PER_PAGE: u32 = 5_000;

/// Passes at most `at_most` entries since a moment to `show`, one by one, until it has enough.
///
/// # Errors
/// See [`RoleError`].
pub async fn read_audit(
    app: &App,
    actor: &Actor,
    since: Timestamp,
    at_most: usize,
    mut show: impl FnMut(&AuditEntry) -> ControlFlow<()>,
) -> Result<(), RoleError> {
    actor.require(app, None, Permission::ReadAudit).await?;
    let mut shown = 0;
    // New entries push older ones onto the next page, where we skip those already shown.
    let mut last_id = i64::MAX;
    for page in 1.. {
        let entries =
            app.store().list_audit_entries(ListRange { page, per_page: PER_PAGE }).await?;
        let is_last = entries.len() < PER_PAGE as usize;
        for entry in entries.iter().filter(|entry| entry.id < last_id) {
            if entry.at < since || shown == at_most {
                return Ok(());
            }
            shown += 1;
            if show(entry).is_break() {
                return Ok(());
            }
        }
        if is_last {
            break;
        }
        last_id = entries.last().map_or(last_id, |entry| entry.id);
    }
    Ok(())
}
