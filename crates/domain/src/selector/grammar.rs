//! The grammar of selectors, as Servo's parser reads it, with the names of `names.rs` that browsers know beyond it. A selector is
//! only read, never matched, so nothing is kept of what it names.

use std::cell::RefCell;
use std::fmt;

use cssparser::{BasicParseErrorKind, ParseError, ParseErrorKind, Parser as Tokens, ToCss};
use precomputed_hash::PrecomputedHash;
use selectors::parser::{
    NonTSPseudoClass, ParseRelative, Parser, PseudoElement, SelectorImpl, SelectorList,
    SelectorParseErrorKind as Kind,
};

use super::names::{
    is_class, is_class_of_user, is_element, is_element_with_arguments, is_vendors_any,
};

type Read<T> = Result<T, ParseError<Kind>>;

/// Nested parentheses that are read, for each of which the parser calls itself.
pub(super) const MAX_DEPTH: u8 = 32;

/// What a selector that browsers read says.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Readable {
    /// Whether some of its selectors are for a pseudo-element.
    pub(super) has_pseudo_element: bool,
}

/// Why browsers do not read a selector.
#[derive(Debug, PartialEq)]
pub(super) struct Unreadable {
    pub(super) kind: ParseErrorKind<Kind>,
    /// The name of a pseudo-class or pseudo-element that no browser knows, with its colons.
    pub(super) unknown: Option<String>,
}

/// What to do with selectors inside `:is()` and `:where()` that browsers do not read. They pass over them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Forgiving {
    /// As browsers do.
    Yes,
    /// The whole selector is not read.
    No,
}

pub(super) fn read(selector: &str, forgiving: Forgiving) -> Result<Readable, Unreadable> {
    let grammar = Grammar { forgiving, unknown: RefCell::default() };
    let mut tokens = Tokens::new(selector);
    tokens.set_nested_block_limit(MAX_DEPTH);
    match SelectorList::parse(&grammar, &mut tokens, ParseRelative::No) {
        Ok(list) => Ok(Readable {
            has_pseudo_element: list
                .slice()
                .iter()
                .any(|one| one.has_pseudo_element() || one.is_part() || one.is_slotted()),
        }),
        Err(ParseError { kind }) => Err(Unreadable { kind, unknown: grammar.unknown.into_inner() }),
    }
}

impl Unreadable {
    pub(super) fn is_too_deep(&self) -> bool {
        self.kind == ParseErrorKind::Basic(BasicParseErrorKind::TooManyNestedBlocks)
    }
}

struct Grammar {
    forgiving: Forgiving,
    unknown: RefCell<Option<String>>,
}

impl Grammar {
    fn unknown<T>(&self, name: String) -> Read<T> {
        self.unknown.replace(Some(name));
        Err(ParseError::custom(Kind::UnsupportedPseudoClassOrElement))
    }
}

impl<'i> Parser<'i> for Grammar {
    type Impl = Names;
    type Error = Kind;

    fn parse_slotted(&self) -> bool {
        true
    }

    fn parse_part(&self) -> bool {
        true
    }

    fn parse_nth_child_of(&self) -> bool {
        true
    }

    fn parse_is_and_where(&self) -> bool {
        true
    }

    fn parse_has(&self) -> bool {
        true
    }

    fn parse_parent_selector(&self) -> bool {
        true
    }

    fn parse_host(&self) -> bool {
        true
    }

    fn is_is_alias(&self, name: &str) -> bool {
        is_vendors_any(name)
    }

    fn allow_forgiving_selectors(&self) -> bool {
        self.forgiving == Forgiving::Yes
    }

    fn parse_non_ts_pseudo_class(&self, name: &str) -> Read<Class> {
        if is_class(name) {
            return Ok(Class { is_of_user: is_class_of_user(name) });
        }
        self.unknown(format!(":{name}"))
    }

    fn parse_non_ts_functional_pseudo_class(
        &self,
        name: &str,
        arguments: &mut Tokens<'i>,
        _: bool,
    ) -> Read<Class> {
        match name.to_ascii_lowercase().as_str() {
            "lang" => {
                arguments
                    .parse_comma_separated(|one| Ok(one.expect_ident_or_string().map(drop)?))?;
            }
            "dir" | "state" => arguments.expect_ident().map(drop)?,
            "heading" => drop(arguments.parse_comma_separated(|one| Ok(one.expect_integer()?))?),
            "active-view-transition-type" => {
                arguments.parse_comma_separated(|one| Ok(one.expect_ident().map(drop)?))?;
            }
            "host-context" | "current" => skip_all(arguments),
            _ => return self.unknown(format!(":{name}()")),
        }
        Ok(Class { is_of_user: false })
    }

    fn parse_pseudo_element(&self, name: &str) -> Read<Element> {
        if is_element(name) {
            return Ok(Element::of(name));
        }
        self.unknown(format!("::{name}"))
    }

    fn parse_functional_pseudo_element(
        &self,
        name: &str,
        arguments: &mut Tokens<'i>,
    ) -> Read<Element> {
        if !is_element_with_arguments(name) {
            return self.unknown(format!("::{name}()"));
        }
        arguments.next()?;
        skip_all(arguments);
        Ok(Element::of(name))
    }
}

fn skip_all(tokens: &mut Tokens<'_>) {
    while tokens.next().is_ok() {}
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Names;

impl SelectorImpl for Names {
    type ExtraMatchingData<'a> = ();
    type AttrValue = Name;
    type Identifier = Name;
    type LocalName = Name;
    type NamespaceUrl = Name;
    type NamespacePrefix = Name;
    type BorrowedNamespaceUrl = Name;
    type BorrowedLocalName = Name;
    type NonTSPseudoClass = Class;
    type PseudoElement = Element;
}

/// A name that was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Name;

impl From<&str> for Name {
    fn from(_: &str) -> Self {
        Self
    }
}

impl ToCss for Name {
    fn to_css<W: fmt::Write>(&self, _: &mut W) -> fmt::Result {
        Ok(())
    }
}

impl PrecomputedHash for Name {
    fn precomputed_hash(&self) -> u32 {
        0
    }
}

/// A pseudo-class.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Class {
    /// Whether it says what the visitor is doing.
    is_of_user: bool,
}

impl ToCss for Class {
    fn to_css<W: fmt::Write>(&self, _: &mut W) -> fmt::Result {
        Ok(())
    }
}

impl NonTSPseudoClass for Class {
    fn is_active_or_hover(&self) -> bool {
        self.is_of_user
    }

    fn is_user_action_state(&self) -> bool {
        self.is_of_user
    }
}

/// A pseudo-element.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Element {
    is_before_or_after: bool,
    is_marker: bool,
    /// Whether it is one of a vendor's, which may be followed by pseudo-classes.
    is_vendors: bool,
}

impl Element {
    fn of(name: &str) -> Self {
        let is = |known: &str| name.eq_ignore_ascii_case(known);
        Self {
            is_before_or_after: is("before") || is("after"),
            is_marker: is("marker"),
            is_vendors: name.starts_with('-') || is("file-selector-button"),
        }
    }
}

impl ToCss for Element {
    fn to_css<W: fmt::Write>(&self, _: &mut W) -> fmt::Result {
        Ok(())
    }
}

impl PseudoElement for Element {
    fn accepts_state_pseudo_classes(&self) -> bool {
        self.is_vendors
    }

    fn valid_after_slotted(&self) -> bool {
        true
    }

    fn valid_after_before_or_after(&self) -> bool {
        self.is_marker
    }

    fn is_before_or_after(&self) -> bool {
        self.is_before_or_after
    }
}
