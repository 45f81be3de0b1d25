//! SQL is written in `storage` only.

use super::Finding;
use crate::rust_text::{Stretch, only};
use crate::source_file::{SourceFile, numbered};

const STATEMENTS: &[&str] =
    &["SELECT ", "INSERT INTO ", "UPDATE ", "DELETE FROM ", "CREATE TABLE ", "PRAGMA "];

/// Its statement is for another server, `ClickHouse`, whose protocol begins with it.
const SINK: &str = "crates/server/src/event_sink.rs";

pub(super) fn check(file: &SourceFile) -> Vec<Finding> {
    if !file.path().starts_with("crates/") || file.path().starts_with("crates/storage/") {
        return Vec::new();
    }
    if file.extension() == "sql" {
        return vec![finding(file, 1)];
    }
    if !file.is_rust() || file.path() == SINK {
        return Vec::new();
    }
    numbered(&only(Stretch::Literal, file.text()))
        .filter(|(_, literals)| {
            STATEMENTS.iter().any(|words| literals.contains(&format!("\"{words}")))
        })
        .map(|(number, _)| finding(file, number))
        .collect()
}

fn finding(file: &SourceFile, line: usize) -> Finding {
    Finding::in_file(file, line, "SQL outside `storage`; add an operation to the store trait")
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::testing::{NONE, lines};

    #[test]
    fn statements_belong_to_storage() {
        let text = "fn a() {\n    run(\"SELECT a FROM b\");\n}\n";
        assert_eq!(lines(check, "crates/app/src/a.rs", text), [2]);
        assert_eq!(lines(check, "crates/storage/src/a.rs", text), NONE);
        assert_eq!(lines(check, "crates/server/src/event_sink.rs", text), NONE);
        assert_eq!(lines(check, "crates/app/a.sql", ""), [1]);
    }

    #[test]
    fn prose_is_no_statement() {
        assert_eq!(
            lines(check, "crates/app/src/a.rs", "// SELECT a\nb(\"please UPDATE me\");\n"),
            NONE
        );
    }
}
