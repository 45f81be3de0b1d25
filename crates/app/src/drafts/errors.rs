//! Why a part of a project could not be read or changed. An error of only one family of use cases stands with that family.

use domain::Fault;
use serde_json::Value;
use storage::StorageError;
use thiserror::Error;

use crate::computation::Stopped;
use crate::heavy_work::Overloaded;
use crate::roles::RoleError;

/// Why nothing was read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// There is no such project.
    #[error("there is no such project")]
    UnknownProject,
    /// The project has no such resource, or revision.
    #[error("the project has no such resource or revision")]
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

/// Why a draft was not changed. A refused change leaves no trace.
#[derive(Debug, Error)]
pub enum EditError {
    /// The draft could not be read, or the member may not change it.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The changed document would be invalid.
    #[error("the changed document would not be valid")]
    Invalid(Vec<Fault>),
    /// A breaking change: it would change what visitors of a running experiment are bucketed into, or take away what visitors get.
    #[error("it is a breaking change for visitors who take part")]
    Breaking(Vec<Fault>),
    /// The resource is no longer as the actor saw it.
    #[error("it has changed since it was read")]
    Changed(Box<ChangedMeanwhile>),
    /// A project file manages the project.
    #[error("the project is managed by a project file")]
    ManagedByFile,
    /// Nothing starts or goes live in a project that is archived, in the draft or live.
    #[error("the project is archived: restore it, and publish that, first")]
    Archived,
    /// The server has too much to do.
    #[error(transparent)]
    Overloaded(#[from] Overloaded),
}

/// Both states of a resource that another editor has changed.
#[derive(Debug)]
pub struct ChangedMeanwhile {
    /// Its current state.
    pub current: Value,
    /// Its state with the requested change.
    pub yours: Option<Value>,
}

impl EditError {
    /// The resource is now `current`; with the requested change it would be `yours`.
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

impl From<Stopped> for ReadError {
    fn from(stopped: Stopped) -> Self {
        StorageError::from(stopped).into()
    }
}

impl From<Stopped> for EditError {
    fn from(stopped: Stopped) -> Self {
        ReadError::from(stopped).into()
    }
}
