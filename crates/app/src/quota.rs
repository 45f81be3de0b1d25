//! How much each application may do in a minute in the name of each member: a program that has run wild keeps nobody else from working.
//! Changes are counted, and those reads that work on a whole document; other reads are not. Each process counts for itself.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use oauth::{ClientId, Timestamp};
use storage::MemberId;

/// What is not told otherwise: ten changes a second for as long as anybody likes.
pub const WRITES_PER_MINUTE: u32 = 600;

/// What is not told otherwise: ten comparisons or documents a second. The largest of them take a core for a third of a second.
pub const HEAVY_READS_PER_MINUTE: u32 = 600;

const MINUTE_MS: i64 = 60_000;

/// More ask at one time only if somebody wants to fill the memory. Then all begin anew.
const CALLERS_AT_MOST: usize = 10_000;

/// How much is left for a caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quota {
    /// How many in a minute there may be.
    pub per_minute: u32,
    /// How many more there may be now; `None` if this one was too many.
    pub remaining: Option<u32>,
    /// In how many seconds there may be one more, or all of them if there may be one now.
    pub resets_in_seconds: u32,
}

/// What everybody has done lately.
#[derive(Debug)]
pub(crate) struct Quotas {
    per_minute: u32,
    callers: Mutex<HashMap<(MemberId, ClientId), Caller>>,
}

/// How much of the minute is used, in milliseconds of the minute: it becomes less as time goes by.
#[derive(Debug, Clone, Copy)]
struct Caller {
    used_ms: i64,
    at: Timestamp,
}

impl Quotas {
    pub(crate) fn new(per_minute: u32) -> Self {
        Self { per_minute: per_minute.max(1), callers: Mutex::default() }
    }

    /// Counts one more.
    pub(crate) fn count(&self, member: MemberId, client_id: &ClientId, now: Timestamp) -> Quota {
        let cost_ms = (MINUTE_MS / i64::from(self.per_minute)).max(1);
        let mut callers = self.callers.lock().unwrap_or_else(PoisonError::into_inner);
        if callers.len() >= CALLERS_AT_MOST {
            callers.clear();
        }
        let new = Caller { used_ms: 0, at: now };
        let caller = callers.entry((member, client_id.clone())).or_insert(new);
        let passed_ms = (now.as_milliseconds() - caller.at.as_milliseconds()).max(0);
        let used_ms = (caller.used_ms - passed_ms).max(0);
        let is_too_many = used_ms + cost_ms > MINUTE_MS;
        *caller =
            Caller { used_ms: if is_too_many { used_ms } else { used_ms + cost_ms }, at: now };
        let waits_ms = if is_too_many { used_ms + cost_ms - MINUTE_MS } else { caller.used_ms };
        let remaining = (MINUTE_MS - caller.used_ms) / cost_ms;
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

    use super::Quotas;

    fn at(milliseconds: i64) -> Timestamp {
        Timestamp::from_milliseconds(milliseconds)
    }

    #[test]
    fn a_minutes_changes_may_come_at_once_and_then_one_after_the_other() {
        let quota = Quotas::new(60);
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
        let quota = Quotas::new(1);
        let (one, other): (ClientId, ClientId) =
            ("reports".parse().unwrap(), "importer".parse().unwrap());
        let member = "1".parse::<MemberId>().unwrap();

        assert!(quota.count(member, &one, at(0)).remaining.is_some());
        assert!(quota.count(member, &one, at(0)).remaining.is_none());
        assert!(quota.count(member, &other, at(0)).remaining.is_some());
        assert!(quota.count("2".parse().unwrap(), &one, at(0)).remaining.is_some());
    }
}
