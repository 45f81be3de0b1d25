//! The live revisions. Every delivery of a snippet needs them, so they are cached in memory.

use async_trait::async_trait;
use domain::ProjectId;
use oauth::Timestamp;

use crate::StorageError;

/// The live revisions, in memory.
#[async_trait]
pub trait LiveStore: Send + Sync {
    /// The number of the live revision of a project; `None` if there is none. What this process has published is known at once, what
    /// another one has within a second.
    async fn live_number(
        &self,
        project: ProjectId,
        now: Timestamp,
    ) -> Result<Option<u32>, StorageError>;

    /// Whether a project had this id and was deleted; known as soon as the number of a live revision.
    async fn was_deleted(&self, project: ProjectId, now: Timestamp) -> Result<bool, StorageError>;
}
