//! One integration binary per crate: each further one links everything once more.

use super::Finding;
use crate::source_file::SourceFile;

pub(super) fn check(file: &SourceFile) -> Vec<Finding> {
    let parts: Vec<&str> = file.path().split('/').collect();
    match parts.as_slice() {
        ["crates", _, "tests", name] if file.is_rust() => {
            let message = format!("a second integration binary; move it to `tests/it/{name}`");
            vec![Finding::in_file(file, 1, message)]
        }
        ["crates", _, "tests", folder, "main.rs"] if *folder != "it" => {
            vec![Finding::in_file(
                file,
                1,
                "a second integration binary; make it a module of `tests/it`",
            )]
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::testing::{NONE, lines};

    #[test]
    fn integration_tests_live_in_one_binary() {
        assert_eq!(lines(check, "crates/a/tests/it/main.rs", ""), NONE);
        assert_eq!(lines(check, "crates/a/tests/it/b/main.rs", ""), NONE);
        assert_eq!(lines(check, "crates/a/tests/b.rs", ""), [1]);
        assert_eq!(lines(check, "crates/a/tests/b/main.rs", ""), [1]);
    }
}
