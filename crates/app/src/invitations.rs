//! Invitations: an admin names a person's address and role, and the person becomes a member by a link that works once, or gets the role as the
//! member who they are. The admin of a project does not learn which of the two it is.
//!
//! The rights of the member who invites count twice: when they invite, and when the person accepts.

mod accept;
mod accept_as_member;
mod dto;
mod find;
mod invite;
mod list;

pub use accept::{AcceptInvitation, AcceptInvitationError, accept_invitation};
pub use accept_as_member::{AcceptAsMemberError, accept_as_member};
pub use dto::{InvitationDto, InvitationState};
pub use find::{InvitationError, Invited, find_invitation};
pub use invite::{InviteError, MadeInvitation, invite};
pub use list::{list_invitations, revoke_invitation};

/// The page that an invited person opens.
pub const INVITATION_PATH: &str = "/invitation";

/// The same for a member, who signs in.
pub const INVITATION_OF_MEMBER_PATH: &str = "/invitation/member";
