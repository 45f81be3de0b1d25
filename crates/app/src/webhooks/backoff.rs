//! When a delivery is tried again, as Standard Webhooks proposes: soon at first, and for three days.

use oauth::{Lifetime, Timestamp};
use storage::FurthestWaits;

use super::sender::WebhookAnswer;

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;

/// The seconds between an attempt and the next one. The first attempt is made at once, the tenth is the last.
const PAUSES: [i64; 9] =
    [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];

/// The longest of these, and the tenth by which chance moves it.
const PAUSE_AT_MOST: Lifetime = Lifetime::from_seconds(24 * HOUR + 24 * HOUR / 10);

/// Limits of rates begin anew within an hour. A receiver that asks for more is asked again nevertheless, so that nothing waits for a wrong date.
const ASKED_AT_MOST: Lifetime = Lifetime::from_seconds(HOUR);

/// Clocks of servers differ, and a wait may have begun since the time was read.
const CLOCKS_DIFFER_BY: Lifetime = Lifetime::from_seconds(MINUTE);

/// Too many requests, and not now: these say when to come back (RFC 9110 section 10.2.3, RFC 6585 section 4).
const ASKING: [u16; 2] = [429, 503];

/// For how long nothing is sent to a receiver that answers so.
pub(super) fn asked_pause(answer: &WebhookAnswer) -> Option<Lifetime> {
    let asked = answer.retry_after.filter(|_| ASKING.contains(&answer.status))?;
    Some(asked.min(ASKED_AT_MOST))
}

/// For how long after so many attempts the next one waits; `None` if that was the last. Chance moves it by a tenth at most in either direction, so
/// that receivers which come back are not asked by all at once.
pub(super) fn pause_after(attempts: u32, chance: u8) -> Option<Lifetime> {
    let place = usize::try_from(attempts.checked_sub(1)?).ok()?;
    let seconds = *PAUSES.get(place)?;
    let shift = seconds * i64::from(chance) / (5 * i64::from(u8::MAX));
    Some(Lifetime::from_seconds(seconds - seconds / 10 + shift))
}

/// How far ahead anything of a webhook may wait at this moment.
pub(super) fn furthest_waits(now: Timestamp) -> FurthestWaits {
    let now = now + CLOCKS_DIFFER_BY;
    FurthestWaits { leased_until: now + ASKED_AT_MOST, due_at: now + PAUSE_AT_MOST }
}

#[cfg(test)]
mod tests {
    use oauth::{Lifetime, Timestamp};

    use super::{
        ASKED_AT_MOST, PAUSE_AT_MOST, PAUSES, WebhookAnswer, asked_pause, furthest_waits,
        pause_after,
    };

    #[test]
    fn an_attempt_is_the_tenth_at_most_and_three_days_after_the_first() {
        let pauses = |chance| (1..=10).map_while(move |attempts| pause_after(attempts, chance));

        assert_eq!((pauses(0).count(), pauses(255).count()), (9, 9));
        assert_eq!(pause_after(10, 0), None);
        assert_eq!(pause_after(11, 0), None, "attempts of servers that died count, too");
        assert_eq!(PAUSES.iter().sum::<i64>() / 3_600, 75);
    }

    #[test]
    fn chance_moves_a_pause_by_a_tenth() {
        let seconds = |chance| pause_after(3, chance).map(Lifetime::seconds);

        assert_eq!((seconds(0), seconds(255)), (Some(1_620), Some(1_980)));
        assert_eq!(pause_after(1, 0).map(Lifetime::seconds), Some(5));
        assert_eq!(pause_after(9, 255), Some(PAUSE_AT_MOST));
    }

    #[test]
    fn a_pause_as_another_server_just_wrote_it_is_none_of_a_wrong_clock() {
        let here = Timestamp::from_milliseconds(1_000_000);
        let there = here + Lifetime::from_seconds(1);

        let furthest = furthest_waits(here);

        assert!(there + ASKED_AT_MOST <= furthest.leased_until);
        assert!(there + PAUSE_AT_MOST <= furthest.due_at);
    }

    #[test]
    fn a_busy_receiver_is_left_alone_as_long_as_it_asks_and_an_hour_at_most() {
        let asked = |status, seconds| {
            let retry_after = Some(Lifetime::from_seconds(seconds));
            let answer = WebhookAnswer { status, beginning: String::new(), retry_after };
            asked_pause(&answer).map(Lifetime::seconds)
        };

        assert_eq!((asked(429, 30), asked(503, 0)), (Some(30), Some(0)));
        assert_eq!(asked(503, i64::MAX), Some(3_600));
        for other in [200, 301, 400, 500, 502] {
            assert_eq!(asked(other, 30), None, "{other}");
        }
        let silent = WebhookAnswer { status: 429, beginning: String::new(), retry_after: None };
        assert_eq!(asked_pause(&silent), None);
    }
}
