//! An exception is an `#[expect(…, reason = "…")]`: it says why, and complains when it is over.

use super::Finding;
use crate::source_file::{SourceFile, numbered};

pub(super) fn check(file: &SourceFile) -> Vec<Finding> {
    if !file.is_rust() {
        return Vec::new();
    }
    numbered(file.code())
        .filter(|(_, line)| line.contains("#[allow(") || line.contains("#![allow("))
        .map(|(number, _)| {
            Finding::in_file(
                file,
                number,
                "`#[allow]` outlives its cause; write `#[expect(…, reason = \"…\")]`",
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::testing::lines;

    #[test]
    fn allow_is_objected_to_and_expect_is_not() {
        let text =
            "//! A.\n#[allow(dead_code)]\n#[expect(dead_code, reason = \"b\")]\n// #[allow(c)]\n";
        assert_eq!(lines(check, "crates/a/src/b.rs", text), [2]);
    }
}
