//! Limits work that occupies a core for a while and takes much memory. Beyond what the machine can do, requests are refused at once, and
//! told when to come back. There are lanes, so that readers of large documents do not delay editors, and measurements delay neither.
//!
//! A task that needs several of these takes them in this order, which prevents deadlocks: a turn with documents, the project's place
//! ([`crate::drafts`]), a turn with edits, a turn with results, a turn with reading.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::available_parallelism;
use std::time::Duration;

use domain::ProjectId;
use thiserror::Error;
use tokio::sync::{OwnedMutexGuard, OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;
use tracing::Instrument as _;

use crate::computation::traced;

/// A machine that does not report its cores has one or two.
const CORES_UNLESS_KNOWN: usize = 2;

/// How many requests may wait for work on whole documents. Each takes a second at most, so few wait longer than [`PATIENCE`].
const DOCUMENTS_WAITING_AT_MOST: usize = 32;

/// How many edits may wait, each of another project: edits of the same project wait for its place instead.
const EDITS_WAITING_AT_MOST: usize = 256;

/// How many measurements may wait. One runs at a time, so that a core is left for pages.
const MEASUREMENTS_WAITING_AT_MOST: usize = 8;

/// Half of the edge's time for an answer, which leaves the other half for the work itself: who waits longer is told to come back before
/// anything begins. Enough for a hundred changes of one project on a slow disk.
pub(crate) const PATIENCE: Duration = Duration::from_secs(15);

/// How many decisions and trials may wait. Each takes a few seconds at most, and half of the cores are left for pages and editors.
const DECISIONS_WAITING_AT_MOST: usize = 32;

/// What traces call it.
const WAIT: &str = "wait_for_turn";

/// The server has more work than it can do soon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the server is overloaded at the moment")]
pub struct Overloaded;

/// A kind of heavy work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// Work on a whole document: a comparison, a plan, a preview, a new draft.
    Document,
    /// A change of one place in a project, or a publication.
    Edit,
    /// Weighing a snippet, which takes many seconds for a large project; no page waits for it.
    Measurement,
    /// A decision for a visit that a member describes, or a trial of conditions. Viewers ask for these, too.
    Decision,
}

/// The right to do one piece of heavy work, until dropped.
#[derive(Debug)]
pub struct Turn {
    _permits: [OwnedSemaphorePermit; 2],
}

/// The right to compute the results of a project, until dropped.
#[derive(Debug)]
pub(crate) struct ResultsTurn {
    _of_project: OwnedMutexGuard<()>,
    _permit: OwnedSemaphorePermit,
}

/// Work in progress, and waiting.
#[derive(Debug)]
pub(crate) struct HeavyWork {
    documents: Lane,
    edits: Lane,
    measurements: Lane,
    decisions: Lane,
    results: Arc<Semaphore>,
    /// Projects whose results are computed or waited for.
    results_of: Mutex<HashMap<ProjectId, Arc<tokio::sync::Mutex<()>>>>,
    reading: Arc<Semaphore>,
}

/// A bounded queue: so many are at work, so many wait, and one more is refused at once.
#[derive(Debug)]
pub(crate) struct Lane {
    admitted: Arc<Semaphore>,
    running: Arc<Semaphore>,
}

impl HeavyWork {
    pub(crate) fn new() -> Self {
        let cores = available_parallelism().map_or(CORES_UNLESS_KNOWN, usize::from);
        Self {
            documents: Lane::new(cores, DOCUMENTS_WAITING_AT_MOST),
            edits: Lane::new(cores, EDITS_WAITING_AT_MOST),
            measurements: Lane::new(1, MEASUREMENTS_WAITING_AT_MOST),
            decisions: Lane::new(cores.div_ceil(2), DECISIONS_WAITING_AT_MOST),
            results: Arc::new(Semaphore::new(cores)),
            results_of: Mutex::default(),
            reading: Arc::new(Semaphore::new(cores)),
        }
    }

    /// Waits for a turn.
    pub(crate) async fn turn(&self, work: Work) -> Result<Turn, Overloaded> {
        let lane = match work {
            Work::Document => &self.documents,
            Work::Edit => &self.edits,
            Work::Measurement => &self.measurements,
            Work::Decision => &self.decisions,
        };
        timeout(PATIENCE, lane.turn()).instrument(traced(WAIT)).await.unwrap_or(Err(Overloaded))
    }

    /// Waits for a turn to compute results, which read many documents on the way. A project has one at a time: however often its results are
    /// asked for, others wait for one computation of it. Waiting requests hold nothing in memory, so only the requests' own timeouts limit the
    /// wait.
    pub(crate) async fn results_turn(&self, project: ProjectId) -> ResultsTurn {
        let of_project = self.results_of(project).lock_owned().instrument(traced(WAIT)).await;
        ResultsTurn { _of_project: of_project, _permit: turn_of(&self.results).await }
    }

    fn results_of(&self, project: ProjectId) -> Arc<tokio::sync::Mutex<()>> {
        let mut projects = self.results_of.lock().unwrap_or_else(PoisonError::into_inner);
        projects.retain(|_, turn| Arc::strong_count(turn) > 1);
        Arc::clone(projects.entry(project).or_default())
    }

    /// Waits as long for a turn to read a document from the store. A reader needs nothing else: it waits for no turn while it has this one.
    pub(crate) async fn reading_turn(&self) -> OwnedSemaphorePermit {
        turn_of(&self.reading).await
    }
}

async fn turn_of(turns: &Arc<Semaphore>) -> OwnedSemaphorePermit {
    let turn = Arc::clone(turns).acquire_owned().instrument(traced(WAIT)).await;
    turn.expect("this semaphore is never closed")
}

impl Lane {
    pub(crate) fn new(running: usize, waiting: usize) -> Self {
        Self {
            admitted: Arc::new(Semaphore::new(running + waiting)),
            running: Arc::new(Semaphore::new(running)),
        }
    }

    pub(crate) async fn turn(&self) -> Result<Turn, Overloaded> {
        let admitted = Arc::clone(&self.admitted).try_acquire_owned().map_err(|_| Overloaded)?;
        let running = Arc::clone(&self.running).acquire_owned().await;
        Ok(Turn { _permits: [admitted, running.expect("this semaphore is never closed")] })
    }
}

#[cfg(test)]
mod tests {
    use std::future::ready;
    use std::pin::pin;
    use std::sync::Arc;

    use domain::ProjectId;
    use tokio::sync::Semaphore;

    use super::{HeavyWork, Lane, Overloaded, Work};

    #[tokio::test]
    async fn a_request_beyond_the_queue_is_refused_at_once() {
        let work = HeavyWork { edits: Lane::new(1, 1), ..HeavyWork::new() };
        let working = work.turn(Work::Edit).await.unwrap();
        let _waiting = Arc::clone(&work.edits.admitted).try_acquire_owned().unwrap();

        assert_eq!(work.turn(Work::Edit).await.unwrap_err(), Overloaded);
        drop(working);
        assert!(work.turn(Work::Edit).await.is_ok());
    }

    #[tokio::test]
    async fn lanes_do_not_hold_each_other_up() {
        let work = HeavyWork::new();
        let mut turns = Vec::new();
        while let Ok(turn) = work.documents.running.clone().try_acquire_owned() {
            turns.push(turn);
        }

        assert!(work.turn(Work::Edit).await.is_ok());
    }

    #[tokio::test]
    async fn results_of_one_project_leave_the_turns_to_others() {
        let results = Arc::new(Semaphore::new(2));
        let work = HeavyWork { results, ..HeavyWork::new() };
        let [busy, other] = [1, 2].map(|id| ProjectId::new(id).unwrap());
        let working = work.results_turn(busy).await;
        let mut waiting = pin!(work.results_turn(busy));

        let is_waiting = tokio::select! {
            biased;
            _ = waiting.as_mut() => false,
            () = ready(()) => true,
        };
        assert!(is_waiting);
        drop(work.results_turn(other).await);
        drop(working);
        waiting.await;
        drop(work.results_turn(other).await);
        assert_eq!(work.results_of.lock().unwrap().len(), 1, "who is done is forgotten");
    }
}
