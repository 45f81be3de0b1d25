//! When an event happened, told by a clock that may be wrong.

use crate::Millis;

/// A sender's clock that is off by more than this is corrected; networks alone take less.
const TRUSTED_MS: i64 = 5 * 60_000;

/// Events of a longer ago are late: the visitor's page had no network for a week.
const PAST_DAYS: u32 = 7;

/// A little more than the clocks of servers differ.
const FUTURE_MS: i64 = 10 * 60_000;

/// When an event happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HappenedAt {
    /// The moment, by our clock.
    pub at: Millis,
    /// Whether the sender told of a moment that cannot be: then it happened when it came.
    pub is_clamped: bool,
}

/// The moment of an event by our clock: if the sender says when it sent the batch, its clock is compared with ours. A sender whose clock is right
/// says nothing: it may send a batch of an hour ago again, and nothing in it moves.
#[must_use]
pub fn corrected(told: Millis, sent: Option<Millis>, received: Millis) -> HappenedAt {
    let late_by = sent.map_or(0, |sent| received.0.saturating_sub(sent.0));
    let is_trusted = late_by.unsigned_abs() <= TRUSTED_MS.unsigned_abs();
    let at = Millis(if is_trusted { told.0 } else { told.0.saturating_add(late_by) });
    let latest = Millis(received.0.saturating_add(FUTURE_MS));
    if at < received.before_days(PAST_DAYS) || at > latest {
        return HappenedAt { at: received, is_clamped: true };
    }
    // Nothing happens after it was received.
    HappenedAt { at: at.min(received), is_clamped: false }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{HappenedAt, corrected};
    use crate::Millis;

    const NOW: Millis = Millis(1_795_331_929_470);
    const MINUTE: i64 = 60_000;

    fn before(minutes: i64) -> Millis {
        Millis(NOW.0 - minutes * MINUTE)
    }

    #[test]
    fn a_wrong_clock_is_set_right_by_when_the_batch_was_sent() {
        let right = HappenedAt { at: before(30), is_clamped: false };

        assert_eq!(corrected(before(30), Some(before(1)), NOW), right);
        assert_eq!(corrected(before(30), None, NOW), right);
        // A clock that is two hours slow, and one that is a year fast.
        assert_eq!(corrected(before(150), Some(before(120)), NOW), right);
        assert_eq!(corrected(before(30 - 525_600), Some(before(-525_600)), NOW), right);
    }

    #[test]
    fn an_impossible_event_time_becomes_the_time_of_arrival() {
        let clamped = HappenedAt { at: NOW, is_clamped: true };

        for told in
            [before(8 * 24 * 60), before(-11), Millis(0), Millis(i64::MAX), Millis(i64::MIN)]
        {
            assert_eq!(corrected(told, None, NOW), clamped, "{told:?}");
        }
        assert_eq!(corrected(before(-9), None, NOW), HappenedAt { at: NOW, is_clamped: false });
    }

    proptest! {
        #[test]
        fn no_event_is_later_than_its_arrival_or_earlier_than_a_week(told: i64, sent: Option<i64>, received in 0..i64::MAX / 2) {
            let at = corrected(Millis(told), sent.map(Millis), Millis(received)).at;

            prop_assert!(at.0 <= received && at >= Millis(received).before_days(7), "{at:?}");
        }
    }
}
