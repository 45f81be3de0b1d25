//! Members allow applications to act for them, and what becomes of that.

mod codes;
mod command_line;
mod consent;
mod introspected;
mod refreshed;
mod revoked;

use app::sessions::SignedIn;
use oauth::ClientKind;
use storage::RoleGrant;

use crate::program::Program;
use crate::server::Server;

const DAY: i64 = 24 * 60 * 60;

/// A server, Ann, who is signed in, and an application with a secret.
async fn with_program() -> (Server, SignedIn, Program) {
    let server = Server::start();
    let ann = server.member_id("ann", &[RoleGrant::OWNER]).await;
    let (ann, program) =
        (server.sign_in(ann).await, server.program("Reports", ClientKind::Confidential).await);
    (server, ann, program)
}
