//! What a developer runs: `cargo xtask test`, `cargo xtask tidy`, `cargo xtask measure`, `cargo xtask crashes`, `cargo xtask query-engines`,
//! `cargo xtask frameworks`, `cargo xtask dist`, `cargo xtask release`.
//!
//! The house rules live in [`tidy`], one rule per file; the steps of the test command in [`mod@test`].

mod crashes;
mod dist;
mod frameworks;
mod measure;
mod output;
mod program;
mod query_engines;
mod release;
mod repository;
mod rust_text;
mod source_file;
mod tally;
mod test;
mod tidy;

use std::process::ExitCode;
use std::slice;

use anyhow::Result;
use clap::{Parser, Subcommand, ValueEnum as _};

use crate::dist::DistArguments;
use crate::measure::Benchmark;
use crate::test::Extent;

#[derive(Parser)]
#[command(name = "cargo xtask", about = "What a developer of Assay runs")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run every check that a change must pass; installs what is missing, and says so.
    #[command(visible_alias = "ci")]
    Test {
        /// Leave browsers and client libraries out: the inner loop.
        #[arg(long)]
        fast: bool,
    },
    /// Check the house rules that need no compiler.
    Tidy,
    /// Kill servers under load, restart them, and verify every answer that clients got.
    Crashes {
        /// How often, on each of both databases.
        #[arg(default_value_t = 1_000)]
        kills: u32,
        /// The seed that a failure printed.
        #[arg(long)]
        seed: Option<u64>,
    },
    /// Let `ClickHouse` and Spark add up files of events. Needs Node.js and Java, and installs a gigabyte of Python packages.
    QueryEngines,
    /// Build apps of Next.js, Nuxt, `SvelteKit` and Astro as the guides say, and look at them in Chromium. Needs Node.js and the browser that `test` installs.
    Frameworks,
    /// Make what people install, in target/dist: the same bytes for the same commit.
    Dist(DistArguments),
    /// Turn what is unreleased into a release: the changelog's section, and the list of migrations that must stay as they are.
    Release {
        /// The version, as Cargo.toml has it.
        version: String,
    },
    /// Measure bytes and time; all of it if nothing is named.
    Measure {
        benchmark: Option<Benchmark>,
        /// Write it to bench/RESULTS.md, too.
        #[arg(long)]
        record: bool,
    },
}

fn main() -> ExitCode {
    let Arguments { command } = Arguments::parse();
    run(command).unwrap_or_else(|error| {
        output::complain(format_args!("error: {error:#}"));
        ExitCode::FAILURE
    })
}

fn run(command: Command) -> Result<ExitCode> {
    match command {
        Command::Test { fast: false } => test::run(Extent::Whole),
        Command::Test { fast: true } => test::run(Extent::Inner),
        Command::Crashes { kills, seed } => crashes::run(kills, seed),
        Command::QueryEngines => query_engines::run(),
        Command::Frameworks => frameworks::run(),
        Command::Tidy => tidy::run(),
        Command::Dist(arguments) => dist::run(arguments),
        Command::Release { version } => release::run(&version),
        Command::Measure { benchmark, record } => {
            let benchmarks =
                benchmark.as_ref().map_or(Benchmark::value_variants(), slice::from_ref);
            if record { measure::record(benchmarks) } else { measure::run(benchmarks) }
        }
    }
}
