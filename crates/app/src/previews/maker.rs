//! Who made a link to a draft. What it shows was not published, so it is theirs to show: only for as long as they may see the draft, and
//! publish what of it runs in the browser of whoever opens the link.

use std::collections::HashSet;

use domain::{Privileged, Project, ProjectId};
use storage::MemberId;

use crate::App;
use crate::roles::{Actor, Permission, RoleError, require};

/// Who makes a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PreviewMaker {
    /// Whoever has the disk, and may do anything.
    Command,
    /// A member, with what they may do at any moment.
    Member(MemberId),
}

/// How the token calls whoever has the disk. No member has this id.
const COMMAND: &str = "0";

impl PreviewMaker {
    pub(super) fn of(actor: &Actor) -> Self {
        actor.member().map_or(Self::Command, Self::Member)
    }

    pub(super) fn to_text(self) -> String {
        match self {
            Self::Command => COMMAND.to_owned(),
            Self::Member(id) => id.to_string(),
        }
    }

    pub(super) fn read(text: &str) -> Option<Self> {
        if text == COMMAND { Some(Self::Command) } else { text.parse().ok().map(Self::Member) }
    }

    /// Lets them go on if they may see the draft of this project.
    pub(super) async fn require_draft(self, app: &App, id: ProjectId) -> Result<(), RoleError> {
        self.require(app, id, Permission::WriteDraft).await
    }

    /// Lets them go on if they may publish it: what they could make run for every visitor they may show to some.
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

/// Whether a preview has code in it that is not live.
pub(super) fn has_unpublished_code(shown: &Project, live: &Project) -> bool {
    let published: HashSet<Privileged<'_>> = live.privileged();
    !shown.privileged().is_subset(&published)
}
