//! What is live. Every snippet that is delivered asks for that, so it is answered from memory.

use async_trait::async_trait;
use domain::ProjectId;
use oauth::Timestamp;

use crate::StorageError;

/// What is live, kept in memory.
#[async_trait]
pub trait LiveStore: Send + Sync {
    /// The number of the live revision of a project; `None` if there is none. What this process has published is known at once, what
    /// another one has within a second.
    async fn live_number(
        &self,
        project: ProjectId,
        now: Timestamp,
    ) -> Result<Option<u32>, StorageError>;
}
