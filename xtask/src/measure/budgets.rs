//! Holds snippets against `bench/budgets.json`. Bytes are exact, so this may fail the build.

use std::fs;

use anyhow::{Context as _, Result};
use serde::Deserialize;

use super::compiler::{Bytes, Report, report_on};
use super::realistic_project::Changes;
use super::snippet_bytes::{
    FurtherExperiment, further_experiment, further_realistic_experiment, project,
};
use crate::output;
use crate::repository::root;
use crate::tally::Tally;

const BUDGETS: &str = "bench/budgets.json";

/// What the file holds.
#[derive(Deserialize)]
struct Budgets {
    snippets: Vec<Budget>,
    further_experiment: FurtherExperiment,
    /// Before its texts.
    further_realistic_experiment: FurtherExperiment,
}

/// The most that one project's snippet, or the runtime in it, may weigh.
#[derive(Deserialize)]
struct Budget {
    what: String,
    project: String,
    part: Part,
    brotli: u32,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Part {
    Snippet,
    Runtime,
}

impl Part {
    fn of(self, report: &Report) -> Bytes {
        match self {
            Self::Snippet => report.bytes,
            Self::Runtime => report.runtime,
        }
    }
}

/// Says how each snippet stands against its budget, and counts those within and beyond.
pub(crate) fn check_budgets() -> Result<Tally> {
    let budgets = read()?;
    let mut tally = Tally::default();
    for budget in budgets.snippets {
        let bytes = budget.part.of(&report_on(&project(&budget.project))?);
        tally += hold(&budget.what, bytes.brotli, budget.brotli);
    }
    let further = further_experiment()?;
    tally += hold_further("one simple experiment more", further, budgets.further_experiment);
    let further = further_realistic_experiment(Changes::Nothing)?;
    let budget = budgets.further_realistic_experiment;
    tally += hold_further("one realistic experiment more, before its texts", further, budget);
    Ok(tally)
}

fn read() -> Result<Budgets> {
    let text = fs::read_to_string(root().join(BUDGETS));
    let text = text.with_context(|| format!("cannot read {BUDGETS}"))?;
    serde_json::from_str(&text).with_context(|| format!("{BUDGETS} is unreadable"))
}

fn hold_further(what: &str, bytes: FurtherExperiment, budget: FurtherExperiment) -> Tally {
    let mut tally = hold(&format!("{what}, raw"), bytes.raw, budget.raw);
    tally += hold(what, bytes.brotli, budget.brotli);
    tally
}

fn hold(what: &str, bytes: impl Into<f64>, budget: impl Into<f64>) -> Tally {
    let (bytes, budget): (f64, f64) = (bytes.into(), budget.into());
    let is_within = bytes <= budget;
    let verdict = if is_within { "within" } else { "BEYOND" };
    output::say(format_args!("{what}: {bytes} bytes, {verdict} the budget of {budget}"));
    Tally::from(is_within)
}
