//! What the binary tells about itself as files: man pages and completions of shells. And the archive for machines without a package manager of ours.

use std::fs;

use anyhow::{Context as _, Result};

use super::archive::{Tree, gzip};
use super::attribution;
use super::license;
use super::release::{Release, source};

/// Where each shell looks, below `share/`.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "bash-completion/completions/assay"),
    ("zsh", "zsh/vendor-completions/_assay"),
    ("fish", "fish/vendor_completions.d/assay.fish"),
];

/// The archive: the binary, and beside it what its users need from the repository.
pub(super) fn make_archive(release: &Release) -> Result<()> {
    let mut tree = Tree::default();
    tree.program("assay", release.binary_bytes()?);
    for name in ["LICENSE", "NOTICE", "CHANGELOG.md", "docs/installing.md"] {
        tree.file(name.rsplit('/').next().unwrap_or(name), source(name)?);
    }
    tree.file(attribution::FILE, license::text(release)?);
    tree.file("systemd/assay.service", source("deploy/systemd/assay.service")?);
    tree.file("systemd/assay.env", source("deploy/systemd/assay.env")?);
    add_manual(release, &mut tree)?;
    let bytes = gzip(&tree.below(&release.name()).tar("", release.time)?)?;
    release.write(&format!("{}.tar.gz", release.name()), &bytes)
}

/// Adds man pages and completions below `share/`.
pub(super) fn add_manual(release: &Release, tree: &mut Tree) -> Result<()> {
    for (shell, path) in COMPLETIONS {
        let text = release.answer_of_binary(["completions", shell])? + "\n";
        tree.file(&format!("share/{path}"), text);
    }
    let folder = release.folder.join("man");
    let shown = folder.to_string_lossy();
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {shown}"))?;
    release.answer_of_binary(["man", "--output", &shown])?;
    for entry in fs::read_dir(&folder).with_context(|| format!("cannot read {shown}"))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let page = fs::read(entry.path()).with_context(|| format!("cannot read {name}"))?;
        tree.file(&format!("share/man/man1/{name}.gz"), gzip(&page)?);
    }
    fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {shown}"))
}
