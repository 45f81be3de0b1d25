//! CPU time of the compiler. Seconds of the same minute are compared, never seconds of two days:
//! the start of the process is measured beside, and taken off.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};

use super::compiler::binary;
use super::generated_project::{self, Activation};
use super::table::Table;

const SIZES: [u32; 3] = [10, 100, 1000];
/// Enough runs to see a millisecond where the system counts in several.
const RUNS: u32 = 10;
/// The least of these is the one that was disturbed least.
const SAMPLES: u32 = 5;
/// Adds user and system time of everything the loop starts.
const TIMED_LOOP: &str = r#"TIMEFORMAT="%U %S"; time for ((i = 0; i < RUNS; i++)); do "$@" >/dev/null 2>&1 || exit 1; done"#;

/// One row for each size.
pub(super) fn measure() -> Result<Table> {
    let start = cpu_milliseconds(&["--version"])?;
    let mut rows = Vec::new();
    let mut smallest = None;
    for size in SIZES {
        let project = generated_project::write(size, Activation::Immediate)?;
        let compile = compile_milliseconds(&project)? - start;
        let base = *smallest.get_or_insert(compile);
        rows.push(vec![
            size.to_string(),
            format!("{compile:.1}"),
            format!("{:.1}", compile / base),
        ]);
    }
    Ok(Table {
        heading: "Compile time",
        remark: format!(
            "`assay compile` of generated projects, CPU (user and system) without the {start:.1} ms that `assay \
             --version` takes; the least of {SAMPLES} samples of {RUNS} runs."
        ),
        columns: vec!["experiments", "CPU ms", "times the smallest"],
        rows,
    })
}

fn compile_milliseconds(project: &Path) -> Result<f64> {
    let output = project.with_extension("js");
    // Without a report, which would compile the project a second time for the runtime's share.
    cpu_milliseconds(&["compile", &project.to_string_lossy(), "-o", &output.to_string_lossy()])
}

fn cpu_milliseconds(arguments: &[&str]) -> Result<f64> {
    let samples: Vec<f64> = (0..SAMPLES).map(|_| sample(arguments)).collect::<Result<_>>()?;
    Ok(samples.into_iter().fold(f64::INFINITY, f64::min))
}

/// The mean of some runs in a row.
fn sample(arguments: &[&str]) -> Result<f64> {
    let output = Command::new("bash")
        .args(["-c", TIMED_LOOP, "bash"])
        .arg(binary())
        .args(arguments)
        .env("RUNS", RUNS.to_string())
        .env("LC_ALL", "C")
        .output()
        .context("cannot run `bash`")?;
    ensure!(output.status.success(), "`assay {}` failed", arguments.join(" "));
    let times = String::from_utf8_lossy(&output.stderr);
    let seconds = times.split_whitespace().map(str::parse::<f64>).sum::<Result<f64, _>>();
    Ok(seconds.context("`time` printed no numbers")? * 1000.0 / f64::from(RUNS))
}
