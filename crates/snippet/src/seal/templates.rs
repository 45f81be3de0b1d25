//! A tagged template as a call. Its function sees the text as it is written, so an escape in it would be seen: it is given the same text
//! as a list with its `raw` instead. What it does not have is that the list is frozen, and the same each time.

use std::fmt::Write as _;

use oxc::ast::ast::{TaggedTemplateExpression, TemplateElement};
use oxc::span::{GetSpan as _, Span};

use super::edits::Edit;

/// What the parser puts before four hexadecimal digits where a text has half of a surrogate pair, or this character itself.
const LOSSY: char = '\u{fffd}';

/// ``tag`a${b}c` `` becomes `(tag((c=>(c.raw=["a","c"],c))(["a","c"]),(b)))`; what stands inside `${…}` is left alone.
pub(super) fn call_for(tagged: &TaggedTemplateExpression<'_>) -> Vec<Edit> {
    let quasi = &tagged.quasi;
    let list = |text: fn(&TemplateElement<'_>) -> String| {
        quasi.quasis.iter().map(text).collect::<Vec<_>>().join(",")
    };
    let (raw, cooked) = (list(raw), list(cooked));
    let texts = format!("((c=>(c.raw=[{raw}],c))([{cooked}])");
    let start = tagged.span.start as usize;
    let mut edits = vec![Edit { start, end: start, by: "(".to_owned() }];
    let mut from = tagged.tag.span().end as usize;
    let mut before = texts;
    for expression in &quasi.expressions {
        let Span { start, end, .. } = expression.span();
        edits.push(Edit { start: from, end: start as usize, by: format!("{before},(") });
        from = end as usize;
        ")".clone_into(&mut before);
    }
    edits.push(Edit { start: from, end: quasi.span.end as usize, by: format!("{before}))") });
    edits
}

fn raw(element: &TemplateElement<'_>) -> String {
    quoted(&element.value.raw)
}

/// Where an escape is none, there is no text.
fn cooked(element: &TemplateElement<'_>) -> String {
    let Some(cooked) = &element.value.cooked else { return "void 0".to_owned() };
    if !element.lone_surrogates {
        return quoted(cooked);
    }
    let mut parts = cooked.split(LOSSY);
    let mut written = parts.next().map(escaped).unwrap_or_default();
    for part in parts {
        let (digits, rest) = part.split_at_checked(4).unwrap_or((part, ""));
        let _infallible = write!(written, "\\u{digits}{}", escaped(rest));
    }
    format!("\"{written}\"")
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

/// As inside of quotes, in ASCII, and without anything that HTML knows.
fn escaped(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_ascii_alphanumeric()
            || (character.is_ascii_graphic() && !"\"\\<".contains(character))
            || character == ' '
        {
            written.push(character);
        } else {
            written
                .push_str(&super::units(character.encode_utf8(&mut [0; 4]), super::Units::Short));
        }
    }
    written
}
