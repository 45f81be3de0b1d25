//! The repository as the rules see it: its text files, its packages, and what cargo builds of them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use serde::Deserialize;

use crate::source_file::SourceFile;

/// Everything a rule may look at.
#[derive(Default)]
pub(crate) struct Repository {
    pub(crate) files: Vec<SourceFile>,
    pub(crate) packages: Vec<Package>,
    pub(crate) builds: Builds,
}

/// What cargo builds for a command: name, version and features of each package.
#[derive(Default)]
pub(crate) struct Builds {
    /// For the binary.
    pub(crate) binary: BTreeSet<String>,
    /// For the tests of all packages.
    pub(crate) tests: BTreeSet<String>,
}

/// One of our packages, from `cargo metadata`.
#[derive(Deserialize)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) manifest_path: PathBuf,
    pub(crate) dependencies: Vec<Dependency>,
}

/// A line of a package's manifest.
#[derive(Deserialize)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    /// `None` for an ordinary dependency, else `dev` or `build`.
    pub(crate) kind: Option<String>,
}

/// The folder that holds the workspace.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies inside the workspace")
}

impl Repository {
    /// Reads all files that git knows or would add, and asks cargo about the packages.
    pub(crate) fn load() -> Result<Self> {
        Ok(Self { files: load_files()?, packages: packages()?, builds: Builds::load()? })
    }

    /// The file at `path`, if there is one.
    pub(crate) fn file(&self, path: &str) -> Option<&SourceFile> {
        self.files.iter().find(|file| file.path() == path)
    }
}

impl Builds {
    fn load() -> Result<Self> {
        Ok(Self {
            binary: built(&["--package", "server", "--edges", "no-dev"])?,
            tests: built(&["--workspace"])?,
        })
    }
}

impl Package {
    /// The package's manifest, from the root of the repository.
    pub(crate) fn manifest(&self) -> String {
        let manifest = self.manifest_path.strip_prefix(root()).unwrap_or(&self.manifest_path);
        manifest.display().to_string()
    }

    /// The name of the folder the package lies in.
    pub(crate) fn folder(&self) -> Option<&str> {
        self.manifest_path.parent()?.file_name()?.to_str()
    }
}

/// What `program` prints when run at the root of the repository.
pub(crate) fn output_of(program: &str, arguments: &[&str]) -> Result<String> {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(root())
        .output()
        .with_context(|| format!("cannot run `{program}`"))?;
    let complaint = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "`{program} {}` failed: {complaint}", arguments.join(" "));
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Cargo lists a package anew for each that depends on it, and marks repetitions.
fn built(packages: &[&str]) -> Result<BTreeSet<String>> {
    let arguments = [&["tree", "--prefix", "none", "--format", "{p} {f}"], packages].concat();
    let listing = output_of("cargo", &arguments)?;
    Ok(listing.lines().map(|line| line.trim_end_matches(" (*)").to_owned()).collect())
}

/// Files that are not text, or were deleted but not yet removed from the index, are left out.
fn load_files() -> Result<Vec<SourceFile>> {
    let listing =
        output_of("git", &["ls-files", "--cached", "--others", "--exclude-standard", "-z"])?;
    let mut paths: Vec<&str> = listing.split_terminator('\0').collect();
    paths.sort_unstable();
    paths.dedup();
    let read = |path: &&str| {
        let text = std::fs::read_to_string(root().join(path)).ok()?;
        Some(SourceFile::new(path, text))
    };
    Ok(paths.iter().filter_map(read).collect())
}

pub(crate) fn packages() -> Result<Vec<Package>> {
    #[derive(Deserialize)]
    struct Metadata {
        packages: Vec<Package>,
    }
    let json = output_of("cargo", &["metadata", "--no-deps", "--format-version", "1"])?;
    let metadata: Metadata =
        serde_json::from_str(&json).context("`cargo metadata` is unreadable")?;
    Ok(metadata.packages)
}
