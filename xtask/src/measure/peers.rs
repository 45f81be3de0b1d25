//! What the scripts of others weigh beside our snippets. They come from npm as `bench/peers/package.json` names them, and `bench/peers/measure.mjs` weighs them.

use std::fs;

use anyhow::{Context as _, Result};
use serde::Deserialize;

use super::compiler;
use super::table::Table;
use crate::program::Program;
use crate::repository::root;

const FOLDER: &str = "bench/peers";
/// A first test, and all features at once.
const PROJECTS: [&str; 2] = ["text", "everything"];

/// One script, as `measure.mjs` prints it.
#[derive(Deserialize)]
struct Line {
    name: String,
    version: String,
    does: String,
    raw: u32,
    gzip: u32,
    brotli: u32,
}

/// One row for each script, the lightest first.
pub(super) fn measure() -> Result<Table> {
    Program::new("npm", ["ci"]).within(FOLDER).must_succeed()?;
    let snippets: Vec<String> = PROJECTS.into_iter().map(compile).collect::<Result<_>>()?;
    let script = format!("{FOLDER}/measure.mjs");
    let printed = Program::new("node", [script.as_str()]).and(snippets).answer();
    let printed = printed.with_context(|| format!("`{script}` fails"))?;
    let lines = printed.lines().map(serde_json::from_str);
    let lines: Vec<Line> =
        lines.collect::<Result<_, _>>().context("what it prints is unreadable")?;
    Ok(Table {
        heading: "Peers",
        remark: "Bytes of what a page loads: the file that each maker ships for it, without experiments, and our snippets with theirs. *Does* says what the page decides \
                 or changes with it alone, without code of its own and without asking a server."
            .to_owned(),
        columns: vec!["script", "raw", "gzip", "brotli", "does"],
        rows: lines.iter().map(cells).collect(),
    })
}

/// What `measure.mjs` asks for: `NAME=SNIPPET`.
fn compile(project: &str) -> Result<String> {
    let source = root().join(format!("bench/snippet-bytes/projects/{project}.yaml"));
    let folder = root().join("target/measure");
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let snippet = folder.join(format!("{project}.js"));
    compiler::compile(&source, &snippet)?;
    Ok(format!("{project}={}", snippet.display()))
}

fn cells(line: &Line) -> Vec<String> {
    vec![
        format!("{} {}", line.name, line.version).trim().to_owned(),
        line.raw.to_string(),
        line.gzip.to_string(),
        line.brotli.to_string(),
        line.does.clone(),
    ]
}
