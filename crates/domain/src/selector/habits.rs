//! What people write in selectors that browsers do not take: jQuery's own pseudo-classes, values without quotes, ids that begin with a
//! digit; and the standard selector that is the same, where there is one.

use super::grammar::{Forgiving, read};

/// What a selector has of these.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Habits {
    /// What only jQuery knows, as it is written: `:eq`, `!=`.
    pub(super) jquery: Vec<&'static str>,
    /// Whether an id or a class begins with a digit.
    pub(super) has_digit_first: bool,
    /// The standard selector that is the same.
    pub(super) standard: Option<String>,
}

pub(super) fn habits(selector: &str) -> Habits {
    let mut rewriting = Rewriting::default();
    let mut rest = selector;
    while let Some(first) = rest.chars().next() {
        let length = rewriting.take(first, rest);
        rest = &rest[length..];
    }
    let Rewriting { written, jquery, has_digit_first, is_impossible, .. } = rewriting;
    let is_readable = || read(&written, Forgiving::No).is_ok_and(|one| !one.has_pseudo_element);
    let standard = (!is_impossible && written != selector && is_readable()).then_some(written);
    Habits { jquery, has_digit_first, standard }
}

/// What to do about a pseudo-class of jQuery that has no standard form.
pub(super) fn advice(jquery: &str) -> Option<&'static str> {
    match kind_of(jquery.strip_prefix(':')?)? {
        (_, Meaning::Same(_) | Meaning::Selected) => None,
        (_, Meaning::Counts) => Some(
            "it counts all that the selector finds, which CSS cannot: `:nth-child()` and `:nth-of-type()` count among siblings, and code can choose by number",
        ),
        (_, Meaning::Reads) => Some(
            "CSS does not see text: name the element by an attribute or by its place, or find it in code",
        ),
        (_, Meaning::Looks) => Some(
            "CSS does not see this: name the element by a class or an attribute, or find it in code",
        ),
    }
}

/// What a pseudo-class of jQuery asks.
#[derive(Clone, Copy)]
enum Meaning {
    /// The same as this.
    Same(&'static str),
    /// Whether an option is selected.
    Selected,
    /// Which of all elements found it is.
    Counts,
    /// What its text is.
    Reads,
    /// How it looks, or what a script did to it.
    Looks,
}

const JQUERY: &[(&str, Meaning)] = &[
    (":animated", Meaning::Looks),
    (":button", Meaning::Same(":is(button,input[type=button])")),
    (":checkbox", Meaning::Same("[type=checkbox]")),
    (":contains", Meaning::Reads),
    (":data", Meaning::Looks),
    (":eq", Meaning::Counts),
    (":even", Meaning::Counts),
    (":file", Meaning::Same("[type=file]")),
    (":first", Meaning::Counts),
    (":focusable", Meaning::Looks),
    (":gt", Meaning::Counts),
    (":header", Meaning::Same(":is(h1,h2,h3,h4,h5,h6)")),
    (":hidden", Meaning::Looks),
    (":icontains", Meaning::Reads),
    (":image", Meaning::Same("[type=image]")),
    (":input", Meaning::Same(":is(input,select,textarea,button)")),
    (":last", Meaning::Counts),
    (":lt", Meaning::Counts),
    (":nth", Meaning::Counts),
    (":odd", Meaning::Counts),
    (":parent", Meaning::Same(":not(:empty)")),
    (":password", Meaning::Same("[type=password]")),
    (":radio", Meaning::Same("[type=radio]")),
    (":reset", Meaning::Same("[type=reset]")),
    (":selected", Meaning::Selected),
    (":submit", Meaning::Same(":is(input[type=submit],button:not([type=button],[type=reset]))")),
    (":tabbable", Meaning::Looks),
    (":text", Meaning::Same(":is(input[type=text],input:not([type]))")),
    (":visible", Meaning::Looks),
];

fn kind_of(name: &str) -> Option<(&'static str, Meaning)> {
    let known = |(known, _): &&(&'static str, Meaning)| known[1..].eq_ignore_ascii_case(name);
    JQUERY.iter().find(known).copied()
}

/// A selector in the course of being written anew.
#[derive(Default)]
struct Rewriting {
    written: String,
    /// Where the compound selector begins that is being written: the last element's own part.
    compound: usize,
    jquery: Vec<&'static str>,
    has_digit_first: bool,
    is_impossible: bool,
}

impl Rewriting {
    /// Takes the next piece of a selector, and gives its length.
    fn take(&mut self, first: char, rest: &str) -> usize {
        let after = &rest[first.len_utf8()..];
        match first {
            '\\' => self.copy(rest, 1 + after.chars().next().map_or(0, char::len_utf8)),
            '"' | '\'' => self.copy(rest, end_of_text(rest)),
            '[' => self.attribute(rest),
            ':' if after.starts_with(':') => self.copy(rest, 2),
            ':' => self.pseudo_class(rest),
            '#' | '.' => self.name(rest),
            ' ' | '\t' | '\n' | '>' | '+' | '~' | ',' | '(' => {
                self.copy(rest, 1);
                self.compound = self.written.len();
                1
            }
            _ => self.copy(rest, first.len_utf8()),
        }
    }

    fn copy(&mut self, rest: &str, length: usize) -> usize {
        self.written.push_str(&rest[..length]);
        length
    }

    fn pseudo_class(&mut self, rest: &str) -> usize {
        let name = name_at(&rest[1..]);
        let Some((jquery, meaning)) = kind_of(name) else { return self.copy(rest, 1 + name.len()) };
        self.jquery.push(jquery);
        let compound = &self.written[self.compound..];
        let standard = match meaning {
            Meaning::Same(standard) => Some(standard),
            Meaning::Selected if compound.is_empty() => Some("option:checked"),
            Meaning::Selected if compound.eq_ignore_ascii_case("option") => Some(":checked"),
            Meaning::Selected => Some(":is(option:checked)"),
            Meaning::Counts | Meaning::Reads | Meaning::Looks => None,
        };
        self.is_impossible |= standard.is_none();
        self.written.push_str(standard.unwrap_or_default());
        1 + name.len()
    }

    /// An id or a class.
    fn name(&mut self, rest: &str) -> usize {
        let name = name_at(&rest[1..]);
        let begins_with_digit = name.starts_with(|first: char| first.is_ascii_digit());
        // `.5` of `.w-1.5` belongs to the name before it.
        let is_of_number = self.written.ends_with(|last: char| last.is_ascii_digit());
        if !begins_with_digit || is_of_number {
            return self.copy(rest, 1 + name.len());
        }
        self.has_digit_first = true;
        let field = if rest.starts_with('#') { "id=" } else { "class~=" };
        self.written.extend(["[", field, "\"", name, "\"]"]);
        1 + name.len()
    }

    fn attribute(&mut self, rest: &str) -> usize {
        let Some(end) = end_of_brackets(rest) else { return self.copy(rest, rest.len()) };
        let Some((left, value)) = rest[1..end].split_once('=') else {
            return self.copy(rest, end + 1);
        };
        let (left, is_negated) = match left.strip_suffix('!') {
            Some(left) => (left, true),
            None => (left, false),
        };
        let plain = format!("[{left}={value}]");
        let quoted = || {
            let value = value.trim().replace('\\', "\\\\").replace('"', "\\\"");
            format!("[{left}=\"{value}\"]")
        };
        let needs_quotes = read(&plain, Forgiving::No).is_err() && !value.contains(['"', '\'']);
        let plain = if needs_quotes { quoted() } else { plain };
        if is_negated {
            self.jquery.push("!=");
            self.written.extend([":not(", &plain, ")"]);
        } else {
            self.written.push_str(&plain);
        }
        end + 1
    }
}

/// The characters of a name at the begin of a text.
fn name_at(text: &str) -> &str {
    let ends = |character: char| {
        character.is_ascii() && !matches!(character, '-' | '_' | 'a'..='z' | 'A'..='Z' | '0'..='9')
    };
    text.find(ends).map_or(text, |end| &text[..end])
}

/// The length of the text in quotes that `rest` begins with.
fn end_of_text(rest: &str) -> usize {
    let mut characters = rest.char_indices();
    let quote = characters.next().map(|(_, quote)| quote);
    while let Some((at, character)) = characters.next() {
        if Some(character) == quote {
            return at + 1;
        }
        if character == '\\' {
            characters.next();
        }
    }
    rest.len()
}

/// Where the bracket is that closes the one that `rest` begins with.
fn end_of_brackets(rest: &str) -> Option<usize> {
    let mut at = 1;
    loop {
        at += rest[at..].find([']', '"', '\''])?;
        if rest[at..].starts_with(']') {
            return Some(at);
        }
        at += end_of_text(&rest[at..]);
    }
}
