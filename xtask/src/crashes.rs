//! `cargo xtask crashes`: the crash tests of `crates/server/tests/it/crash.rs`, for as many kills as you like.

use std::process::ExitCode;

use anyhow::Result;

use crate::program::Program;

/// Kills servers on SQLite, and as many on PostgreSQL. With the seed that a failure printed, its dice fall as they did.
pub(crate) fn run(kills: u32, seed: Option<u64>) -> Result<ExitCode> {
    let nextest = Program::new("cargo", ["nextest", "run", "--release", "--workspace"])
        .and(["--profile", "crashes", "-E", "test(survives_being_killed)"])
        .set("ASSAY_CRASHES", kills.to_string());
    let nextest = match seed {
        Some(seed) => nextest.set("ASSAY_CRASH_SEED", seed.to_string()),
        None => nextest,
    };
    nextest.must_succeed()?;
    Ok(ExitCode::SUCCESS)
}
