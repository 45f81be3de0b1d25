//! The project files that drafts were applied from, as their authors wrote them.

use async_trait::async_trait;
use domain::ProjectId;

use crate::StorageError;
use crate::row::Row;

/// The sources of drafts: one for each project, or none.
#[async_trait]
pub trait DraftSourceStore: Send + Sync + 'static {
    /// Keeps the source of a project's draft instead of an earlier one. Returns whether the draft has this version; if not, nothing changes.
    async fn set_draft_source(
        &self,
        project: ProjectId,
        draft_version: i64,
        source: DraftSource,
    ) -> Result<bool, StorageError>;

    /// The source of a project's draft, if one is known. The draft may have changed since.
    async fn find_draft_source(
        &self,
        project: ProjectId,
    ) -> Result<Option<DraftSource>, StorageError>;
}

/// The project file that a draft was applied from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftSource {
    /// Its text, byte for byte.
    pub text: String,
    /// The entity tag of the draft that it became.
    pub draft_tag: String,
}

impl DraftSource {
    pub(crate) fn from_row(row: &impl Row) -> Result<Self, StorageError> {
        Ok(Self { text: row.column(0)?, draft_tag: row.column(1)? })
    }
}
