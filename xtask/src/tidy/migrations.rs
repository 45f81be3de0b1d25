//! Migrations go forward only: numbered without a gap, and never edited once released.
//!
//! A release adds its migrations to `RELEASED` beside them, one `<git blob id>  <file name>` a line,
//! as `git hash-object` prints the id.

use super::Finding;
use crate::repository::{self, Repository};

const FOLDER: &str = "crates/storage/migrations";
const RELEASED: &str = "crates/storage/migrations/RELEASED";

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    let mut findings = check_numbers(&names(repository));
    if let Some(list) = repository.file(RELEASED) {
        findings.extend(check_released(list.text(), blob_id));
    }
    findings
}

fn names(repository: &Repository) -> Vec<&str> {
    let files = repository.files.iter().filter(|file| file.extension() == "sql");
    files.filter_map(|file| file.path().strip_prefix(FOLDER)?.strip_prefix('/')).collect()
}

fn check_numbers(names: &[&str]) -> Vec<Finding> {
    (1..)
        .zip(names)
        .find(|(number, name)| !name.starts_with(&format!("{number:04}_")))
        .map(|(number, name)| {
            let message =
                format!("migrations are numbered without a gap; here `{number:04}_…` is due");
            Finding::new(&format!("{FOLDER}/{name}"), 1, message)
        })
        .into_iter()
        .collect()
}

fn check_released(list: &str, id_of: impl Fn(&str) -> Option<String>) -> Vec<Finding> {
    let released = list.lines().filter_map(|line| line.split_once("  "));
    released
        .filter(|(id, name)| id_of(name).as_deref() != Some(id))
        .map(|(_, name)| {
            let message = "this migration was released and must stay as it was; write a new one";
            Finding::new(&format!("{FOLDER}/{name}"), 1, message)
        })
        .collect()
}

/// `None` if the file is gone.
fn blob_id(name: &str) -> Option<String> {
    let id = repository::output_of("git", &["hash-object", &format!("{FOLDER}/{name}")]).ok()?;
    Some(id.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::{check_numbers, check_released};

    #[test]
    fn numbers_have_no_gap() {
        assert_eq!(check_numbers(&["0001_initial.sql", "0002_events.sql"]), []);
        assert_eq!(check_numbers(&["0001_initial.sql", "0003_events.sql"]).len(), 1);
        assert_eq!(check_numbers(&["0001_initial.sql", "0001_events.sql"]).len(), 1);
    }

    #[test]
    fn a_released_migration_is_never_edited_or_removed() {
        let list = "aa  0001_initial.sql\nbb  0002_events.sql\n";
        let id_of = |first: &'static str, second: Option<&'static str>| {
            move |name: &str| match name {
                "0001_initial.sql" => Some(first.to_owned()),
                _ => second.map(str::to_owned),
            }
        };
        assert_eq!(check_released(list, id_of("aa", Some("bb"))), []);
        assert_eq!(check_released(list, id_of("ac", Some("bb"))).len(), 1);
        assert_eq!(check_released(list, id_of("aa", None)).len(), 1);
    }
}
