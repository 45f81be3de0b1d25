//! Why something was refused, as stories ask for it.

use app::drafts::{EditError, ReadError};
use app::projects::CreateProjectError;
use app::resources::ActionError;
use app::revisions::PublishDraftError;
use app::roles::RoleError;
use domain::Fault;
use serde_json::Value;
use storage::{Role, StorageError};

/// What a story tells apart. Words are asked for by [`Refusal::says`], places by [`Refusal::places`].
#[derive(Debug)]
pub(crate) enum Refusal {
    UnknownProject,
    NotFound,
    Faults(Vec<Fault>),
    Running(Vec<Fault>),
    Changed { current: Value, yours: Option<Value> },
    InUse(Vec<String>),
    Impossible { state: &'static str, allowed: Vec<&'static str> },
    Taken,
    KeyTaken,
    NotPublished,
    ManagedByFile,
    Archived,
    Role(RoleError),
    Other(String),
}

impl From<ReadError> for Refusal {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::UnknownProject => Self::UnknownProject,
            ReadError::NotFound => Self::NotFound,
            ReadError::NotPublished => Self::NotPublished,
            ReadError::Role(error) => Self::Role(error),
            ReadError::Storage(StorageError::KeyTaken) => Self::KeyTaken,
            ReadError::Storage(_) => Self::Other(error.to_string()),
        }
    }
}

impl From<EditError> for Refusal {
    fn from(error: EditError) -> Self {
        match error {
            EditError::Read(error) => error.into(),
            EditError::Invalid(faults) => Self::Faults(faults),
            EditError::Breaking(faults) => Self::Running(faults),
            EditError::Changed(both) => Self::Changed { current: both.current, yours: both.yours },
            EditError::ManagedByFile => Self::ManagedByFile,
            EditError::Archived => Self::Archived,
            EditError::Overloaded(_) => Self::Other(error.to_string()),
        }
    }
}

impl From<ActionError> for Refusal {
    fn from(error: ActionError) -> Self {
        match error {
            ActionError::Edit(error) => error.into(),
            ActionError::InvalidTransition { state, allowed, .. } => {
                Self::Impossible { state, allowed }
            }
            ActionError::InUse(users) => {
                Self::InUse(users.into_iter().map(|user| user.id).collect())
            }
            ActionError::Compile(_) => Self::Other(error.to_string()),
        }
    }
}

impl From<PublishDraftError> for Refusal {
    fn from(error: PublishDraftError) -> Self {
        match error {
            PublishDraftError::Edit(error) => error.into(),
            PublishDraftError::Compile(_) => Self::Other(error.to_string()),
        }
    }
}

impl From<CreateProjectError> for Refusal {
    fn from(error: CreateProjectError) -> Self {
        match error {
            CreateProjectError::Edit(error) => error.into(),
            CreateProjectError::Taken(_) | CreateProjectError::Deleted(_) => Self::Taken,
        }
    }
}

impl From<RoleError> for Refusal {
    fn from(error: RoleError) -> Self {
        Self::Role(error)
    }
}

impl Refusal {
    /// Where what is wrong stands.
    pub(crate) fn places(&self) -> Vec<&str> {
        self.faults().iter().map(|fault| fault.pointer.as_str()).collect()
    }

    /// Whether what is wrong is told with these words.
    pub(crate) fn says(&self, words: &str) -> bool {
        self.faults().iter().any(|fault| fault.to_string().contains(words))
    }

    /// The role that it takes.
    pub(crate) fn needed_role(&self) -> Option<Role> {
        if let Self::Role(RoleError::Insufficient { needed, .. }) = self {
            return Some(needed.role);
        }
        None
    }

    /// Whether it takes the right to write custom code.
    pub(crate) fn needs_code(&self) -> bool {
        matches!(self, Self::Role(RoleError::Insufficient { needed, .. }) if needed.is_with_code)
    }

    fn faults(&self) -> &[Fault] {
        if let Self::Faults(faults) | Self::Running(faults) = self { faults } else { &[] }
    }
}

/// The refusal, where there has to be one.
#[track_caller]
pub(crate) fn refused<T: std::fmt::Debug, E: Into<Refusal>>(outcome: Result<T, E>) -> Refusal {
    match outcome {
        Ok(done) => panic!("this was done: {done:?}"),
        Err(error) => error.into(),
    }
}
