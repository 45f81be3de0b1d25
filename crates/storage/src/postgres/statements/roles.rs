//! Members with their roles.

use crate::statements::statements;

statements! {
    /// Until this transaction ends, no other one changes roles; reading them is unaffected.
    LOCK_ROLES = "LOCK TABLE member_role IN SHARE ROW EXCLUSIVE MODE";
}
