//! Why an action on a resource failed, or on a campaign, where visitors notice it at once.

use snippet::CompileError;
use storage::StorageError;
use thiserror::Error;

use crate::computation::Stopped;
use crate::drafts::{EditError, ReadError};
use crate::resources::User;

/// Why an action failed. A failed action leaves no trace.
#[derive(Debug, Error)]
pub enum ActionError {
    /// The draft cannot be changed.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// The resource's state does not allow it.
    #[error("{action} is not possible while it is {state}")]
    InvalidTransition {
        /// The requested action.
        action: &'static str,
        /// The state.
        state: &'static str,
        /// The allowed actions.
        allowed: Vec<&'static str>,
    },
    /// What is to be archived is used by these.
    #[error("other resources use it, and would lose it")]
    InUse(Vec<User>),
    /// What would go live does not compile.
    #[error(transparent)]
    Compile(#[from] CompileError),
}

impl From<ReadError> for ActionError {
    fn from(error: ReadError) -> Self {
        EditError::from(error).into()
    }
}

impl From<StorageError> for ActionError {
    fn from(error: StorageError) -> Self {
        EditError::from(error).into()
    }
}

impl From<Stopped> for ActionError {
    fn from(stopped: Stopped) -> Self {
        EditError::from(stopped).into()
    }
}
