//! `cargo xtask measure`: what a visitor and a developer pay. The projects and the budgets lie in `bench/`.

mod budgets;
mod compile_time;
mod compiler;
mod event_files;
mod expired_rows;
mod generated_project;
mod machine;
mod oauth_speed;
mod page_speed;
mod peers;
mod projects;
mod realistic_project;
mod results;
mod snippet_bytes;
mod table;

use std::process::ExitCode;

use anyhow::Result;
use clap::ValueEnum;

pub(crate) use self::budgets::check_budgets;
use self::results::Results;
use self::table::Table;
use crate::output;
use crate::program::Program;

/// Something we measure.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Benchmark {
    /// Bytes of the snippet for each feature a project uses.
    SnippetBytes,
    /// CPU time of the compiler for 10, 100 and 1000 experiments.
    CompileTime,
    /// Time until all is decided in the page, beside a hand-written floor. Needs Node.js and Chromium.
    PageSpeed,
    /// What ten million expired rows cost the store. Takes some minutes and two gigabytes of disk.
    ExpiredRows,
    /// Exchange, refresh and bearer check beside their ceilings, on SQLite and PostgreSQL; start and memory.
    #[value(alias = "oauth")]
    OauthSpeed,
    /// CPU time to list, open, edit and publish projects of ten thousand variations, on SQLite and PostgreSQL.
    Projects,
    /// Bytes and CPU time of ten and a hundred million events in files, beside `DuckDB`. Needs the Python of `cargo xtask test`.
    EventFiles,
    /// Bytes of the scripts that others ship for a page, beside ours. Needs Node.js and npm.
    Peers,
}

impl Benchmark {
    fn measure(self) -> Result<Table> {
        match self {
            Self::SnippetBytes => snippet_bytes::measure(),
            Self::CompileTime => compile_time::measure(),
            Self::PageSpeed => page_speed::measure(),
            Self::ExpiredRows => expired_rows::measure(),
            Self::OauthSpeed => oauth_speed::measure(),
            Self::Projects => projects::measure(),
            Self::EventFiles => event_files::measure(),
            Self::Peers => peers::measure(),
        }
    }
}

/// Measures with the binary that `cargo build --release` makes, and prints a table each.
pub(crate) fn run(benchmarks: &[Benchmark]) -> Result<ExitCode> {
    build()?;
    for benchmark in benchmarks {
        output::say(benchmark.measure()?);
    }
    Ok(ExitCode::SUCCESS)
}

/// The same, and writes the tables down for others to compare with.
pub(crate) fn record(benchmarks: &[Benchmark]) -> Result<ExitCode> {
    build()?;
    let mut results = Results::read()?;
    for benchmark in benchmarks {
        let table = benchmark.measure()?;
        output::say(&table);
        results.put(table, &machine::describe());
    }
    results.write()?;
    Ok(ExitCode::SUCCESS)
}

fn build() -> Result<()> {
    Program::new("cargo", ["build", "--release"]).must_succeed()
}
