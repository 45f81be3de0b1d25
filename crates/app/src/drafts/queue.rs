//! Serializes the edits of one project in the order of arrival: an edit waits instead of failing because another was quicker. Other
//! processes do not use this queue; the store detects their changes on write.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use domain::ProjectId;
use tokio::sync::OwnedMutexGuard;
use tokio::time::timeout;

use crate::App;
use crate::drafts::EditError;
use crate::heavy_work::{Overloaded, PATIENCE, Turn, Work};
use crate::roles::{Actor, Permission};

/// How many edits of one project may wait. A hundred people at once are far fewer; each waiting request keeps its body in memory.
const WAITING_AT_MOST: usize = 500;

/// The editors of each project, active and waiting.
#[derive(Debug, Default)]
pub(crate) struct EditQueue(Mutex<HashMap<ProjectId, Arc<tokio::sync::Mutex<()>>>>);

/// The place of one request in a project's queue. Dropping it lets the next one in.
#[derive(Debug)]
pub(crate) struct QueueSlot<'a> {
    queue: &'a EditQueue,
    project: ProjectId,
    order: Arc<tokio::sync::Mutex<()>>,
    turn: Option<OwnedMutexGuard<()>>,
}

/// The right to edit a project now: no other request in this process has it.
#[derive(Debug)]
pub(crate) struct EditTurn<'a> {
    permission: Permission,
    extent: Extent,
    // Fields drop in this order: the next request needs the place first.
    _turn: Turn,
    _place: QueueSlot<'a>,
}

/// How much of a draft an edit changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// A part: the rest must be there to read.
    Part,
    /// All of it, whether it can be read or not.
    Whole,
}

impl EditTurn<'_> {
    /// The same turn, to replace the whole draft.
    pub(super) fn for_whole_draft(self) -> Self {
        Self { extent: Extent::Whole, ..self }
    }

    pub(super) const fn extent(&self) -> Extent {
        self.extent
    }

    /// The permission that its owner has.
    pub(crate) const fn permission(&self) -> Permission {
        self.permission
    }
}

/// Waits until this actor, who must have this permission, may edit project `id`.
pub(crate) async fn edit_turn<'a>(
    app: &'a App,
    actor: &Actor,
    id: ProjectId,
    permission: Permission,
) -> Result<EditTurn<'a>, EditError> {
    actor.require(app, Some(id), permission).await?;
    let waiting = async {
        let place = app.edit_queue().enter(id).await?;
        let turn = app.turn(Work::Edit).await?;
        let extent = Extent::Part;
        Ok(EditTurn { permission, extent, _turn: turn, _place: place })
    };
    timeout(PATIENCE, waiting).await.unwrap_or(Err(EditError::Overloaded(Overloaded)))
}

impl EditQueue {
    /// Waits until all earlier edits of this project are done.
    async fn enter(&self, project: ProjectId) -> Result<QueueSlot<'_>, Overloaded> {
        let mut place = self.join(project)?;
        place.turn = Some(Arc::clone(&place.order).lock_owned().await);
        Ok(place)
    }

    fn join(&self, project: ProjectId) -> Result<QueueSlot<'_>, Overloaded> {
        let mut projects = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let order = Arc::clone(projects.entry(project).or_default());
        // Each waiting request holds two references: one here, one in the queue of the lock.
        if Arc::strong_count(&order) > 2 * WAITING_AT_MOST {
            return Err(Overloaded);
        }
        Ok(QueueSlot { queue: self, project, order, turn: None })
    }
}

impl Drop for QueueSlot<'_> {
    /// The last request removes the queue: a server may see many projects.
    fn drop(&mut self) {
        self.turn = None;
        let mut projects = self.queue.0.lock().unwrap_or_else(PoisonError::into_inner);
        // One reference is in the map, one is here; a request with a turn has one more, and joins under this lock.
        if Arc::strong_count(&self.order) == 2 {
            projects.remove(&self.project);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use domain::ProjectId;
    use tokio::sync::mpsc::{self, UnboundedSender};

    use super::EditQueue;

    fn project(id: &str) -> ProjectId {
        id.parse().unwrap()
    }

    async fn wait_and_tell(queue: Arc<EditQueue>, told: UnboundedSender<u32>, number: u32) {
        let _place = queue.enter(project("1")).await.unwrap();
        told.send(number).unwrap();
    }

    #[tokio::test]
    async fn edits_are_served_in_order_of_arrival_and_leave_the_queue() {
        let queue = Arc::new(EditQueue::default());
        let first = queue.enter(project("1")).await.unwrap();
        let (told, mut heard) = mpsc::unbounded_channel();
        let wait = |number| {
            let (queue, told) = (Arc::clone(&queue), told.clone());
            tokio::spawn(wait_and_tell(queue, told, number))
        };
        let waiting: Vec<_> = (0..100).map(wait).collect();
        tokio::task::yield_now().await;
        assert!(queue.enter(project("2")).await.is_ok(), "other projects do not wait");

        drop(first);
        for one in waiting {
            one.await.unwrap();
        }

        drop(told);
        let mut order = Vec::new();
        while let Some(number) = heard.recv().await {
            order.push(number);
        }
        assert_eq!(order, (0..100).collect::<Vec<_>>());
        assert!(queue.0.lock().unwrap().is_empty());
    }

    #[tokio::test]
    async fn a_request_that_stops_waiting_leaves_the_queue() {
        let queue = EditQueue::default();
        let first = queue.enter(project("1")).await.unwrap();

        let waited = tokio::time::timeout(Duration::ZERO, queue.enter(project("1"))).await;

        assert!(waited.is_err());
        drop(first);
        assert!(queue.0.lock().unwrap().is_empty());
    }
}
