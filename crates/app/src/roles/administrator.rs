//! Who decides about members and applications: somebody at the terminal, who may do anything, or a member through an application.

use std::net::IpAddr;

use oauth::ClientId;
use storage::{Act, Actor, MemberId};

use crate::App;

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

    /// The application through which they act.
    pub(crate) fn through(&self) -> Option<ClientId> {
        match self {
            Self::Command => None,
            Self::Member { through, .. } => Some(through.clone()),
        }
    }
}
