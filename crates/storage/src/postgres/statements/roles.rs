//! Members with their roles.

use crate::statements::statements;

statements! {
    /// From here to the end of the transaction nobody else changes roles; they are read as ever.
    LOCK_ROLES = "LOCK TABLE member_role IN SHARE ROW EXCLUSIVE MODE";
}
