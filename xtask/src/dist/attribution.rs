//! `THIRD-PARTY-LICENSES.txt`: who made the libraries in the binary, and under which terms. Each text stands there once.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use super::crates::Crate;
use super::license::{is_accepted, parse};
use super::release::Release;

pub(super) const FILE: &str = "THIRD-PARTY-LICENSES.txt";

/// How files with terms begin, in lower case.
const NAMES: &[&str] = &["licen", "copying", "notice", "unlicense", "copyright"];

/// How deep libraries in C lie in the crates that bring them: `c_src/mimalloc/LICENSE`.
const DEPTH: usize = 3;

/// What is in the binary beside crates, and its licence.
const RUST: (&str, &str, &str) =
    ("the standard library of Rust", "MIT", "Copyright (c) The Rust Project Contributors");
const MUSL: (&str, &str, &str) = ("musl", "MIT", "Copyright (c) 2005-2024 Rich Felker, et al.");
const GLIBC: (&str, &str, &str) = (
    "the GNU C Library",
    "LGPL-2.1-or-later",
    "Copyright (C) Free Software Foundation, Inc. Sources: https://sourceware.org/glibc/; to link another version, build this release from its sources.",
);

pub(super) fn text(release: &Release, crates: &[Crate]) -> Result<String> {
    let others: Vec<&Crate> = crates.iter().filter(|one| !one.is_ours()).collect();
    let mut text = format!(
        "Assay {} contains the libraries below. Their terms follow, each once.\n\n",
        release.version
    );
    let mut users: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for one in &others {
        let license = one.license.as_deref().unwrap_or_default();
        let place = one.repository.as_deref().unwrap_or_default();
        writeln!(text, "{} {}  {license}  {place}", one.name, one.version)?;
        let name = format!("{} {}", one.name, one.version);
        for terms in terms_of(one)? {
            users.entry(terms).or_default().insert(name.clone());
        }
    }
    let library = if release.target.ends_with("-musl") { MUSL } else { GLIBC };
    for (name, license, owner) in [RUST, library] {
        writeln!(text, "{name}  {license}")?;
        let terms = format!("{owner}\n\n{}", standard_text(license)?);
        users.entry(terms).or_default().insert(name.to_owned());
    }
    for (terms, names) in users {
        let names: Vec<String> = names.into_iter().collect();
        write!(text, "\n{}\n{}\n\n{terms}\n", "=".repeat(80), names.join(", "))?;
    }
    Ok(text)
}

/// The texts that the crate brings, or else the standard text of a licence that it may be used under.
fn terms_of(one: &Crate) -> Result<BTreeSet<String>> {
    let mut files = Vec::new();
    collect(&one.folder(), DEPTH, &mut files)?;
    let texts = files.iter().filter_map(|path| fs::read(path).ok());
    let texts = texts.map(|bytes| normalized(&String::from_utf8_lossy(&bytes)));
    let texts: BTreeSet<String> = texts.filter(|text| !text.is_empty()).collect();
    if !texts.is_empty() {
        return Ok(texts);
    }
    let expression = parse(one)?;
    let accepted = expression.requirements().filter(|part| is_accepted(&part.req));
    let ids = accepted.filter_map(|part| part.req.license.id());
    ids.take(1).map(|id| standard_text(id.name)).collect()
}

fn standard_text(license: &str) -> Result<String> {
    let id = spdx::license_id(license).with_context(|| format!("`{license}` has no text"))?;
    Ok(normalized(id.text()))
}

/// Without what differs between copies of the same text.
fn normalized(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.join("\n").trim_matches('\n').to_owned()
}

fn collect(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) -> Result<()> {
    let entries = fs::read_dir(folder);
    let entries = entries.with_context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().to_lowercase();
        let is_terms = NAMES.iter().any(|beginning| name.starts_with(beginning));
        let kind = entry.file_type()?;
        if kind.is_file() && is_terms && entry.path().extension() != Some("rs".as_ref()) {
            found.push(entry.path());
        } else if kind.is_dir() && depth > 0 {
            collect(&entry.path(), depth - 1, found)?;
        }
    }
    found.sort();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{normalized, standard_text};

    #[test]
    fn copies_of_a_text_are_one() {
        assert_eq!(normalized("\nMIT  \r\nterms\n\n"), normalized("MIT\nterms"));
    }

    #[test]
    fn each_licence_beside_crates_has_a_text() {
        for (_, license, _) in [super::RUST, super::MUSL, super::GLIBC] {
            assert!(standard_text(license).unwrap().len() > 500);
        }
    }
}
