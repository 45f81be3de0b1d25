//! The statements that only PostgreSQL is given: those that do in one round trip what SQLite does in several steps beside its file,
//! and those about locks, of which SQLite has one. All others are in `crate::statements`.

pub(super) mod audit;
pub(super) mod authorization_codes;
pub(super) mod cleaning;
pub(super) mod clients;
pub(super) mod deleted_projects;
pub(super) mod events;
pub(super) mod grants;
pub(super) mod members;
pub(super) mod projects;
pub(super) mod resource_changes;
pub(super) mod revisions;
pub(super) mod roles;
pub(super) mod sessions;
pub(super) mod transactions;

use crate::statements::cleaning::ALL_AMONG_OTHERS;

/// All of them, each after its name.
pub(super) fn all() -> Vec<(&'static str, &'static str)> {
    [
        audit::ALL,
        authorization_codes::ALL,
        cleaning::ALL,
        ALL_AMONG_OTHERS,
        clients::ALL,
        deleted_projects::ALL,
        events::ALL,
        grants::ALL,
        members::ALL,
        projects::ALL,
        resource_changes::ALL,
        revisions::ALL,
        roles::ALL,
        sessions::ALL,
        transactions::ALL,
    ]
    .concat()
}
