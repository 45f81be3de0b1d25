//! In the runtime a file exports one value and is named after it; types may accompany it.

use super::Finding;
use crate::rust_text::is_word;
use crate::source_file::{SourceFile, numbered};

const FOLDER: &str = "runtime/src/";
/// What the snippet compiler replaces: many constants by contract.
const GENERATED: &[&str] = &["runtime/src/config.ts", "runtime/src/features.ts"];

pub(super) fn check(file: &SourceFile) -> Vec<Finding> {
    if !file.path().starts_with(FOLDER) || GENERATED.contains(&file.path()) {
        return Vec::new();
    }
    let exports: Vec<Export> = numbered(file.code()).filter_map(read_export).collect();
    let values = exports.iter().filter(|export| !export.is_type);
    let mut findings: Vec<Finding> =
        values.skip(1).map(|second| second_value(file, second)).collect();
    findings.extend(misnamed(file, &exports));
    findings.extend(default_exports(file));
    findings
}

struct Export<'s> {
    line: usize,
    name: &'s str,
    is_type: bool,
}

/// `export const name`, `export type Name`; `const enum` counts as a type, for none of it ships.
fn read_export((line, code): (usize, &str)) -> Option<Export<'_>> {
    let mut rest = code.strip_prefix("export ")?;
    let mut is_type = false;
    loop {
        let word = rest.split(|c| !is_word(c)).next()?;
        match word {
            "const" | "let" | "function" | "async" | "class" => {}
            "type" | "interface" | "enum" => is_type = true,
            "" | "default" => return None,
            name => return Some(Export { line, name, is_type }),
        }
        rest = rest[word.len()..].trim_start_matches([' ', '*']);
    }
}

fn second_value(file: &SourceFile, export: &Export<'_>) -> Finding {
    let message = format!("`{}` is a second exported value; give it its own file", export.name);
    Finding::in_file(file, export.line, message)
}

fn misnamed(file: &SourceFile, exports: &[Export<'_>]) -> Option<Finding> {
    let main = exports.iter().find(|export| !export.is_type).or(exports.first())?;
    let is_named_so = exports
        .iter()
        .filter(|export| export.is_type == main.is_type)
        .any(|export| folded(export.name) == folded(file.stem()));
    (!is_named_so).then(|| {
        let message = format!("exports `{}`; name the file after it", main.name);
        Finding::in_file(file, main.line, message)
    })
}

/// `REDIRECT_NOTE` and `redirectNote` are one name.
fn folded(name: &str) -> String {
    name.replace('_', "").to_lowercase()
}

fn default_exports(file: &SourceFile) -> impl Iterator<Item = Finding> {
    let lines = numbered(file.code()).filter(|(_, line)| line.starts_with("export default"));
    lines.map(|(number, _)| {
        Finding::in_file(file, number, "a default export has no name to find it by; export by name")
    })
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::testing::{NONE, lines};

    const PATH: &str = "runtime/src/visitor/idCookie.ts";

    #[test]
    fn one_value_named_like_the_file() {
        assert_eq!(lines(check, PATH, "export const idCookie = (): string => 1;\n"), NONE);
        assert_eq!(lines(check, PATH, "export const ID_COOKIE = 1;\n"), NONE);
        assert_eq!(lines(check, PATH, "export const cookie = 1;\n"), [1]);
        assert_eq!(lines(check, PATH, "export const idCookie = 1;\nexport function b() {}\n"), [2]);
    }

    #[test]
    fn types_may_accompany_or_stand_alone() {
        let text =
            "export interface Cookie {}\nexport const enum Kind {}\nexport const idCookie = 1;\n";
        assert_eq!(lines(check, PATH, text), NONE);
        assert_eq!(lines(check, "runtime/src/Trace.ts", "export interface Trace {}\n"), NONE);
        assert_eq!(lines(check, "runtime/src/Trace.ts", "export interface Track {}\n"), [1]);
    }

    #[test]
    fn default_exports_are_objected_to() {
        assert_eq!(lines(check, "runtime/src/main.ts", "const a = 1;\nexport default a;\n"), [2]);
    }

    #[test]
    fn other_folders_are_free() {
        assert_eq!(
            lines(check, "e2e/site/Shop.mjs", "export const a = 1;\nexport const b = 1;\n"),
            NONE
        );
        assert_eq!(
            lines(check, "runtime/src/config.ts", "export const a = 1;\nexport const b = 1;\n"),
            NONE
        );
    }
}
