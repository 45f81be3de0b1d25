//! Somebody takes the audit log along, to keep it elsewhere and to check it there: every sealed entry as it is stored, the oldest
//! first, each on a line.

use oauth::Timestamp;
use storage::{SealedEntry, StorageError};

use crate::App;
use crate::roles::{Actor, Permission, RoleError};

/// How many entries are read at once: few enough to hold, so many that a long log takes few steps.
const PER_PAGE: u32 = 1_000;

/// An export under way: how far it has come.
#[derive(Debug, Clone, Copy)]
pub struct AuditExport {
    after: i64,
}

impl AuditExport {
    /// Begins with the first entry of this moment or later, or with the oldest.
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

    /// From the oldest entry.
    pub(super) const fn of_all() -> Self {
        Self { after: 0 }
    }

    /// The next entries; none once all are told.
    ///
    /// # Errors
    /// If the store does not answer.
    pub async fn next(&mut self, app: &App) -> Result<Vec<SealedEntry>, StorageError> {
        let entries = app.store().list_sealed_entries(self.after, PER_PAGE).await?;
        self.after = entries.last().map_or(self.after, |entry| entry.seal);
        Ok(entries)
    }
}
