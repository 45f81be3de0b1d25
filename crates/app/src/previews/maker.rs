//! The maker of a link to a draft. The draft is not public, so the link works only while its maker may see the draft, and may publish the
//! code that it runs in another person's browser.

use std::collections::HashSet;

use domain::{Privileged, Project, ProjectId};
use storage::{MemberId, StoredPreviewLink};

use crate::App;
use crate::roles::{Actor, Permission, RoleError, require};

/// The maker of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PreviewMaker {
    /// An operator at the server's terminal, who may do anything.
    Command,
    /// A member, with their current rights.
    Member(MemberId),
}

impl From<Option<MemberId>> for PreviewMaker {
    fn from(member: Option<MemberId>) -> Self {
        member.map_or(Self::Command, Self::Member)
    }
}

impl From<&Actor> for PreviewMaker {
    fn from(actor: &Actor) -> Self {
        actor.member().into()
    }
}

impl From<&StoredPreviewLink> for PreviewMaker {
    fn from(link: &StoredPreviewLink) -> Self {
        link.member.into()
    }
}

impl PreviewMaker {
    /// Checks that the maker may see the draft of this project.
    pub(super) async fn require_draft(self, app: &App, id: ProjectId) -> Result<(), RoleError> {
        self.require(app, id, Permission::WriteDraft).await
    }

    /// Checks that the maker may publish code: what they could run for every visitor they may show to some.
    pub(super) async fn require_code(self, app: &App, id: ProjectId) -> Result<(), RoleError> {
        self.require(app, id, Permission::Publish).await
    }

    async fn require(
        self,
        app: &App,
        id: ProjectId,
        permission: Permission,
    ) -> Result<(), RoleError> {
        match self {
            Self::Command => Ok(()),
            Self::Member(member) => require(app, member, Some(id), permission).await,
        }
    }
}

/// Whether a preview contains code that is not live.
pub(crate) fn has_unpublished_code(shown: &Project, live: &Project) -> bool {
    let published: HashSet<Privileged<'_>> = live.privileged();
    !shown.privileged().is_subset(&published)
}
