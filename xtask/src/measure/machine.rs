//! The date and machine of a measurement: enough to compare, nothing that identifies the machine.

use std::fs;
use std::thread;

use crate::program::Program;

/// One sentence for the results.
pub(super) fn describe() -> String {
    let date = Program::new("date", ["--utc", "+%F"]).answer().unwrap_or_default();
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let model = processor().unwrap_or_else(|| "an unknown processor".to_owned());
    format!("Measured on {date}, {cores} cores of {model}, with `cargo xtask measure`.")
}

fn processor() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}
