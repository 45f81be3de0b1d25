//! Projects and their revisions, as they are stored.

use domain::ProjectId;
use oauth::Timestamp;

/// A revision to publish.
#[derive(Debug)]
pub struct NewRevision {
    /// The project.
    pub project_id: ProjectId,
    /// Its key.
    pub project_key: String,
    /// Its name.
    pub project_name: Option<String>,
    /// The whole document, as JSON.
    pub document: String,
    /// The snippet's hash.
    pub snippet_hash: String,
    /// The snippet.
    pub javascript: String,
    /// The snippet compressed with brotli.
    pub brotli: Vec<u8>,
    /// The snippet compressed with gzip.
    pub gzip: Vec<u8>,
    /// Who publishes.
    pub author: String,
    /// What they say about it.
    pub message: String,
    /// When.
    pub created_at: Timestamp,
}

/// A published revision. It never changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revision {
    /// The project.
    pub project_id: ProjectId,
    /// Its number within the project, from 1.
    pub number: u32,
    /// The whole document, as JSON.
    pub document: String,
    /// The snippet's hash.
    pub snippet_hash: String,
    /// The snippet.
    pub javascript: String,
    /// The snippet compressed with brotli.
    pub brotli: Vec<u8>,
    /// The snippet compressed with gzip.
    pub gzip: Vec<u8>,
    /// Who published it.
    pub author: String,
    /// What they said about it.
    pub message: String,
    /// When.
    pub created_at: Timestamp,
}

/// A project in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectSummary {
    /// Its id.
    pub id: ProjectId,
    /// Its key.
    pub key: String,
    /// Its name.
    pub name: Option<String>,
    /// The number of the live revision.
    pub revision: u32,
    /// When that was published.
    pub published_at: Timestamp,
}

/// A part of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// Which, from 1.
    pub page: u32,
    /// How many entries each has.
    pub per_page: u32,
}

impl NewRevision {
    /// The same document may compile to another snippet (with a newer Assay), and different documents to the same one.
    pub(crate) fn is_same_as(&self, live: &Revision) -> bool {
        live.snippet_hash == self.snippet_hash && live.document == self.document
    }

    /// The revision that this becomes.
    pub(crate) fn numbered(self, number: u32) -> Revision {
        Revision {
            project_id: self.project_id,
            number,
            document: self.document,
            snippet_hash: self.snippet_hash,
            javascript: self.javascript,
            brotli: self.brotli,
            gzip: self.gzip,
            author: self.author,
            message: self.message,
            created_at: self.created_at,
        }
    }
}

impl Page {
    /// How many entries come before it.
    pub(crate) fn skipped(self) -> i64 {
        let skipped = u64::from(self.page.saturating_sub(1)) * u64::from(self.per_page);
        i64::try_from(skipped).unwrap_or(i64::MAX)
    }
}
