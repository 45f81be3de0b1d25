//! Invitations: an admin names a person's address and role, and the person becomes a member by a link that works once.
//!
//! The rights of the member who invites count twice: when they invite, and when the person accepts.

mod accept;
mod dto;
mod find;
mod invite;
mod list;

pub use accept::{AcceptInvitation, AcceptInvitationError, accept_invitation};
pub use dto::{InvitationDto, InvitationState};
pub use find::{InvitationError, Invited, find_invitation};
pub use invite::{InviteError, MadeInvitation, invite};
pub use list::{list_invitations, revoke_invitation};

/// The page that an invited person opens.
pub const INVITATION_PATH: &str = "/invitation";
