//! Results of files of events beside `DuckDB`, which adds up the same files: `bench/event-files/measure.py`, with `crates/app/examples/measured_events.rs`.

use std::fs;

use anyhow::{Context as _, Result};
use serde::Deserialize;

use super::table::Table;
use crate::program::Program;
use crate::repository::root;

const EVENTS: &str = "10000000";
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
    let printed =
        Program::new(PYTHON, ["bench/event-files/measure.py", ASSAY, EXAMPLE, FOLDER, EVENTS])
            .answer();
    fs::remove_dir_all(root().join(FOLDER)).context("cannot remove the events")?;
    let printed = printed.context("`bench/event-files/measure.py` fails")?;
    let lines = printed.lines().map(serde_json::from_str);
    let lines: Vec<Line> =
        lines.collect::<Result<_, _>>().context("what it prints is unreadable")?;
    Ok(Table {
        heading: "Event files",
        remark: format!(
            "{EVENTS} events of 28 days, four in ten exposures to one of three experiments. What visitors of one experiment spend within 14 days: the answer of a server \
             that has just started, over REST, and DuckDB's SQL without its search for doubles; the medians of five rounds in turns."
        ),
        columns: vec!["task", "events per CPU s", "CPU s", "from", "to", "wall s", ""],
        rows: lines.iter().map(cells).collect(),
    })
}

fn cells(line: &Line) -> Vec<String> {
    vec![
        line.name.clone(),
        line.events_per_cpu_second.to_string(),
        format!("{:.2}", line.cpu_seconds),
        format!("{:.2}", line.cpu_least),
        format!("{:.2}", line.cpu_most),
        format!("{:.2}", line.wall_seconds),
        line.more.clone(),
    ]
}
