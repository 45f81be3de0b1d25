//! What a database full of expired rows costs: beside an empty one, in turns, in the same minute. The
//! work is done by `crates/storage/examples/expired_rows.rs`.

use anyhow::{Context as _, Result};
use serde::Deserialize;

use super::table::Table;
use crate::program::Program;

const ROWS: &str = "10000000";

/// One database, as the example prints it.
#[derive(Deserialize)]
struct Line {
    name: String,
    open_milliseconds: f64,
    grants_per_second: f64,
    times_the_empty: f64,
    p50_milliseconds: f64,
    p99_milliseconds: f64,
}

/// One row for each database.
pub(super) fn measure() -> Result<Table> {
    let printed = Program::new("cargo", ["run", "--release", "--quiet", "--package", "storage"])
        .and(["--example", "expired_rows", "--", ROWS])
        .answer()
        .context("the example `expired_rows` of `storage` fails")?;
    let lines = printed.lines().map(serde_json::from_str);
    let lines: Vec<Line> =
        lines.collect::<Result<_, _>>().context("what it prints is unreadable")?;
    Ok(Table {
        heading: "Expired rows",
        remark: format!(
            "A SQLite file with {ROWS} expired rows beside an empty one. A grant is a code, its exchange, a refresh and the use \
             of both tokens; 64 at once, the medians of 61 rounds of a quarter of a second each, in turns."
        ),
        columns: vec!["file", "ms to open", "grants/s", "times the empty", "p50 ms", "p99 ms"],
        rows: lines.iter().map(cells).collect(),
    })
}

fn cells(line: &Line) -> Vec<String> {
    vec![
        line.name.clone(),
        format!("{:.1}", line.open_milliseconds),
        format!("{:.0}", line.grants_per_second),
        format!("{:.2}", line.times_the_empty),
        format!("{:.1}", line.p50_milliseconds),
        format!("{:.1}", line.p99_milliseconds),
    ]
}
