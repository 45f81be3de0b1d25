//! Limits failed passwords. Guessing is slowed for each account and each address, by waits that grow up to a limit. A browser in which the
//! member has signed in before has its own attempts, so other people's failures never delay it.

use std::net::IpAddr;

use oauth::Timestamp;
use storage::MemberId;

use crate::TooManyFailures;
use crate::throttle::{Allowance, Source, Throttle};

const SECOND_MS: i64 = 1_000;
const MINUTE_MS: i64 = 60 * SECOND_MS;

/// A person mistypes a few times. Guesses from one address slow to four tries an hour.
const ON_ACCOUNT_FROM_ADDRESS: Allowance = Allowance {
    failures: 6,
    forgotten_after_ms: 10 * MINUTE_MS,
    first_wait_ms: 30 * SECOND_MS,
    longest_wait_ms: 15 * MINUTE_MS,
};

/// Guesses from many addresses get a try a minute. The longest wait is short, because the owner in a new browser has it too.
const ON_ACCOUNT: Allowance = Allowance {
    failures: 20,
    forgotten_after_ms: 10 * MINUTE_MS,
    first_wait_ms: 5 * SECOND_MS,
    longest_wait_ms: MINUTE_MS,
};

/// A whole office may share one address.
const FROM_ADDRESS: Allowance = Allowance {
    failures: 100,
    forgotten_after_ms: MINUTE_MS,
    first_wait_ms: SECOND_MS,
    longest_wait_ms: MINUTE_MS,
};

/// A thief may have taken the device, so it gets no more than this.
const IN_KNOWN_BROWSER: Allowance = Allowance {
    failures: 10,
    forgotten_after_ms: 10 * MINUTE_MS,
    first_wait_ms: 10 * SECOND_MS,
    longest_wait_ms: 5 * MINUTE_MS,
};

/// Remembers wrong passwords, in memory and within bounds.
pub(crate) struct SignInThrottle {
    on_account_from_address: Throttle,
    on_account: Throttle,
    from_address: Throttle,
    in_known_browser: Throttle,
}

/// An attempt to sign in with a password.
#[derive(Debug, Clone, Copy)]
pub(super) struct Attempt<'a> {
    /// The e-mail address as typed, even if no member has it.
    pub(super) email: &'a str,
    pub(super) address: IpAddr,
    /// The id of the browser, if this member signed in there before.
    pub(super) known_browser: Option<&'a str>,
}

impl Default for SignInThrottle {
    fn default() -> Self {
        Self {
            on_account_from_address: Throttle::new(ON_ACCOUNT_FROM_ADDRESS),
            on_account: Throttle::new(ON_ACCOUNT),
            from_address: Throttle::new(FROM_ADDRESS),
            in_known_browser: Throttle::new(IN_KNOWN_BROWSER),
        }
    }
}

impl SignInThrottle {
    /// Checks whether the attempt is allowed now: a refused one need not wait for a turn.
    pub(super) fn check(
        &self,
        attempt: Attempt<'_>,
        now: Timestamp,
    ) -> Result<(), TooManyFailures> {
        let throttles = self.throttles(attempt);
        throttles.into_iter().try_for_each(|(throttle, source)| throttle.check(source, now))
    }

    /// Counts an attempt as failed before it is made, or says that there have been too many.
    pub(super) fn count(
        &self,
        attempt: Attempt<'_>,
        now: Timestamp,
    ) -> Result<(), TooManyFailures> {
        let mut counted = Vec::new();
        for (throttle, source) in self.throttles(attempt) {
            if let Err(too_many) = throttle.count(source, now) {
                take_back(&counted);
                return Err(too_many);
            }
            counted.push((throttle, source));
        }
        Ok(())
    }

    /// The password was right. Where others share a count, only this attempt is taken back.
    pub(super) fn succeeded(&self, attempt: Attempt<'_>) {
        let own = attempt.own();
        for (throttle, source) in self.throttles(attempt) {
            if source == own { throttle.forget(source) } else { throttle.take_back(source) }
        }
    }

    /// Counts a wrong password of a signed-in member before the check: another person may sit at the browser.
    pub(crate) fn count_in_session(
        &self,
        member: MemberId,
        now: Timestamp,
    ) -> Result<(), TooManyFailures> {
        self.in_known_browser.count(session_of(member), now)
    }

    /// The signed-in member entered the right password.
    pub(crate) fn succeeded_in_session(&self, member: MemberId) {
        self.in_known_browser.forget(session_of(member));
    }

    /// All throttles that count an attempt.
    fn throttles(&self, attempt: Attempt<'_>) -> Vec<(&Throttle, Source)> {
        let own = attempt.own();
        if attempt.known_browser.is_some() {
            return vec![(&self.in_known_browser, own)];
        }
        vec![
            (&self.on_account_from_address, own),
            (&self.on_account, Source::name(attempt.email)),
            (&self.from_address, Source::address(attempt.address)),
        ]
    }
}

impl Attempt<'_> {
    /// The source that only the same person is likely to use.
    fn own(self) -> Source {
        let elsewhere = || Source::attempts_on(self.email, self.address);
        self.known_browser.map_or_else(elsewhere, Source::browser)
    }
}

/// Every browser in which this member is signed in.
fn session_of(member: MemberId) -> Source {
    Source::browser(&format!("signed in: {member}"))
}

fn take_back(counted: &[(&Throttle, Source)]) {
    for (throttle, source) in counted {
        throttle.take_back(*source);
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use oauth::Timestamp;

    use super::{Attempt, SignInThrottle};

    const NOW: Timestamp = Timestamp::from_milliseconds(0);

    /// A wrong password from one of many addresses.
    fn guess(number: u32) -> Attempt<'static> {
        let address = IpAddr::V4(Ipv4Addr::from(number));
        Attempt { email: "ann@example.com", address, known_browser: None }
    }

    #[test]
    fn guessing_from_many_addresses_is_slowed_and_leaves_the_members_own_browser_alone() {
        let throttle = SignInThrottle::default();

        let tried = (0..100).filter(|number| throttle.count(guess(*number), NOW).is_ok()).count();

        assert_eq!(tried, 20);
        let known = Attempt { known_browser: Some("laptop"), ..guess(1) };
        assert_eq!(throttle.count(known, NOW), Ok(()));
        let longest_wait = Timestamp::from_milliseconds(60_000);
        assert_eq!(throttle.count(guess(200), longest_wait), Ok(()), "others wait a minute");
    }

    #[test]
    fn guessing_many_accounts_from_one_address_is_slowed() {
        let throttle = SignInThrottle::default();
        let names: Vec<String> = (0..200).map(|number| format!("{number}@example.com")).collect();

        let attempts = names.iter().map(|email| Attempt { email, ..guess(1) });

        assert_eq!(attempts.filter(|attempt| throttle.count(*attempt, NOW).is_ok()).count(), 100);
    }

    #[test]
    fn a_known_browser_has_no_more_than_its_own_attempts() {
        let throttle = SignInThrottle::default();
        let known = Attempt { known_browser: Some("laptop"), ..guess(1) };

        let tried = (0..100).filter(|_| throttle.count(known, NOW).is_ok()).count();

        assert_eq!(tried, 10);
        assert_eq!(throttle.count(guess(1), NOW), Ok(()), "and they are not those of others");
    }

    #[test]
    fn a_successful_sign_in_does_not_reset_the_failures_of_others() {
        let throttle = SignInThrottle::default();
        for number in 0..19 {
            throttle.count(guess(number), NOW).unwrap();
        }

        throttle.count(guess(50), NOW).unwrap();
        throttle.succeeded(guess(50));

        assert_eq!(throttle.count(guess(51), NOW), Ok(()));
        assert!(throttle.count(guess(52), NOW).is_err());
    }
}
