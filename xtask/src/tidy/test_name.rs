//! A test's name is a fact: `code_cannot_be_exchanged_twice`.

use super::Finding;
use crate::source_file::SourceFile;

pub(super) fn check(file: &SourceFile) -> Vec<Finding> {
    if !file.is_rust() {
        return Vec::new();
    }
    file.test_code()
        .filter_map(|(number, line)| {
            let rest = line.trim_start().split_once("fn test_")?.1;
            let fact = rest.split('(').next()?;
            let message =
                format!("`test_{fact}` is a test anyway; let the name be the fact: `{fact}`");
            Some(Finding::in_file(file, number, message))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::testing::{NONE, lines};

    #[test]
    fn a_prefix_is_objected_to_in_tests_only() {
        assert_eq!(lines(check, "crates/a/tests/it/b.rs", "#[test]\nfn test_b() {}\n"), [2]);
        assert_eq!(lines(check, "crates/a/tests/it/b.rs", "#[test]\nfn b_is_tested() {}\n"), NONE);
        let unit = "fn test_tube() {}\n#[cfg(test)]\nmod tests {\nasync fn test_c() {}\n}\n";
        assert_eq!(lines(check, "crates/a/src/b.rs", unit), [4]);
    }
}
