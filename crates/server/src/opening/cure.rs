//! What to do about a database that cannot be opened.

use std::io::ErrorKind;

use storage::{Obstacle, OpenError};

/// What to do where a part of a SQLite file cannot be read.
pub(crate) const DAMAGED: &str = "stop the server, keep a copy of the file, and `assay restore` the newest backup into a new folder";

/// What to do where a disk takes no writes.
pub(crate) const WRITABLE_DISK: &str = "mount the disk writable (`mount -o remount,rw`; after a fault of the disk, `dmesg` says more), or name a folder elsewhere";

/// What to do about a database on a server that a newer Assay made.
pub(super) const NEWER_ON_SERVER: &str = "use the newer binary, or `assay restore` a backup from before the upgrade into a new database (`createdb`)";

/// The cure, if there is one to tell.
pub(super) fn of(error: &OpenError) -> Option<&'static str> {
    Some(match error {
        OpenError::Foreign => "give Assay a database of its own",
        OpenError::NotADatabase => {
            "name Assay's own file with --data or --database; if this was it, `assay restore` a backup into a new folder"
        }
        OpenError::Damaged(_) => DAMAGED,
        OpenError::Newer { .. } => {
            "use the newer binary, or `assay restore` a backup from before the upgrade into a new folder"
        }
        OpenError::SessionsNotKept => {
            "a pooler between Assay and PostgreSQL has to keep sessions (PgBouncer: `pool_mode = session`)"
        }
        OpenError::Silent => "look at the server and its load, at the pooler, and at the firewall",
        OpenError::NoneLeft => NONE_LEFT,
        OpenError::Refused { obstacle, .. } => of_obstacle(*obstacle),
        OpenError::ReadOnly => {
            "name the primary in the address; a database that is kept read-only takes writes after `ALTER DATABASE … RESET default_transaction_read_only`, or the same for the role"
        }
        OpenError::Encoding(_) => {
            "make another one (`createdb --owner USER --encoding UTF8 --template template0 NAME`); `assay backup` of the release so far and `assay restore` move what is in this one"
        }
        OpenError::NoSchema => {
            "make the schema that `search_path` names (`CREATE SCHEMA … AUTHORIZATION USER`), or correct its name"
        }
        OpenError::File(error) if error.kind() == ErrorKind::ReadOnlyFilesystem => WRITABLE_DISK,
        OpenError::File(_)
        | OpenError::Address(_)
        | OpenError::OldServer { .. }
        | OpenError::Engine(_) => return None,
    })
}

const NONE_LEFT: &str = "each process wants 17 connections: allow more (`max_connections` of PostgreSQL, `default_pool_size` and `max_client_conn` of PgBouncer), or run fewer";

fn of_obstacle(obstacle: Obstacle) -> &'static str {
    match obstacle {
        Obstacle::NoServer => {
            "start PostgreSQL; look at host and port in the address, DNS and the firewall"
        }
        Obstacle::Certificate => {
            "`sslrootcert=FILE` in the address names the authority that signed it; the host has to be a name in the certificate, which may have expired"
        }
        Obstacle::Credentials => {
            "correct user and password in the address, with special characters percent-encoded; `pg_hba.conf` has to let the user in"
        }
        Obstacle::NoDatabase => {
            "make it (`createdb --owner USER NAME`), or correct its name in the address"
        }
        Obstacle::Rights => {
            "make the user in the address the owner of the database, or `GRANT USAGE, CREATE ON SCHEMA … TO` that user"
        }
        Obstacle::Owner => {
            "name the owner of the tables in the address, or make its user a member of that role (`GRANT owner TO user`)"
        }
        Obstacle::NoneLeft => NONE_LEFT,
        Obstacle::StartupParameter => {
            "leave `options` out of the address and use `ALTER ROLE … SET search_path = …`; or let the pooler ignore it (PgBouncer: `ignore_startup_parameters = options`), and do so, too"
        }
    }
}
