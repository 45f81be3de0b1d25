//! The word or the quoted text at the place of a fault.

use std::ops::Range;

use domain::SourceLocation;

use crate::project_file::Texts;

/// A longer line is not shown: it is a file that no person wrote.
const MAX_LINE_BYTES: usize = 2_000;

/// The line at a place, and the bytes in it that are marked.
pub(super) fn line_at(texts: &Texts, place: &SourceLocation) -> Option<(String, Range<usize>)> {
    let text = texts.of(&place.file)?;
    let line = text.split('\n').nth((place.line as usize).checked_sub(1)?)?;
    let passed = (place.column as usize).checked_sub(1)?;
    let mut offsets = line.char_indices().map(|(offset, _)| offset).chain([line.len()]);
    let start = offsets.nth(passed)?;
    let is_short = line.len() <= MAX_LINE_BYTES && !line.is_empty();
    is_short.then(|| (line.to_owned(), start..start + extent(&line[start..])))
}

/// How much of the rest of a line is the word or the quoted text that it begins with.
fn extent(rest: &str) -> usize {
    let Some(first) = rest.chars().next() else { return 0 };
    let after = &rest[first.len_utf8()..];
    if matches!(first, '"' | '\'') {
        return after.find(first).map_or(rest.len(), |end| first.len_utf8() + end + 1);
    }
    let ends = |character: char| {
        character.is_whitespace() || matches!(character, ',' | ':' | '{' | '}' | '[' | ']')
    };
    first.len_utf8() + if ends(first) { 0 } else { after.find(ends).unwrap_or(after.len()) }
}

#[cfg(test)]
mod tests {
    use super::extent;

    #[test]
    fn the_mark_covers_a_word_or_a_quoted_text() {
        let covered = |rest: &'static str| &rest[..extent(rest)];

        assert_eq!(covered("variatons: []"), "variatons");
        assert_eq!(covered("hoem]"), "hoem");
        assert_eq!(covered("\"a b\", c"), "\"a b\"");
        assert_eq!(covered("{a: 1}"), "{");
        assert_eq!(covered("café au lait"), "café");
        assert_eq!(covered("'open"), "'open");
        assert_eq!(covered(""), "");
    }
}
