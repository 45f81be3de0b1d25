//! Every statement by subject, in the SQL that SQLite and PostgreSQL share. Parameters are numbered in the order of their first use: to
//! SQLite `$1` is a name, and names are numbered as they come.

/// Makes a constant of each statement, and `ALL` of them with their names.
macro_rules! statements {
    ($($(#[$doc:meta])* $name:ident = $sql:literal;)+) => {
        $($(#[$doc])* pub(crate) const $name: &str = $sql;)+

        pub(crate) const ALL: &[(&str, &str)] = &[$((stringify!($name), $name)),+];
    };
}

pub(crate) mod api_tokens;
pub(crate) mod audit;
pub(crate) mod authorization_codes;
pub(crate) mod cleaning;
pub(crate) mod clients;
pub(crate) mod consents;
pub(crate) mod counts;
pub(crate) mod deleted_projects;
pub(crate) mod draft_sources;
pub(crate) mod events;
pub(crate) mod events_keys;
pub(crate) mod grants;
pub(crate) mod idempotency;
pub(crate) mod identities;
pub(crate) mod installations;
pub(crate) mod invitations;
pub(crate) mod members;
pub(crate) mod passkeys;
pub(crate) mod preview_links;
pub(crate) mod projects;
pub(crate) mod resource_changes;
pub(crate) mod results_links;
pub(crate) mod revisions;
pub(crate) mod roles;
pub(crate) mod schedules;
pub(crate) mod sessions;
pub(crate) mod store;
pub(crate) mod webhooks;

pub(crate) use statements;

/// All of them, each after its name.
pub(crate) fn all() -> Vec<(&'static str, &'static str)> {
    [
        api_tokens::ALL,
        audit::ALL,
        authorization_codes::ALL,
        cleaning::ALL,
        clients::ALL,
        consents::ALL,
        counts::ALL,
        deleted_projects::ALL,
        draft_sources::ALL,
        events::ALL,
        events_keys::ALL,
        grants::ALL,
        idempotency::ALL,
        installations::ALL,
        invitations::ALL,
        identities::ALL,
        members::ALL,
        passkeys::ALL,
        preview_links::ALL,
        projects::ALL,
        resource_changes::ALL,
        results_links::ALL,
        revisions::ALL,
        roles::ALL,
        schedules::ALL,
        sessions::ALL,
        store::ALL,
        webhooks::ALL,
    ]
    .concat()
}
