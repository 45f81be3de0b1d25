//! Who decides about members and applications: somebody at the terminal, who may do anything, or a member through an application.

use std::net::IpAddr;

use oauth::ClientId;
use storage::{Act, Actor, MemberId, RoleGrant};

use crate::App;
use crate::roles::require::{RoleError, rights_of};
use crate::roles::rights::{Permission, Rights};

/// Who decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Administrator {
    /// Whoever has the disk.
    Command,
    /// A member.
    Member {
        /// Who it is.
        id: MemberId,
        /// The application that acts for them.
        through: ClientId,
        /// From where.
        address: IpAddr,
    },
}

impl Administrator {
    /// They do something at this moment.
    pub(crate) fn act(&self, app: &App) -> Act {
        match self {
            Self::Command => app.act(Actor::Command, None),
            Self::Member { id, address, .. } => {
                Act { member: Some(*id), ..app.act(Actor::Member, Some(*address)) }
            }
        }
    }

    /// Lets them go on if they may give and take these roles.
    pub(crate) async fn require_decision(
        &self,
        app: &App,
        roles: &[RoleGrant],
    ) -> Result<(), RoleError> {
        let Some(rights) = self.rights(app).await? else { return Ok(()) };
        roles.iter().try_for_each(|grant| rights.require_decision(grant))
    }

    /// Lets them go on if nothing of a member with these roles is beyond them.
    pub(crate) async fn require_power_over(
        &self,
        app: &App,
        roles: &[RoleGrant],
    ) -> Result<(), RoleError> {
        if roles.is_empty() {
            let Some(rights) = self.rights(app).await? else { return Ok(()) };
            return rights.require(None, Permission::ManageMembers);
        }
        self.require_decision(app, roles).await
    }

    /// Whether it is not whoever has the disk, who could read and write everything in any case.
    pub(crate) const fn is_member(&self) -> bool {
        matches!(self, Self::Member { .. })
    }

    /// What they may do; `None` is everything.
    async fn rights(&self, app: &App) -> Result<Option<Rights>, RoleError> {
        match self {
            Self::Command => Ok(None),
            Self::Member { id, .. } => Ok(Some(rights_of(app, *id).await?)),
        }
    }

    /// The application through which they act.
    pub(crate) fn through(&self) -> Option<ClientId> {
        match self {
            Self::Command => None,
            Self::Member { through, .. } => Some(through.clone()),
        }
    }
}
