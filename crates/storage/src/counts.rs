//! How many there are of what lists show page by page.

use async_trait::async_trait;
use domain::ProjectId;

use crate::statements::counts::{
    COUNT_API_TOKENS, COUNT_API_TOKENS_OF_MEMBER, COUNT_API_TOKENS_SEEN_BY, COUNT_CLIENTS,
    COUNT_MEMBERS, COUNT_MEMBERS_SEEN_BY, COUNT_PROJECTS, COUNT_PROJECTS_OF_MEMBER,
    COUNT_REVISIONS,
};
use crate::stored::project_row_id;
use crate::{MemberId, StorageError, WhichApiTokens, WhichProjects};

/// Counts stored rows.
#[async_trait]
pub trait CountStore: Send + Sync + 'static {
    /// How many there are.
    async fn count(&self, what: Counted) -> Result<u64, StorageError>;
}

/// What to count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted {
    /// Members: all, or those who reach a project in which this member is an admin or owner.
    Members(Option<MemberId>),
    /// Clients, disabled ones too.
    Clients,
    /// API tokens, also such as expired a while ago.
    ApiTokens(WhichApiTokens),
    /// Projects.
    Projects(WhichProjects),
    /// Projects in which a member has a role of their own.
    ProjectsOfMember(MemberId, WhichProjects),
    /// Revisions of a project.
    Revisions(ProjectId),
}

impl Counted {
    /// What counts them, and its values.
    pub(crate) fn statement(self) -> (&'static str, Vec<i64>) {
        match self {
            Self::Members(None) => (COUNT_MEMBERS, Vec::new()),
            Self::Members(Some(member)) => (COUNT_MEMBERS_SEEN_BY, vec![member.to_row()]),
            Self::Clients => (COUNT_CLIENTS, Vec::new()),
            Self::ApiTokens(WhichApiTokens::All(kinds)) => (COUNT_API_TOKENS, vec![kinds.least()]),
            Self::ApiTokens(WhichApiTokens::OfMember(member)) => {
                (COUNT_API_TOKENS_OF_MEMBER, vec![member.to_row()])
            }
            Self::ApiTokens(WhichApiTokens::SeenBy(member, kinds)) => {
                (COUNT_API_TOKENS_SEEN_BY, vec![kinds.least(), member.to_row()])
            }
            Self::Projects(which) => (COUNT_PROJECTS, which.is_archived().to_vec()),
            Self::ProjectsOfMember(member, which) => {
                let [lowest, highest] = which.is_archived();
                (COUNT_PROJECTS_OF_MEMBER, vec![member.to_row(), lowest, highest])
            }
            Self::Revisions(project) => (COUNT_REVISIONS, vec![project_row_id(project)]),
        }
    }
}
