//! Each export of a runtime file has a name, has a summary, and is used elsewhere.

use std::collections::HashSet;

use super::Finding;
use crate::repository::Repository;
use crate::rust_text::is_word;
use crate::source_file::{SourceFile, numbered};

const FOLDER: &str = "runtime/src/";
const TESTS: &str = "runtime/test/";
/// Stands before the page's own names in all modules, used by name or not.
const BUILTINS: &str = "runtime/src/browser/builtins.ts";
/// The constants with which the snippet compiler replaces this file have names of their own.
const GENERATED: &str = "runtime/src/project/config.ts";

pub(super) fn check(repository: &Repository) -> Vec<Finding> {
    let used = imported_names(repository);
    let files = repository.files.iter().filter(|file| file.path().starts_with(FOLDER));
    files.flat_map(|file| check_file(file, &used)).collect()
}

fn check_file(file: &SourceFile, used: &HashSet<&str>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (line, code) in numbered(file.code()) {
        if code.starts_with("export default") {
            let message = "a default export has no name to find it by; export by name";
            findings.push(Finding::in_file(file, line, message));
        }
        let Some(name) = exported(code) else { continue };
        if file.path() == BUILTINS || file.path() == GENERATED {
            continue;
        }
        if !used.contains(name) {
            let message = format!("no other file uses `{name}`; do not export it");
            findings.push(Finding::in_file(file, line, message));
        }
        if !is_documented(file, line) {
            let message = format!("`{name}` has no summary; say in a line above what it is");
            findings.push(Finding::in_file(file, line, message));
        }
    }
    findings
}

/// The name after `export const`, `export interface` and their like.
fn exported(code: &str) -> Option<&str> {
    let mut rest = code.strip_prefix("export ")?;
    loop {
        let word = rest.split(|c| !is_word(c)).next()?;
        match word {
            "const" | "let" | "function" | "async" | "class" | "type" | "interface" | "enum" => {}
            "" | "default" => return None,
            name => return Some(name),
        }
        rest = rest[word.len()..].trim_start_matches([' ', '*']);
    }
}

/// Whether the line before it ends a comment.
fn is_documented(file: &SourceFile, line: usize) -> bool {
    let before = line.checked_sub(2).and_then(|at| file.text().lines().nth(at));
    before.is_some_and(|before| before.trim_end().ends_with("*/"))
}

/// What any file of the runtime or of its tests takes from another: `import { a, type b as c }`, `const { a } = await import(…)`.
fn imported_names(repository: &Repository) -> HashSet<&str> {
    let is_of_runtime =
        |file: &&SourceFile| [FOLDER, TESTS].iter().any(|folder| file.path().starts_with(folder));
    let files = repository.files.iter().filter(is_of_runtime);
    let lists = files.flat_map(|file| {
        let statements = file.code().split(';');
        statements.filter(|statement| statement.contains("import")).filter_map(braced)
    });
    lists.flat_map(|list| list.split(',')).filter_map(first_word).collect()
}

fn braced(statement: &str) -> Option<&str> {
    let list = statement.split_once('{')?.1;
    Some(list.split_once('}')?.0)
}

fn first_word(name: &str) -> Option<&str> {
    name.split_whitespace().find(|word| *word != "type")
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::repository::Repository;
    use crate::source_file::SourceFile;
    use crate::tidy::testing::NONE;

    fn lines(text: &str, other: &str) -> Vec<usize> {
        let files = vec![
            SourceFile::new("runtime/src/visitor/cookies.ts", text),
            SourceFile::new("runtime/src/main.ts", other),
        ];
        let repository = Repository { files, ..Repository::default() };
        check(&repository).iter().map(|finding| finding.line).collect()
    }

    const USE: &str = "import { idCookie } from \"./visitor/cookies\";\nimport type { Kind } from \"./visitor/cookies\";\n";

    #[test]
    fn an_unused_export_is_reported() {
        let text = "/** A. */\nexport const idCookie = 1;\n/** B. */\nexport const enum Kind {}\n";
        assert_eq!(lines(text, USE), NONE);
        assert_eq!(lines(text, "import { idCookie } from \"./visitor/cookies\";\n"), [4]);
        assert_eq!(lines(text, "const { idCookie, Kind } = await import(\"./a\");\n"), NONE);
    }

    #[test]
    fn an_export_without_a_summary_is_reported() {
        assert_eq!(lines("/** File. */\n\nexport const idCookie = 1;\n", USE), [3]);
        assert_eq!(lines("/**\n * A.\n */\nexport const idCookie = 1;\n", USE), NONE);
    }

    #[test]
    fn default_exports_are_objected_to() {
        assert_eq!(lines("const a = 1;\nexport default a;\n", USE), [2]);
    }

    #[test]
    fn builtins_need_neither_a_use_nor_a_summary() {
        let files =
            vec![SourceFile::new("runtime/src/browser/builtins.ts", "export const Map = 1;\n")];
        assert!(check(&Repository { files, ..Repository::default() }).is_empty());
    }
}
