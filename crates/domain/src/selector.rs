//! Selectors: what is wrong with those that would fail in every browser, and what would be right.

mod grammar;
mod habits;
mod names;

use cssparser::{BasicParseErrorKind, ParseErrorKind};
use selectors::parser::SelectorParseErrorKind as Kind;

use crate::document::nearest;
use grammar::{Forgiving, MAX_DEPTH, Unreadable, read};
use habits::{Habits, advice, habits};

/// What is wrong with a selector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelectorFinding {
    /// A stable word for programs: `unparsable_selector`.
    pub code: &'static str,
    /// What is wrong, in lower case and without a full stop.
    pub message: String,
    /// What to do about it, if we know.
    pub hint: Option<String>,
}

impl SelectorFinding {
    /// Whether every browser refuses the selector, so that nothing can come of it.
    #[must_use]
    pub fn is_refused_by_browsers(&self) -> bool {
        [UNPARSABLE, OF_JQUERY].contains(&self.code)
    }
}

const UNPARSABLE: &str = "unparsable_selector";
const OF_JQUERY: &str = "jquery_selector";

/// What is wrong with a selector, if browsers would not do with it what its author means.
#[must_use]
pub fn examine_selector(selector: &str) -> Option<SelectorFinding> {
    let finding = |code, message, hint| Some(SelectorFinding { code, message, hint });
    let unreadable = match read(selector, Forgiving::No) {
        Ok(readable) if readable.has_pseudo_element => {
            let message =
                "a pseudo-element is not an element of the page, so its selector finds nothing";
            let hint = "name the element itself; a change of type `css` can style a pseudo-element";
            return finding("pseudo_element", message.to_owned(), Some(hint.to_owned()));
        }
        Ok(_) => return None,
        Err(unreadable) => unreadable,
    };
    if unreadable.is_too_deep() {
        let message = format!(
            "more than {MAX_DEPTH} parentheses are inside one another: that is not checked"
        );
        return finding("deep_selector", message, None);
    }
    let habits = habits(selector);
    let (reason, hint) = (reason(selector, &unreadable, &habits), hint(&unreadable, &habits));
    if read(selector, Forgiving::Yes).is_ok() {
        let message = format!("browsers pass over a part of `:is()` or `:where()`: {reason}");
        return finding("ignored_selector", message, hint);
    }
    let code = if habits.jquery.is_empty() { UNPARSABLE } else { OF_JQUERY };
    finding(code, format!("no browser reads this selector: {reason}"), hint)
}

/// The selector that browsers read and that does what this one does in jQuery, if browsers do not read this one.
#[must_use]
pub fn standard_selector(selector: &str) -> Option<String> {
    read(selector, Forgiving::No).err().and_then(|_| habits(selector).standard)
}

fn reason(selector: &str, unreadable: &Unreadable, habits: &Habits) -> String {
    let without_standard = habits.jquery.iter().find(|name| advice(name).is_some());
    if let Some(name) = without_standard.or(habits.jquery.first()) {
        return format!("only jQuery knows `{name}`");
    }
    if let Some(name) = &unreadable.unknown {
        return format!("`{name}` is unknown");
    }
    match &unreadable.kind {
        _ if selector.starts_with('/') => "it is an XPath, not a CSS selector",
        _ if habits.has_digit_first => "an id or a class begins with a digit",
        ParseErrorKind::Basic(BasicParseErrorKind::EndOfInput) => "it ends too early",
        ParseErrorKind::Basic(_) => "a character stands where it cannot",
        ParseErrorKind::Custom(kind) => reason_in_grammar(kind),
    }
    .to_owned()
}

fn reason_in_grammar(kind: &Kind) -> &'static str {
    match kind {
        Kind::EmptySelector => "a selector is missing, at its begin or end or beside a comma",
        Kind::DanglingCombinator => "it ends with a combinator such as `>`",
        Kind::ClassNeedsIdent => "what follows the `.` is not a class",
        Kind::BadValueInAttr => "the value of an attribute lacks quotes",
        Kind::NoQualifiedNameInAttributeSelector
        | Kind::UnexpectedTokenInAttributeSelector
        | Kind::ExpectedBarInAttr
        | Kind::InvalidQualNameInAttr => "what stands in the brackets is not about an attribute",
        Kind::ExpectedNamespace | Kind::ExplicitNamespaceUnexpectedToken => {
            "it has a namespace, of which pages know `*|` alone"
        }
        Kind::NonPseudoElementAfterSlotted
        | Kind::InvalidPseudoElementAfterSlotted
        | Kind::InvalidPseudoElementInsideWhere
        | Kind::InvalidState => "a pseudo-class or pseudo-element stands where it cannot",
        Kind::PseudoElementExpectedColon
        | Kind::PseudoElementExpectedIdent
        | Kind::NoIdentForPseudo => "what follows the `:` is not a name",
        Kind::NonCompoundSelector
        | Kind::UnsupportedPseudoClassOrElement
        | Kind::UnexpectedIdent => "a name stands where it cannot",
    }
}

fn hint(unreadable: &Unreadable, habits: &Habits) -> Option<String> {
    if let Some(standard) = &habits.standard {
        return Some(format!("write `{standard}`"));
    }
    if let Some(advice) = habits.jquery.iter().find_map(|name| advice(name)) {
        return Some(advice.to_owned());
    }
    let Some(unknown) = &unreadable.unknown else {
        let is_of_name =
            unreadable.kind == ParseErrorKind::Basic(BasicParseErrorKind::UnexpectedToken);
        return is_of_name
            .then(|| "write `\\` before a character that belongs to a name".to_owned());
    };
    let class = unknown.strip_prefix(':')?;
    if class.starts_with(':') {
        return None;
    }
    Some(match nearest(class, names::classes()) {
        Some(name) => format!("did you mean `:{name}`?"),
        None => "write `\\:` for a colon that belongs to a name".to_owned(),
    })
}
