//! Counts refused requests. Any stranger can cause as many as they like, so refusals must neither fill the disk nor delay other writes:
//! those with the same kind, client, member and address within a minute share one entry, the number of entries per minute is limited, and
//! all that arrive during a write wait for the next.

use std::collections::HashSet;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

use oauth::{ClientId, Timestamp};
use storage::{AuditEvent, MemberId, Refusal};

use crate::network::network_of;
use crate::{App, BackgroundTask};

/// How many have their own entry within a minute; the rest is counted by kind alone. At worst the log grows by 15 MB a day.
const TOLD_APART_AT_MOST: usize = 100;

const MINUTE_MS: i64 = 60_000;

/// A refused request: the event, and who the request claims to come from.
pub(crate) struct Refused {
    pub(crate) event: AuditEvent,
    pub(crate) member: Option<MemberId>,
    pub(crate) client_id: Option<ClientId>,
    pub(crate) address: IpAddr,
}

/// Refusals not yet written.
#[derive(Default)]
pub(crate) struct Refusals(Mutex<Waiting>);

#[derive(Default)]
struct Waiting {
    /// Few enough for a linear search, in order of first arrival.
    counts: Vec<(Refusal, u32)>,
    /// The refusals of this minute that have an entry of their own.
    told_apart: HashSet<Refusal>,
    minute: Option<Timestamp>,
    is_writing: bool,
}

/// Counts a refusal; a background task writes it soon, so the request does not wait.
pub(crate) fn note_refusal(app: &App, refused: Refused) {
    app.monitor().refused(refused.event.as_str());
    if app.refusals().count(refused, app.now()) {
        tokio::spawn(write_down(app.clone()));
    }
}

async fn write_down(app: App) {
    while let Some(counts) = app.refusals().take() {
        if let Err(error) = app.store().count_refusals(counts).await {
            app.monitor().failed(BackgroundTask::Refusals);
            if !error.is_logged() {
                tracing::warn!(%error, "refusals were not recorded");
            }
        }
    }
}

impl Refusals {
    /// Returns whether the caller must start the writing task.
    fn count(&self, refused: Refused, now: Timestamp) -> bool {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let refusal = waiting.told_apart(refused, minute_of(now));
        waiting.add(refusal);
        !std::mem::replace(&mut waiting.is_writing, true)
    }

    /// Takes the counts to write; `None` when all are written.
    fn take(&self) -> Option<Vec<(Refusal, u32)>> {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.is_writing = !waiting.counts.is_empty();
        waiting.is_writing.then(|| std::mem::take(&mut waiting.counts))
    }
}

impl Waiting {
    fn add(&mut self, refusal: Refusal) {
        match self.counts.iter_mut().find(|(counted, _)| *counted == refusal) {
            Some((_, count)) => *count = count.saturating_add(1),
            None => self.counts.push((refusal, 1)),
        }
    }

    fn told_apart(&mut self, refused: Refused, minute: Timestamp) -> Refusal {
        if self.minute != Some(minute) {
            self.minute = Some(minute);
            self.told_apart.clear();
        }
        let Refused { event, member, client_id, address } = refused;
        let refusal =
            Refusal { event, member, client_id, address: Some(network_of(address)), minute };
        let is_known = self.told_apart.contains(&refusal);
        if !is_known && self.told_apart.len() >= TOLD_APART_AT_MOST {
            return Refusal { event, member: None, client_id: None, address: None, minute };
        }
        self.told_apart.insert(refusal.clone());
        refusal
    }
}

fn minute_of(now: Timestamp) -> Timestamp {
    let now = now.as_milliseconds();
    Timestamp::from_milliseconds(now - now.rem_euclid(MINUTE_MS))
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use oauth::Timestamp;
    use storage::{AuditEvent, Refusal};

    use super::{Refusals, Refused, TOLD_APART_AT_MOST};

    fn refused(address: u32) -> Refused {
        Refused {
            event: AuditEvent::ClientRefused,
            member: None,
            client_id: None,
            address: IpAddr::V4(Ipv4Addr::from(address)),
        }
    }

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_milliseconds(seconds * 1_000)
    }

    fn counts(refusals: &Refusals) -> Vec<(Refusal, u32)> {
        refusals.take().unwrap_or_default()
    }

    #[test]
    fn refusals_during_a_write_wait_for_the_next_write() {
        let refusals = Refusals::default();

        assert!(refusals.count(refused(1), at(0)), "the first one starts the writing");
        assert!(!refusals.count(refused(1), at(1)));
        assert_eq!(counts(&refusals)[0].1, 2);
        assert!(!refusals.count(refused(1), at(2)));
        assert_eq!(counts(&refusals)[0].1, 1);
        assert_eq!(refusals.take(), None);
        assert!(refusals.count(refused(1), at(3)), "the writing has ended");
    }

    #[test]
    fn refusals_of_one_minute_and_address_are_one() {
        let refusals = Refusals::default();
        for (address, seconds) in [(1, 0), (1, 59), (1, 60), (2, 60)] {
            refusals.count(refused(address), at(seconds));
        }

        let counts: Vec<_> = counts(&refusals)
            .into_iter()
            .map(|(refusal, count)| (refusal.minute.as_milliseconds(), refusal.address, count))
            .collect();

        let address = |last| Some(IpAddr::V4(Ipv4Addr::from(last)));
        assert_eq!(counts, [(0, address(1), 2), (60_000, address(1), 1), (60_000, address(2), 1)]);
    }

    #[test]
    fn however_many_addresses_there_are_the_log_grows_slowly() {
        let refusals = Refusals::default();
        let addresses = 3 * u32::try_from(TOLD_APART_AT_MOST).unwrap();
        for address in 0..addresses {
            refusals.count(refused(address), at(0));
        }
        let first = counts(&refusals);
        for address in 0..addresses {
            refusals.count(refused(address), at(1));
        }
        let second = counts(&refusals);

        assert_eq!((first.len(), second.len()), (TOLD_APART_AT_MOST + 1, TOLD_APART_AT_MOST + 1));
        assert_eq!(first.iter().map(|(_, count)| count).sum::<u32>(), addresses, "all are counted");
        let others = first.iter().find(|(refusal, _)| refusal.address.is_none());
        assert_eq!(others.unwrap().1, addresses * 2 / 3);
    }
}
