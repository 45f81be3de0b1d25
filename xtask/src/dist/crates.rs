//! The crates that are in the binary, as cargo resolves them for the platform: without tests, build scripts and macros.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use serde::Deserialize;

use super::release::{Release, source_text};
use crate::repository::output_of;

/// A crate in the binary.
#[derive(Deserialize)]
pub(super) struct Crate {
    id: String,
    pub(super) name: String,
    pub(super) version: String,
    /// An SPDX expression.
    pub(super) license: Option<String>,
    pub(super) description: Option<String>,
    pub(super) repository: Option<String>,
    /// `None` for our own.
    pub(super) source: Option<String>,
    manifest_path: PathBuf,
    /// The crates that it uses itself, as their `name` and `version`.
    #[serde(skip)]
    pub(super) uses: BTreeSet<(String, String)>,
    /// SHA-256 of the file that the registry has.
    #[serde(skip)]
    pub(super) checksum: Option<String>,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Crate>,
    resolve: Resolve,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    dependencies: Vec<String>,
}

impl Crate {
    /// The folder with its files.
    pub(super) fn folder(&self) -> PathBuf {
        self.manifest_path.parent().map(PathBuf::from).unwrap_or_default()
    }

    pub(super) fn is_ours(&self) -> bool {
        self.source.is_none()
    }

    fn key(&self) -> (String, String) {
        (self.name.clone(), self.version.clone())
    }
}

/// All of them, by name and version, the binary's own crates included.
pub(super) fn in_binary(release: &Release) -> Result<Vec<Crate>> {
    let target = release.target.as_str();
    let tree = output_of(
        "cargo",
        &[
            "tree",
            "--locked",
            "--package=server",
            "--edges=normal,no-proc-macro",
            "--prefix=none",
            "--format={p}",
            "--target",
            target,
        ],
    )?;
    let present: BTreeSet<(String, String)> = tree.lines().filter_map(name_and_version).collect();
    let metadata = output_of(
        "cargo",
        &["metadata", "--locked", "--format-version=1", "--filter-platform", target],
    )?;
    let Metadata { packages, resolve } =
        serde_json::from_str(&metadata).context("`cargo metadata` is unreadable")?;
    let keys: BTreeMap<String, (String, String)> =
        packages.iter().map(|package| (package.id.clone(), package.key())).collect();
    let mut crates: Vec<Crate> =
        packages.into_iter().filter(|package| present.contains(&package.key())).collect();
    crates.sort_by_key(Crate::key);
    let checksums = checksums(&source_text("Cargo.lock")?);
    for one in &mut crates {
        let node = resolve.nodes.iter().find(|node| node.id == one.id);
        let used = node.into_iter().flat_map(|node| &node.dependencies);
        let used = used.filter_map(|id| keys.get(id)).filter(|key| present.contains(key));
        one.uses = used.cloned().collect();
        one.checksum = checksums.get(&one.key()).cloned();
    }
    Ok(crates)
}

/// `serde v1.0.2 (*)` is serde, 1.0.2.
fn name_and_version(line: &str) -> Option<(String, String)> {
    let mut words = line.split(' ');
    let name = words.next()?;
    let version = words.next()?.strip_prefix('v')?;
    Some((name.to_owned(), version.to_owned()))
}

fn checksums(lock: &str) -> BTreeMap<(String, String), String> {
    let packages = lock.split("[[package]]").skip(1);
    let field = |package: &str, name: &str| {
        let prefix = format!("{name} = \"");
        let line = package.lines().find_map(|line| line.strip_prefix(&prefix))?;
        line.strip_suffix('"').map(str::to_owned)
    };
    let known = packages.filter_map(|package| {
        let key = (field(package, "name")?, field(package, "version")?);
        Some((key, field(package, "checksum")?))
    });
    known.collect()
}

#[cfg(test)]
mod tests {
    use super::{checksums, name_and_version};

    #[test]
    fn a_line_of_the_tree_names_a_crate() {
        let key = |name: &str, version: &str| Some((name.to_owned(), version.to_owned()));
        assert_eq!(name_and_version("serde v1.0.2 (*)"), key("serde", "1.0.2"));
        assert_eq!(name_and_version("app v0.1.0 (/a/b)"), key("app", "0.1.0"));
        assert_eq!(name_and_version(""), None);
    }

    #[test]
    fn crates_of_the_registry_have_checksums() {
        let lock = "version = 4\n\n[[package]]\nname = \"a\"\nversion = \"1.0.0\"\nsource = \"s\"\nchecksum = \"ff\"\n\n[[package]]\nname = \"own\"\nversion = \"0.1.0\"\n";
        let found = checksums(lock);
        assert_eq!(found.len(), 1);
        assert_eq!(found[&("a".to_owned(), "1.0.0".to_owned())], "ff");
    }
}
