//! Limits what each application may do per minute for each member: a runaway program does not keep other programs from working. It counts
//! changes, and reads that work on a whole document, but no other reads. It limits as well how many events come for each project. Each process
//! counts for itself.

use std::hash::Hash;
use std::sync::{Mutex, PoisonError};

use oauth::Timestamp;
use quick_cache::unsync::Cache;

/// The default: ten changes a second, without end.
pub const WRITES_PER_MINUTE: u32 = 600;

/// The default: ten comparisons or documents a second. The largest of them take a core for a third of a second.
pub const HEAVY_READS_PER_MINUTE: u32 = 600;

/// The default for the events of a project: a hundred thousand a second, more than one process writes to a disk.
pub const EVENTS_PER_MINUTE: u32 = 6_000_000;

const MINUTE_MS: i64 = 60_000;

/// More callers at one time are an attempt to fill the memory. Then some that have not called for long start with a full quota again.
const CALLERS_AT_MOST: usize = 10_000;

/// The remaining calls of a caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quota {
    /// How many calls are allowed per minute.
    pub per_minute: u32,
    /// How many more calls are allowed now; `None` if this one was too many.
    pub remaining: Option<u32>,
    /// Seconds until one more call is allowed, or all of them if one is allowed now.
    pub resets_in_seconds: u32,
}

/// The recent calls of all callers.
#[derive(Debug)]
pub(crate) struct Quotas<K> {
    per_minute: u32,
    callers: Mutex<Cache<K, Caller>>,
}

/// How much of the minute is used; it shrinks with time. A millisecond has as many parts as a minute allows calls,
/// so that each call takes a whole number of them.
#[derive(Debug, Clone, Copy)]
struct Caller {
    used_parts: i64,
    at: Timestamp,
}

impl<K: Eq + Hash> Quotas<K> {
    pub(crate) fn new(per_minute: u32) -> Self {
        Self { per_minute: per_minute.max(1), callers: Mutex::new(Cache::new(CALLERS_AT_MOST)) }
    }

    pub(crate) const fn per_minute(&self) -> u32 {
        self.per_minute
    }

    /// Counts so many calls, all of them or none.
    pub(crate) fn count(&self, key: K, number: u32, now: Timestamp) -> Quota {
        let parts_of_ms = i64::from(self.per_minute);
        let (cost, minute) = (MINUTE_MS * i64::from(number), MINUTE_MS * parts_of_ms);
        let mut callers = self.callers.lock().unwrap_or_else(PoisonError::into_inner);
        let caller = callers.get(&key).copied().unwrap_or(Caller { used_parts: 0, at: now });
        let passed_ms = (now.as_milliseconds() - caller.at.as_milliseconds()).max(0);
        let used = (caller.used_parts - passed_ms.saturating_mul(parts_of_ms)).max(0);
        let is_too_many = used + cost > minute;
        let used_parts = if is_too_many { used } else { used + cost };
        callers.insert(key, Caller { used_parts, at: now });
        let waits = if is_too_many { used + cost - minute } else { used_parts };
        let remaining = (minute - used_parts) / MINUTE_MS;
        let resets_in_seconds = waits.unsigned_abs().div_ceil(1_000 * parts_of_ms.unsigned_abs());
        Quota {
            per_minute: self.per_minute,
            remaining: (!is_too_many).then(|| u32::try_from(remaining).unwrap_or(0)),
            resets_in_seconds: u32::try_from(resets_in_seconds).unwrap_or(60),
        }
    }
}

#[cfg(test)]
mod tests {
    use oauth::{ClientId, Timestamp};
    use proptest::prelude::*;
    use storage::MemberId;

    use super::{CALLERS_AT_MOST, MINUTE_MS, Quota, Quotas};

    fn at(milliseconds: i64) -> Timestamp {
        Timestamp::from_milliseconds(milliseconds)
    }

    #[test]
    fn a_minutes_changes_may_come_at_once_and_then_one_after_the_other() {
        let quota = Quotas::new(60);
        let client: ClientId = "reports".parse().unwrap();
        let member = "1".parse::<MemberId>().unwrap();
        let count = |milliseconds| quota.count((member, client.clone()), 1, at(milliseconds));

        for left in (0..60).rev() {
            assert_eq!(count(0).remaining, Some(left));
        }
        assert_eq!((count(0).remaining, count(0).resets_in_seconds), (None, 1));
        assert_eq!(count(999).remaining, None);
        assert_eq!(count(1_000).remaining, Some(0));
        assert_eq!(count(61_000).remaining, Some(59));
    }

    fn count(quota: &Quotas<u64>, caller: u64, milliseconds: i64) -> Quota {
        quota.count(caller, 1, at(milliseconds))
    }

    #[test]
    fn a_request_beyond_the_quota_consumes_nothing() {
        let quota = Quotas::new(600);

        assert_eq!(quota.count("shop", 500, at(0)).remaining, Some(100));
        let refused = quota.count("shop", 101, at(0));

        assert_eq!((refused.remaining, refused.resets_in_seconds), (None, 1));
        assert_eq!(quota.count("shop", 100, at(0)).remaining, Some(0));
        assert_eq!(quota.count("blog", 600, at(0)).remaining, Some(0));
        assert_eq!(quota.count("shop", 10, at(1_000)).remaining, Some(0));
    }

    proptest! {
        #[test]
        fn the_announced_quota_and_reset_time_hold(per_minute in 1..=600_u32, pauses in prop::collection::vec(0..3_000_i64, 1..200)) {
            let quota = Quotas::new(per_minute);
            let mut now = 0;
            for pause in pauses {
                now += pause;
                let told = count(&quota, 1, now);

                prop_assert_eq!(told.per_minute, per_minute);
                prop_assert!(told.resets_in_seconds <= 60);
                if let Some(left) = told.remaining {
                    prop_assert!(left < per_minute);
                } else {
                    now += i64::from(told.resets_in_seconds) * 1_000;
                    prop_assert!(count(&quota, 1, now).remaining.is_some(), "who waits may go on");
                }
            }
            now += MINUTE_MS;
            for left in (0..per_minute).rev() {
                let told = count(&quota, 1, now).remaining;
                prop_assert!(told >= Some(left), "a minute later all is there: {:?} of {}", told, left);
            }
        }

        #[test]
        fn in_no_minute_there_is_more_than_twice_as_much(per_minute in 1..=60_u32, pauses in prop::collection::vec(0..2_000_i64, 1..300)) {
            let quota = Quotas::new(per_minute);
            let mut now = 0;
            let mut done: Vec<i64> = Vec::new();
            for pause in pauses {
                now += pause;
                if count(&quota, 1, now).remaining.is_some() {
                    done.push(now);
                }
            }
            for first in &done {
                let within = done.iter().filter(|one| (*first..first + MINUTE_MS).contains(*one));
                prop_assert!(within.count() <= 2 * per_minute as usize + 1);
            }
        }
    }

    #[test]
    fn a_clock_that_is_set_back_gives_nothing_and_takes_nothing() {
        let quota = Quotas::new(1);
        count(&quota, 1, 60_000);

        assert_eq!(count(&quota, 1, 0).remaining, None);
        assert_eq!(count(&quota, 1, 60_000).remaining, Some(0));
    }

    #[test]
    fn a_flood_of_callers_does_not_reset_the_quota_of_an_active_caller() {
        let quota = Quotas::new(1);
        let others = 10 + CALLERS_AT_MOST as u64 * 2;
        assert!(count(&quota, 1, 0).remaining.is_some());

        for other in 2..others {
            count(&quota, other, 0);
            assert_eq!(count(&quota, 1, 0).remaining, None, "after {other} others");
        }
    }

    #[test]
    fn each_member_and_client_has_a_quota_of_its_own() {
        let quota = Quotas::new(1);
        let (one, other): (ClientId, ClientId) =
            ("reports".parse().unwrap(), "importer".parse().unwrap());
        let member = "1".parse::<MemberId>().unwrap();

        assert!(quota.count((member, one.clone()), 1, at(0)).remaining.is_some());
        assert!(quota.count((member, one.clone()), 1, at(0)).remaining.is_none());
        assert!(quota.count((member, other), 1, at(0)).remaining.is_some());
        assert!(quota.count(("2".parse().unwrap(), one), 1, at(0)).remaining.is_some());
    }
}
