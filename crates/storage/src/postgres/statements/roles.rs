//! Members with their roles.

use crate::statements::statements;

statements! {
    /// Until this transaction ends, no other one changes roles; they are read as ever.
    LOCK_ROLES = "LOCK TABLE member_role IN SHARE ROW EXCLUSIVE MODE";
}
