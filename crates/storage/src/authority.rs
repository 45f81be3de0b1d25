//! On whose authority something lasting is made. What a request came with may have ended since it was checked: the commit checks it again.

use oauth::CredentialHash;

use crate::MemberId;

/// On whose authority something is made.
#[derive(Debug, Clone, Copy)]
pub enum Authority {
    /// An operator's at the terminal.
    Operator,
    /// A member's, whose request came with this credential.
    Member(MemberId, ActingCredential),
}

/// What a member's request came with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActingCredential {
    /// The session of a browser.
    Session(CredentialHash),
    /// An access token of an application, or an API token.
    AccessToken(CredentialHash),
}
