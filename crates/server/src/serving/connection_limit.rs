//! A limit on connections. When it is reached, the connections idle for longest are closed for new ones, so that no client keeps
//! others out by just being connected. One address has a share of the limit, to which the same applies.

use std::collections::{HashMap, HashSet};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use app::network_of;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::activity::Activity;

/// How often we look for idle connections while none closes by itself.
const LOOK_AGAIN_AFTER: Duration = Duration::from_millis(50);

/// One pass over all connections costs the same for many as for one.
const SHARE_THAT_LEAVES: usize = 100;

/// The connections there are.
#[derive(Clone)]
pub(crate) struct ConnectionLimit(Arc<Shared>);

struct Shared {
    size: usize,
    share: usize,
    free: Arc<Semaphore>,
    open: Mutex<OpenConnections>,
}

#[derive(Default)]
struct OpenConnections {
    last: u64,
    permits: HashMap<u64, OpenConnection>,
    /// The permits of peers that are no proxies, by their networks.
    shares: HashMap<IpAddr, HashSet<u64>>,
}

/// A connection, as the others see it.
struct OpenConnection {
    activity: Arc<Activity>,
    leave: CancellationToken,
}

/// From where a connection comes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum PeerKind {
    /// From a proxy that we trust, which brings the connections of many.
    Proxy,
    /// From anywhere else.
    At(IpAddr),
}

/// The right of one connection to be open.
pub(crate) struct ConnectionPermit {
    /// What the connection is doing.
    pub(crate) activity: Arc<Activity>,
    /// Cancelled when the connection must end after its running requests.
    pub(crate) leave: CancellationToken,
    number: u64,
    network: Option<IpAddr>,
    limit: Arc<Shared>,
    _slot: OwnedSemaphorePermit,
}

impl ConnectionLimit {
    /// A limit on all connections, and one on those of one network.
    pub(crate) fn for_connections(size: usize, share: usize) -> Self {
        let free = Arc::new(Semaphore::new(size));
        Self(Arc::new(Shared { size, share, free, open: Mutex::default() }))
    }

    /// Takes a permit for an accepted connection, unless its network has used its share and is busy on all of it. All connections end when
    /// `stop` is cancelled.
    pub(crate) fn take_permit(
        &self,
        free: OwnedSemaphorePermit,
        peer_kind: PeerKind,
        stop: &CancellationToken,
    ) -> Option<ConnectionPermit> {
        let network = match peer_kind {
            PeerKind::Proxy => None,
            PeerKind::At(address) => Some(network_of(address.to_canonical())),
        };
        let mut open = self.0.open();
        if network.is_some_and(|network| !open.has_room_for(network, self.0.share)) {
            return None;
        }
        let (activity, leave) = (Arc::new(Activity::new()), stop.child_token());
        open.last += 1;
        let number = open.last;
        let sitting = OpenConnection { activity: Arc::clone(&activity), leave: leave.clone() };
        open.permits.insert(number, sitting);
        if let Some(network) = network {
            open.shares.entry(network).or_default().insert(number);
        }
        drop(open);
        Some(ConnectionPermit {
            activity,
            leave,
            number,
            network,
            limit: Arc::clone(&self.0),
            _slot: free,
        })
    }

    /// Waits for a free permit, and frees one if other connections are idle.
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
    /// Asks the connections idle for longest to close.
    fn let_idle_leave(&self) {
        let open = self.open();
        let_idle_leave(open.permits.values(), (self.size / SHARE_THAT_LEAVES).max(1));
    }

    fn open(&self) -> MutexGuard<'_, OpenConnections> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OpenConnections {
    /// Whether a network's share has a permit for another connection, if necessary by closing those idle for longest.
    fn has_room_for(&self, network: IpAddr, share: usize) -> bool {
        let Some(numbers) = self.shares.get(&network) else { return true };
        // Connections that are asked to close need a moment. They do not count, as long as they are few.
        let at_once = (share / SHARE_THAT_LEAVES).max(1);
        if numbers.len() >= share + at_once {
            return false;
        }
        let sitting = || numbers.iter().filter_map(|number| self.permits.get(number));
        let is_staying = |permit: &&OpenConnection| !permit.leave.is_cancelled();
        numbers.len() < share
            || sitting().filter(is_staying).count() < share
            || let_idle_leave(sitting(), at_once) > 0
    }
}

/// Asks this many of these idle connections to close, those idle for longest first. Returns how many were asked.
fn let_idle_leave<'a>(permits: impl Iterator<Item = &'a OpenConnection>, at_most: usize) -> usize {
    let staying = permits.filter(|permit| !permit.leave.is_cancelled());
    let mut idle: Vec<(Instant, &CancellationToken)> = staying
        .filter_map(|permit| permit.activity.idle_since().map(|since| (since, &permit.leave)))
        .collect();
    let count = at_most.min(idle.len());
    if count > 0 {
        idle.select_nth_unstable_by_key(count - 1, |(since, _)| *since);
        idle[..count].iter().for_each(|(_, leave)| leave.cancel());
    }
    count
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        let mut open = self.limit.open();
        open.permits.remove(&self.number);
        let Some(network) = self.network else { return };
        if let Some(numbers) = open.shares.get_mut(&network) {
            numbers.remove(&self.number);
            if numbers.is_empty() {
                open.shares.remove(&network);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};
    use std::sync::Arc;
    use std::time::Duration;

    use tokio::time::advance;
    use tokio_util::sync::CancellationToken;

    use super::{ConnectionLimit, ConnectionPermit, PeerKind};

    const HERE: PeerKind = PeerKind::At(IpAddr::V4(Ipv4Addr::LOCALHOST));

    fn limit(size: usize) -> ConnectionLimit {
        ConnectionLimit::for_connections(size, size)
    }

    async fn try_permit(limit: &ConnectionLimit, peer_kind: PeerKind) -> Option<ConnectionPermit> {
        limit.take_permit(limit.free_place().await, peer_kind, &CancellationToken::new())
    }

    async fn permit(limit: &ConnectionLimit, stop: &CancellationToken) -> ConnectionPermit {
        let free = limit.free_place().await;
        limit.take_permit(free, HERE, stop).unwrap()
    }

    fn at(address: &str) -> PeerKind {
        PeerKind::At(address.parse().unwrap())
    }

    #[tokio::test(start_paused = true)]
    async fn the_connection_idle_for_longest_is_closed_for_a_new_one() {
        let (limit, stop) = (limit(3), CancellationToken::new());
        let busy = permit(&limit, &stop).await;
        let _request = busy.activity.begin_request();
        advance(Duration::from_secs(1)).await;
        let old = permit(&limit, &stop).await;
        advance(Duration::from_secs(1)).await;
        let new = permit(&limit, &stop).await;
        let (leave, kept) = (old.leave.clone(), [busy.leave.clone(), new.leave.clone()]);
        tokio::spawn(async move {
            old.leave.cancelled().await;
            drop(old);
        });

        let _permit = permit(&limit, &stop).await;

        assert!(leave.is_cancelled());
        assert!(kept.iter().all(|leave| !leave.is_cancelled()));
    }

    #[tokio::test(start_paused = true)]
    async fn a_new_connection_waits_while_all_others_are_busy() {
        let (limit, stop) = (limit(1), CancellationToken::new());
        let busy = permit(&limit, &stop).await;
        let request = busy.activity.begin_request();
        let waiting = limit.clone();
        let next = tokio::spawn(async move { permit(&waiting, &CancellationToken::new()).await });
        advance(Duration::from_mins(1)).await;
        assert!(!next.is_finished() && !busy.leave.is_cancelled());

        drop(request);
        busy.leave.cancelled().await;
        drop(busy);

        let next = next.await.unwrap();
        assert!(Arc::ptr_eq(&next.limit, &limit.0));
    }

    #[tokio::test(start_paused = true)]
    async fn idle_time_starts_when_the_connection_is_made() {
        let (limit, stop) = (limit(1), CancellationToken::new());
        let free = limit.free_place().await;
        advance(Duration::from_hours(1)).await;

        let permit = limit.take_permit(free, HERE, &stop).unwrap();

        assert_eq!(permit.activity.idle_since().map(|since| since.elapsed()), Some(Duration::ZERO));
    }

    #[tokio::test]
    async fn all_leave_when_the_server_stops() {
        let (limit, stop) = (limit(1), CancellationToken::new());
        let permit = permit(&limit, &stop).await;

        stop.cancel();

        assert!(permit.leave.is_cancelled());
    }

    #[tokio::test(start_paused = true)]
    async fn a_network_that_is_busy_on_all_of_its_share_gets_no_more() {
        let limit = ConnectionLimit::for_connections(100, 2);
        let first = try_permit(&limit, at("2001:db8::1")).await.unwrap();
        let second = try_permit(&limit, at("2001:db8::2")).await.unwrap();
        let _requests = [first.activity.begin_request(), second.activity.begin_request()];

        assert!(try_permit(&limit, at("2001:db8::3")).await.is_none());
        assert!(try_permit(&limit, at("2001:db8:1::1")).await.is_some(), "it is another network");
        drop(first);
        assert!(try_permit(&limit, at("2001:db8::3")).await.is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn within_a_share_the_idle_make_way() {
        let limit = ConnectionLimit::for_connections(100, 2);
        let mut permits = Vec::new();
        for _ in 0..3 {
            permits.push(try_permit(&limit, HERE).await.unwrap());
            advance(Duration::from_secs(1)).await;
        }

        let leaving: Vec<bool> = permits.iter().map(|permit| permit.leave.is_cancelled()).collect();
        assert_eq!(leaving, [true, false, false]);
        assert!(try_permit(&limit, HERE).await.is_none(), "the first has not left yet");
        permits.remove(0);
        assert!(try_permit(&limit, HERE).await.is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn connections_of_a_trusted_proxy_are_not_limited_per_address() {
        let limit = ConnectionLimit::for_connections(100, 1);
        let mut permits = Vec::new();

        for _ in 0..50 {
            permits.push(try_permit(&limit, PeerKind::Proxy).await.unwrap());
        }

        assert!(permits.iter().all(|permit| !permit.leave.is_cancelled()));
        assert!(limit.0.open().shares.is_empty());
    }
}
