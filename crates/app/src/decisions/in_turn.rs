//! Decides for the members and clients of a server: away from the async threads, which answer pages meanwhile, and in turn.

use std::sync::Arc;

use decide::{Answer, Effort, TooCostly, Visit};
use storage::StorageError;
use thiserror::Error;

use crate::App;
use crate::computation::compute;
use crate::decisions::prepared_project::PreparedProject;
use crate::heavy_work::{Overloaded, Work};

/// Why there is no decision.
#[derive(Debug, Error)]
pub enum DecideError {
    /// The regular expressions of the project take too long for this visit.
    #[error(transparent)]
    TooCostly(#[from] TooCostly),
    /// Too many ask at this moment.
    #[error(transparent)]
    Overloaded(#[from] Overloaded),
    /// It was not computed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// What the visitor gets.
///
/// # Errors
/// See [`DecideError`].
pub async fn decide_in_turn(
    app: &App,
    project: Arc<PreparedProject>,
    visit: Visit,
) -> Result<Answer, DecideError> {
    let turn = app.turn(Work::Decision).await?;
    // The turn travels with the work: a caller that disconnects does not free it early.
    let work = move || (project.decide(&visit, &Effort::default()), turn);
    let (answer, _turn) = compute("decide", work).await.map_err(StorageError::from)?;
    Ok(answer?)
}
