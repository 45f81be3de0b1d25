//! Members and their passwords.

use crate::statements::statements;

statements! {
    /// Until this transaction ends, no other one starts a session of this member: one that is doing so at this moment is waited for.
    LOCK_MEMBER = "SELECT 1 FROM member WHERE id = $1 FOR NO KEY UPDATE";

    /// Until this transaction ends, no other one adds a member.
    LOCK_MEMBERS = "LOCK TABLE member IN SHARE ROW EXCLUSIVE MODE";
}
