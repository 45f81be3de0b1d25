//! When a text has an effect: in an element that styles or runs it, or in a framework's template.

use super::css;

/// Elements that do not show their text.
const SPECIAL: [&str; 2] = ["script", "style"];

/// Whether the text of such elements can neither run nor load anything.
pub(super) fn is_inert(selector: &str, value: &str) -> bool {
    if is_template(value) || names_special(selector) {
        return false;
    }
    // An element with a class or an id may be a style sheet, and this text would be CSS.
    let may_load = value.contains('{') && !css::is_inert(value) || has_import(value);
    !may_load || !may_be_special(selector)
}

/// Whether it has a rule that loads without braces, or one that is hard to parse.
fn has_import(value: &str) -> bool {
    value.split('@').skip(1).any(|rule| {
        let is_of_name =
            |character: char| character.is_alphanumeric() || "\\-_".contains(character);
        let name = rule.split(|character| !is_of_name(character)).next().unwrap_or_default();
        name.contains('\\') || name.eq_ignore_ascii_case("import")
    })
}

/// Frameworks evaluate text in double braces as an expression, anywhere in the page.
pub(super) fn is_template(value: &str) -> bool {
    value.contains("{{")
}

/// Whether the selector asks for such an element by its name, which CSS may escape.
fn names_special(selector: &str) -> bool {
    let selector = without_escapes(selector).to_ascii_lowercase();
    SPECIAL.iter().any(|name| {
        selector.match_indices(name).any(|(at, _)| {
            let before = selector[..at].chars().next_back();
            let after = selector[at + name.len()..].chars().next();
            let is_of_name =
                |character: char| character.is_alphanumeric() || "-_".contains(character);
            let is_named = before
                .is_none_or(|character| !is_of_name(character) && !".#[\"'=".contains(character));
            is_named && after.is_none_or(|character| !is_of_name(character))
        })
    })
}

/// Whether one of the selectors leaves the name of its last element open.
fn may_be_special(selector: &str) -> bool {
    if selector.contains(['(', '[', '\\', '"', '\'', '*']) {
        return true;
    }
    selector.split(',').any(|one| {
        let last =
            one.trim_end().rsplit([' ', '>', '+', '~', '\t', '\n']).next().unwrap_or_default();
        !last.starts_with(|character: char| character.is_ascii_alphabetic())
    })
}

/// `\73 tyle` is `style`.
fn without_escapes(selector: &str) -> String {
    let mut plain = String::with_capacity(selector.len());
    let mut characters = selector.chars().peekable();
    while let Some(character) = characters.next() {
        if character != '\\' {
            plain.push(character);
            continue;
        }
        let mut digits = String::new();
        while digits.len() < 6 {
            let Some(digit) = characters.next_if(char::is_ascii_hexdigit) else { break };
            digits.push(digit);
        }
        if digits.is_empty() {
            plain.extend(characters.next());
        } else {
            let _separator = characters.next_if(char::is_ascii_whitespace);
            let escaped = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
            plain.push(escaped.unwrap_or(char::REPLACEMENT_CHARACTER));
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::is_inert;

    #[test]
    fn texts_that_people_read_are_content() {
        for (selector, value) in [
            ("h1", "Buy now!"),
            (".price", "20 % off (today only) @ home, @shop"),
            ("h1.style", "{braces} and url(x)"),
            ("p[data-style=\"style\"]", "a = b()"),
            (".style-guide .script-font", "Hello"),
        ] {
            assert!(is_inert(selector, value), "{selector}");
        }
    }

    #[test]
    fn texts_for_style_sheets_scripts_and_templates_are_code() {
        for (selector, value) in [
            ("style", "Hello"),
            ("head > SCRIPT", "Hello"),
            ("h1, style", "Hello"),
            ("html style.x", "Hello"),
            (r"\73 tyle", "Hello"),
            (":is(script)", "Hello"),
            ("svg|style", "Hello"),
            (".x", "@import 'https://other.example/x.css'"),
            ("#x", "b{background:url(//other.example)}"),
            ("*", "b{background:\\75rl(//other.example)}"),
            ("h1", "{{constructor.constructor('x()')()}}"),
        ] {
            assert!(!is_inert(selector, value), "{selector} {value}");
        }
    }
}
