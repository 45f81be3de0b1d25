//! Servers on a PostgreSQL database, which they may share: the real binary, on the cluster that nextest starts for these tests.

mod commands;
mod several_processes;

use std::process::Command;

/// What `.config/postgres.sh` says about the cluster.
#[expect(clippy::disallowed_methods, reason = "nextest passes it on as an environment variable")]
fn variable(name: &str) -> String {
    std::env::var(name).expect("these tests need `cargo nextest`, which starts PostgreSQL for them")
}

/// The address of a new database with this name, which no other test uses.
pub(crate) fn database(name: &str) -> String {
    let cluster = variable("ASSAY_TEST_POSTGRES");
    let status = Command::new(variable("ASSAY_TEST_POSTGRES_CREATEDB"))
        .arg(format!("--maintenance-db={cluster}/postgres"))
        .arg(name)
        .status()
        .unwrap();
    assert!(status.success());
    format!("{cluster}/{name}")
}
