//! Room for the bodies of requests: how much of all of them together this process holds in memory, from their first byte until they are
//! answered. What many clients send at once, or begin and never finish, is refused before the memory runs out.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::heavy_work::Overloaded;
use crate::network::network_of;

const KIB: usize = 1_024;
const MIB: usize = 1_024 * KIB;

/// The beginning of each body, which has a room of its own. Nearly all forms and batches of pages are shorter, so that they find room however
/// many large bodies there are.
const BEGINNING_BYTES: usize = 16 * KIB;

/// Of 4,096 bodies, and as many of one address as it may have connections.
const BEGINNINGS: Limits = Limits { bytes: 64 * MIB, of_one_network: 16 * MIB };

/// Parsing makes each body up to ten times as large. One address can send two of the longest documents at once, or eight full batches of events.
const RESTS: Limits = Limits { bytes: 32 * MIB, of_one_network: 8 * MIB };

#[derive(Debug, Clone, Copy)]
struct Limits {
    bytes: usize,
    of_one_network: usize,
}

/// The room for all bodies.
#[derive(Debug)]
pub struct BodyRoom(Mutex<Pools>);

#[derive(Debug)]
struct Pools {
    beginnings: Pool,
    rests: Pool,
}

/// Bytes that are held, together and of each network.
#[derive(Debug)]
struct Pool {
    limits: Limits,
    held: usize,
    held_of: HashMap<IpAddr, usize>,
}

/// What one body takes of the room, until dropped.
#[derive(Debug)]
pub struct BodyShare {
    room: Arc<BodyRoom>,
    network: IpAddr,
    bytes: Mutex<usize>,
}

impl Default for BodyRoom {
    fn default() -> Self {
        Self(Mutex::new(Pools { beginnings: Pool::new(BEGINNINGS), rests: Pool::new(RESTS) }))
    }
}

impl BodyRoom {
    /// The share of a body from this address, which takes nothing yet.
    #[must_use]
    pub fn share(self: &Arc<Self>, address: IpAddr) -> BodyShare {
        BodyShare { room: Arc::clone(self), network: network_of(address), bytes: Mutex::default() }
    }

    fn pools(&self) -> MutexGuard<'_, Pools> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl BodyShare {
    /// Takes room for as many more bytes of the body.
    ///
    /// # Errors
    /// If other bodies, or others from this address, leave none. The share is as before.
    pub fn take(&self, more: usize) -> Result<(), Overloaded> {
        let mut bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        let longer = bytes.saturating_add(more);
        let (beginning, rest) = parts_of(*bytes);
        let (longer_beginning, longer_rest) = parts_of(longer);
        let mut pools = self.room.pools();
        pools.beginnings.take(self.network, longer_beginning - beginning)?;
        let taken = pools.rests.take(self.network, longer_rest - rest);
        if taken.is_err() {
            pools.beginnings.give_back(self.network, longer_beginning - beginning);
            return taken;
        }
        *bytes = longer;
        Ok(())
    }
}

impl Drop for BodyShare {
    fn drop(&mut self) {
        let bytes = *self.bytes.get_mut().unwrap_or_else(PoisonError::into_inner);
        let (beginning, rest) = parts_of(bytes);
        let mut pools = self.room.pools();
        pools.beginnings.give_back(self.network, beginning);
        pools.rests.give_back(self.network, rest);
    }
}

/// How much of a body of this length is its beginning, and how much the rest.
fn parts_of(bytes: usize) -> (usize, usize) {
    (bytes.min(BEGINNING_BYTES), bytes.saturating_sub(BEGINNING_BYTES))
}

impl Pool {
    fn new(limits: Limits) -> Self {
        Self { limits, held: 0, held_of: HashMap::new() }
    }

    fn take(&mut self, network: IpAddr, bytes: usize) -> Result<(), Overloaded> {
        if bytes == 0 {
            return Ok(());
        }
        let of_network = self.held_of.get(&network).copied().unwrap_or_default();
        let (all, of_network) = (self.held.saturating_add(bytes), of_network.saturating_add(bytes));
        if all > self.limits.bytes || of_network > self.limits.of_one_network {
            return Err(Overloaded);
        }
        self.held = all;
        self.held_of.insert(network, of_network);
        Ok(())
    }

    fn give_back(&mut self, network: IpAddr, bytes: usize) {
        let Some(of_network) = self.held_of.get_mut(&network) else { return };
        self.held -= bytes;
        *of_network -= bytes;
        if *of_network == 0 {
            self.held_of.remove(&network);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};
    use std::sync::Arc;

    use super::{BEGINNING_BYTES, BEGINNINGS, BodyRoom, BodyShare, MIB, RESTS};
    use crate::heavy_work::Overloaded;

    fn address(number: u8) -> IpAddr {
        IpAddr::V4(Ipv4Addr::new(192, 0, 2, number))
    }

    /// Bodies of this length that found room, until one finds none.
    fn fill(room: &Arc<BodyRoom>, address: IpAddr, bytes: usize) -> Vec<BodyShare> {
        let shares = std::iter::from_fn(|| {
            let share = room.share(address);
            share.take(bytes).is_ok().then_some(share)
        });
        shares.collect()
    }

    #[test]
    fn all_bodies_together_have_a_limit_and_what_is_answered_makes_room() {
        let room = Arc::<BodyRoom>::default();
        let mut bodies: Vec<_> =
            (0..8).flat_map(|number| fill(&room, address(number), MIB)).collect();

        assert!((bodies.len() - 1) * (MIB - BEGINNING_BYTES) <= RESTS.bytes);
        assert_eq!(room.share(address(9)).take(MIB), Err(Overloaded));
        bodies.pop();
        assert_eq!(room.share(address(9)).take(MIB), Ok(()));
        drop(bodies);
        let pools = room.pools();
        assert_eq!((pools.beginnings.held, pools.rests.held), (0, 0));
        assert!(pools.beginnings.held_of.is_empty() && pools.rests.held_of.is_empty());
    }

    #[test]
    fn an_address_that_sends_much_leaves_room_to_others() {
        let room = Arc::<BodyRoom>::default();
        let attackers = fill(&room, address(1), MIB);

        assert_eq!(attackers.len(), 8);
        assert_eq!(fill(&room, address(2), 4 * MIB).len(), 2, "the longest documents");
    }

    #[test]
    fn short_bodies_find_room_when_long_ones_have_none() {
        let room = Arc::<BodyRoom>::default();
        let long: Vec<_> = (0..8).flat_map(|number| fill(&room, address(number), MIB)).collect();
        assert_eq!(room.share(address(9)).take(MIB), Err(Overloaded));

        assert_eq!(room.share(address(9)).take(BEGINNING_BYTES), Ok(()));
        assert_eq!(
            room.share(address(0)).take(BEGINNING_BYTES),
            Ok(()),
            "nor does it matter whose"
        );

        drop(long);
        let short = fill(&room, address(1), BEGINNING_BYTES);
        assert_eq!(short.len() * BEGINNING_BYTES, BEGINNINGS.of_one_network);
        assert_eq!(room.share(address(2)).take(BEGINNING_BYTES), Ok(()));
    }

    #[test]
    fn a_body_that_finds_no_room_has_what_it_had() {
        let room = Arc::<BodyRoom>::default();
        let _others = fill(&room, address(1), MIB);
        let body = room.share(address(1));
        body.take(BEGINNING_BYTES - 1).unwrap();

        assert_eq!(body.take(MIB), Err(Overloaded));

        assert_eq!(body.take(1), Ok(()));
    }
}
