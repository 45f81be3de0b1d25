//! The sites that load a project's snippet.

use async_trait::async_trait;
use domain::ProjectId;
use oauth::Timestamp;

use crate::StorageError;
use crate::row::Row;

/// More sites of one project than its page can show are forgotten, those seen longest ago first.
pub(crate) const INSTALLATIONS_AT_MOST: i64 = 20;

/// Where snippets are installed.
#[async_trait]
pub trait InstallationStore: Send + Sync + 'static {
    /// Remembers loads of snippets, the last twenty origins of each project.
    async fn record_loads(&self, loads: Vec<SnippetLoad>) -> Result<(), StorageError>;

    /// The origins that loaded a project's snippet, those seen last first.
    async fn list_installations(
        &self,
        project: ProjectId,
    ) -> Result<Vec<Installation>, StorageError>;
}

/// A page of a site loaded a snippet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SnippetLoad {
    /// The project of the snippet.
    pub project: ProjectId,
    /// The origin of the site: `https://shop.example`.
    pub origin: String,
    /// When.
    pub at: Timestamp,
}

/// A site that loads a snippet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installation {
    /// The origin of the site.
    pub origin: String,
    /// When it loaded the snippet first.
    pub first_seen_at: Timestamp,
    /// When it loaded the snippet last, to a minute.
    pub last_seen_at: Timestamp,
}

impl Installation {
    pub(crate) fn from_row(row: &impl Row) -> Result<Self, StorageError> {
        Ok(Self {
            origin: row.column(0)?,
            first_seen_at: Timestamp::from_milliseconds(row.column(1)?),
            last_seen_at: Timestamp::from_milliseconds(row.column(2)?),
        })
    }
}
