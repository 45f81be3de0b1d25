//! Sessions, and what proves that one may start.

use crate::statements::statements;

statements! {
    /// To the end of the transaction the member keeps this password: who changes it waits, and then sees what was done meanwhile.
    HOLD_PASSWORD = "SELECT 1 FROM member WHERE id = $1 AND password_hash = $2 FOR SHARE";

    HOLD_MEMBER = "SELECT 1 FROM member WHERE id = $1 FOR SHARE";

    /// To the end of the transaction the session stays: who ends it waits, and then sees what was done in it meanwhile.
    HOLD_SESSION = "SELECT 1 FROM session WHERE hash = $1 AND member = $2 FOR SHARE";
}
