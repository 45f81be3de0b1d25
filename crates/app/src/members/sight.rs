//! What an actor sees of the members. One server has projects of many people: an admin of some projects sees who reaches these, and nothing of
//! other projects.

use domain::ProjectId;
use storage::{MemberId, MemberLine, RoleGrant};

use crate::App;
use crate::roles::{Actor, Permission, Rights, RoleError};

/// What an actor sees of the members.
#[derive(Debug)]
pub(crate) enum Sight {
    /// All of it: an operator, or an admin of the server.
    Server,
    /// What concerns the projects in which this member is an admin or owner.
    Projects(MemberId, Rights),
}

impl Sight {
    /// What this actor sees.
    pub(crate) async fn of(app: &App, actor: &Actor) -> Result<Self, RoleError> {
        actor.require_some_members(app).await?;
        let (member, rights) = (actor.member(), actor.rights(app).await?);
        let (Some(member), Some(rights)) = (member, rights) else { return Ok(Self::Server) };
        let is_of_server = rights.include(None, Permission::ManageMembers);
        Ok(if is_of_server { Self::Server } else { Self::Projects(member, rights) })
    }

    /// The member in whose projects the actor sees something; `None` sees all.
    pub(crate) const fn limit(&self) -> Option<MemberId> {
        match self {
            Self::Server => None,
            Self::Projects(member, _) => Some(*member),
        }
    }

    /// Whether the actor sees who is invited to a place.
    pub(crate) fn shows_invitations_to(&self, place: Option<ProjectId>) -> bool {
        match self {
            Self::Server => true,
            Self::Projects(_, rights) => rights.include(place, Permission::ManageMembers),
        }
    }

    /// The member with the roles that the actor sees; `None` if they have none of these. Who vouches for them is for those to see who see all.
    pub(crate) fn of_member(&self, member: MemberLine) -> Option<MemberLine> {
        let roles = self.of_roles(member.id, &member.roles);
        match self {
            Self::Server => Some(MemberLine { roles, ..member }),
            // Who vouches for the member may be unknown to them.
            Self::Projects(..) if roles.is_empty() => None,
            Self::Projects(..) => Some(MemberLine { roles, vouched_by: None, ..member }),
        }
    }

    /// The roles of a member that the actor sees: those for the whole server, which reach the actor's projects, too, and those in these
    /// projects. Of themselves they see all.
    pub(crate) fn of_roles(&self, member: MemberId, roles: &[RoleGrant]) -> Vec<RoleGrant> {
        let sees = |grant: &&RoleGrant| match self {
            Self::Server => true,
            Self::Projects(own, rights) => {
                let is_managed = rights.include(grant.project, Permission::ManageMembers);
                member == *own || grant.project.is_none() || is_managed
            }
        };
        roles.iter().filter(sees).copied().collect()
    }
}
