//! The process is killed at random moments under load, and started again on the same data: what clients were told is still true.
//!
//! [`grant`] is what a client knows of one authorization, and what it must find after a crash; [`life`] has a server that is killed
//! again and again, and [`work`] those who keep it busy. In [`publishing`] one is killed while it publishes, in [`webhooks`] while it
//! delivers, in [`events`] while pages send events, in [`event_sink`] while it hands them on; [`full_disk`] has one that lives and cannot
//! write. `cargo xtask crashes` kills as often as you like.

pub(crate) mod client;
pub(crate) mod cluster;
mod dice;
mod event_sink;
pub(crate) mod events;
mod full_disk;
mod grant;
pub(crate) mod life;
mod publishing;
mod webhooks;
mod work;

use cluster::Cluster;
use life::{Database, Life};

use crate::command_line::binary::Folder;

/// How often the server of one data directory is killed.
const KILLS_PER_LIFE: u32 = 3;

/// A number from the environment, which `cargo xtask crashes` sets.
#[expect(clippy::disallowed_methods, reason = "nextest hands on no arguments")]
fn number(variable: &str, otherwise: u64) -> u64 {
    let given = std::env::var(variable);
    given.map_or(otherwise, |text| text.parse().unwrap())
}

#[expect(clippy::print_stdout, reason = "a failure can be had again by its seed")]
fn say(line: &str) {
    println!("{line}");
}

/// Kills so often that `kills` are reached, each life with a seed of its own.
async fn live_and_die(database: Database, name: &str) {
    let kills = u32::try_from(number("ASSAY_CRASHES", 2 * u64::from(KILLS_PER_LIFE))).unwrap();
    let seed = number("ASSAY_CRASH_SEED", u64::from(std::process::id()));
    for round in 0..kills.div_ceil(KILLS_PER_LIFE) {
        let seed = seed + u64::from(round);
        say(&format!("{name}: ASSAY_CRASH_SEED={seed}"));
        let mut life = Life::begin(seed, database.fresh(&format!("crash_{seed}"))).await;
        for _ in 0..KILLS_PER_LIFE {
            life.work_and_die().await;
            life.compare().await;
        }
        say(&format!("{name}: {}", life.end().await));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn acknowledged_writes_survive_a_kill() {
    live_and_die(Database::File, "SQLite").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn acknowledged_writes_survive_a_kill_on_postgres() {
    live_and_die(Database::Postgres, "PostgreSQL").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn acknowledged_writes_survive_a_crash_of_postgres() {
    let folder = Folder::new();
    let cluster = Cluster::start(&folder);
    let seed = number("ASSAY_CRASH_SEED", u64::from(std::process::id()));
    say(&format!("ASSAY_CRASH_SEED={seed}"));
    let place = ["--database".to_owned(), cluster.database("crash")];
    let mut life = Life::begin(seed, place).await;
    for _ in 0..2 {
        life.work_and_lose(&cluster).await;
        life.compare().await;
    }
    say(&life.end().await);
}
