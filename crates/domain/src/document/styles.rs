//! Decodes styles, and warns of what browsers pass over without a word.

use super::nearest::nearest;
use super::reader::{At, Decoded, Reader};
use super::scalars::{content, fitting, line};

/// The properties of all browsers and standards, one on each line. A browser story compares them with those of real browsers.
const PROPERTIES: &str = include_str!("css_properties.txt");

/// The name of a property.
pub(super) fn style_name(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<String> {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let expected = "a CSS property such as `background-color`";
    let name = fitting(reader, at, expected, |name| name.bytes().all(is_allowed))?;
    let is_known =
        name.starts_with('-') || PROPERTIES.lines().any(|known| known.eq_ignore_ascii_case(&name));
    if !reader.is_idle && !is_known {
        let fault = at.warning("unknown_style", format!("no browser knows the property `{name}`"));
        let as_css = hyphenated(&name);
        let meant = PROPERTIES.lines().find(|known| *known == as_css);
        let fault = match meant.or_else(|| nearest(&name, PROPERTIES.lines())) {
            Some(meant) => fault.hint(format!("write `{meant}`")),
            None => fault,
        };
        reader.report(at, fault);
    }
    Ok(name)
}

/// `backgroundColor`, as scripts write it, is `background-color`.
fn hyphenated(name: &str) -> String {
    let mut written = String::new();
    for character in name.chars() {
        if character.is_ascii_uppercase() {
            written.push('-');
        }
        written.push(character.to_ascii_lowercase());
    }
    written
}

/// The value of a property.
pub(super) fn style_value(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<String> {
    let value = line(reader, at)?;
    if let Some(plain) = value.trim_end().strip_suffix(';').filter(|_| !reader.is_idle) {
        let message = "browsers take no value that ends with a semicolon";
        let hint = format!("write `{plain}`");
        reader.report(at, at.warning("style_semicolon", message).hint(hint));
    }
    Ok(value)
}

/// A style sheet.
pub(super) fn style_sheet(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<String> {
    let text = content(reader, at)?;
    if let Some(message) = unbalanced(&text).filter(|_| !reader.is_idle) {
        let hint = "browsers read what follows as a part of it, or pass over it: correct it";
        reader.report(at, at.warning("broken_css", message).hint(hint));
    }
    Ok(text)
}

/// What is opened and not closed, or closed and not open.
fn unbalanced(css: &str) -> Option<String> {
    let mut open = Vec::new();
    let mut rest = css;
    while let Some(character) = rest.chars().next() {
        let mut length = character.len_utf8();
        match character {
            '/' if rest.starts_with("/*") => match rest[2..].find("*/") {
                Some(end) => length = end + 4,
                None => return Some("a comment is not closed".to_owned()),
            },
            '\\' => length += rest[1..].chars().next().map_or(0, char::len_utf8),
            '"' | '\'' => length = string_length(rest, character)?,
            '{' | '(' | '[' => open.push(character),
            '}' | ')' | ']' => {
                let opening = match character {
                    '}' => '{',
                    ')' => '(',
                    _ => '[',
                };
                if open.pop() != Some(opening) {
                    return Some(format!("there is a `{character}` that closes nothing"));
                }
            }
            _ => {}
        }
        rest = &rest[length..];
    }
    open.pop().map(|character| format!("a `{character}` is not closed"))
}

/// How long a quoted text is, which ends with its line at the latest. None if the style sheet ends before: browsers forgive that.
fn string_length(rest: &str, quote: char) -> Option<usize> {
    let mut is_escaped = false;
    for (place, character) in rest.char_indices().skip(1) {
        if is_escaped {
            is_escaped = false;
        } else if character == '\\' {
            is_escaped = true;
        } else if character == quote || character == '\n' {
            return Some(place + 1);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::unbalanced;

    #[test]
    fn unbalanced_css_is_found() {
        for css in [
            "h1 { color: red }",
            "@media (width > 40em) { a[href$=\"}\"]::after { content: '{' } }",
            "/* { */ h1 { background: url(data:image/svg+xml;utf8,<svg/>) }",
            r".md\:flex\{ { color: red }",
            "",
        ] {
            assert_eq!(unbalanced(css), None, "{css}");
        }
        for css in ["h1 { color: red", "h1 { color: red }}", "h1 { width: calc(1px }", "/* h1 {}"] {
            assert!(unbalanced(css).is_some(), "{css}");
        }
    }
}
