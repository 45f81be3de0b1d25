//! What it costs to list, open, edit and publish projects. The work is done by `bench/oauth-speed`, which knows how to get a token.

use anyhow::{Context as _, Result};
use serde::Deserialize;

use super::compiler::binary;
use super::oauth_speed::program;
use super::table::Table;
use crate::program::Program;

/// A line that the program prints.
#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Operation(Operation),
    Memory { store: String, idle_megabytes: f64, held_megabytes: f64 },
}

#[derive(Deserialize)]
struct Operation {
    operation: String,
    cpu_milliseconds: f64,
}

/// One row for each operation, a column for each store and large project.
pub(super) fn measure() -> Result<Table> {
    Program::new("cargo", ["build", "--release", "--workspace", "--bins"]).must_succeed()?;
    let assay = binary();
    let printed =
        Program::new(&program().to_string_lossy(), [&*assay.to_string_lossy(), "projects"])
            .answer();
    let printed = printed.context(
        "`oauth-speed` fails; run `target/release/oauth-speed target/release/assay projects` to see why",
    )?;
    let lines = printed.lines().map(serde_json::from_str);
    let lines: Vec<Line> =
        lines.collect::<Result<_, _>>().context("what it prints is unreadable")?;
    Ok(Table {
        heading: "Projects",
        remark: remark(&lines),
        columns: vec![
            "CPU ms",
            "SQLite 1000 × 10",
            "SQLite 5000 × 2",
            "PostgreSQL 1000 × 10",
            "PostgreSQL 5000 × 2",
        ],
        rows: rows(&lines),
    })
}

fn remark(lines: &[Line]) -> String {
    let memory = lines.iter().filter_map(|line| match line {
        Line::Memory { store, idle_megabytes, held_megabytes } => Some(format!(
            " With {store} the server held {idle_megabytes:.0} MB before and {held_megabytes:.0} MB after."
        )),
        Line::Operation(_) => None,
    });
    let memory: String = memory.collect();
    format!(
        "Processor time (user and system) of the server for one request, PostgreSQL's processes included, on projects of 10,000 running variations in 1,000 A/B tests of ten \
         or 5,000 of two, each with a text of its own, beside 1,000 small projects. The least of seven samples of 3 requests (of 50 for \
         what takes less than a millisecond or two). The last row is what the same machine takes in the same minutes to read the project's \
         JSON into values and to write it again (serde_json).{memory}"
    )
}

/// The program prints all operations of one store and project, then those of the next.
fn rows(lines: &[Line]) -> Vec<Vec<String>> {
    let mut rows: Vec<Vec<String>> = Vec::new();
    for line in lines {
        let Line::Operation(Operation { operation, cpu_milliseconds }) = line else { continue };
        // The system counts in ten milliseconds, for 50 requests.
        let cost = if *cpu_milliseconds < 0.2 {
            "< 0.2".to_owned()
        } else {
            format!("{cpu_milliseconds:.1}")
        };
        match rows.iter_mut().find(|row| row.first() == Some(operation)) {
            Some(row) => row.push(cost),
            None => rows.push(vec![operation.clone(), cost]),
        }
    }
    rows
}
