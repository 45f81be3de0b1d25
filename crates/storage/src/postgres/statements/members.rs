//! Members and their passwords.

use crate::statements::statements;

statements! {
    /// To the end of the transaction nobody starts a session of this member: who does so at this moment is waited for.
    LOCK_MEMBER = "SELECT 1 FROM member WHERE id = $1 FOR NO KEY UPDATE";
}
