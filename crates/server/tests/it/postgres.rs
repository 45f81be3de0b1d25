//! Servers on a PostgreSQL database, which they may share: the real binary, on the cluster that nextest starts for these tests.

mod clocks;
mod collectors;
mod commands;
mod frozen;
mod migrations;
mod outage;
mod races;
mod round_robin;
mod several_processes;
mod three_processes;

use std::process::Command;

pub(crate) use several_processes::now;

/// What `.config/postgres.sh` says about the cluster.
#[expect(clippy::disallowed_methods, reason = "nextest passes it on as an environment variable")]
fn variable(name: &str) -> String {
    std::env::var(name).expect("these tests need `cargo nextest`, which starts PostgreSQL for them")
}

/// The address of a new database with this name, which no other test uses.
pub(crate) fn database(name: &str) -> String {
    let cluster = variable("ASSAY_TEST_POSTGRES");
    database_in(&cluster, &variable("ASSAY_TEST_POSTGRES_CREATEDB"), name)
}

/// The same in any cluster, with the program that makes databases.
pub(crate) fn database_in(cluster: &str, createdb: &str, name: &str) -> String {
    let maintenance = format!("--maintenance-db={cluster}/postgres");
    assert!(Command::new(createdb).args([&maintenance, name]).status().unwrap().success());
    format!("{cluster}/{name}")
}
