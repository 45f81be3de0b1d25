//! The npm package: the declarations of the in-page API and its loader, as `npm pack` writes them. The files are in `runtime/types/`.

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use super::archive::{Tree, gzip};
use super::release::{Release, source, source_text};

const FOLDER: &str = "runtime/types";

pub(super) fn file(release: &Release) -> String {
    format!("assay-snippet-{}.tgz", release.version)
}

pub(super) fn make(release: &Release) -> Result<()> {
    let manifest = source_text(&format!("{FOLDER}/package.json"))?;
    let facts: Value = serde_json::from_str(&manifest).context("package.json is unreadable")?;
    ensure!(
        facts["version"] == release.version,
        "{FOLDER}/package.json: expected version {}, as in Cargo.toml",
        release.version
    );
    let mut tree = Tree::default();
    tree.file("package.json", manifest);
    for name in facts["files"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        let path = if name == "LICENSE" { name.to_owned() } else { format!("{FOLDER}/{name}") };
        tree.file(name, source(&path)?);
    }
    let bytes = gzip(&tree.below("package").tar("", release.time)?)?;
    release.write(&file(release), &bytes)
}
