//! Processes on a database go by its clock, whatever those of their machines show.

use std::path::Path;
use std::process::Command;

use oauth::{Lifetime, Timestamp};
use storage::{AuditStore as _, ListRange, PostgresStore};

use super::{database, now, variable};
use crate::command_line::binary::{Folder, stderr};
use crate::command_line::doctor::about;
use crate::monitoring::{scrape, value};

const HOUR: Lifetime = Lifetime::from_seconds(3_600);

fn execute(address: &str, statement: &str) {
    let psql = Path::new(&variable("ASSAY_TEST_POSTGRES_CREATEDB")).with_file_name("psql");
    let output = Command::new(psql).args([address, "-c", statement]).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
}

/// A database whose clock is an hour ahead of this machine's.
fn database_an_hour_ahead(name: &str) -> String {
    let address = database(name);
    let ahead = "CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE \
        AS $$ SELECT pg_catalog.clock_timestamp() + interval '1 hour' $$";
    execute(&address, ahead);
    // Connections look there before they look at what PostgreSQL itself has.
    execute(&address, &format!("ALTER DATABASE {name} SET search_path = public, pg_catalog"));
    address
}

/// When the newest entry of the audit log was written.
async fn last_entry(address: &str) -> Timestamp {
    let store = PostgresStore::open(&address.into()).await.unwrap();
    store.list_audit_entries(ListRange { page: 1, per_page: 1 }).await.unwrap()[0].at
}

#[tokio::test]
async fn servers_and_commands_go_by_the_clock_of_the_database() {
    let folder = Folder::new();
    let address = database_an_hour_ahead("clocks_ahead");

    let server = folder.serve_logging("info", &["--demo", "--database", &address]);
    let by_server = last_entry(&address).await;
    let added = folder.assay(&["member", "add", "ann@example.com", "--database", &address]);
    let by_command = last_entry(&address).await;
    let looked =
        folder.assay(&["doctor", "--database", &address, "--listen", "127.0.0.1:0", "--json"]);
    let verified = folder.assay(&["audit", "verify", "--database", &address]);
    let log = folder.log_of(server);

    assert_eq!(added.status.code(), Some(0), "{}", stderr(&added));
    let there = now() + HOUR;
    for at in [by_server, by_command] {
        let off = there.as_milliseconds() - at.as_milliseconds();
        assert!((-1_000..60_000).contains(&off), "{off}");
    }
    assert!(
        log.contains("this machine's clock is 60 minutes behind that of the database"),
        "{log}"
    );
    let clock = about(&looked, "clock").remove(0);
    assert_eq!(clock.0, "warning", "{clock:?}");
    assert!(clock.1.contains("differs from that of the database"), "{clock:?}");
    assert_eq!(verified.status.code(), Some(0), "{}", stderr(&verified));
}

#[tokio::test]
async fn a_server_goes_on_from_what_another_one_saw_before_the_database_was_set_back() {
    let folder = Folder::new();
    let address = database_an_hour_ahead("clocks_back");
    drop(folder.serve(&["--demo", "--database", &address]));
    execute(&address, "DROP FUNCTION public.clock_timestamp()");

    let server = folder.serve(&["--database", &address, "--metrics-address", "127.0.0.1:0"]);

    let ahead = value(&scrape(&server).await, "assay_clock_ahead_seconds");
    assert!((3_000.0..=3_600.0).contains(&ahead), "{ahead}");
}
