//! A field of a form with its label, its hint and what is wrong with it. Its name is its pointer, and so is its id in the page.

use std::collections::BTreeSet;

use askama::Template;
use askama::filters::HtmlSafe;

use crate::folded::Folded;

/// A field, ready to be shown.
#[derive(Template)]
#[template(path = "edit/field.html")]
pub(crate) struct Field {
    pub(super) at: String,
    pub(super) label: String,
    pub(super) hint: &'static str,
    pub(super) value: String,
    pub(super) control: Control,
    pub(super) errors: Vec<String>,
    pub(super) has_focus: bool,
    /// The lines of its text in which something is wrong.
    pub(super) wrong_lines: Vec<u32>,
    pub(super) text: Text,
}

/// The template escapes what it shows.
impl HtmlSafe for Field {}

/// What stands in a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Text {
    /// Sentences for other members.
    Prose,
    /// What is shown or meant as it stands.
    Words,
    Code,
    Javascript,
}

/// How a member fills in a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Control {
    /// A line, with what a phone's keyboard shows for it.
    Line(&'static str),
    /// An area with this many lines.
    Area(usize),
    /// A box to check.
    Box,
    /// One of these.
    Select(Vec<Choice>),
    /// Some of these.
    Boxes(Folded<Choice>),
}

/// One of the values that a field may have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) value: String,
    pub(crate) words: String,
    pub(crate) is_chosen: bool,
}

impl Choice {
    pub(crate) fn new(value: impl Into<String>, words: impl Into<String>) -> Self {
        Self { value: value.into(), words: words.into(), is_chosen: false }
    }

    /// Marks the values of a field, and adds those that are not among the choices: a form must not lose what it does not know.
    pub(crate) fn chosen(mut choices: Vec<Self>, mut values: BTreeSet<&str>) -> Vec<Self> {
        for choice in &mut choices {
            choice.is_chosen = values.remove(choice.value.as_str());
        }
        let unknown = values.into_iter().map(|value| {
            let words = if value.is_empty() { "Choose…" } else { value };
            Self { is_chosen: true, ..Self::new(value, words) }
        });
        unknown.chain(choices).collect()
    }
}

impl Field {
    /// The same field, for sentences: browsers check the spelling.
    pub(crate) fn prose(self) -> Self {
        Self { text: Text::Prose, ..self }
    }

    /// The same field, for code: `assets/code_field.js` numbers its lines.
    pub(crate) fn code(self) -> Self {
        Self { text: Text::Code, ..self }
    }

    /// The same field, for the body of a JavaScript function, which is checked while a member writes it, too.
    pub(crate) fn javascript(self) -> Self {
        Self { text: Text::Javascript, ..self }
    }

    /// Whether it takes the whole width.
    fn is_wide(&self) -> bool {
        matches!(self.control, Control::Area(_) | Control::Boxes(_))
    }
}

/// Fields that few members need: they are out of sight, unless one of them says something.
#[derive(Template)]
#[template(path = "edit/further.html")]
pub(crate) struct Further {
    fields: Vec<Field>,
}

/// The template escapes what it shows.
impl HtmlSafe for Further {}

impl Further {
    pub(crate) fn of(fields: Vec<Field>) -> Self {
        Self { fields }
    }

    pub(crate) fn is_open(&self) -> bool {
        self.fields.iter().any(|field| {
            let is_filled = !matches!(field.value.as_str(), "" | "false");
            is_filled || field.has_focus || !field.errors.is_empty()
        })
    }
}

/// What is wrong with a part of a form that is no field itself, such as a list.
#[derive(Template)]
#[template(path = "edit/part_errors.html")]
pub(crate) struct PartErrors {
    pub(super) errors: Vec<String>,
}

/// The template escapes what it shows.
impl HtmlSafe for PartErrors {}
