//! Why something of a project is not read, or not changed. What only one family of use cases can meet stands with that family.

use domain::Fault;
use serde_json::Value;
use storage::StorageError;
use thiserror::Error;

use crate::heavy_work::Overloaded;
use crate::roles::RoleError;

/// Why nothing was read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// There is no such project.
    #[error("there is no such project")]
    UnknownProject,
    /// The project has no such resource, or revision.
    #[error("the project has nothing like that")]
    NotFound,
    /// Nothing of the project is live.
    #[error("nothing of the project is live yet; publish it first")]
    NotPublished,
    /// The member may not read it.
    #[error(transparent)]
    Role(#[from] RoleError),
    /// The store does not answer.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// Why a draft was not changed. Nothing of the change stays.
#[derive(Debug, Error)]
pub enum EditError {
    /// It was not read: what is to be changed, or the member's rights to it.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// What would come out is not valid.
    #[error("what would come out is not valid")]
    Invalid(Vec<Fault>),
    /// A breaking change: it would change what visitors of a running experiment are drawn from, or take away what visitors get.
    #[error("visitors take part in what it would change")]
    Breaking(Vec<Fault>),
    /// The resource is not as the actor has seen it.
    #[error("it has changed since it was read")]
    Changed(Box<ChangedMeanwhile>),
    /// A project file is the truth.
    #[error("the project is managed by a project file")]
    ManagedByFile,
    /// There is more to do than can be done soon.
    #[error(transparent)]
    Overloaded(#[from] Overloaded),
}

/// Both states of a resource that another editor has changed.
#[derive(Debug)]
pub struct ChangedMeanwhile {
    /// How it is now.
    pub current: Value,
    /// How it would be with what was asked for.
    pub yours: Option<Value>,
}

impl EditError {
    /// The resource is like this now; with what was asked for it would be `yours`.
    pub(crate) fn changed(current: Value, yours: Option<Value>) -> Self {
        Self::Changed(Box::new(ChangedMeanwhile { current, yours }))
    }
}

impl From<RoleError> for EditError {
    fn from(error: RoleError) -> Self {
        ReadError::from(error).into()
    }
}

impl From<StorageError> for EditError {
    fn from(error: StorageError) -> Self {
        ReadError::from(error).into()
    }
}

/// What is read and written was found valid before: code of ours that fails on it has met something else.
impl From<tokio::task::JoinError> for ReadError {
    fn from(panic: tokio::task::JoinError) -> Self {
        StorageError::corrupt(format!("draft: {panic}")).into()
    }
}

impl From<tokio::task::JoinError> for EditError {
    fn from(panic: tokio::task::JoinError) -> Self {
        ReadError::from(panic).into()
    }
}
