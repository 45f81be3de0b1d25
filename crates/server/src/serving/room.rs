//! Room for connections. When all of it is taken, those that have been idle for longest make way for whoever comes, so nobody keeps
//! others out by just being connected.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::activity::Activity;

/// How often we look for idle connections while none leaves by itself.
const LOOK_AGAIN_AFTER: Duration = Duration::from_millis(50);

/// Looking through all connections costs as much for many as for one.
const SHARE_THAT_LEAVES: usize = 100;

/// The connections there are.
#[derive(Clone)]
pub(crate) struct Room(Arc<Shared>);

struct Shared {
    size: usize,
    free: Arc<Semaphore>,
    taken: Mutex<Taken>,
}

#[derive(Default)]
struct Taken {
    last: u64,
    seats: HashMap<u64, (Arc<Activity>, CancellationToken)>,
}

/// One connection's place.
pub(crate) struct Seat {
    /// What the connection is doing.
    pub(crate) activity: Arc<Activity>,
    /// Cancelled when the connection shall end as soon as what is going on is done.
    pub(crate) leave: CancellationToken,
    number: u64,
    room: Arc<Shared>,
    _taken: OwnedSemaphorePermit,
}

impl Room {
    pub(crate) fn for_connections(size: usize) -> Self {
        let free = Arc::new(Semaphore::new(size));
        Self(Arc::new(Shared { size, free, taken: Mutex::default() }))
    }

    /// Takes a place for a connection that is there now. All leave when `stop` is cancelled.
    pub(crate) fn take_seat(&self, free: OwnedSemaphorePermit, stop: &CancellationToken) -> Seat {
        let (activity, leave) = (Arc::new(Activity::new()), stop.child_token());
        let mut taken = self.0.taken();
        taken.last += 1;
        let number = taken.last;
        taken.seats.insert(number, (Arc::clone(&activity), leave.clone()));
        drop(taken);
        Seat { activity, leave, number, room: Arc::clone(&self.0), _taken: free }
    }

    /// Waits until there is a free place, and makes one if others only wait.
    pub(crate) async fn free_place(&self) -> OwnedSemaphorePermit {
        loop {
            if let Ok(permit) = Arc::clone(&self.0.free).try_acquire_owned() {
                return permit;
            }
            self.0.let_idle_leave();
            let freed = Arc::clone(&self.0.free).acquire_owned();
            if let Ok(Ok(permit)) = tokio::time::timeout(LOOK_AGAIN_AFTER, freed).await {
                return permit;
            }
        }
    }
}

impl Shared {
    /// Asks the connections that have been idle for longest to leave.
    fn let_idle_leave(&self) {
        let taken = self.taken();
        let seats = taken.seats.values().filter(|(_, leave)| !leave.is_cancelled());
        let mut idle: Vec<(Instant, &CancellationToken)> = seats
            .filter_map(|(activity, leave)| activity.idle_since().map(|since| (since, leave)))
            .collect();
        let count = (self.size / SHARE_THAT_LEAVES).max(1).min(idle.len());
        if count > 0 {
            idle.select_nth_unstable_by_key(count - 1, |(since, _)| *since);
            idle[..count].iter().for_each(|(_, leave)| leave.cancel());
        }
    }

    fn taken(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.room.taken().seats.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use tokio::time::advance;
    use tokio_util::sync::CancellationToken;

    use super::{Room, Seat};

    async fn seat(room: &Room, stop: &CancellationToken) -> Seat {
        let free = room.free_place().await;
        room.take_seat(free, stop)
    }

    #[tokio::test(start_paused = true)]
    async fn who_has_been_idle_for_longest_makes_room() {
        let (room, stop) = (Room::for_connections(3), CancellationToken::new());
        let busy = seat(&room, &stop).await;
        let _request = busy.activity.begin_request();
        advance(Duration::from_secs(1)).await;
        let old = seat(&room, &stop).await;
        advance(Duration::from_secs(1)).await;
        let new = seat(&room, &stop).await;
        let (leave, kept) = (old.leave.clone(), [busy.leave.clone(), new.leave.clone()]);
        tokio::spawn(async move {
            old.leave.cancelled().await;
            drop(old);
        });

        let _seat = seat(&room, &stop).await;

        assert!(leave.is_cancelled());
        assert!(kept.iter().all(|leave| !leave.is_cancelled()));
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_comes_waits_while_all_are_busy() {
        let (room, stop) = (Room::for_connections(1), CancellationToken::new());
        let busy = seat(&room, &stop).await;
        let request = busy.activity.begin_request();
        let waiting = room.clone();
        let next = tokio::spawn(async move { seat(&waiting, &CancellationToken::new()).await });
        advance(Duration::from_mins(1)).await;
        assert!(!next.is_finished() && !busy.leave.is_cancelled());

        drop(request);
        busy.leave.cancelled().await;
        drop(busy);

        let next = next.await.unwrap();
        assert!(Arc::ptr_eq(&next.room, &room.0));
    }

    #[tokio::test(start_paused = true)]
    async fn nobody_has_been_idle_for_longer_than_connected() {
        let (room, stop) = (Room::for_connections(1), CancellationToken::new());
        let free = room.free_place().await;
        advance(Duration::from_hours(1)).await;

        let seat = room.take_seat(free, &stop);

        assert_eq!(seat.activity.idle_since().map(|since| since.elapsed()), Some(Duration::ZERO));
    }

    #[tokio::test]
    async fn all_leave_when_the_server_stops() {
        let (room, stop) = (Room::for_connections(1), CancellationToken::new());
        let seat = seat(&room, &stop).await;

        stop.cancel();

        assert!(seat.leave.is_cancelled());
    }
}
