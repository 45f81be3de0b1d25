//! `SHA256SUMS`, for `sha256sum --check`.

use std::fs;

use anyhow::{Context as _, Result};
use sha2::{Digest as _, Sha256};

use super::release::Release;

const FILE: &str = "SHA256SUMS";

/// Lists every file that is there, also those that an earlier run made.
pub(super) fn write(release: &Release) -> Result<()> {
    let mut lines = Vec::new();
    for entry in fs::read_dir(&release.folder).context("cannot read the folder")? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name == FILE || !entry.file_type()?.is_file() {
            continue;
        }
        let bytes = fs::read(entry.path()).with_context(|| format!("cannot read {name}"))?;
        lines.push(format!("{}  {name}\n", digest(&bytes)));
    }
    lines.sort_by(|one, other| one[66..].cmp(&other[66..]));
    release.write(FILE, lines.concat().as_bytes())
}

/// SHA-256 in hexadecimal digits.
pub(super) fn digest(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}
