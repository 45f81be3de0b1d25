//! Tells the code, the comments and the literals of Rust source apart, without parsing it.

/// What a stretch of source is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stretch {
    /// Everything that is neither of the others.
    Code,
    /// Line and block comments, documentation included.
    Comment,
    /// Strings and characters, with their quotes.
    Literal,
}

/// The source with everything but `wanted` replaced by spaces; lines and columns stay.
pub(crate) fn only(wanted: Stretch, source: &str) -> String {
    let mut view = String::with_capacity(source.len());
    let mut place = 0;
    while place < source.len() {
        let (stretch, length) = stretch_at(source, place);
        let text = &source[place..place + length];
        if stretch == wanted {
            view.push_str(text);
        } else {
            view.extend(text.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
        }
        place += length;
    }
    view
}

/// What begins at `place`, and how many bytes it takes.
fn stretch_at(source: &str, place: usize) -> (Stretch, usize) {
    let (before, rest) = source.split_at(place);
    if rest.starts_with("//") {
        return (Stretch::Comment, rest.find('\n').unwrap_or(rest.len()));
    }
    if rest.starts_with("/*") {
        return (Stretch::Comment, block_comment_length(rest));
    }
    let literal = match rest.chars().next() {
        Some('"') => Some(quoted_length(rest, '"')),
        Some('\'') => is_character(rest).then(|| quoted_length(rest, '\'')),
        // The `r` of `for"` ends a word and opens no raw string.
        Some('r' | 'b' | 'c') if !before.ends_with(is_word) => prefixed_length(rest),
        _ => None,
    };
    match literal {
        Some(length) => (Stretch::Literal, length),
        None => (Stretch::Code, rest.chars().next().map_or(0, char::len_utf8)),
    }
}

fn block_comment_length(source: &str) -> usize {
    let mut depth = 0_usize;
    let mut place = 0;
    while place < source.len() {
        let rest = &source.as_bytes()[place..];
        if rest.starts_with(b"/*") {
            depth += 1;
            place += 2;
        } else if rest.starts_with(b"*/") {
            depth -= 1;
            place += 2;
            if depth == 0 {
                return place;
            }
        } else {
            place += 1;
        }
    }
    source.len()
}

/// A quote opens a character unless it opens a lifetime: `'a'` against `'a`.
fn is_character(source: &str) -> bool {
    let mut after_quote = source.chars().skip(1);
    after_quote.next() == Some('\\') || after_quote.next() == Some('\'')
}

fn quoted_length(source: &str, quote: char) -> usize {
    let mut escaped = false;
    for (place, c) in source.char_indices().skip(1) {
        if !escaped && c == quote {
            return place + c.len_utf8();
        }
        escaped = !escaped && c == '\\';
    }
    source.len()
}

/// `r"…"`, `r#"…"#`, and both after `b` or `c`.
fn prefixed_length(source: &str) -> Option<usize> {
    let unprefixed = source.trim_start_matches(['b', 'c', 'r']);
    let prefix = source.len() - unprefixed.len();
    if prefix > 2 {
        return None;
    }
    if !source[..prefix].ends_with('r') {
        let quote = unprefixed.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        return Some(prefix + quoted_length(unprefixed, quote));
    }
    let opening = unprefixed.trim_start_matches('#');
    let hashes = unprefixed.len() - opening.len();
    let content = opening.strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    let length = content.find(&end).map_or(content.len(), |place| place + end.len());
    Some(prefix + hashes + 1 + length)
}

/// Whether `c` may be part of a name.
pub(crate) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::{Stretch, only};

    fn code(source: &str) -> String {
        only(Stretch::Code, source)
    }

    #[test]
    fn comments_and_strings_are_no_code() {
        assert_eq!(code("a // b\nc /* d /* e */ f */ g"), "a     \nc                   g");
        assert_eq!(code(r#"a("b\"c") d"#), "a(      ) d");
        assert_eq!(code("a(r#\"b\"c\"#) d"), "a(        ) d");
        assert_eq!(code("b\"x\" br\"y\" c\"z\"").trim(), "");
    }

    #[test]
    fn a_lifetime_is_code_and_a_character_is_not() {
        assert_eq!(code("&'a str"), "&'a str");
        assert_eq!(code("['\"', '\\'', 'x']"), "[   ,     ,    ]");
        assert_eq!(code("for\"x\""), "for   ");
    }

    #[test]
    fn lines_stay_where_they_are() {
        let source = "let a = \"one\ntwo\"; /* three\n */ // four\n";
        assert_eq!(code(source).lines().count(), source.lines().count());
    }

    #[test]
    fn comments_and_literals_can_be_read_alone() {
        let source = "f(\"a\"); // \"b\"";
        assert_eq!(only(Stretch::Literal, source).trim(), "\"a\"");
        assert_eq!(only(Stretch::Comment, source).trim(), "// \"b\"");
    }

    #[test]
    fn an_open_string_ends_with_the_file() {
        assert_eq!(code("a \"b"), "a   ");
        assert_eq!(code("a /* b"), "a     ");
        assert_eq!(code("a r#\"b"), "a     ");
    }
}
