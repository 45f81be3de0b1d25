//! Clients and their secrets.

use crate::statements::statements;

statements! {
    /// Until this transaction ends, no other one changes this client.
    LOCK_CLIENT = "SELECT client_id FROM client WHERE client_id = $1 FOR NO KEY UPDATE";
}
