//! A file is named after the one subject it holds.

use super::Finding;
use crate::source_file::SourceFile;

/// Names that say nothing, so that everything ends up behind them.
const SAYS_NOTHING: &[&str] =
    &["util", "utils", "helper", "helpers", "common", "misc", "shared", "stuff"];

pub(super) fn check(file: &SourceFile) -> Vec<Finding> {
    if !file.is_rust() && !file.is_script() {
        return Vec::new();
    }
    if file.path().ends_with("/mod.rs") {
        return vec![Finding::in_file(file, 1, "`mod.rs`; write `name.rs` beside `name/`")];
    }
    let names = file.path().split('/').map(|part| part.split('.').next().unwrap_or(part));
    names
        .filter(|name| SAYS_NOTHING.contains(&name.to_lowercase().as_str()))
        .map(|name| {
            Finding::in_file(file, 1, format!("`{name}` says nothing; name it after what it holds"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::testing::{NONE, lines};

    #[test]
    fn names_that_say_nothing_are_objected_to() {
        assert_eq!(lines(check, "crates/a/src/utils.rs", ""), [1]);
        assert_eq!(lines(check, "crates/a/src/common/b.rs", ""), [1]);
        assert_eq!(lines(check, "runtime/src/helpers.test.ts", ""), [1]);
        assert_eq!(lines(check, "crates/a/src/b/mod.rs", ""), [1]);
        assert_eq!(lines(check, "crates/a/src/commons.rs", ""), NONE);
    }
}
