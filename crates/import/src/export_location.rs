//! The location of a value in the export, and the value itself.

use std::fmt;
use std::rc::Rc;

use domain::Pointer;
use serde::Serialize;
use serde_json::Value;

/// The location of a value in the export.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct ExportLocation {
    /// The file's name, as it was given.
    #[serde(serialize_with = "as_text")]
    pub file: Rc<str>,
    /// The value in the file.
    pub pointer: Pointer,
}

fn as_text<S: serde::Serializer>(file: &Rc<str>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(file)
}

impl fmt::Display for ExportLocation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.pointer.path();
        if path.is_empty() {
            return formatter.write_str(&self.file);
        }
        write!(formatter, "{}: {path}", self.file)
    }
}

/// A value of the export, and where it stands.
#[derive(Debug, Clone)]
pub(crate) struct At<'e> {
    pub(crate) value: &'e Value,
    pub(crate) location: ExportLocation,
}

impl<'e> At<'e> {
    /// The value of a field. A field without a value counts as one that is not there.
    pub(crate) fn field(&self, name: &str) -> Option<At<'e>> {
        let value = self.value.get(name).filter(|value| !value.is_null())?;
        Some(At { value, location: self.location.field(name) })
    }

    /// The elements of a list; a single value counts as a list of one.
    pub(crate) fn elements(&self) -> Vec<At<'e>> {
        match self.value.as_array() {
            Some(elements) => {
                let at = |(index, value)| At { value, location: self.location.element(index) };
                elements.iter().enumerate().map(at).collect()
            }
            None => vec![self.clone()],
        }
    }

    /// The elements of the list in a field; none where there is no such field.
    pub(crate) fn list(&self, name: &str) -> Vec<At<'e>> {
        self.field(name).map(|at| at.elements()).unwrap_or_default()
    }
}

impl ExportLocation {
    pub(crate) fn field(&self, name: &str) -> Self {
        Self { file: Rc::clone(&self.file), pointer: self.pointer.field(name) }
    }

    pub(crate) fn element(&self, index: usize) -> Self {
        Self { file: Rc::clone(&self.file), pointer: self.pointer.element(index) }
    }
}
