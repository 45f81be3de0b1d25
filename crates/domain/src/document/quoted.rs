//! Quoted texts on one line: finds where their characters stand, past the escapes before them.

use super::tree::{Mark, Style};

/// How many characters of `written`, from its first quote on, stand before a line and a column of the text. `None` if it ends before that,
/// or the rest is on another line.
pub(super) fn characters_before(written: &str, style: Style, inside: Mark) -> Option<u32> {
    let mut rest = written.get(1..)?;
    let mut passed = 1;
    let mut reached = Mark::START;
    while reached != inside {
        let (written, after) = rest.split_at_checked(character_bytes(rest, style)?)?;
        passed += u32::try_from(written.chars().count()).ok()?;
        reached = match written {
            "\\n" => Mark { line: reached.line + 1, column: 1 },
            _ => Mark { line: reached.line, column: reached.column + 1 },
        };
        rest = after;
    }
    Some(passed)
}

/// How many bytes the next character of the text takes. `None` at the closing quote.
fn character_bytes(rest: &str, style: Style) -> Option<usize> {
    match (rest.chars().next()?, style) {
        ('\'', Style::SingleQuoted) => rest.starts_with("''").then_some(2),
        ('"', Style::DoubleQuoted) => None,
        ('\\', Style::DoubleQuoted) => Some(escape_bytes(rest)),
        (character, _) => Some(character.len_utf8()),
    }
}

/// The length of an escape; two that make a surrogate pair, as in JSON, are one.
fn escape_bytes(rest: &str) -> usize {
    let is_high_surrogate = |digits| matches!(u8::from_str_radix(digits, 16), Ok(0xd8..=0xdb));
    match rest.as_bytes().get(1) {
        Some(b'u') if rest.get(2..4).is_some_and(is_high_surrogate) => 12,
        Some(b'u') => 6,
        Some(b'U') => 10,
        Some(b'x') => 4,
        _ => 2,
    }
}
