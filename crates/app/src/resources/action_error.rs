//! Why an action was not done: to a resource, or to a campaign, of which visitors notice it at once.

use snippet::CompileError;
use storage::StorageError;
use thiserror::Error;

use crate::drafts::{EditError, ReadError};

/// Why an action was not done. Nothing of it stays.
#[derive(Debug, Error)]
pub enum ActionError {
    /// It cannot be written to the draft.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// It is not possible in the state in which the resource is.
    #[error("{action} is not possible while it is {state}")]
    InvalidTransition {
        /// What was asked for.
        action: &'static str,
        /// The state.
        state: &'static str,
        /// What is possible.
        allowed: Vec<&'static str>,
    },
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

impl From<tokio::task::JoinError> for ActionError {
    fn from(panic: tokio::task::JoinError) -> Self {
        EditError::from(panic).into()
    }
}
