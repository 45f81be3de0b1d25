//! `cargo xtask test`: everything that decides whether a change may land, one step after the other.
//!
//! What is missing on the machine is installed first, see [`tools`]; what a step ran is counted, see
//! [`crate::tally`]. The first step that fails ends the run.

mod python;
mod tools;

use std::path::PathBuf;
use std::process::ExitCode;
use std::thread::available_parallelism;
use std::time::Instant;

use anyhow::Result;

use self::tools::Tools;
use crate::program::Program;
use crate::repository::root;
use crate::tally::{self, Tally};
use crate::{measure, output, tidy};

pub(crate) use self::python::{EXAMPLES, QUERY_ENGINES};

/// How much of the steps to run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// All of them.
    Whole,
    /// Without browsers and client libraries: the inner loop.
    Inner,
}

/// One thing that may fail, under the name a developer knows it by.
struct Step {
    name: &'static str,
    run: fn(&Tools) -> Result<Tally>,
}

/// Cheap steps come first, so that a mistake shows early.
const STEPS: &[Step] = &[
    Step { name: "format", run: check_format },
    Step { name: "tidy", run: check_house_rules },
    Step { name: "clippy", run: check_lints },
    Step { name: "Rust tests", run: run_rust_tests },
    Step { name: "Rust examples", run: run_rust_examples },
    Step { name: "build", run: build },
    Step { name: "Rust documentation", run: check_documentation },
    Step { name: "runtime types", run: check_runtime_types },
    Step { name: "runtime tests", run: run_runtime_tests },
    Step { name: "snippet budgets", run: |_| measure::check_budgets() },
];
/// What needs the programs of others.
const OUTER_STEPS: &[Step] = &[
    Step { name: "documents", run: run_document_stories },
    Step { name: "clients, collector", run: run_client_stories },
    Step { name: "REST description", run: run_rest_stories },
    Step { name: "event files", run: run_event_file_stories },
    Step { name: "generated clients", run: run_generated_stories },
    Step { name: "browser stories", run: run_browser_stories },
];

/// Runs the steps up to the first that fails, and sums up. The last line is for scripts.
pub(crate) fn run(extent: Extent) -> Result<ExitCode> {
    let outer_steps = if extent == Extent::Whole { OUTER_STEPS } else { &[] };
    let steps: Vec<&Step> = STEPS.iter().chain(outer_steps).collect();
    let tools = Tools::ready(extent)?;
    let mut total = Tally::default();
    let mut summary = vec!["\n=== summary".to_owned()];
    for (place, step) in steps.iter().enumerate() {
        output::say(format_args!("\n=== {} ({} of {})", step.name, place + 1, steps.len()));
        let start = Instant::now();
        let tally = step.run(&tools);
        let seconds = start.elapsed().as_secs_f64();
        summary.push(format!("{:<20}{seconds:>6.1} s   {tally}", step.name));
        total += tally;
        if tally.failed > 0 {
            summary.push(format!("stopped: `{}` failed, see above", step.name));
            break;
        }
    }
    output::say(summary.join("\n"));
    output::say(
        "\nTests, examples, budgets and stories are counted; a step without any counts as one:",
    );
    output::say(total);
    Ok(if total.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

impl Step {
    /// What cannot be run has failed.
    fn run(&self, tools: &Tools) -> Tally {
        (self.run)(tools).unwrap_or_else(|error| {
            output::complain(format_args!("error: {error:#}"));
            Tally::FAILURE
        })
    }
}

fn check_format(_: &Tools) -> Result<Tally> {
    Program::new("cargo", ["fmt", "--all", "--check"]).passes()
}

fn check_house_rules(_: &Tools) -> Result<Tally> {
    Ok(Tally::from(tidy::run()? == ExitCode::SUCCESS))
}

fn build(_: &Tools) -> Result<Tally> {
    cargo(["build", "--release"]).passes()
}

fn check_lints(_: &Tools) -> Result<Tally> {
    let targets = ["clippy", "--release", "--workspace", "--all-targets"];
    Program::new("cargo", targets).and(["--", "--deny", "warnings"]).passes()
}

fn run_rust_tests(_: &Tools) -> Result<Tally> {
    cargo(["nextest", "run", "--release", "--workspace"])
        .and(["--color", "never"])
        .and(["--test-threads", &rust_tests_at_once()?.to_string()])
        .counted(tally::of_nextest)
}

/// More than there are processors: many tests wait for the disk or another process.
fn rust_tests_at_once() -> Result<usize> {
    Ok(available_parallelism()?.get() * 3 / 2)
}

fn run_rust_examples(_: &Tools) -> Result<Tally> {
    cargo(["test", "--release", "--workspace", "--doc"])
        .and(["--color", "never"])
        .counted(tally::of_rust_examples)
}

/// Cargo, as all steps use it that compile: it leaves tests as they are written, and compiles what they test once, as it is shipped. See the
/// script.
fn cargo<const N: usize>(arguments: [&str; N]) -> Program {
    let (name, script) = wrapper();
    Program::new("cargo", arguments).set(name, script)
}

/// Stories run cargo, too: with another wrapper, it would compile all of ours again.
fn wrapper() -> (&'static str, PathBuf) {
    ("RUSTC_WORKSPACE_WRAPPER", root().join(".config/rustc.sh"))
}

fn check_documentation(_: &Tools) -> Result<Tally> {
    Program::new("cargo", ["doc", "--release", "--workspace", "--no-deps"])
        .set("RUSTDOCFLAGS", "--deny warnings")
        .passes()
}

fn check_runtime_types(tools: &Tools) -> Result<Tally> {
    tools.node("npm", ["run", "--silent", "check"]).within("runtime").passes()
}

fn run_runtime_tests(tools: &Tools) -> Result<Tally> {
    tools.node("npm", ["test", "--silent"]).within("runtime").counted(tally::of_vitest)
}

/// Code in documents is what its language says, the site builds, and guides lead where they say.
fn run_document_stories(tools: &Tools) -> Result<Tally> {
    tools.node("npm", ["run", "--silent", "docs"]).within("e2e").counted(tally::of_node_test)
}

/// OAuth clients and a collector of traces, as others have written them.
fn run_client_stories(tools: &Tools) -> Result<Tally> {
    tools.node("npm", ["run", "--silent", "clients"]).within("e2e").counted(tally::of_node_test)
}

/// Schemathesis makes requests of the description, and checks the answers.
fn run_rest_stories(tools: &Tools) -> Result<Tally> {
    tools.node("npm", ["run", "--silent", "rest"]).within("e2e").counted(tally::of_node_test)
}

/// `DuckDB` adds up files of events as Assay does.
fn run_event_file_stories(tools: &Tools) -> Result<Tally> {
    tools.node("npm", ["run", "--silent", "files"]).within("e2e").counted(tally::of_node_test)
}

/// Clients in three languages are generated from the description, compiled and used.
fn run_generated_stories(tools: &Tools) -> Result<Tally> {
    tools.node("npm", ["run", "--silent", "generated"]).within("e2e").counted(tally::of_node_test)
}

fn run_browser_stories(tools: &Tools) -> Result<Tally> {
    tools.node("npm", ["test", "--silent"]).within("e2e").counted(tally::of_node_test)
}
