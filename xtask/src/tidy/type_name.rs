//! A type's name says what it is.

use super::Finding;
use crate::rust_text::is_word;
use crate::source_file::{SourceFile, numbered};

/// Words that could be part of any name, and so mean nothing.
const SAYS_NOTHING: &[&str] = &["Util", "Helper", "Manager", "Wrapper"];
const DECLARATIONS: &[&str] = &["struct ", "enum ", "trait ", "class ", "interface ", "type "];

pub(super) fn check(file: &SourceFile) -> Vec<Finding> {
    if !file.is_rust() && !file.is_script() {
        return Vec::new();
    }
    numbered(file.code())
        .filter_map(|(number, line)| {
            let name = DECLARATIONS.iter().find_map(|keyword| declared(line, keyword))?;
            let word = SAYS_NOTHING.iter().find(|word| name.contains(**word))?;
            let message =
                format!("`{name}`: `{word}` says nothing; name the type after what it is");
            Some(Finding::in_file(file, number, message))
        })
        .collect()
}

/// The name after `keyword`, if the line declares one.
fn declared<'l>(line: &'l str, keyword: &str) -> Option<&'l str> {
    let place = line.find(keyword)?;
    if line[..place].ends_with(is_word) {
        return None;
    }
    line[place + keyword.len()..].split(|c| !is_word(c)).next()
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::testing::{NONE, lines};

    #[test]
    fn empty_words_in_type_names_are_objected_to() {
        assert_eq!(lines(check, "a.rs", "pub struct SessionManager;\n"), [1]);
        assert_eq!(lines(check, "a.ts", "export interface UrlHelper {\n"), [1]);
        assert_eq!(lines(check, "a.rs", "pub struct Session;\n// struct SessionManager\n"), NONE);
        assert_eq!(lines(check, "a.rs", "let manager = DownloadManager::new();\n"), NONE);
    }
}
