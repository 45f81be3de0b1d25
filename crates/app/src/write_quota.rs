//! How much each application may write in the name of each member: a program that has run wild keeps nobody else from working. Reading
//! is not counted. Each process counts for itself.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use oauth::{ClientId, Timestamp};
use storage::MemberId;

/// What is not told otherwise: ten changes a second for as long as anybody likes.
pub const WRITES_PER_MINUTE: u32 = 600;

const MINUTE_MS: i64 = 60_000;

/// More write at one time only if somebody wants to fill the memory. Then all begin anew.
const WRITERS_AT_MOST: usize = 10_000;

/// How much is left for a writer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quota {
    /// How many changes in a minute there may be.
    pub per_minute: u32,
    /// How many more there may be now; `None` if this one was too many.
    pub remaining: Option<u32>,
    /// In how many seconds there may be one more, or all of them if there may be one now.
    pub resets_in_seconds: u32,
}

/// What everybody has written lately.
#[derive(Debug)]
pub(crate) struct WriteQuota {
    per_minute: u32,
    writers: Mutex<HashMap<(MemberId, ClientId), Writer>>,
}

/// How much of the minute's changes is used, in milliseconds of the minute: it becomes less as time goes by.
#[derive(Debug, Clone, Copy)]
struct Writer {
    used_ms: i64,
    at: Timestamp,
}

impl WriteQuota {
    pub(crate) fn new(per_minute: u32) -> Self {
        Self { per_minute: per_minute.max(1), writers: Mutex::default() }
    }

    /// Counts a change.
    pub(crate) fn count(&self, member: MemberId, client_id: &ClientId, now: Timestamp) -> Quota {
        let cost_ms = (MINUTE_MS / i64::from(self.per_minute)).max(1);
        let mut writers = self.writers.lock().unwrap_or_else(PoisonError::into_inner);
        if writers.len() >= WRITERS_AT_MOST {
            writers.clear();
        }
        let new = Writer { used_ms: 0, at: now };
        let writer = writers.entry((member, client_id.clone())).or_insert(new);
        let passed_ms = (now.as_milliseconds() - writer.at.as_milliseconds()).max(0);
        let used_ms = (writer.used_ms - passed_ms).max(0);
        let is_too_many = used_ms + cost_ms > MINUTE_MS;
        *writer =
            Writer { used_ms: if is_too_many { used_ms } else { used_ms + cost_ms }, at: now };
        let waits_ms = if is_too_many { used_ms + cost_ms - MINUTE_MS } else { writer.used_ms };
        let remaining = (MINUTE_MS - writer.used_ms) / cost_ms;
        Quota {
            per_minute: self.per_minute,
            remaining: (!is_too_many).then(|| u32::try_from(remaining).unwrap_or(0)),
            resets_in_seconds: u32::try_from((waits_ms + 999) / 1000).unwrap_or(60),
        }
    }
}

#[cfg(test)]
mod tests {
    use oauth::{ClientId, Timestamp};
    use storage::MemberId;

    use super::WriteQuota;

    fn at(milliseconds: i64) -> Timestamp {
        Timestamp::from_milliseconds(milliseconds)
    }

    #[test]
    fn a_minutes_changes_may_come_at_once_and_then_one_after_the_other() {
        let quota = WriteQuota::new(60);
        let client: ClientId = "reports".parse().unwrap();
        let member = "1".parse::<MemberId>().unwrap();
        let count = |milliseconds| quota.count(member, &client, at(milliseconds));

        for left in (0..60).rev() {
            assert_eq!(count(0).remaining, Some(left));
        }
        assert_eq!((count(0).remaining, count(0).resets_in_seconds), (None, 1));
        assert_eq!(count(999).remaining, None);
        assert_eq!(count(1_000).remaining, Some(0));
        assert_eq!(count(61_000).remaining, Some(59));
    }

    #[test]
    fn nobody_uses_what_is_anothers() {
        let quota = WriteQuota::new(1);
        let (one, other): (ClientId, ClientId) =
            ("reports".parse().unwrap(), "importer".parse().unwrap());
        let member = "1".parse::<MemberId>().unwrap();

        assert!(quota.count(member, &one, at(0)).remaining.is_some());
        assert!(quota.count(member, &one, at(0)).remaining.is_none());
        assert!(quota.count(member, &other, at(0)).remaining.is_some());
        assert!(quota.count("2".parse().unwrap(), &one, at(0)).remaining.is_some());
    }
}
