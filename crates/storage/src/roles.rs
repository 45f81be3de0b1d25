//! What members may do, as it is stored: roles for the whole server and for single projects. What a role allows is in `app::roles`.

use std::sync::Arc;

use async_trait::async_trait;
use domain::ProjectId;
use oauth::{ClientId, Timestamp};
use serde::{Serialize, Serializer};

use crate::api_tokens::API_TOKEN_LONGEST;
use crate::invalidation::Invalidation;
use crate::row::Row;
use crate::{Act, ListRange, MemberId, ProjectSummary, StorageError, WhichProjects};

/// What a member is on the server or in a project. Each role may do what those before it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Reads projects.
    Viewer,
    /// Reads results, too.
    Analyst,
    /// Writes drafts.
    Editor,
    /// Makes them live.
    Publisher,
    /// Decides about members up to themselves and, on the whole server, about applications.
    Admin,
    /// Does everything.
    Owner,
}

/// A role of a member, and where they have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RoleGrant {
    /// In which project; `None` in all of them, and in whatever belongs to none.
    pub project: Option<ProjectId>,
    /// The role.
    pub role: Role,
    /// Whether they may write custom code and redirects there.
    pub is_code_allowed: bool,
}

/// A member in a list, with all their roles, that for the whole server first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemberLine {
    /// The id.
    pub id: MemberId,
    /// The address they sign in with.
    pub email: String,
    /// Since when they are a member.
    pub added_at: Timestamp,
    /// What they may do.
    pub roles: Vec<RoleGrant>,
    /// Who alone vouches for their address; `None` where something has proved it, or an operator vouches.
    pub vouched_by: Option<Voucher>,
}

/// A member who handed another one by hand what they chose their password with, and who may have used it themselves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Voucher {
    /// The member.
    pub id: MemberId,
    /// Their address; `None` if they are no member any more.
    pub email: Option<String>,
}

/// A member's roles are to be others, or the member is to go.
#[derive(Debug, Clone)]
pub struct ChangeRoles {
    /// Whose.
    pub member: MemberId,
    /// What their roles were when that was decided.
    pub before: Vec<RoleGrant>,
    /// What they are from now on, at most one for each place; `None` removes the member.
    pub after: Option<Vec<RoleGrant>>,
    /// The application through which it is done.
    pub through: Option<ClientId>,
    /// The change.
    pub act: Act,
}

/// What became of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeRolesOutcome {
    /// Done, and in force from now on.
    Changed,
    /// There is no such member.
    UnknownMember,
    /// The roles have changed since the decision.
    OtherRoles,
    /// No member would own the server any more.
    LastOwner,
}

/// Members and their roles.
#[async_trait]
pub trait RoleStore: Send + Sync + 'static {
    /// The members with all their roles, in the order of their addresses: everyone, or those who reach a project in which this member is an
    /// admin or owner, by a role there or for the whole server.
    async fn list_members(
        &self,
        seen_by: Option<MemberId>,
        page: ListRange,
    ) -> Result<Vec<MemberLine>, StorageError>;

    /// The member with this id, with their roles.
    async fn lookup_member_line(&self, id: MemberId) -> Result<Option<MemberLine>, StorageError>;

    /// The roles of a member, none if there is no such member, or it is a service whose token has expired. They are cached: a change is
    /// known at once in this process, and within a second in all.
    async fn find_roles(
        &self,
        member: MemberId,
        now: Timestamp,
    ) -> Result<Arc<[RoleGrant]>, StorageError>;

    /// Changes the roles of a member, or removes them with everything of theirs but what the audit log tells. If they gain rights for the
    /// whole server, all their sessions, consents and API tokens end, because a thief of one of those would gain them as well. A role in a
    /// project ends nothing: the admin of one project has no say in what the member does in others.
    async fn change_roles(&self, change: ChangeRoles) -> Result<ChangeRolesOutcome, StorageError>;

    /// Whether there is a project with this id.
    async fn has_project(&self, id: ProjectId) -> Result<bool, StorageError>;

    /// The projects in which a member has a role of their own, in the order of their ids.
    async fn list_projects_of_member(
        &self,
        member: MemberId,
        which: WhichProjects,
        page: ListRange,
    ) -> Result<Vec<ProjectSummary>, StorageError>;
}

impl Role {
    /// Every role, the least powerful first.
    pub const ALL: [Self; 6] =
        [Self::Viewer, Self::Analyst, Self::Editor, Self::Publisher, Self::Admin, Self::Owner];

    /// The role as people and programs spell it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Viewer => "viewer",
            Self::Analyst => "analyst",
            Self::Editor => "editor",
            Self::Publisher => "publisher",
            Self::Admin => "admin",
            Self::Owner => "owner",
        }
    }

    /// The role with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.as_str() == name)
    }
}

impl Serialize for Role {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl RoleGrant {
    /// Owns the whole server.
    pub const OWNER: Self = Self { project: None, role: Role::Owner, is_code_allowed: true };
}

/// Roles in words, as the audit log and the terminal show them: `publisher, editor in 1000 with code`.
#[must_use]
pub fn roles_in_words(roles: &[RoleGrant]) -> String {
    let words = |grant: &RoleGrant| {
        let place = grant.project.map(|project| format!(" in {project}")).unwrap_or_default();
        let is_code_worth_telling = grant.is_code_allowed && grant.role < Role::Admin;
        let code = if is_code_worth_telling { " with code" } else { "" };
        format!("{}{place}{code}", grant.role.as_str())
    };
    if roles.is_empty() {
        return "no role".to_owned();
    }
    roles.iter().map(words).collect::<Vec<_>>().join(", ")
}

/// The roles of a member, as they are found and cached.
#[derive(Debug, Clone)]
pub(crate) struct FoundRoles {
    pub(crate) roles: Arc<[RoleGrant]>,
    /// For a service: when its token expires. Its links and invitations end with the token.
    pub(crate) service_until: Option<Timestamp>,
}

impl FoundRoles {
    /// The roles in these rows, each with when the token of the service expires.
    pub(crate) fn from_rows(rows: Vec<(RoleGrant, Option<Timestamp>)>) -> Self {
        let service_until = rows.iter().find_map(|(_, until)| *until);
        Self { roles: rows.into_iter().map(|(role, _)| role).collect(), service_until }
    }

    /// Those that count at this moment.
    pub(crate) fn at(&self, now: Timestamp) -> Arc<[RoleGrant]> {
        let is_good = |until: Timestamp| until.is_end_of_something_good(API_TOKEN_LONGEST, now);
        if self.service_until.is_none_or(is_good) {
            Arc::clone(&self.roles)
        } else {
            Arc::default()
        }
    }
}

/// A role and, for a service, when its token expires.
pub(crate) fn role_and_end(row: &impl Row) -> Result<(RoleGrant, Option<Timestamp>), StorageError> {
    let until: Option<i64> = row.column(3)?;
    Ok((RoleGrant::from_row(row, [0, 1, 2])?, until.map(Timestamp::from_milliseconds)))
}

fn owns_server(roles: &[RoleGrant]) -> bool {
    roles.iter().any(|grant| grant.project.is_none() && grant.role == Role::Owner)
}

impl ChangeRoles {
    /// Why the roles of this member are not changed. So many other members own the server.
    pub(crate) fn refuse(
        &self,
        roles: &[RoleGrant],
        other_owners: i64,
    ) -> Option<ChangeRolesOutcome> {
        if self.before != roles {
            Some(ChangeRolesOutcome::OtherRoles)
        } else if self.takes_an_owner() && other_owners == 0 {
            Some(ChangeRolesOutcome::LastOwner)
        } else {
            None
        }
    }

    /// Which cached entries the change makes out of date.
    pub(crate) fn invalidation(&self) -> Invalidation {
        if self.after.is_none() || self.grows_on_server() {
            Invalidation::Everything
        } else {
            Invalidation::Roles(self.member)
        }
    }

    /// Whether another member has to own the server for this.
    fn takes_an_owner(&self) -> bool {
        owns_server(&self.before) && !self.after.as_deref().is_some_and(owns_server)
    }

    /// Whether the member may do anything on the whole server from now on that they could not do there before.
    pub(crate) fn grows_on_server(&self) -> bool {
        let (before, after) =
            (Reach::of(&self.before), Reach::of(self.after.as_deref().unwrap_or_default()));
        after.role > before.role || after.has_code && !before.has_code
    }
}

/// What a member may do in every project.
struct Reach {
    role: Option<Role>,
    has_code: bool,
}

impl Reach {
    fn of(roles: &[RoleGrant]) -> Self {
        let on_server = roles.iter().find(|grant| grant.project.is_none());
        let role = on_server.map(|grant| grant.role);
        let has_code =
            role >= Some(Role::Admin) || on_server.is_some_and(|grant| grant.is_code_allowed);
        Self { role, has_code }
    }
}

#[cfg(test)]
mod tests {
    use oauth::Timestamp;

    use super::{ChangeRoles, ChangeRolesOutcome, Role, RoleGrant, roles_in_words};
    use crate::invalidation::Invalidation;
    use crate::{Act, ActorKind, MemberId};

    fn change(before: &[RoleGrant], after: Option<&[RoleGrant]>) -> ChangeRoles {
        let at = Timestamp::from_milliseconds(0);
        let act = Act { by: ActorKind::Command, member: None, address: None, at };
        let (before, after) = (before.to_vec(), after.map(<[RoleGrant]>::to_vec));
        ChangeRoles { member: MemberId::from_row(1), before, after, through: None, act }
    }

    fn grows_on_server(before: &[RoleGrant], after: &[RoleGrant]) -> bool {
        change(before, Some(after)).grows_on_server()
    }

    #[test]
    fn roles_change_from_what_they_are_and_never_take_the_last_owner() {
        let owner = [RoleGrant::OWNER];
        let refused =
            |roles: &[RoleGrant], other_owners| change(&owner, None).refuse(roles, other_owners);

        assert_eq!(refused(&owner, 1), None);
        assert_eq!(refused(&owner, 0), Some(ChangeRolesOutcome::LastOwner));
        assert_eq!(refused(&[], 0), Some(ChangeRolesOutcome::OtherRoles));
        assert_eq!(change(&owner, Some(&owner)).refuse(&owner, 0), None);
    }

    #[test]
    fn a_change_concerns_the_tokens_of_a_member_who_may_do_more_everywhere_or_goes() {
        let owner = [RoleGrant::OWNER];
        let of_member = Invalidation::Roles(MemberId::from_row(1));

        assert_eq!(change(&owner, None).invalidation(), Invalidation::Everything);
        assert_eq!(change(&[], Some(&owner)).invalidation(), Invalidation::Everything);
        assert_eq!(change(&owner, Some(&[])).invalidation(), of_member);
    }

    #[test]
    fn roles_grow_on_the_server_by_those_for_all_of_it_and_by_none_in_a_project() {
        let grant = |role, project: Option<&str>, is_code_allowed| RoleGrant {
            role,
            project: project.map(|project| project.parse().unwrap()),
            is_code_allowed,
        };
        let of_project = grant(Role::Owner, Some("1000"), true);
        let viewer = grant(Role::Viewer, None, false);
        let editor = grant(Role::Editor, None, false);
        let writer = grant(Role::Editor, None, true);
        let admin = grant(Role::Admin, None, false);

        for (before, after) in [
            (&[][..], &[viewer][..]),
            (&[viewer], &[editor]),
            (&[editor], &[writer]),
            (&[of_project], &[viewer, of_project]),
            (&[editor], &[admin]),
        ] {
            assert!(grows_on_server(before, after), "{before:?} {after:?}");
        }
        for (before, after) in [
            (&[][..], &[of_project][..]),
            (&[viewer], &[viewer, of_project]),
            (&[writer], &[editor]),
            (&[admin], &[writer]),
            (&[viewer], &[of_project]),
            (&[viewer], &[]),
        ] {
            assert!(!grows_on_server(before, after), "{before:?} {after:?}");
        }
    }

    #[test]
    fn roles_are_told_with_their_place_and_what_they_do_not_imply() {
        let editor =
            RoleGrant { project: "1000".parse().ok(), role: Role::Editor, is_code_allowed: true };

        assert_eq!(roles_in_words(&[]), "no role");
        assert_eq!(roles_in_words(&[RoleGrant::OWNER, editor]), "owner, editor in 1000 with code");
    }

    #[test]
    fn every_role_is_found_by_its_name() {
        assert!(Role::ALL.into_iter().all(|role| Role::named(role.as_str()) == Some(role)));
        assert!(Role::ALL.is_sorted());
        assert_eq!(Role::named("root"), None);
    }
}
