//! The runtime never switches the type checker off: no `any`, no `!` after a value.

use super::Finding;
use crate::rust_text::is_word;
use crate::source_file::{SourceFile, numbered};

const FOLDERS: &[&str] = &["runtime/src/", "runtime/types/"];
/// The places where a type is written.
const ANY: &[&str] = &[": any", "as any", "<any", "any[]", "any>"];

pub(super) fn check(file: &SourceFile) -> Vec<Finding> {
    if !FOLDERS.iter().any(|folder| file.path().starts_with(folder)) || !file.is_script() {
        return Vec::new();
    }
    numbered(file.code())
        .filter_map(|(number, line)| Some(Finding::in_file(file, number, objection(line)?)))
        .collect()
}

fn objection(line: &str) -> Option<&'static str> {
    if ANY.iter().any(|written| has_word(line, written)) {
        return Some("`any` switches the type check off; write the type, or `unknown`");
    }
    asserts_presence(line).then_some("`!` hides that the value may be missing; ask whether it is")
}

/// Whether `written` stands in the line, and not as a part of longer words.
fn has_word(line: &str, written: &str) -> bool {
    line.match_indices(written).any(|(place, _)| {
        let before = line[..place].chars().next_back();
        let after = line[place + written.len()..].chars().next();
        let begins = !written.starts_with(is_word) || !before.is_some_and(is_word);
        let ends = !written.ends_with(is_word) || !after.is_some_and(is_word);
        begins && ends
    })
}

/// `value!.name`, `value!;`, `list[0]!)`; but neither `!value` nor `a != b`.
fn asserts_presence(line: &str) -> bool {
    line.match_indices('!').any(|(place, _)| {
        let before = line[..place].chars().next_back();
        let after = line[place + 1..].chars().next();
        before.is_some_and(|c| is_word(c) || matches!(c, ')' | ']'))
            && after.is_none_or(|c| matches!(c, '.' | ',' | ';' | ')' | ']' | '[' | ' '))
    })
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::testing::{NONE, lines};

    const PATH: &str = "runtime/src/main.ts";

    #[test]
    fn any_is_objected_to() {
        let text = "const a: any = 1;\nb as any;\nc: Map<string, any>;\nmany: Set<anything>;\n";
        assert_eq!(lines(check, PATH, text), [1, 2, 3]);
    }

    #[test]
    fn an_asserted_presence_is_objected_to() {
        assert_eq!(lines(check, PATH, "a!.b;\nf(list[0]!);\nreturn c!;\n"), [1, 2, 3]);
        assert_eq!(lines(check, PATH, "a !== b;\nif (!c) {\n!!d;\n// wow!\n"), NONE);
    }

    #[test]
    fn tests_are_free() {
        assert_eq!(lines(check, "runtime/test/a.test.ts", "a!.b;\n"), NONE);
    }
}
