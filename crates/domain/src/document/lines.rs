//! Lines and columns of a text, counted as YAML and editors do: `\n`, `\r\n` and `\r` each end a
//! line.

use super::tree::Mark;

/// The lines of a text without their ends; a text that ends with a line break has an empty last
/// line.
pub(super) fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let Some(end) = text.find(['\n', '\r']) else { return rest.take() };
        let after = &text[end..];
        rest = Some(after.strip_prefix("\r\n").unwrap_or(&after[1..]));
        Some(&text[..end])
    })
}

/// The mark after the last character.
pub(super) fn end_of(text: &str) -> Mark {
    let (line, last) = lines(text).enumerate().last().unwrap_or((0, ""));
    mark(line, last.chars().count())
}

/// The nearest mark to this one that is inside the text or right after it.
pub(super) fn within(text: &str, given: Mark) -> Mark {
    let given = given.min(end_of(text));
    let line = lines(text).nth(given.line as usize - 1).unwrap_or_default();
    given.min(mark(given.line as usize - 1, line.chars().count()))
}

/// The mark of a line and a column that count from zero.
pub(super) fn mark(line: usize, column: usize) -> Mark {
    let from_one =
        |number: usize| u32::try_from(number + 1).expect("documents are shorter than 2^32");
    Mark { line: from_one(line), column: from_one(column) }
}
