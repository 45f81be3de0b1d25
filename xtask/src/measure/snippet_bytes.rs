//! Bytes of the snippet for each feature a project uses. Bytes are exact, so budgets on them may
//! fail the build.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use serde::Deserialize;

use super::compiler::{Bytes, Report, report_on};
use super::generated_project;
use super::table::Table;
use crate::output;
use crate::repository::root;
use crate::tally::Tally;

const PROJECTS: &str = "bench/snippet-bytes/projects";
const BUDGETS: &str = "bench/budgets.json";
/// The projects with one feature more are compared with this one.
const BASE: &str = "text";
/// Sizes between which a further experiment is measured.
const FEW: u32 = 10;
const MANY: u32 = 1010;

/// What `bench/budgets.json` holds.
#[derive(Deserialize)]
struct Budgets {
    snippets: Vec<Budget>,
    further_experiment: FurtherExperiment,
}

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
    Bytes,
    Runtime,
}

/// What one simple experiment more may add, or adds.
#[derive(Clone, Copy, Deserialize)]
struct FurtherExperiment {
    raw: f64,
    brotli: f64,
}

/// One row for each project of `bench/snippet-bytes`, the base first.
pub(super) fn measure() -> Result<Table> {
    let base = report_on(&project(BASE))?.bytes;
    let mut names = project_names()?;
    names.sort_by_key(|name| (name != BASE, name == "everything", name.clone()));
    let rows = names.iter().map(|name| Ok(row(name, &report_on(&project(name))?, base)));
    let further = further_experiment()?;
    Ok(Table {
        heading: "Snippet bytes",
        remark: format!(
            "One row per project of `{PROJECTS}`. *More* is brotli beyond `{BASE}`; *runtime* is brotli without the \
             project's configuration.\nEach simple experiment adds {:.1} bytes raw, {:.2} brotli (between {FEW} and \
             {MANY} that differ in ids and names).",
            further.raw, further.brotli
        ),
        columns: vec!["project", "raw", "gzip", "brotli", "more", "runtime"],
        rows: rows.collect::<Result<_>>()?,
    })
}

/// Holds the snippets against `bench/budgets.json`, and says each.
pub(crate) fn check_budgets() -> Result<Tally> {
    let text = fs::read_to_string(root().join(BUDGETS))
        .with_context(|| format!("cannot read {BUDGETS}"))?;
    let budgets: Budgets =
        serde_json::from_str(&text).with_context(|| format!("{BUDGETS} is unreadable"))?;
    let mut tally = Tally::default();
    for Budget { what, project: name, part, brotli } in budgets.snippets {
        let report = report_on(&project(&name))?;
        let bytes = match part {
            Part::Bytes => report.bytes,
            Part::Runtime => report.runtime,
        };
        tally += hold(&format!("{what}, brotli"), bytes.brotli, brotli);
    }
    let (further, budget) = (further_experiment()?, budgets.further_experiment);
    tally += hold("a further simple experiment, raw", further.raw, budget.raw);
    tally += hold("a further simple experiment, brotli", further.brotli, budget.brotli);
    Ok(tally)
}

fn hold(what: &str, bytes: impl Into<f64>, budget: impl Into<f64>) -> Tally {
    let (bytes, budget): (f64, f64) = (bytes.into(), budget.into());
    let is_within = bytes <= budget;
    let verdict = if is_within { "ok" } else { "TOO MUCH" };
    output::say(format_args!("{what}: {bytes} bytes of {budget}: {verdict}"));
    Tally::from(is_within)
}

fn row(name: &str, report: &Report, base: Bytes) -> Vec<String> {
    let Bytes { raw, gzip, brotli } = report.bytes;
    let more = i64::from(brotli) - i64::from(base.brotli);
    let numbers = [raw, gzip, brotli].map(|number| number.to_string());
    let runtime = report.runtime.brotli.to_string();
    [name.to_owned()].into_iter().chain(numbers).chain([format!("{more:+}"), runtime]).collect()
}

fn further_experiment() -> Result<FurtherExperiment> {
    let few = report_on(&generated_project::write(FEW)?)?.bytes;
    let many = report_on(&generated_project::write(MANY)?)?.bytes;
    let raw = each(few.raw, many.raw);
    Ok(FurtherExperiment { raw, brotli: each(few.brotli, many.brotli) })
}

/// What one of the experiments between few and many adds.
fn each(few: u32, many: u32) -> f64 {
    f64::from(many.saturating_sub(few)) / f64::from(MANY - FEW)
}

fn project(name: &str) -> PathBuf {
    root().join(PROJECTS).join(name).with_extension("yaml")
}

fn project_names() -> Result<Vec<String>> {
    let entries =
        fs::read_dir(root().join(PROJECTS)).with_context(|| format!("cannot read {PROJECTS}"))?;
    let stem = |entry: std::io::Result<fs::DirEntry>| {
        Some(entry.ok()?.path().file_stem()?.to_str()?.to_owned())
    };
    Ok(entries.filter_map(stem).collect())
}
