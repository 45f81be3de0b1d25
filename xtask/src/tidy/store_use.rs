//! The edges ask use cases, which ask for permissions, and not the store.

use super::Finding;
use crate::source_file::{SourceFile, numbered};

const EDGES: [&str; 3] = ["crates/api/src/", "crates/console/src/", "crates/web/src/"];

pub(super) fn check(file: &SourceFile) -> Vec<Finding> {
    if !file.is_rust() || !EDGES.iter().any(|edge| file.path().starts_with(edge)) {
        return Vec::new();
    }
    numbered(file.code())
        .filter(|(_, line)| line.contains(".store()"))
        .map(|(number, _)| {
            Finding::in_file(file, number, "an edge uses the store; add a use case to `app`")
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::testing::{NONE, lines};

    #[test]
    fn edges_ask_use_cases() {
        let text = "fn a(app: &App) {\n    app.store().load();\n}\n";
        assert_eq!(lines(check, "crates/api/src/a.rs", text), [2]);
        assert_eq!(lines(check, "crates/console/src/a.rs", text), [2]);
        assert_eq!(lines(check, "crates/app/src/a.rs", text), NONE);
        assert_eq!(lines(check, "crates/server/src/a.rs", text), NONE);
    }
}
