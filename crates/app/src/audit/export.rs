//! A member or an operator exports the audit log, to keep and verify it elsewhere: every sealed entry as stored, oldest first, one per
//! line.

use oauth::Timestamp;
use storage::{SealedEntry, StorageError};

use crate::App;
use crate::roles::{Actor, Permission, RoleError};

/// How many entries one read returns: few enough for memory, enough for a long log to take few reads.
const PER_PAGE: u32 = 1_000;

/// An export in progress, with its position.
#[derive(Debug, Clone, Copy)]
pub struct AuditExport {
    after: i64,
}

impl AuditExport {
    /// Starts at the first entry at or after this moment, or at the oldest.
    ///
    /// # Errors
    /// See [`RoleError`].
    pub async fn begin(
        app: &App,
        actor: &Actor,
        since: Option<Timestamp>,
    ) -> Result<Self, RoleError> {
        actor.require(app, None, Permission::ReadAudit).await?;
        let Some(since) = since else { return Ok(Self::of_all()) };
        let first = app.store().first_seal_since(since).await?;
        Ok(Self { after: first.map_or(i64::MAX, |first| first - 1) })
    }

    /// Starts at the oldest entry.
    pub(super) const fn of_all() -> Self {
        Self { after: 0 }
    }

    /// The next entries; empty at the end of the log.
    ///
    /// # Errors
    /// If the store does not answer.
    pub async fn next(&mut self, app: &App) -> Result<Vec<SealedEntry>, StorageError> {
        let entries = app.store().list_sealed_entries(self.after, PER_PAGE).await?;
        self.after = entries.last().map_or(self.after, |entry| entry.seal);
        Ok(entries)
    }
}
