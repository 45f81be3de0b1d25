//! The text of a visit that a program wrote as JSON, and where in it something stands.

use decide::Visit;
use domain::{Fault, Place, Pointer};
use serde_json::error::Category;
use serde_json::{Error, Value};
use serde_path_to_error::{Path, Segment};

/// Longest visit in bytes: browsers send cookies and addresses of a few kilobytes each, and a visitor who remembers a thousand
/// variations needs thirty more.
pub const VISIT_BYTES_AT_MOST: usize = 64 * 1024;

/// A visit as JSON, and where it comes from.
#[derive(Debug, Clone, Copy)]
pub struct VisitText<'t> {
    /// What faults call the file that it is in.
    pub file: &'t str,
    /// The line of that file in which it begins, from 1.
    pub line: u32,
    /// The JSON.
    pub text: &'t str,
}

impl VisitText<'_> {
    /// The visit, or the first fault.
    pub(super) fn read(self) -> Result<Visit, Box<Fault>> {
        let mut reader = serde_json::Deserializer::from_str(self.text);
        let visit = serde_path_to_error::deserialize(&mut reader).map_err(|refused| {
            let place = self.place_of_error(&refused);
            fault(&refused).at(place)
        })?;
        reader.end().map_err(|error| {
            let place = self.place(error.line(), error.column());
            unreadable(&error).at(place)
        })?;
        Ok(visit)
    }

    /// Where a name is written in a field; where the field begins if it is not there.
    pub(super) fn place_of(self, field: &str, name: &str) -> Option<Place> {
        let field = self.text.find(&quoted(field)).unwrap_or_default();
        let found = self.text[field..].find(&quoted(name)).map_or(field, |found| field + found);
        let before = &self.text[..found];
        let line_start = before.rfind('\n').map_or(0, |line_end| line_end + 1);
        self.place(before.matches('\n').count() + 1, found - line_start + 1)
    }

    fn place_of_error(self, refused: &Refused) -> Option<Place> {
        let error = refused.inner();
        if error.is_data() {
            return self.place_of_value(&pointer_to(refused.path()));
        }
        // Both count from 1; 0 stands for a text that has not even begun.
        self.place(error.line().max(1), error.column().max(1))
    }

    fn place_of_value(self, pointer: &Pointer) -> Option<Place> {
        let mut names = pointer.tokens();
        match (names.next(), names.next()) {
            (Some(field), Some(name)) => self.place_of(&field, &name),
            (Some(field), None) => self.place_of(&field, &field),
            (None, _) => self.place(1, 1),
        }
    }

    /// The place of a byte, given its line and column from 1. People count characters.
    fn place(self, line: usize, column: usize) -> Option<Place> {
        let written = self.text.lines().nth(line - 1).unwrap_or_default().as_bytes();
        let before = &written[..written.len().min(column - 1)];
        let characters = String::from_utf8_lossy(before).chars().count();
        Some(Place {
            file: self.file.to_owned(),
            line: self.line + u32::try_from(line - 1).ok()?,
            column: u32::try_from(characters + 1).ok()?,
        })
    }
}

/// The visit that a value stands for, or the first fault.
pub(super) fn visit_of(value: Value) -> Result<Visit, Box<Fault>> {
    serde_path_to_error::deserialize(value).map_err(|refused| fault(&refused).into())
}

fn quoted(name: &str) -> String {
    Value::from(name).to_string()
}

/// What serde refuses, and where that stands.
type Refused = serde_path_to_error::Error<Error>;

fn fault(refused: &Refused) -> Fault {
    match refused.inner().classify() {
        Category::Data => unsuitable(pointer_to(refused.path()), &words(refused.inner())),
        Category::Syntax | Category::Eof | Category::Io => unreadable(refused.inner()),
    }
}

fn unreadable(error: &Error) -> Fault {
    let message = format!("not readable as JSON: {}", words(error));
    Fault::error("unreadable", Pointer::root(), message)
}

fn unsuitable(pointer: Pointer, message: &str) -> Fault {
    let fault = Fault::error("unsuitable", pointer, message);
    let mut names = message.split('`').skip(1).step_by(2);
    match names.next().filter(|_| message.starts_with("unknown field")) {
        Some(given) => fault.did_you_mean(given, names),
        None => fault,
    }
}

fn pointer_to(path: &Path) -> Pointer {
    path.iter().fold(Pointer::root(), |pointer, segment| match segment {
        Segment::Seq { index } => pointer.element(*index),
        Segment::Map { key } | Segment::Enum { variant: key } => pointer.field(key),
        Segment::Unknown => pointer,
    })
}

/// How serde calls what it expects, and how we do.
const EXPECTED: [(&str, &str); 4] = [
    ("a boolean", "`true` or `false`"),
    ("a string", "a text"),
    ("a sequence", "a list"),
    ("u32", "a whole number from 0"),
];

/// What serde says without the place, which we tell in our own way.
fn words(error: &Error) -> String {
    let text = error.to_string();
    let words = text.rsplit_once(" at line ").map_or(text.as_str(), |(words, _)| words);
    let ours = EXPECTED.iter().find_map(|(theirs, ours)| {
        let found = words.strip_suffix(theirs)?;
        found.ends_with("expected ").then(|| format!("{found}{ours}"))
    });
    ours.unwrap_or_else(|| words.to_owned())
}
