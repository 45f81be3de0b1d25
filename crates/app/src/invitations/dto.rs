//! Invitations as programs see them.

use domain::ProjectId;
use oauth::Moment;
use storage::{Invitation, Role};

use crate::dto;

/// What becomes of an invitation now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InvitationState {
    /// Its link works.
    Open,
    /// It is too late.
    Expired,
    /// The member who invited may not give its role any more.
    Powerless,
}

impl InvitationState {
    const ALL: [Self; 3] = [Self::Open, Self::Expired, Self::Powerless];

    /// The state in a word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Expired => "expired",
            Self::Powerless => "powerless",
        }
    }
}

dto! {
    /// An invitation, without its link.
    pub struct InvitationDto: "invitation" {
        /// Its id.
        id: String,
        /// The address with which the person will sign in.
        email: String,
        /// The role that the person will have.
        role: Role,
        /// The id of the project of the role; null for the whole server.
        project: Option<ProjectId>,
        /// Whether the person will be allowed to write custom code.
        code: bool,
        /// `open`; `expired`; or `powerless`, where the member who invited may not give this role any more.
        state: String where {"enum": (InvitationState::ALL.map(InvitationState::word))},
        /// Who invited, in words.
        made_by: String,
        /// When it was made.
        made_at: String where {"format": "date-time"},
        /// Until when the link works.
        expires_at: String where {"format": "date-time"},
    }
}

impl From<(&Invitation, InvitationState)> for InvitationDto {
    fn from((invitation, state): (&Invitation, InvitationState)) -> Self {
        Self {
            id: invitation.id.clone(),
            email: invitation.email.clone(),
            role: invitation.role.role,
            project: invitation.role.project,
            code: invitation.role.is_code_allowed,
            state: state.word().to_owned(),
            made_by: invitation.made_by.clone(),
            made_at: Moment::from(invitation.made_at).machine(),
            expires_at: Moment::from(invitation.expires_at).machine(),
        }
    }
}
