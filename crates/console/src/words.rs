//! Words for a page: names of resources, and sentences that quote names in backticks, as the rules and the command line write them.

use domain::{Fault, TextPosition};
use serde_json::Value;

/// A part of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Part<'t> {
    pub(crate) text: &'t str,
    /// Whether it stood in backticks.
    pub(crate) is_quoted: bool,
}

/// The parts of a sentence, in its order, none of them empty. A backtick that is never closed stays where it is.
pub(crate) fn parts(sentence: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut rest = sentence;
    while let Some((before, after)) = rest.split_once('`') {
        let Some((quoted, behind)) = after.split_once('`') else { break };
        parts.push(Part { text: before, is_quoted: false });
        parts.push(Part { text: quoted, is_quoted: true });
        rest = behind;
    }
    parts.push(Part { text: rest, is_quoted: false });
    parts.retain(|part| !part.text.is_empty());
    parts
}

/// What is wrong and what was expected, as a sentence.
pub(crate) fn fault_words(fault: &Fault) -> String {
    let expected = fault.expected.as_ref().map(|expected| format!(", expected {expected}"));
    let told = sentence(&format!("{}{}", fault.message, expected.unwrap_or_default()));
    match fault.inside {
        Some(TextPosition { line, column }) => format!("Line {line}, column {column}: {told}"),
        None => told,
    }
}

/// The same, and what to do about it.
pub(crate) fn fault_with_hint(fault: &Fault) -> String {
    let told = fault_words(fault);
    match &fault.hint {
        Some(hint) => format!("{told} {}", sentence(hint)),
        None => told,
    }
}

/// The name of a campaign, an experiment or a variation in a document.
pub(crate) fn title(resource: &Value) -> String {
    let named = [&resource["name"], &resource["key"]];
    named.into_iter().find_map(Value::as_str).unwrap_or_default().to_owned()
}

/// A campaign's status as a person says it.
pub(crate) fn status_words(status: &str) -> String {
    status.replace('_', " ")
}

/// A campaign's type as a person says it.
pub(crate) fn kind_words(kind: &str) -> &str {
    if kind == "ab_test" { "A/B test" } else { kind }
}

/// A sentence with its capital and its full stop.
pub(crate) fn sentence(words: &str) -> String {
    let mut characters = words.chars();
    let first = characters.next().into_iter().flat_map(char::to_uppercase);
    let end = if words.ends_with(['.', '?', '!']) { "" } else { "." };
    first.chain(characters).chain(end.chars()).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{parts, sentence};

    proptest! {
        #[test]
        fn a_sentence_is_its_parts(sentence in "[ab ]{0,4}(`[ab]{1,3}`[ab ]{0,3}){0,3}`?") {
            let parts = parts(&sentence);

            let written = parts.iter().map(|part| {
                if part.is_quoted { format!("`{}`", part.text) } else { part.text.to_owned() }
            });
            prop_assert_eq!(written.collect::<String>(), sentence.as_str());
            prop_assert!(parts.iter().all(|part| !part.text.is_empty()));
        }
    }

    #[test]
    fn what_stands_in_backticks_is_quoted() {
        let told = |sentence: &str| {
            let parts = parts(sentence).into_iter();
            parts.map(|part| (part.text.to_owned(), part.is_quoted)).collect::<Vec<_>>()
        };
        let part = |text: &str, is_quoted| (text.to_owned(), is_quoted);

        assert_eq!(
            told("page `home` is active"),
            [part("page ", false), part("home", true), part(" is active", false)]
        );
        assert_eq!(told("`a`"), [part("a", true)]);
        assert_eq!(told("a ` b"), [part("a ` b", false)]);
        assert_eq!(told(""), []);
    }

    #[test]
    fn a_sentence_has_a_capital_and_an_end() {
        assert_eq!(sentence("there is no page `hoem`"), "There is no page `hoem`.");
        assert_eq!(sentence("did you mean `home`?"), "Did you mean `home`?");
        assert_eq!(sentence(""), ".");
    }
}
