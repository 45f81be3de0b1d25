//! Faults: what is wrong with a document, where, and what would be right.

use std::fmt;

use serde::Serialize;

use crate::Pointer;
use crate::document::nearest;

/// One thing that is wrong with a document. Its `Display` is the line that the author sees.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// Whether the document is refused because of it.
    pub severity: Severity,
    /// A stable word for programs: `unknown_field`, `weights_above_total`.
    pub code: &'static str,
    /// The value that is wrong.
    pub pointer: Pointer,
    /// Where it stands in a file; `None` when the document did not come from one.
    pub place: Option<SourceLocation>,
    /// Where it stands in the text of the value, if the value is code or a regular expression.
    pub inside: Option<TextPosition>,
    /// What is wrong, in lower case and without a full stop.
    pub message: String,
    /// What would be right.
    pub expected: Option<String>,
    /// What to do about it, if we know.
    pub hint: Option<String>,
    /// The field that the value at `pointer` lacks, if one field is missing: a form shows the fault there. Programs get it in the message.
    #[serde(skip)]
    pub missing: Option<&'static str>,
}

/// Whether a fault makes a document unusable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The document is refused.
    Error,
    /// The document works, but perhaps not as the author meant.
    Warning,
}

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct SourceLocation {
    /// The file's name, as the caller gave it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column in code points, from 1.
    pub column: u32,
}

/// A place in the text of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct TextPosition {
    /// The line, from 1.
    pub line: u32,
    /// The column in code points, from 1.
    pub column: u32,
}

impl Fault {
    /// An error about the value at `pointer`.
    #[must_use]
    pub fn error(code: &'static str, pointer: Pointer, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            code,
            pointer,
            place: None,
            inside: None,
            message: message.into(),
            expected: None,
            hint: None,
            missing: None,
        }
    }

    /// An error about the object at `pointer`, which lacks this field.
    #[must_use]
    pub fn missing(pointer: Pointer, field: &'static str, message: impl Into<String>) -> Self {
        Self { missing: Some(field), ..Self::error("missing_field", pointer, message) }
    }

    /// A warning about the value at `pointer`.
    #[must_use]
    pub fn warning(code: &'static str, pointer: Pointer, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(code, pointer, message) }
    }

    /// The same fault, with what would be right.
    #[must_use]
    pub fn expected(mut self, expected: impl Into<String>) -> Self {
        self.expected = Some(expected.into());
        self
    }

    /// The same fault, with what to do about it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same fault, with the known name nearest to the given one as its hint, if the author may have meant it.
    #[must_use]
    pub fn did_you_mean<'k>(self, given: &str, known: impl IntoIterator<Item = &'k str>) -> Self {
        match nearest(given, known) {
            Some(name) => self.hint(format!("did you mean `{name}`?")),
            None => self,
        }
    }

    /// The same fault, at a place in a file.
    #[must_use]
    pub fn at(mut self, place: Option<SourceLocation>) -> Self {
        self.place = place;
        self
    }

    /// The same fault, at a place in the text of its value.
    #[must_use]
    pub fn inside(mut self, inside: TextPosition) -> Self {
        self.inside = Some(inside);
        self
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(formatter, "{place}: ")?;
        }
        write!(formatter, "{}: ", self.severity)?;
        let path = self.pointer.path();
        if !path.is_empty() {
            write!(formatter, "{path}: ")?;
        }
        formatter.write_str(&self.message)?;
        if let Some(expected) = &self.expected {
            write!(formatter, ", expected {expected}")?;
        }
        if let (None, Some(inside)) = (&self.place, self.inside) {
            write!(formatter, ", in {inside}")?;
        }
        match &self.hint {
            Some(hint) => write!(formatter, "\n  hint: {hint}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Error => "error",
            Self::Warning => "warning",
        })
    }
}

impl fmt::Display for TextPosition {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "line {}, column {}", self.line, self.column)
    }
}

impl fmt::Display for SourceLocation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}:{}", self.file, self.line, self.column)
    }
}
