//! The tree of a document: plain values, each with the mark at which it starts, independent of YAML and JSON.
//!
//! `builder.rs` builds it for `yaml.rs` and `json.rs`, `value.rs` from values in memory, whose texts it borrows; `reader.rs` and
//! `fields.rs` read it.

use std::borrow::Cow;

use serde_json::{Number, Value};

use crate::Pointer;

/// The last whole number that an `f64` tells from the next one.
const LAST_EXACT: f64 = 9_007_199_254_740_991.0;

/// A place in the text: line and column, each from 1, columns in code points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Mark {
    pub(super) line: u32,
    pub(super) column: u32,
}

impl Mark {
    /// Where every text starts.
    pub(super) const START: Self = Self { line: 1, column: 1 };
}

/// A value and where it starts.
#[derive(Debug, Clone)]
pub(super) struct Node<'t> {
    pub(super) mark: Mark,
    pub(super) shape: Shape<'t>,
}

/// What a value is.
#[derive(Debug, Clone)]
pub(super) enum Shape<'t> {
    Null,
    Bool(bool),
    Number(Number),
    Text(Cow<'t, str>, Style),
    List(Vec<Node<'t>>),
    Object(Vec<Entry<'t>>),
}

/// A field of an object; `mark` is where its name starts.
#[derive(Debug, Clone)]
pub(super) struct Entry<'t> {
    pub(super) name: Cow<'t, str>,
    pub(super) mark: Mark,
    pub(super) node: Node<'t>,
}

/// Where a value of a tree is in memory: each value of a tree has another address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Address(usize);

/// How a text is written, which decides where its second character stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    Plain,
    SingleQuoted,
    DoubleQuoted,
    Literal,
    Folded,
}

impl<'t> Node<'t> {
    /// The field called `name`, if this is an object that has it.
    pub(super) fn field(&self, name: &str) -> Option<&Node<'t>> {
        let Shape::Object(entries) = &self.shape else { return None };
        entries.iter().find(|entry| entry.name == name).map(|entry| &entry.node)
    }

    /// The text, if this is one.
    pub(super) fn text(&self) -> Option<&str> {
        let Shape::Text(text, _) = &self.shape else { return None };
        Some(text)
    }

    /// The number, if this is one without sign and fraction. JSON Schema takes `1000.0` for a whole number, too, and some languages write
    /// no other ones.
    pub(super) fn whole_number(&self) -> Option<u64> {
        let Shape::Number(number) = &self.shape else { return None };
        number.as_u64().or_else(|| {
            let number = number.as_f64().filter(|number| number.fract() == 0.0)?;
            let is_exact = (0.0..=LAST_EXACT).contains(&number);
            is_exact.then(|| format!("{:.0}", number.abs()).parse().ok()).flatten()
        })
    }

    /// The number or text, as a text.
    pub(super) fn number_or_text(&self) -> Option<Cow<'_, str>> {
        let Shape::Number(number) = &self.shape else { return self.text().map(Cow::Borrowed) };
        Some(number.to_string().into())
    }

    /// Identifies this value, as long as the tree does not move.
    pub(super) fn address(&self) -> Address {
        Address(std::ptr::from_ref(self).addr())
    }

    /// Whether this is an object.
    pub(super) fn is_object(&self) -> bool {
        matches!(self.shape, Shape::Object(_))
    }

    /// Whether this is null, which counts as left out.
    pub(super) fn is_null(&self) -> bool {
        matches!(self.shape, Shape::Null)
    }

    /// The value that `pointer` leads to from this one.
    pub(super) fn at(&self, pointer: &Pointer) -> Option<&Node<'t>> {
        pointer.tokens().try_fold(self, |node, token| {
            let Shape::List(elements) = &node.shape else { return node.field(&token) };
            elements.get(token.parse::<usize>().ok()?)
        })
    }

    /// The name of this sort of value in messages.
    pub(super) fn sort(&self) -> &'static str {
        match self.shape {
            Shape::Null => "nothing",
            Shape::Bool(_) => "a boolean",
            Shape::Number(_) => "a number",
            Shape::Text(..) => "a text",
            Shape::List(_) => "a list",
            Shape::Object(_) => "an object",
        }
    }

    /// The same value without its marks.
    pub(super) fn to_value(&self) -> Value {
        match &self.shape {
            Shape::Null => Value::Null,
            Shape::Bool(truth) => Value::Bool(*truth),
            Shape::Number(number) => Value::Number(number.clone()),
            Shape::Text(text, _) => Value::String(text.as_ref().to_owned()),
            Shape::List(elements) => elements.iter().map(Self::to_value).collect(),
            Shape::Object(entries) => entries
                .iter()
                .map(|entry| (entry.name.as_ref().to_owned(), entry.node.to_value()))
                .collect(),
        }
    }
}
