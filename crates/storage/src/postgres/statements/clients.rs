//! Clients and their secrets.

use crate::statements::statements;

statements! {
    /// From here to the end of the transaction nobody else changes this client.
    LOCK_CLIENT = "SELECT client_id FROM client WHERE client_id = $1 FOR NO KEY UPDATE";
}
