//! A test neither sleeps nor is skipped, and none is run alone: it waits for a condition, or is
//! given the time.

use super::Finding;
use crate::source_file::{SourceFile, numbered};

const IN_RUST: &[(&str, &str)] = &[
    ("#[ignore", "a test that never runs proves nothing; fix it or remove it"),
    ("#[should_panic", "panicking is no behaviour; return an error and look at it"),
    ("thread::sleep(", SLEEP),
    ("time::sleep(", SLEEP),
];
const IN_SCRIPTS: &[(&str, &str)] = &[
    (".only(", "`.only` silences all other tests"),
    (".skip(", "a test that never runs proves nothing; fix it or remove it"),
    ("waitForTimeout(", SLEEP),
    ("Promise((resolve) => setTimeout(", SLEEP),
    ("timers/promises", SLEEP),
];
const SLEEP: &str = "a sleep is too long or too short; wait for the condition, or pass the time in";

pub(super) fn check(file: &SourceFile) -> Vec<Finding> {
    if file.is_rust() {
        return objections(file, file.test_code(), IN_RUST);
    }
    if file.is_script() && file.is_test() {
        return objections(file, numbered(file.code()), IN_SCRIPTS);
    }
    Vec::new()
}

fn objections<'l>(
    file: &SourceFile,
    lines: impl Iterator<Item = (usize, &'l str)>,
    banned: &[(&str, &str)],
) -> Vec<Finding> {
    lines
        .filter_map(|(number, line)| {
            let (_, message) = banned.iter().find(|(words, _)| line.contains(words))?;
            Some(Finding::in_file(file, number, *message))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::testing::{NONE, lines};

    #[test]
    fn rust_tests_neither_sleep_nor_are_skipped() {
        let text = "#[test]\n#[ignore]\nfn a() {\n    std::thread::sleep(b);\n}\n#[should_panic]\n";
        assert_eq!(lines(check, "crates/a/tests/it/b.rs", text), [2, 4, 6]);
        assert_eq!(lines(check, "crates/a/src/b.rs", "std::thread::sleep(b);\n"), NONE);
    }

    #[test]
    fn script_tests_neither_sleep_nor_stand_alone() {
        let text = "test.only(\"a\", b);\nawait page.waitForTimeout(10);\ntest(\"c\", d);\n";
        assert_eq!(lines(check, "runtime/test/a.test.ts", text), [1, 2]);
        assert_eq!(lines(check, "e2e/stories/a.mjs", text), [1, 2]);
        assert_eq!(lines(check, "runtime/src/a.ts", text), NONE);
    }
}
