//! What is wrong with the form that sets up a server or starts a project.

/// A field of the form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetUpField {
    /// The e-mail address.
    Email,
    /// The password.
    Password,
    /// The project's name.
    Name,
    /// The project's key.
    Key,
    /// The site's address.
    Site,
}

/// What is wrong with a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetUpFault {
    /// The field.
    pub field: SetUpField,
    /// The fault, in lower case.
    pub message: String,
    /// What to do about it, if we know.
    pub hint: Option<String>,
}

impl SetUpFault {
    pub(super) fn new(field: SetUpField, message: impl Into<String>) -> Self {
        Self { field, message: message.into(), hint: None }
    }
}
