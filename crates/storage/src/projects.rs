//! Projects, as they are stored: each has a draft, which editors change, and revisions, of which one is live.

use async_trait::async_trait;
use domain::ProjectId;
use oauth::Timestamp;

use crate::row::Row;
use crate::stored::project_id;
use crate::{DraftChanges, ListRange, NewAuditEntry, ResourceStamp, StorageError};

/// Projects and their drafts. Their revisions are in [`crate::RevisionStore`].
#[async_trait]
pub trait ProjectStore: Send + Sync + 'static {
    /// Adds a project that has a draft and no revision yet. [`StorageError::Conflict`] if there is one with its id,
    /// [`StorageError::KeyTaken`] if another has its key.
    async fn add_project(&self, project: NewProject) -> Result<(), StorageError>;

    /// The projects, in the order of their ids.
    async fn list_projects(
        &self,
        which: WhichProjects,
        page: ListRange,
    ) -> Result<Vec<ProjectSummary>, StorageError>;

    /// Where a project stands.
    async fn find_project(&self, project: ProjectId) -> Result<Option<ProjectHead>, StorageError>;

    /// The draft of a project.
    async fn find_draft(&self, project: ProjectId) -> Result<Option<StoredDraft>, StorageError>;

    /// The project with this key.
    async fn find_project_by_key(&self, key: &str) -> Result<Option<ProjectId>, StorageError>;

    /// Stores a changed draft and returns its version. `None` if the draft has changed since.
    /// [`StorageError::KeyTaken`] if it gets the key of another project.
    async fn change_draft(&self, change: ChangeDraft) -> Result<Option<i64>, StorageError>;
}

/// Who may change a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ManagedBy {
    /// Members and programs, in the store.
    Store,
    /// The project file, which is the truth.
    File,
}

/// A document to keep as a project's draft, and what lists show of it.
#[derive(Debug, Clone)]
pub struct DraftDocument {
    /// The project's key.
    pub key: String,
    /// Its name.
    pub name: Option<String>,
    /// Whether it is archived.
    pub is_archived: bool,
    /// The whole document, as JSON.
    pub document: String,
    /// What it changes of the draft before it.
    pub changes: DraftChanges,
}

/// A project to add.
#[derive(Debug)]
pub struct NewProject {
    /// Its id.
    pub id: ProjectId,
    /// Its first draft.
    pub draft: DraftDocument,
    /// Its audit entry.
    pub entry: NewAuditEntry,
}

/// A draft to store instead of the one it was made from.
#[derive(Debug)]
pub struct ChangeDraft {
    /// The project.
    pub project_id: ProjectId,
    /// The version that was changed.
    pub version: i64,
    /// What it has become.
    pub draft: DraftDocument,
    /// Its audit entry.
    pub entry: NewAuditEntry,
}

/// Where a project stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProjectHead {
    /// Counts the changes of the draft.
    pub draft_version: i64,
    /// The number of the live revision, if the project was ever published.
    pub live_revision: Option<u32>,
    /// Who may change it.
    pub managed_by: ManagedBy,
}

/// The draft of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredDraft {
    /// Where the project stands.
    pub head: ProjectHead,
    /// The project's key.
    pub key: String,
    /// Its name.
    pub name: Option<String>,
    /// Whether it is archived.
    pub is_archived: bool,
    /// The whole document, as JSON.
    pub document: String,
    /// When each of its resources was created and last changed, by its name ([`crate::ResourceChange`]), in no order.
    pub stamps: Vec<(String, ResourceStamp)>,
}

/// Which projects a list is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhichProjects {
    /// Those that are not archived.
    Current,
    /// Those that are.
    Archived,
    /// All.
    Any,
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
    /// Whether it is archived.
    pub is_archived: bool,
    /// Where it stands.
    pub head: ProjectHead,
    /// When it was created, and anything in it last changed; `None` if that was before stamps were kept.
    pub stamp: Option<ResourceStamp>,
}

impl ManagedBy {
    const ALL: [Self; 2] = [Self::Store, Self::File];

    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Store => "store",
            Self::File => "file",
        }
    }
}

/// The version of the draft that a project begins with, as the schema has it.
pub(crate) const FIRST_DRAFT_VERSION: i64 = 1;

impl ProjectHead {
    /// The first three columns.
    pub(crate) fn from_row(row: &impl Row) -> Result<Self, StorageError> {
        let word: String = row.column(2)?;
        let managed_by = ManagedBy::ALL.into_iter().find(|who| who.as_str() == word);
        let live_revision = u32::try_from(row.column::<i64>(1)?)
            .map_err(|_| StorageError::corrupt("live revision"))?;
        Ok(Self {
            draft_version: row.column(0)?,
            live_revision: Some(live_revision).filter(|number| *number > 0),
            managed_by: managed_by.ok_or_else(|| StorageError::corrupt("manager"))?,
        })
    }
}

impl StoredDraft {
    /// All but its stamps, which are rows of their own.
    pub(crate) fn from_row(row: &impl Row) -> Result<Self, StorageError> {
        Ok(Self {
            head: ProjectHead::from_row(row)?,
            key: row.column(3)?,
            name: row.column(4)?,
            is_archived: row.column::<i64>(5)? != 0,
            document: row.column(6)?,
            stamps: Vec::new(),
        })
    }
}

impl ProjectSummary {
    pub(crate) fn from_row(row: &impl Row) -> Result<Self, StorageError> {
        let id: i64 = row.column(3)?;
        Self::of(id, row).map_err(|error| error.in_row("project", id))
    }

    fn of(id: i64, row: &impl Row) -> Result<Self, StorageError> {
        Ok(Self {
            head: ProjectHead::from_row(row)?,
            id: project_id(id)?,
            key: row.column(4)?,
            name: row.column(5)?,
            is_archived: row.column::<i64>(6)? != 0,
            stamp: stamp(row)?,
        })
    }
}

/// The last three columns.
fn stamp(row: &impl Row) -> Result<Option<ResourceStamp>, StorageError> {
    let Some(updated_at) = row.column::<Option<i64>>(8)? else { return Ok(None) };
    Ok(Some(ResourceStamp {
        created_at: row.column::<Option<i64>>(7)?.map(Timestamp::from_milliseconds),
        updated_at: Timestamp::from_milliseconds(updated_at),
        updated_by: row.column(9)?,
        live: None,
    }))
}

impl WhichProjects {
    /// What the column says at least, and at most.
    pub(crate) fn is_archived(self) -> [i64; 2] {
        match self {
            Self::Current => [0, 0],
            Self::Archived => [1, 1],
            Self::Any => [0, 1],
        }
    }
}
