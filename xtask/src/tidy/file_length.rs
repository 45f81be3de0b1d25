//! A file is about one thing, so it is short.

use super::Finding;
use crate::source_file::SourceFile;

/// A longer file is not read from top to bottom.
const MAX_LINES: usize = 500;
/// The same for a file of tests, or a file together with its tests.
const MAX_LINES_WITH_TESTS: usize = 800;

pub(super) fn check(file: &SourceFile) -> Vec<Finding> {
    if !file.is_rust() && !file.is_script() && file.extension() != "css" {
        return Vec::new();
    }
    let all = file.text().lines().count();
    let production = file.production_lines();
    let message = if production > MAX_LINES {
        format!("{production} lines; split the file, {MAX_LINES} is the limit")
    } else if all > MAX_LINES_WITH_TESTS {
        format!("{all} lines with tests; split the file, {MAX_LINES_WITH_TESTS} is the limit")
    } else {
        return Vec::new();
    };
    vec![Finding::in_file(file, all, message)]
}

#[cfg(test)]
mod tests {
    use super::{MAX_LINES, MAX_LINES_WITH_TESTS, check};
    use crate::tidy::testing::{NONE, lines};

    #[test]
    fn a_file_has_a_limit() {
        assert_eq!(lines(check, "a.rs", &"a();\n".repeat(MAX_LINES)), NONE);
        assert_eq!(lines(check, "a.rs", &"a();\n".repeat(MAX_LINES + 1)), [MAX_LINES + 1]);
    }

    #[test]
    fn tests_have_room_of_their_own() {
        let tests = format!("#[cfg(test)]\n{}", "a();\n".repeat(MAX_LINES));
        assert_eq!(lines(check, "a.rs", &tests), NONE);
        assert_eq!(lines(check, "tests/it/a.rs", &"a();\n".repeat(MAX_LINES_WITH_TESTS)), NONE);
        let long = "a();\n".repeat(MAX_LINES_WITH_TESTS + 1);
        assert_eq!(lines(check, "tests/it/a.rs", &long), [MAX_LINES_WITH_TESTS + 1]);
    }
}
