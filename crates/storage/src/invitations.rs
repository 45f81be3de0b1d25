//! Invitations, as they are stored: who may become a member with which role, and until when. Never a token.

use async_trait::async_trait;
use oauth::{CredentialHash, Lifetime, Timestamp};

use crate::row::Row;
use crate::{Authority, ListRange, MemberId, NewAuditEntry, NewMember, RoleGrant, StorageError};

/// How many invitations wait at a time: more than people keep an overview of.
pub const INVITATIONS_AT_MOST: i64 = 1_000;

/// How many invitations to one project wait while an admin of projects may make another: more than a project has people, and little of what
/// the server has room for, which its admins need, too.
pub const INVITATIONS_TO_PROJECT_AT_MOST: i64 = 50;

/// How long an invitation stays in the list after it expired, so that a list tells why a person did not come.
pub(crate) const INVITATION_KEPT_AFTER_EXPIRY: Lifetime = Lifetime::from_seconds(30 * 24 * 3_600);

/// An operator at the terminal among the members who invite. Ids of members begin at 1.
const OPERATOR: i64 = 0;

/// Invitations of people to become members.
#[async_trait]
pub trait InvitationStore: Send + Sync + 'static {
    /// Keeps an invitation, unless too many wait. [`StorageError::SignedOut`] if the authority has ended.
    async fn add_invitation(
        &self,
        invitation: NewInvitation,
        entry: NewAuditEntry,
    ) -> Result<AddInvitationOutcome, StorageError>;

    /// The invitation with this token, also an expired one.
    async fn find_invitation(
        &self,
        hash: &CredentialHash,
    ) -> Result<Option<Invitation>, StorageError>;

    /// The invitation with this id, also an expired one.
    async fn lookup_invitation(&self, id: &str) -> Result<Option<Invitation>, StorageError>;

    /// The invitations, those made last first, also such as expired a while ago: all, or those to projects in which this member is an admin
    /// or owner.
    async fn list_invitations(
        &self,
        seen_by: Option<MemberId>,
        page: ListRange,
    ) -> Result<Vec<Invitation>, StorageError>;

    /// Removes an invitation; returns whether there was one.
    async fn remove_invitation(&self, id: &str, entry: NewAuditEntry)
    -> Result<bool, StorageError>;

    /// Makes the invited person a member, and removes their other invitations to the same place and to the whole server, which make no member
    /// any more. [`StorageError::Conflict`] if the address is taken, which changes nothing.
    async fn accept_invitation(
        &self,
        accepted: AcceptedInvitation,
    ) -> Result<AcceptOutcome, StorageError>;

    /// Gives a member the role of an invitation to a project, which lowers none that they have there. [`StorageError::SignedOut`] if the
    /// authority has ended.
    async fn accept_invitation_as_member(
        &self,
        accepted: AcceptedByMember,
    ) -> Result<AcceptOutcome, StorageError>;
}

/// An invitation that the invited person accepts.
pub struct AcceptedInvitation {
    /// The invitation, as it was found.
    pub invitation: Invitation,
    /// Whether a member with these roles may give this one: those that the member who invited has in the transaction.
    pub may_give: fn(&[RoleGrant], &RoleGrant) -> bool,
    /// The person.
    pub member: NewMember,
    /// The entry of the audit log.
    pub entry: NewAuditEntry,
}

/// An invitation to a project that a member accepts.
pub struct AcceptedByMember {
    /// The invitation, as it was found.
    pub invitation: Invitation,
    /// As in [`AcceptedInvitation`].
    pub may_give: fn(&[RoleGrant], &RoleGrant) -> bool,
    /// The member.
    pub member: MemberId,
    /// What they accept it with.
    pub authority: Authority,
    /// The entry of the audit log.
    pub entry: NewAuditEntry,
}

/// What became of an invitation that a person accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AcceptOutcome {
    /// They are this member.
    Member(MemberId),
    /// The invitation is gone or expired.
    Gone,
    /// The member who invited may not give the role any more. Nothing has changed.
    Powerless,
}

/// What became of an invitation to keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddInvitationOutcome {
    /// It is kept.
    Added,
    /// [`INVITATIONS_AT_MOST`] wait.
    TooMany,
    /// [`INVITATIONS_TO_PROJECT_AT_MOST`] to its project wait.
    TooManyToProject,
}

/// How many invitations may wait when another is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InvitationLimit {
    /// So many as the server has room for: of an operator, or an admin of the server.
    OfServer,
    /// No more to the same project than [`INVITATIONS_TO_PROJECT_AT_MOST`].
    OfProject,
}

/// An invitation to keep.
#[derive(Debug, Clone)]
pub struct NewInvitation {
    /// On whose authority.
    pub authority: Authority,
    /// How many others may wait.
    pub limit: InvitationLimit,
    /// The hash of its token.
    pub hash: CredentialHash,
    /// The rest of it.
    pub invitation: Invitation,
}

/// An invitation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invitation {
    /// Its id.
    pub id: String,
    /// The address with which the person will sign in.
    pub email: String,
    /// The role that they will have.
    pub role: RoleGrant,
    /// The member who invites; `None` is an operator at the terminal.
    pub member: Option<MemberId>,
    /// Who invites, in words for people.
    pub made_by: String,
    /// When it was made.
    pub made_at: Timestamp,
    /// When it expires.
    pub expires_at: Timestamp,
}

impl Invitation {
    pub(crate) fn from_row(row: &impl Row) -> Result<Self, StorageError> {
        let (id, member): (String, i64) = (row.column(0)?, row.column(5)?);
        let role = RoleGrant::from_row(row, [2, 3, 4]);
        Ok(Self {
            role: role.map_err(|error| error.in_row("invitation", &id))?,
            id,
            email: row.column(1)?,
            member: (member != OPERATOR).then(|| MemberId::from_row(member)),
            made_by: row.column(6)?,
            made_at: Timestamp::from_milliseconds(row.column(7)?),
            expires_at: Timestamp::from_milliseconds(row.column(8)?),
        })
    }

    /// What a member with these roles may do who accepts it: no role becomes lower.
    pub(crate) fn added_to(&self, roles: &[RoleGrant]) -> Vec<RoleGrant> {
        let is_there = |grant: &RoleGrant| grant.project == self.role.project;
        let (there, mut after): (Vec<_>, Vec<_>) = roles.iter().copied().partition(is_there);
        let higher = |one: RoleGrant, other: RoleGrant| RoleGrant {
            project: one.project,
            role: one.role.max(other.role),
            is_code_allowed: one.is_code_allowed || other.is_code_allowed,
        };
        after.push(there.into_iter().fold(self.role, higher));
        after.sort_unstable();
        after
    }

    /// The column `member`.
    pub(crate) fn member_row(&self) -> i64 {
        self.member.map_or(OPERATOR, MemberId::to_row)
    }
}
