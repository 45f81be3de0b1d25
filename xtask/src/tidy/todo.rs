//! Open work has an issue; broken code does not merge.

use super::Finding;
use crate::rust_text::{Stretch, is_word, only};
use crate::source_file::{SourceFile, numbered};

pub(super) fn check(file: &SourceFile) -> Vec<Finding> {
    // Documents talk about the words, and literals hold them; neither leaves work behind.
    if file.extension() == "md" {
        return Vec::new();
    }
    let comments =
        if file.is_rust() { only(Stretch::Comment, file.text()) } else { file.text().to_owned() };
    numbered(&comments)
        .filter_map(|(number, line)| Some(Finding::in_file(file, number, objection(line)?)))
        .collect()
}

fn objection(line: &str) -> Option<&'static str> {
    if line.contains("FIXME") {
        return Some("`FIXME`; fix it now, or write `TODO(#12)` with its issue");
    }
    let mut places = line.match_indices("TODO");
    let is_loose = places.any(|(place, word)| {
        let is_whole = !line[..place].ends_with(is_word);
        is_whole && !names_an_issue(&line[place + word.len()..])
    });
    is_loose.then_some("`TODO` without its issue; write `TODO(#12)`")
}

fn names_an_issue(after: &str) -> bool {
    let number = after.strip_prefix("(#").and_then(|rest| rest.split_once(')'));
    number
        .is_some_and(|(digits, _)| !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::testing::{NONE, lines};

    #[test]
    fn work_left_behind_names_its_issue() {
        let text =
            "// TODO: later\n// TODO(#12): later\n// FIXME\n// TODO(#): later\nlet a = \"TODO\";\n";
        assert_eq!(lines(check, "a.rs", text), [1, 3, 4]);
    }

    #[test]
    fn documents_may_name_the_words() {
        assert_eq!(lines(check, "docs/a.md", "`FIXME` never merges\n"), NONE);
    }
}
