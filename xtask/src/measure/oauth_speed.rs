//! The authorization server beside programs that do only what cannot be left out, in turns, in the same minutes. The work is done by
//! `bench/oauth-speed`.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use serde::Deserialize;

use super::compiler::binary;
use super::table::Table;
use crate::program::Program;
use crate::repository::root;

/// A line that the program prints.
#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Load(Measured),
    Start { start_milliseconds: f64, idle_megabytes: f64 },
}

#[derive(Deserialize)]
struct Measured {
    load: String,
    store: String,
    connections: u32,
    assay: Sample,
    ceiling: Sample,
    times_per_second: f64,
    times_per_cpu_second: f64,
}

#[derive(Deserialize)]
struct Sample {
    per_second: f64,
    per_cpu_second: f64,
    p50_milliseconds: f64,
    p99_milliseconds: f64,
}

/// One row for each load.
pub(super) fn measure() -> Result<Table> {
    Program::new("cargo", ["build", "--release", "--workspace", "--bins"]).must_succeed()?;
    let printed =
        Program::new(&program().to_string_lossy(), [&binary().to_string_lossy()]).answer();
    let printed = printed.context(
        "`oauth-speed` fails; run `target/release/oauth-speed target/release/assay` to see why",
    )?;
    let lines = printed.lines().map(serde_json::from_str);
    let lines: Vec<Line> =
        lines.collect::<Result<_, _>>().context("what it prints is unreadable")?;
    Ok(Table {
        heading: "OAuth speed",
        remark: remark(&lines),
        columns: vec![
            "load",
            "store",
            "connections",
            "req/s",
            "ceiling",
            "times",
            "req/CPU s",
            "ceiling",
            "times",
            "p50 ms",
            "p99 ms",
            "ceiling p50",
        ],
        rows: lines.iter().filter_map(cells).collect(),
    })
}

/// The program that makes the load.
pub(super) fn program() -> PathBuf {
    root().join("target/release/oauth-speed")
}

fn remark(lines: &[Line]) -> String {
    let start = lines.iter().find_map(|line| match line {
        Line::Start { start_milliseconds, idle_megabytes } => Some(format!(
            "An empty store is ready after {start_milliseconds:.0} ms; the server holds {idle_megabytes:.1} MB then."
        )),
        Line::Load(_) => None,
    });
    format!(
        "Durable before the answer. *Ceiling*: axum, a form, one credential looked up and spent, new ones kept on the disk, and nothing else (`bench/oauth-speed/src/bin`); of \
         `bearer` axum with a constant answer: that is `GET /v1/me`, which tells whose token it is from memory, so it measures the check and the HTTP. The median of five rounds in turns; *times* is the median of the rounds' ratios. *CPU s*: \
         processor time of the server, PostgreSQL's included. {}",
        start.unwrap_or_default()
    )
}

fn cells(line: &Line) -> Option<Vec<String>> {
    let Line::Load(load) = line else { return None };
    let (assay, ceiling) = (&load.assay, &load.ceiling);
    Some(vec![
        load.load.clone(),
        load.store.clone(),
        load.connections.to_string(),
        format!("{:.0}", assay.per_second),
        format!("{:.0}", ceiling.per_second),
        format!("{:.2}", load.times_per_second),
        format!("{:.0}", assay.per_cpu_second),
        format!("{:.0}", ceiling.per_cpu_second),
        format!("{:.2}", load.times_per_cpu_second),
        format!("{:.2}", assay.p50_milliseconds),
        format!("{:.2}", assay.p99_milliseconds),
        format!("{:.2}", ceiling.p50_milliseconds),
    ])
}
