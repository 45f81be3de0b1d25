//! Links that show results, as they are stored: of which campaign, who made them, and until when they work. Never a token.

use async_trait::async_trait;
use domain::{CampaignId, ProjectId};
use oauth::{CredentialHash, Timestamp};

use crate::row::Row;
use crate::stored::{campaign_id, project_id};
use crate::{Authority, MemberId, NewAuditEntry, StorageError};

/// How many links of a project work at a time: more than people keep an overview of.
pub const RESULTS_LINKS_AT_MOST: i64 = 200;

/// An operator at the terminal among the members of links. Ids of members begin at 1.
const OPERATOR: i64 = 0;

/// Links that show the results of campaigns.
#[async_trait]
pub trait ResultsLinkStore: Send + Sync + 'static {
    /// Keeps a link; returns whether it did, which it does not where [`RESULTS_LINKS_AT_MOST`] links of the project work.
    /// [`StorageError::SignedOut`] if the authority has ended.
    async fn add_results_link(
        &self,
        link: NewResultsLink,
        entry: NewAuditEntry,
    ) -> Result<bool, StorageError>;

    /// The link with this token, also an expired one.
    async fn find_results_link(
        &self,
        hash: &CredentialHash,
    ) -> Result<Option<ResultsLink>, StorageError>;

    /// The links of a project, those made last first, also expired ones.
    async fn list_results_links(
        &self,
        project: ProjectId,
    ) -> Result<Vec<ResultsLink>, StorageError>;

    /// Removes a link of a project; returns whether there was one.
    async fn remove_results_link(
        &self,
        project: ProjectId,
        id: &str,
        entry: NewAuditEntry,
    ) -> Result<bool, StorageError>;
}

/// A link to keep.
#[derive(Debug, Clone)]
pub struct NewResultsLink {
    /// On whose authority.
    pub authority: Authority,
    /// The hash of its token.
    pub hash: CredentialHash,
    /// The rest of it.
    pub link: ResultsLink,
}

/// A link that shows the results of a campaign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultsLink {
    /// Its id.
    pub id: String,
    /// The project of the campaign.
    pub project: ProjectId,
    /// The campaign.
    pub campaign: CampaignId,
    /// The member who made it; `None` is an operator at the terminal.
    pub member: Option<MemberId>,
    /// Who made it, in words for people.
    pub made_by: String,
    /// When it was made.
    pub made_at: Timestamp,
    /// When it expires.
    pub expires_at: Timestamp,
}

impl ResultsLink {
    pub(crate) fn from_row(row: &impl Row) -> Result<Self, StorageError> {
        let member: i64 = row.column(3)?;
        Ok(Self {
            id: row.column(0)?,
            project: project_id(row.column(1)?)?,
            campaign: campaign_id(row.column(2)?)?,
            member: (member != OPERATOR).then(|| MemberId::from_row(member)),
            made_by: row.column(4)?,
            made_at: Timestamp::from_milliseconds(row.column(5)?),
            expires_at: Timestamp::from_milliseconds(row.column(6)?),
        })
    }

    /// The column `member`.
    pub(crate) fn member_row(&self) -> i64 {
        self.member.map_or(OPERATOR, MemberId::to_row)
    }
}
