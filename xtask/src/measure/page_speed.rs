//! Milliseconds from the start of the snippet until all is decided, in Chromium, beside a floor that
//! is written by hand and an empty script. The browser is driven by `bench/page-speed/main.mjs`.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};
use serde::Deserialize;

use super::compiler;
use super::generated_project::{self, Activation};
use super::table::Table;
use crate::repository::root;

const DRIVER: &str = "bench/page-speed/main.mjs";
const SIZES: [u32; 3] = [10, 100, 1000];
/// How many experiments stand on the page that follows the address; the driver names it, too.
const FOLLOWING: u32 = 100;

/// The floor's milliseconds below which ours are not compared with it: the clock counts in 0.005.
const SHORTEST: f64 = 0.1;

/// One size and visit, as the driver prints it.
#[derive(Deserialize)]
struct Row {
    experiments: u32,
    visit: String,
    empty: Times,
    floor: Times,
    ours: Times,
}

/// In milliseconds.
#[derive(Deserialize)]
struct Times {
    median: f64,
    p10: f64,
}

/// One row for each size and visit, cold and warm, and for deciding all again.
pub(super) fn measure() -> Result<Table> {
    let rows: Vec<Row> = serde_json::from_str(&drive(&snippets()?)?)
        .with_context(|| format!("what `node {DRIVER}` printed is unreadable"))?;
    Ok(Table {
        heading: "Page speed",
        remark: "Milliseconds in Chromium from the first statement of the script until all is decided; of interleaved \
                 runs, with what else the machine did.\n*Cold*: the first page view of a new visitor, with empty caches. \
                 *Warm*: the third. *Activated again* and *route change*: all decided again in an open page,\nby \
                 `push({type: \"activate\"})` and by a new address, whose bare `pushState` is the empty script's time. \
                 *Experiment states* and *variation map*: a tool's first look at them on a page, by \
                 `getExperimentStates()` and `getVariationMap()`. *Floor*: written by hand for the same work."
            .to_owned(),
        columns: vec![
            "experiments", "visit", "empty", "floor", "ours", "times", "floor p10", "ours p10", "times p10",
        ],
        rows: rows.iter().map(cells).collect(),
    })
}

/// What the driver is to compare: `size=path` for each size, and the project that follows the address.
fn snippets() -> Result<Vec<String>> {
    let mut arguments = Vec::new();
    for size in SIZES {
        let project = generated_project::write(size, Activation::Immediate)?;
        arguments.push(format!("{size}={}", compile(&project)?));
    }
    let project = generated_project::write(FOLLOWING, Activation::UrlChanged)?;
    arguments.push(format!("following={}", compile(&project)?));
    Ok(arguments)
}

fn compile(project: &Path) -> Result<String> {
    let snippet = project.with_extension("js");
    compiler::compile(project, &snippet)?;
    Ok(snippet.display().to_string())
}

fn drive(snippets: &[String]) -> Result<String> {
    let output = Command::new("node")
        .arg(DRIVER)
        .args(snippets)
        .current_dir(root())
        .stderr(Stdio::inherit())
        .output()
        .context("cannot run `node`")?;
    ensure!(
        output.status.success(),
        "`node {DRIVER}` failed; hint: `cargo xtask test` installs the browser and what drives it"
    );
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn cells(row: &Row) -> Vec<String> {
    let Row { experiments, visit, empty, floor, ours } = row;
    // Below that, the ratio measures only the browser's clock.
    let times = |ours: f64, floor: f64| {
        if floor < SHORTEST { String::new() } else { format!("{:.1}", ours / floor) }
    };
    vec![
        experiments.to_string(),
        visit.clone(),
        milliseconds(empty.median),
        milliseconds(floor.median),
        milliseconds(ours.median),
        times(ours.median, floor.median),
        milliseconds(floor.p10),
        milliseconds(ours.p10),
        times(ours.p10, floor.p10),
    ]
}

fn milliseconds(number: f64) -> String {
    format!("{number:.3}")
}
