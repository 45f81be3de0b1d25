//! Writes a text in YAML so that it reads as the same text: plain where it is unambiguous, in double quotes otherwise, as a block (`|`)
//! where it has several lines.

/// A text on one line.
pub(super) fn quoted_if_needed(text: &str) -> String {
    if is_plain(text) { text.to_owned() } else { quoted(text) }
}

/// The lines of a text that can be a block, and the mark for its end: `-` for no line break at the end, `+` for several, else one.
pub(super) fn block(text: &str) -> Option<(&'static str, std::str::Split<'_, char>)> {
    let starts_well = text.starts_with(|first: char| !first.is_whitespace());
    let is_fit = |character: char| character == '\n' || character == '\t' || is_shown(character);
    if !text.contains('\n') || !starts_well || !text.chars().all(is_fit) {
        return None;
    }
    Some(match text.strip_suffix('\n') {
        None => ("|-", text.split('\n')),
        Some(rest) if rest.ends_with('\n') => ("|+", rest.split('\n')),
        Some(rest) => ("|", rest.split('\n')),
    })
}

/// Words that some YAML readers do not take for a text.
const RESERVED: &[&str] = &["null", "true", "false", "yes", "no", "on", "off", "y", "n"];

/// Stricter than YAML: every reader takes a scalar that starts with a letter and has no YAML punctuation for a text.
fn is_plain(text: &str) -> bool {
    let is_fit = |character: char| {
        character.is_alphanumeric() || " _-./()'+%=@!$;*^~<>\"".contains(character)
    };
    text.starts_with(char::is_alphabetic)
        && text.chars().all(is_fit)
        && !text.ends_with(' ')
        && !RESERVED.contains(&text.to_lowercase().as_str())
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            shown if is_shown(shown) => quoted.push(shown),
            other => quoted.extend(["\\U".to_owned(), format!("{:08X}", u32::from(other))]),
        }
    }
    quoted.push('"');
    quoted
}

/// Whether every reader keeps a character as it is: no control character, no line break of any alphabet, and no mark that readers remove.
fn is_shown(character: char) -> bool {
    !character.is_control()
        && !matches!(character, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_could_be_something_else_is_quoted() {
        for text in ["home", "Hero text", "Übersicht", "it's 50% off (today)"] {
            assert_eq!(quoted_if_needed(text), text);
        }
        for text in ["", "3001", "no", "NULL", "a: b", "a #b", "- a", "end ", "{a", "1.5", "~", "*"]
        {
            assert_eq!(quoted_if_needed(text), format!("\"{text}\""));
        }
    }

    #[test]
    fn invisible_characters_are_escaped() {
        assert_eq!(quoted_if_needed("a\u{7}\"\\\t\u{feff}"), r#""a\U00000007\"\\\t\U0000FEFF""#);
    }

    #[test]
    fn only_text_with_lines_is_a_block() {
        assert!(block("one line").is_none());
        assert!(block("  indented\nthen").is_none());
        assert!(block("windows\r\n").is_none());
        for (text, mark) in [("a\nb", "|-"), ("a\n", "|"), ("a\n\n", "|+")] {
            assert_eq!(block(text).map(|(mark, _)| mark), Some(mark), "{text:?}");
        }
    }
}
