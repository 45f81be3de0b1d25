//! Migrations go forward only: numbered without a gap, the same for each database, and never edited once released.
//!
//! A release adds its migrations to `RELEASED` beside them, one `<git blob id>  <database>/<file name>` a line,
//! as `git hash-object` prints the id.

use super::Finding;
use crate::repository::{self, Repository};

const FOLDER: &str = "crates/storage/migrations";
const RELEASED: &str = "crates/storage/migrations/RELEASED";

/// Each has a folder with its own words for the same steps.
const DATABASES: [&str; 2] = ["sqlite", "postgres"];

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    let [sqlite, postgres] = DATABASES.map(|database| names(repository, database));
    let mut findings = check_numbers(&sqlite);
    findings.extend(check_equal(&sqlite, &postgres));
    if let Some(list) = repository.file(RELEASED) {
        findings.extend(check_released(list.text(), blob_id));
    }
    findings
}

fn names<'r>(repository: &'r Repository, database: &str) -> Vec<&'r str> {
    let folder = format!("{FOLDER}/{database}/");
    let files = repository.files.iter().filter(|file| file.extension() == "sql");
    files.filter_map(|file| file.path().strip_prefix(&folder)).collect()
}

fn check_numbers(names: &[&str]) -> Vec<Finding> {
    (1..)
        .zip(names)
        .find(|(number, name)| !name.starts_with(&format!("{number:04}_")))
        .map(|(number, name)| {
            let message =
                format!("migrations are numbered without a gap; here `{number:04}_…` is due");
            finding(DATABASES[0], name, message)
        })
        .into_iter()
        .collect()
}

fn check_equal(sqlite: &[&str], postgres: &[&str]) -> Vec<Finding> {
    let [lite, post] = DATABASES;
    let lacks = |there: &[&str], has: &str, here: &[&str], lacks: &str| {
        let missing = there.iter().filter(|name| !here.contains(name));
        let told = missing.map(|name| finding(has, name, format!("`{lacks}/` lacks this step")));
        told.collect::<Vec<_>>()
    };
    let mut findings = lacks(sqlite, lite, postgres, post);
    findings.extend(lacks(postgres, post, sqlite, lite));
    findings
}

fn finding(database: &str, name: &str, message: String) -> Finding {
    Finding::new(&format!("{FOLDER}/{database}/{name}"), 1, message)
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
    use super::{check_equal, check_numbers, check_released};

    #[test]
    fn numbers_have_no_gap() {
        assert_eq!(check_numbers(&["0001_initial.sql", "0002_events.sql"]), []);
        assert_eq!(check_numbers(&["0001_initial.sql", "0003_events.sql"]).len(), 1);
        assert_eq!(check_numbers(&["0001_initial.sql", "0001_events.sql"]).len(), 1);
    }

    #[test]
    fn both_databases_take_the_same_steps() {
        let [initial, events] = ["0001_initial.sql", "0002_events.sql"];
        assert_eq!(check_equal(&[initial, events], &[initial, events]), []);
        assert_eq!(check_equal(&[initial, events], &[initial]).len(), 1);
        assert_eq!(check_equal(&[initial], &[initial, events]).len(), 1);
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
