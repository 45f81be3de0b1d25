//! Revisions of projects, as they are stored.

use async_trait::async_trait;
use domain::ProjectId;
use oauth::Timestamp;

use crate::row::Row;
use crate::statements::revisions::{READ_BROTLI, READ_GZIP, READ_JAVASCRIPT};
use crate::stored::revision_number;
use crate::{
    Announcement, DraftDocument, ManagedBy, NewAuditEntry, ProjectHead, ScheduledMoment,
    StorageError,
};

/// Revisions of projects, and the snippets that pages get of them.
#[async_trait]
pub trait RevisionStore: Send + Sync + 'static {
    /// Stores a revision and makes it live. Of a document and snippet that are live already there is no second revision.
    /// [`StorageError::KeyTaken`] if the draft gets the key of another project.
    async fn publish_revision(
        &self,
        publication: Publication,
    ) -> Result<PublishOutcome, StorageError>;

    /// The live revision of a project.
    async fn live_revision(&self, project: ProjectId) -> Result<Option<Revision>, StorageError>;

    /// The revision of a project with this number.
    async fn lookup_revision(
        &self,
        project: ProjectId,
        number: u32,
    ) -> Result<Option<Revision>, StorageError>;

    /// The document of that revision, as JSON, and nothing else of it.
    async fn lookup_revision_document(
        &self,
        project: ProjectId,
        number: u32,
    ) -> Result<Option<String>, StorageError>;

    /// That revision as lists show it.
    async fn lookup_revision_line(
        &self,
        project: ProjectId,
        number: u32,
    ) -> Result<Option<RevisionLine>, StorageError>;

    /// How long a snippet of a project is, live or not. Nothing of it is read.
    async fn find_snippet(
        &self,
        project: ProjectId,
        snippet_hash: &str,
    ) -> Result<Option<SnippetLengths>, StorageError>;

    /// The bytes of a snippet of a project in one encoding.
    async fn read_snippet(
        &self,
        project: ProjectId,
        snippet_hash: &str,
        encoding: SnippetEncoding,
    ) -> Result<Option<Vec<u8>>, StorageError>;

    /// The revisions of a project, newest first.
    async fn list_revisions(
        &self,
        project: ProjectId,
        page: ListRange,
    ) -> Result<Vec<RevisionLine>, StorageError>;
}

/// A revision to publish.
#[derive(Debug)]
pub struct NewRevision {
    /// The project.
    pub project_id: ProjectId,
    /// The whole document, as JSON.
    pub document: String,
    /// The document's hash: SHA-256 in hexadecimal digits.
    pub document_hash: String,
    /// The snippet's hash.
    pub snippet_hash: String,
    /// The snippet.
    pub javascript: String,
    /// The snippet compressed with brotli.
    pub brotli: Vec<u8>,
    /// The snippet compressed with gzip.
    pub gzip: Vec<u8>,
    /// The actor who publishes.
    pub author: String,
    /// What they say about it.
    pub message: String,
    /// The revision whose document this is again, if it is.
    pub restored_from: Option<u32>,
    /// When.
    pub created_at: Timestamp,
    /// When campaigns start and stop by schedule while it is live.
    pub moments: Vec<ScheduledMoment>,
}

/// A revision to publish, and all that is to happen with it or not at all.
#[derive(Debug)]
pub struct Publication {
    /// The revision.
    pub revision: NewRevision,
    /// What must still hold when it is committed.
    pub precondition: Precondition,
    /// The moments whose time has come, and that are done with it.
    pub settled: Vec<ScheduledMoment>,
    /// What becomes of the draft.
    pub draft: DraftUpdate,
    /// Who may change the project from now on.
    pub managed_by: ManagedBy,
    /// What is announced to webhooks if the revision is new.
    pub announcements: Vec<Announcement>,
    /// Its audit entry.
    pub entry: NewAuditEntry,
}

/// The versions that a publication expects: if the store has others by then, nothing is published.
#[derive(Debug, Clone, Copy, Default)]
pub struct Precondition {
    /// The number of the live revision, where that matters; 0 if there was none.
    pub live: Option<u32>,
    /// The version of the draft, where that matters.
    pub draft: Option<i64>,
}

/// What becomes of a project's draft when a revision goes live.
#[derive(Debug)]
pub enum DraftUpdate {
    /// It stays as it is.
    Keep,
    /// It becomes this. Only this adds a project that is not there yet.
    Replace(DraftDocument),
}

/// What came of a publication.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PublishOutcome {
    /// The revision is live.
    Published(Box<Revision>),
    /// This was live already.
    Unchanged(Box<Revision>),
    /// Something else has gone live since, or one of the moments was settled.
    LiveChanged,
    /// The draft has changed since, or there is no such project.
    DraftChanged,
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
    /// The document's hash; those that earlier versions of Assay published have none.
    pub document_hash: Option<String>,
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
    /// The revision whose document this is again, if it is.
    pub restored_from: Option<u32>,
    /// When.
    pub created_at: Timestamp,
}

/// A revision in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RevisionLine {
    /// Its number within the project, from 1.
    pub number: u32,
    /// The document's hash; those that earlier versions of Assay published have none.
    pub document_hash: Option<String>,
    /// The snippet's hash.
    pub snippet_hash: String,
    /// The snippet's size as most browsers receive it.
    pub brotli_bytes: u32,
    /// Who published it.
    pub author: String,
    /// What they said about it.
    pub message: String,
    /// The revision whose document this is again, if it is.
    pub restored_from: Option<u32>,
    /// When.
    pub created_at: Timestamp,
}

/// How a snippet is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SnippetEncoding {
    /// Compressed with brotli.
    Brotli,
    /// Compressed with gzip.
    Gzip,
    /// As it is.
    Identity,
}

/// How many bytes a snippet has in each encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SnippetLengths {
    /// Compressed with brotli.
    pub brotli: u32,
    /// Compressed with gzip.
    pub gzip: u32,
    /// As it is.
    pub identity: u32,
}

/// A part of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListRange {
    /// Which, from 1.
    pub page: u32,
    /// How many entries each has.
    pub per_page: u32,
}

impl Precondition {
    /// All of a project that stands at `head`.
    #[must_use]
    pub fn of(head: ProjectHead) -> Self {
        Self { live: Some(head.live_revision.unwrap_or(0)), draft: Some(head.draft_version) }
    }

    /// What has changed since, if anything has.
    pub(crate) fn check(self, head: &ProjectHead) -> Option<PublishOutcome> {
        if self.live.is_some_and(|number| number != head.live_revision.unwrap_or(0)) {
            return Some(PublishOutcome::LiveChanged);
        }
        let is_other_draft = self.draft.is_some_and(|version| version != head.draft_version);
        is_other_draft.then_some(PublishOutcome::DraftChanged)
    }
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
            document_hash: Some(self.document_hash),
            snippet_hash: self.snippet_hash,
            javascript: self.javascript,
            brotli: self.brotli,
            gzip: self.gzip,
            author: self.author,
            message: self.message,
            restored_from: self.restored_from,
            created_at: self.created_at,
        }
    }
}

impl SnippetEncoding {
    /// What reads a snippet in this encoding, by project and hash.
    pub(crate) fn statement(self) -> &'static str {
        match self {
            Self::Brotli => READ_BROTLI,
            Self::Gzip => READ_GZIP,
            Self::Identity => READ_JAVASCRIPT,
        }
    }
}

impl SnippetLengths {
    /// In this encoding.
    #[must_use]
    pub fn of(self, encoding: SnippetEncoding) -> u32 {
        match encoding {
            SnippetEncoding::Brotli => self.brotli,
            SnippetEncoding::Gzip => self.gzip,
            SnippetEncoding::Identity => self.identity,
        }
    }
}

impl From<&Revision> for RevisionLine {
    fn from(revision: &Revision) -> Self {
        Self {
            number: revision.number,
            document_hash: revision.document_hash.clone(),
            snippet_hash: revision.snippet_hash.clone(),
            brotli_bytes: u32::try_from(revision.brotli.len()).unwrap_or(u32::MAX),
            author: revision.author.clone(),
            message: revision.message.clone(),
            restored_from: revision.restored_from,
            created_at: revision.created_at,
        }
    }
}

impl ListRange {
    /// How many entries come before it.
    pub(crate) fn skipped(self) -> i64 {
        let skipped = u64::from(self.page.saturating_sub(1)) * u64::from(self.per_page);
        i64::try_from(skipped).unwrap_or(i64::MAX)
    }
}

impl RevisionLine {
    pub(crate) fn from_row(row: &impl Row) -> Result<Self, StorageError> {
        Ok(Self {
            number: revision_number(row.column(0)?)?,
            document_hash: row.column(1)?,
            snippet_hash: row.column(2)?,
            brotli_bytes: u32::try_from(row.column::<i32>(3)?).unwrap_or_default(),
            author: row.column(4)?,
            message: row.column(5)?,
            restored_from: row.column::<Option<i64>>(6)?.map(revision_number).transpose()?,
            created_at: Timestamp::from_milliseconds(row.column(7)?),
        })
    }
}

impl Revision {
    pub(crate) fn from_row(project_id: ProjectId, row: &impl Row) -> Result<Self, StorageError> {
        Ok(Self {
            project_id,
            number: revision_number(row.column(0)?)?,
            document: row.column(1)?,
            document_hash: row.column(2)?,
            snippet_hash: row.column(3)?,
            javascript: row.column(4)?,
            brotli: row.column(5)?,
            gzip: row.column(6)?,
            author: row.column(7)?,
            message: row.column(8)?,
            restored_from: row.column::<Option<i64>>(9)?.map(revision_number).transpose()?,
            created_at: Timestamp::from_milliseconds(row.column(10)?),
        })
    }
}
