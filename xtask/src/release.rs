//! `cargo xtask release VERSION`: turns what is unreleased into a release. It changes files, for a person to look at and commit.

use std::fmt::Write as _;
use std::fs;
use std::process::ExitCode;

use anyhow::{Context as _, Result, ensure};

use crate::output;
use crate::repository::{output_of, root};

const CHANGELOG: &str = "CHANGELOG.md";
const UNRELEASED: &str = "## Unreleased\n";
const MIGRATIONS: &str = "crates/storage/migrations";
/// One `<git blob id>  <database>/<file name>` a line; `cargo xtask tidy` compares.
const RELEASED: &str = "crates/storage/migrations/RELEASED";

pub(crate) fn run(version: &str) -> Result<ExitCode> {
    let own = env!("CARGO_PKG_VERSION");
    ensure!(version == own, "Cargo.toml says version {own}: change it, and runtime/types, first");
    let changelog = read(CHANGELOG)?;
    let today = output_of("date", &["-u", "+%Y-%m-%d"])?;
    write(CHANGELOG, &released(&changelog, version, today.trim())?)?;
    write(RELEASED, &migrations()?)?;
    output::say(format_args!(
        "{CHANGELOG} and {RELEASED} tell of {version}; look at them, commit, and push the tag v{version}"
    ));
    Ok(ExitCode::SUCCESS)
}

/// The changelog, with an empty section for what comes next.
fn released(changelog: &str, version: &str, date: &str) -> Result<String> {
    let heading = format!("## {version} ");
    ensure!(!changelog.contains(&heading), "{CHANGELOG} has a section of {version} already");
    let (before, after) =
        changelog.split_once(UNRELEASED).with_context(|| format!("no `{UNRELEASED}`"))?;
    let end = after.find("\n## ").unwrap_or(after.len());
    ensure!(after[..end].contains("\n- "), "nothing is unreleased");
    Ok(format!("{before}{UNRELEASED}\n{heading}({date})\n{after}"))
}

/// All migrations, with their fingerprints.
fn migrations() -> Result<String> {
    let mut lines = String::new();
    for database in ["sqlite", "postgres"] {
        let folder = root().join(MIGRATIONS).join(database);
        let entries = fs::read_dir(&folder).context("cannot read the migrations")?;
        let mut names = entries
            .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
            .collect::<Result<Vec<_>>>()?;
        names.sort();
        for name in names {
            let id =
                output_of("git", &["hash-object", &format!("{MIGRATIONS}/{database}/{name}")])?;
            writeln!(lines, "{}  {database}/{name}", id.trim())?;
        }
    }
    Ok(lines)
}

fn read(path: &str) -> Result<String> {
    fs::read_to_string(root().join(path)).with_context(|| format!("cannot read {path}"))
}

fn write(path: &str, text: &str) -> Result<()> {
    fs::write(root().join(path), text).with_context(|| format!("cannot write {path}"))
}

#[cfg(test)]
mod tests {
    use super::{MIGRATIONS, RELEASED, migrations, read, released};

    const BEFORE: &str = "# Changelog\n\n## Unreleased\n\n### Added\n\n- A.\n\n## 0.1.0 (2026-01-01)\n\n### Added\n\n- B.\n";

    #[test]
    fn what_was_unreleased_belongs_to_the_version() {
        let after = released(BEFORE, "0.2.0", "2026-02-03").unwrap();
        assert_eq!(
            after,
            BEFORE.replace("## Unreleased\n", "## Unreleased\n\n## 0.2.0 (2026-02-03)\n")
        );
    }

    #[test]
    fn a_version_is_released_once_and_not_empty() {
        assert!(released(BEFORE, "0.1.0", "2026-02-03").is_err());
        let after = released(BEFORE, "0.2.0", "2026-02-03").unwrap();
        assert!(released(&after, "0.3.0", "2026-02-03").is_err());
        assert!(released("# Changelog\n", "0.2.0", "2026-02-03").is_err());
    }

    #[test]
    fn every_migration_is_listed_and_released_ones_stay() {
        let listed = migrations().unwrap();
        for line in read(RELEASED).unwrap().lines() {
            assert!(listed.contains(line), "{line}");
        }
        let count = |database: &str| {
            std::fs::read_dir(crate::repository::root().join(MIGRATIONS).join(database))
                .unwrap()
                .count()
        };
        assert_eq!(listed.lines().count(), count("sqlite") + count("postgres"));
    }
}
