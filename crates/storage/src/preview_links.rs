//! Preview links, as they are stored: what each shows, who made it, and until when it works. Never a token.

use std::sync::Arc;

use async_trait::async_trait;
use domain::{ProjectId, VariationId};
use oauth::{Lifetime, Timestamp};

use crate::row::Row;
use crate::stored::project_id;
use crate::{MemberId, NewAuditEntry, StorageError};

/// How many links of a project work at a time: more than people keep an overview of.
pub const PREVIEW_LINKS_AT_MOST: i64 = 200;

/// How many links of a project are kept after they ended; the oldest go first.
pub(crate) const ENDED_LINKS_AT_MOST: i64 = 100;

/// How long a link is kept after it expired, so that a list tells what there was.
pub(crate) const KEPT_AFTER_EXPIRY: Lifetime = Lifetime::from_seconds(30 * 24 * 3_600);

/// How precisely it is known when a link was last opened.
pub const OPENING_KNOWN_TO: Lifetime = Lifetime::from_seconds(3_600);

/// Preview links of projects.
#[async_trait]
pub trait PreviewLinkStore: Send + Sync + 'static {
    /// Keeps a link; returns whether it did, which it does not where [`PREVIEW_LINKS_AT_MOST`] links of the project work.
    async fn add_preview_link(
        &self,
        link: StoredPreviewLink,
        entry: NewAuditEntry,
    ) -> Result<bool, StorageError>;

    /// The link with this id, also one that has ended.
    async fn find_preview_link(
        &self,
        id: &str,
        now: Timestamp,
    ) -> Result<Option<Arc<StoredPreviewLink>>, StorageError>;

    /// The links of a project, those made last first.
    async fn list_preview_links(
        &self,
        project: ProjectId,
    ) -> Result<Vec<StoredPreviewLink>, StorageError>;

    /// Revokes a link of a project at the time of the entry; returns whether there is one. One that was revoked before stays as it is.
    async fn revoke_preview_link(
        &self,
        project: ProjectId,
        id: &str,
        entry: NewAuditEntry,
    ) -> Result<bool, StorageError>;

    /// Writes down that a link is opened, unless it was within [`OPENING_KNOWN_TO`] before.
    async fn note_preview_link_opened(&self, id: &str, now: Timestamp) -> Result<(), StorageError>;
}

/// A link that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredPreviewLink {
    /// Its id, which its token carries.
    pub id: String,
    /// The project whose variations it shows.
    pub project: ProjectId,
    /// The address of the page, without the token.
    pub url: String,
    /// The variations.
    pub variations: Vec<VariationId>,
    /// Whether people may switch to other variations of the same experiments.
    pub is_switchable: bool,
    /// Whether the variations come from the draft.
    pub is_draft: bool,
    /// The member who made it; `None` is an operator at the terminal.
    pub member: Option<MemberId>,
    /// Who made it, in words for people.
    pub made_by: String,
    /// When it was made.
    pub made_at: Timestamp,
    /// When it expires.
    pub expires_at: Timestamp,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
    /// When it was last opened, known to an hour.
    pub last_opened_at: Option<Timestamp>,
}

/// An operator at the terminal among the members of links. Ids of members begin at 1.
const OPERATOR: i64 = 0;

impl StoredPreviewLink {
    pub(crate) fn from_row(row: &impl Row) -> Result<Self, StorageError> {
        let moment = |milliseconds: Option<i64>| milliseconds.map(Timestamp::from_milliseconds);
        let member: i64 = row.column(6)?;
        Ok(Self {
            id: row.column(0)?,
            project: project_id(row.column(1)?)?,
            url: row.column(2)?,
            variations: variations(&row.column::<String>(3)?)?,
            is_switchable: row.column::<i64>(4)? != 0,
            is_draft: row.column::<i64>(5)? != 0,
            member: (member != OPERATOR).then(|| MemberId::from_row(member)),
            made_by: row.column(7)?,
            made_at: Timestamp::from_milliseconds(row.column(8)?),
            expires_at: Timestamp::from_milliseconds(row.column(9)?),
            revoked_at: moment(row.column(10)?),
            last_opened_at: moment(row.column(11)?),
        })
    }

    /// The column `variations`.
    pub(crate) fn variations_text(&self) -> String {
        self.variations.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }

    /// The column `member`.
    pub(crate) fn member_row(&self) -> i64 {
        self.member.map_or(OPERATOR, MemberId::to_row)
    }
}

fn variations(text: &str) -> Result<Vec<VariationId>, StorageError> {
    let ids = text.split_whitespace().map(str::parse).collect::<Result<_, _>>();
    ids.map_err(|_| StorageError::corrupt("variations of a preview link"))
}
