//! Those who change one project, one after the other in the order in which they came: a change that would have to be made again because
//! another was quicker waits instead. Other processes are not in this queue; what they change is noticed when the store is written to.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use domain::ProjectId;
use tokio::sync::OwnedMutexGuard;
use tokio::time::timeout;

use crate::App;
use crate::drafts::EditError;
use crate::heavy_work::{Overloaded, PATIENCE, Turn, Work};
use crate::roles::{Actor, Permission};

/// So many wait for one project. A hundred people at once are far fewer; each of those who wait keeps what they sent in memory.
const WAITING_AT_MOST: usize = 500;

/// Who changes which project, and who waits to.
#[derive(Debug, Default)]
pub(crate) struct EditQueue(Mutex<HashMap<ProjectId, Arc<tokio::sync::Mutex<()>>>>);

/// The place of somebody who changes a project. The next one's turn comes when this is dropped.
#[derive(Debug)]
pub(crate) struct Place<'a> {
    queue: &'a EditQueue,
    project: ProjectId,
    order: Arc<tokio::sync::Mutex<()>>,
    turn: Option<OwnedMutexGuard<()>>,
}

/// The right to change a project now: nobody else in this process does.
#[derive(Debug)]
pub(crate) struct EditTurn<'a> {
    permission: Permission,
    // In this order: who comes next needs the place first.
    _turn: Turn,
    _place: Place<'a>,
}

impl EditTurn<'_> {
    /// What its owner was found to be allowed.
    pub(crate) const fn permission(&self) -> Permission {
        self.permission
    }
}

/// Waits until this actor, who has to have this permission, may change project `id`.
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
        Ok(EditTurn { permission, _turn: turn, _place: place })
    };
    timeout(PATIENCE, waiting).await.unwrap_or(Err(EditError::Overloaded(Overloaded)))
}

impl EditQueue {
    /// Waits until all who came earlier to this project are done.
    async fn enter(&self, project: ProjectId) -> Result<Place<'_>, Overloaded> {
        let mut place = self.join(project)?;
        place.turn = Some(Arc::clone(&place.order).lock_owned().await);
        Ok(place)
    }

    fn join(&self, project: ProjectId) -> Result<Place<'_>, Overloaded> {
        let mut projects = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let order = Arc::clone(projects.entry(project).or_default());
        // Who waits has it twice: here, and in the queue of the lock.
        if Arc::strong_count(&order) > 2 * WAITING_AT_MOST {
            return Err(Overloaded);
        }
        Ok(Place { queue: self, project, order, turn: None })
    }
}

impl Drop for Place<'_> {
    /// Whoever leaves last takes the queue along: a server may have seen many projects.
    fn drop(&mut self) {
        self.turn = None;
        let mut projects = self.queue.0.lock().unwrap_or_else(PoisonError::into_inner);
        // One is in the map, one is here; whoever has a turn has one more, and joins under this lock.
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
    async fn who_comes_first_is_served_first_and_nobody_stays_in_the_queue() {
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
    async fn who_stops_waiting_leaves_the_queue() {
        let queue = EditQueue::default();
        let first = queue.enter(project("1")).await.unwrap();

        let waited = tokio::time::timeout(Duration::ZERO, queue.enter(project("1"))).await;

        assert!(waited.is_err());
        drop(first);
        assert!(queue.0.lock().unwrap().is_empty());
    }
}
