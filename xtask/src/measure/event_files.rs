//! Results of files of events beside `DuckDB`, which adds up the same files: `bench/event-files/measure.py`, with `crates/app/examples/measured_events.rs`.

use std::fs;

use anyhow::{Context as _, Result};
use serde::Deserialize;

use super::table::Table;
use crate::program::Program;
use crate::repository::root;

/// Millions of events, and rounds.
const LOADS: [(u32, &str); 2] = [(10, "5"), (100, "3")];
const FOLDER: &str = "target/tools/measured-events";
const ASSAY: &str = "target/release/assay";
const EXAMPLE: &str = "target/release/examples/measured_events";
const PYTHON: &str = "target/tools/python/bin/python";

/// One task, as the script prints it.
#[derive(Deserialize)]
struct Line {
    name: String,
    events_per_cpu_second: u64,
    cpu_seconds: f64,
    cpu_least: f64,
    cpu_most: f64,
    wall_seconds: f64,
    more: String,
}

/// One row for each task.
pub(super) fn measure() -> Result<Table> {
    let build =
        ["build", "--release", "--workspace", "--bin", "assay", "--example", "measured_events"];
    Program::new("cargo", build).must_succeed()?;
    let mut rows = Vec::new();
    for (millions, rounds) in LOADS {
        let lines = lines(millions, rounds)?;
        rows.extend(lines.iter().map(|line| cells(millions, line)));
    }
    Ok(Table {
        heading: "Event files",
        remark: "Events of 28 days, four in ten exposures to one of three experiments. What visitors of one experiment spend within 14 days: the answer of a server \
                 that has just started, over REST, and DuckDB's SQL without its search for doubles; the medians of rounds in turns, five of ten million and three of a hundred."
            .to_owned(),
        columns: vec![
            "task",
            "million events",
            "events per CPU s",
            "CPU s",
            "from",
            "to",
            "wall s",
            "",
        ],
        rows,
    })
}

fn lines(millions: u32, rounds: &str) -> Result<Vec<Line>> {
    let (script, events) = ("bench/event-files/measure.py", format!("{millions}000000"));
    let printed = Program::new(PYTHON, [script, ASSAY, EXAMPLE, FOLDER, &events, rounds]).answer();
    fs::remove_dir_all(root().join(FOLDER)).context("cannot remove the events")?;
    let printed = printed.with_context(|| format!("`{script}` fails"))?;
    let lines = printed.lines().map(serde_json::from_str);
    lines.collect::<Result<_, _>>().context("what it prints is unreadable")
}

fn cells(millions: u32, line: &Line) -> Vec<String> {
    vec![
        line.name.clone(),
        millions.to_string(),
        line.events_per_cpu_second.to_string(),
        format!("{:.2}", line.cpu_seconds),
        format!("{:.2}", line.cpu_least),
        format!("{:.2}", line.cpu_most),
        format!("{:.2}", line.wall_seconds),
        line.more.clone(),
    ]
}
