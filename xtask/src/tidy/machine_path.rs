//! Nothing in the repository knows the machine it was written on.

use super::Finding;
use crate::source_file::{SourceFile, numbered};

/// Folders below which people keep their own things.
const PRIVATE_FOLDERS: &[&str] = &["root", "work", "home", "Users"];

pub(super) fn check(file: &SourceFile) -> Vec<Finding> {
    numbered(file.text())
        .filter_map(|(number, line)| {
            let path = PRIVATE_FOLDERS.iter().find_map(|folder| private_path(line, folder))?;
            let message =
                format!("`{path}…` exists on one machine only; use a path from the repository");
            Some(Finding::in_file(file, number, message))
        })
        .collect()
}

/// An absolute path below `folder`; a part of an address or of a longer path is none.
fn private_path(line: &str, folder: &str) -> Option<String> {
    let path = format!("/{folder}/");
    let mut places = line.match_indices(&path);
    places
        .any(|(place, _)| {
            let opens = line[..place].chars().next_back().is_none_or(opens_a_path);
            opens && line[place + path.len()..].starts_with(char::is_alphanumeric)
        })
        .then_some(path)
}

fn opens_a_path(before: char) -> bool {
    before.is_whitespace() || matches!(before, '"' | '\'' | '`' | '=' | '(' | '<')
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::testing::{NONE, lines};

    #[test]
    fn absolute_paths_of_a_machine_are_objected_to() {
        let private = |folder| format!("open('/{folder}/somebody/file')\n");
        assert_eq!(lines(check, "a.md", &private("home")), [1]);
        assert_eq!(lines(check, "a.md", &private("root")), [1]);
        assert_eq!(lines(check, "a.md", &private("tmp")), NONE);
    }

    #[test]
    fn addresses_and_patterns_are_no_paths_of_a_machine() {
        assert_eq!(
            lines(check, "a.md", "https://shop.example/home/page, crates/work/a, `/home/`\n"),
            NONE
        );
    }
}
