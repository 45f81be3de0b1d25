//! Bytes of the snippet for each feature a project uses. What they may be: [`super::budgets`].

use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use serde::Deserialize;

use super::compiler::{Bytes, Report, report_on};
use super::generated_project::{self, Activation};
use super::realistic_project::{self, Changes};
use super::table::Table;
use crate::repository::root;

const PROJECTS: &str = "bench/snippet-bytes/projects";
/// The projects with one feature more are compared with this one.
const BASE: &str = "text";
/// Sizes between which a further experiment is measured.
const FEW: u32 = 10;
const MANY: u32 = 1010;

/// What one experiment more adds, or may add.
#[derive(Clone, Copy, Deserialize)]
pub(super) struct FurtherExperiment {
    pub(super) raw: f64,
    pub(super) brotli: f64,
}

/// One row for each project of `bench/snippet-bytes`, the base first.
pub(super) fn measure() -> Result<Table> {
    let base = report_on(&project(BASE))?.bytes;
    let mut names = project_names()?;
    names.sort_by_key(|name| (name != BASE, name == "everything", name.clone()));
    let rows = names.iter().map(|name| Ok(row(name, &report_on(&project(name))?, base)));
    let further = further_experiment()?;
    let before_texts = further_realistic_experiment(Changes::Nothing)?;
    let whole = further_realistic_experiment(Changes::Text)?;
    Ok(Table {
        heading: "Snippet bytes",
        remark: format!(
            "One row per project of `{PROJECTS}`. *More* is brotli beyond `{BASE}`; *runtime* is brotli without the \
             project's configuration.\nEach simple experiment adds {:.1} bytes raw, {:.2} brotli (between {FEW} and \
             {MANY} that differ in ids and names).\nEach realistic one, with ids derived from its keys and names of its \
             own, adds {:.1} raw, {:.1} brotli before its texts; {:.1} raw, {:.1} brotli with one selector and one text.",
            further.raw,
            further.brotli,
            before_texts.raw,
            before_texts.brotli,
            whole.raw,
            whole.brotli
        ),
        columns: vec!["project", "raw", "gzip", "brotli", "more", "runtime"],
        rows: rows.collect::<Result<_>>()?,
    })
}

fn row(name: &str, report: &Report, base: Bytes) -> Vec<String> {
    let Bytes { raw, gzip, brotli } = report.bytes;
    let more = i64::from(brotli) - i64::from(base.brotli);
    let numbers = [raw, gzip, brotli].map(|number| number.to_string());
    let runtime = report.runtime.brotli.to_string();
    [name.to_owned()].into_iter().chain(numbers).chain([format!("{more:+}"), runtime]).collect()
}

/// Measures what one simple experiment more adds.
pub(super) fn further_experiment() -> Result<FurtherExperiment> {
    further(|experiments| generated_project::write(experiments, Activation::Immediate))
}

/// Measures what one realistic experiment more adds.
pub(super) fn further_realistic_experiment(changes: Changes) -> Result<FurtherExperiment> {
    further(|experiments| realistic_project::write(experiments, changes))
}

fn further(write: impl Fn(u32) -> Result<PathBuf>) -> Result<FurtherExperiment> {
    let few = report_on(&write(FEW)?)?;
    let many = report_on(&write(MANY)?)?;
    // From a hundred campaigns on, the runtime has more, once and for all of them.
    let own = |report: &Report, part: fn(Bytes) -> u32| {
        f64::from(part(report.bytes)) - f64::from(part(report.runtime))
    };
    let each =
        |part: fn(Bytes) -> u32| (own(&many, part) - own(&few, part)) / f64::from(MANY - FEW);
    Ok(FurtherExperiment { raw: each(|bytes| bytes.raw), brotli: each(|bytes| bytes.brotli) })
}

/// Where the project of that name lies.
pub(super) fn project(name: &str) -> PathBuf {
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
