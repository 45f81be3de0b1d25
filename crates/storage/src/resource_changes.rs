//! What becomes of the resources of drafts, as it is stored: when each was created and last changed and by whom, and its history.

use async_trait::async_trait;
use domain::ProjectId;
use oauth::Timestamp;

use crate::row::Row;
use crate::stored::revision_number;
use crate::{ListRange, StorageError};

/// Reads the history of resources. It is written in the commit that changes their draft.
#[async_trait]
pub trait ResourceChangeStore: Send + Sync + 'static {
    /// The changes of a resource of a project, newest first, and how many there are on all pages. `resource` is named as in
    /// [`ResourceChange`].
    async fn list_resource_changes(
        &self,
        project: ProjectId,
        resource: &str,
        page: ListRange,
    ) -> Result<(Vec<PastChange>, u64), StorageError>;

    /// The changes of all resources of a project and its publications that fit, newest first, and how many there are on all pages.
    async fn list_project_history(
        &self,
        project: ProjectId,
        filter: HistoryFilter,
        page: ListRange,
    ) -> Result<(Vec<HistoryEntry>, u64), StorageError>;
}

/// Which entries of a project's history to read; each part narrows the search.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HistoryFilter {
    /// Those about this resource as [`ResourceChange`] names it, about a kind of resource, or, by [`REVISION`], publications.
    pub resource: Option<String>,
    /// Those by this actor, in the words of the entry.
    pub by: Option<String>,
    /// Those at this moment or later.
    pub since: Option<Timestamp>,
    /// Those before this moment.
    pub until: Option<Timestamp>,
    /// Without those of the project of which no own field changed, only something in it.
    pub of_itself: bool,
}

/// The fields of a [`ResourceChange`] if none changed.
pub const NO_FIELDS: &str = r#"{"fields":[],"truncated":false}"#;

/// What a [`HistoryFilter`] calls publications.
pub const REVISION: &str = "revision";

/// An entry of a project's history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HistoryEntry {
    /// A resource of the draft changed.
    Change {
        /// Which, as [`ResourceChange`] names it.
        resource: String,
        /// How.
        change: PastChange,
    },
    /// A revision went live.
    Publication {
        /// Its number.
        number: u32,
        /// When.
        at: Timestamp,
        /// Who published it, in words for people.
        by: String,
        /// What they said about it.
        message: String,
        /// The revision whose document this is again, if it is.
        restored_from: Option<u32>,
    },
}

/// What entries must have in their columns to fit.
pub(crate) struct HistoryConditions {
    /// Empty for any.
    pub(crate) resource: String,
    /// Empty for any.
    pub(crate) by: String,
    pub(crate) since: i64,
    pub(crate) until: i64,
    /// Entries with these fields do not fit; none has `-`.
    pub(crate) not_with: &'static str,
}

impl From<HistoryFilter> for HistoryConditions {
    fn from(filter: HistoryFilter) -> Self {
        Self {
            resource: filter.resource.unwrap_or_default(),
            by: filter.by.unwrap_or_default(),
            since: filter.since.map_or(i64::MIN, Timestamp::as_milliseconds),
            until: filter.until.map_or(i64::MAX, Timestamp::as_milliseconds),
            not_with: if filter.of_itself { NO_FIELDS } else { "-" },
        }
    }
}

impl HistoryEntry {
    pub(crate) fn from_row(row: &impl Row) -> Result<Self, StorageError> {
        let resource: String = row.column(0)?;
        let (at, by) = (Timestamp::from_milliseconds(row.column(2)?), row.column(3)?);
        if resource == REVISION {
            return Ok(Self::Publication {
                number: revision_number(row.column(4)?)?,
                at,
                by,
                message: row.column(6)?,
                restored_from: row.column::<Option<i64>>(5)?.map(revision_number).transpose()?,
            });
        }
        let kind = ResourceChangeKind::named(&row.column::<String>(1)?)?;
        Ok(Self::Change { resource, change: PastChange { kind, at, by, fields: row.column(7)? } })
    }
}

/// What a new draft changes of the one before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftChanges {
    /// When.
    pub at: Timestamp,
    /// The actor, in words for people.
    pub by: String,
    /// The resources that are not as they were; none twice.
    pub changes: Vec<ResourceChange>,
}

/// A resource that is not as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceChange {
    /// Which: `project`, or its kind and id, such as `page 2001`.
    pub resource: String,
    /// What becomes of it.
    pub kind: ResourceChangeKind,
    /// The fields that differ, as JSON.
    pub fields: String,
    /// What that means for the stamp of what is live of it.
    pub live: LiveStamp,
}

/// What becomes of the stamp of a resource as it is live, when its draft changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LiveStamp {
    /// The draft had what is live: it is the one that the draft had.
    AsBefore,
    /// What is live changes, too.
    AsNow,
    /// What is live was something else before, or there is nothing live.
    Stays,
}

/// What becomes of a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResourceChangeKind {
    /// It was not there before.
    Created,
    /// Something of it, or in it, is different.
    Changed,
    /// It is not there any more. Its stamp stays: if it comes back, it was created when it was.
    Removed,
}

/// When a resource was created and last changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceStamp {
    /// When it was created; `None` if that was before stamps were kept.
    pub created_at: Option<Timestamp>,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// Who changed it, in words for people.
    pub updated_by: String,
    /// When what is live of it changed, and who changed that, where the draft has something else; `None` if it is not known.
    pub live: Option<(Timestamp, String)>,
}

/// A change of a resource, as its history tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastChange {
    /// What became of it.
    pub kind: ResourceChangeKind,
    /// When.
    pub at: Timestamp,
    /// Who changed it, in words for people.
    pub by: String,
    /// The fields that differ, as JSON.
    pub fields: String,
}

impl ResourceChangeKind {
    const ALL: [Self; 3] = [Self::Created, Self::Changed, Self::Removed];

    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Changed => "changed",
            Self::Removed => "removed",
        }
    }

    fn named(word: &str) -> Result<Self, StorageError> {
        let found = Self::ALL.into_iter().find(|kind| kind.as_str() == word);
        found.ok_or_else(|| StorageError::corrupt("kind of a change"))
    }
}

impl LiveStamp {
    /// The word for it.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::AsBefore => "as_before",
            Self::AsNow => "as_now",
            Self::Stays => "stays",
        }
    }
}

/// A stamp as the columns of its row.
pub(crate) struct StampRow {
    pub(crate) created_at: Option<i64>,
    pub(crate) updated_at: i64,
    pub(crate) updated_by: String,
    pub(crate) live_updated_at: Option<i64>,
    pub(crate) live_updated_by: Option<String>,
}

/// A change as the columns of its row.
pub(crate) struct ChangeRow {
    pub(crate) kind: String,
    pub(crate) at: i64,
    pub(crate) by: String,
    pub(crate) fields: String,
}

impl From<StampRow> for ResourceStamp {
    fn from(row: StampRow) -> Self {
        Self {
            created_at: row.created_at.map(Timestamp::from_milliseconds),
            updated_at: Timestamp::from_milliseconds(row.updated_at),
            updated_by: row.updated_by,
            live: row.live_updated_at.map(Timestamp::from_milliseconds).zip(row.live_updated_by),
        }
    }
}

impl TryFrom<ChangeRow> for PastChange {
    type Error = StorageError;

    fn try_from(row: ChangeRow) -> Result<Self, StorageError> {
        let kind = ResourceChangeKind::named(&row.kind)?;
        let at = Timestamp::from_milliseconds(row.at);
        Ok(Self { kind, at, by: row.by, fields: row.fields })
    }
}
