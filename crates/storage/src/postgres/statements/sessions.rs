//! Sessions, what proves that one may start, and what else members act with.

use crate::statements::statements;

statements! {
    /// The member keeps this password to the end of the transaction: a concurrent change waits, and then sees the result.
    HOLD_PASSWORD = "SELECT 1 FROM member WHERE id = $1 AND password_hash = $2 FOR SHARE";

    HOLD_MEMBER = "SELECT 1 FROM member WHERE id = $1 FOR SHARE";

    /// The session stays to the end of the transaction: a concurrent end waits, and then sees the result.
    HOLD_SESSION = "SELECT 1 FROM session WHERE hash = $1 AND member = $2 FOR SHARE";

    /// The same for an API token.
    HOLD_API_TOKEN = "\
        SELECT 1 FROM api_token WHERE hash = $1 AND member = $2 AND expires_at > $3 FOR SHARE";
}
