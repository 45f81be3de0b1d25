//! Which rows nothing needs any more, so that the operator needs no clean-up job. Each adapter decides when it deletes how many of them.

use std::time::Duration;

use oauth::{ACCESS_TOKEN, Timestamp};

use crate::CLOCK_STEADY_FOR;
use crate::api_tokens::API_TOKEN_KEPT_AFTER_EXPIRY;
use crate::invitations::INVITATION_KEPT_AFTER_EXPIRY;
use crate::preview_links::KEPT_AFTER_EXPIRY;
use crate::statements::cleaning::{
    DELETE_EXPIRED_ACCESS_TOKENS, DELETE_EXPIRED_API_TOKENS, DELETE_EXPIRED_CHALLENGES,
    DELETE_EXPIRED_CODES, DELETE_EXPIRED_FAMILIES, DELETE_EXPIRED_INVITATIONS,
    DELETE_EXPIRED_PREVIEW_LINKS, DELETE_EXPIRED_RESULTS_LINKS, DELETE_EXPIRED_SESSIONS,
    DELETE_OLD_ATTEMPTS, DELETE_OLD_DELIVERIES, Deletion,
};
use crate::webhooks::DELIVERIES_KEPT_FOR;

/// What may be deleted at the moment `present`, each with the moment by which it has expired, by a clock that has been steady for so long.
pub(crate) fn due(present: Timestamp, steady_for: Duration) -> Vec<(Deletion, Timestamp)> {
    let mut due = vec![
        (DELETE_EXPIRED_CODES, present),
        (DELETE_EXPIRED_ACCESS_TOKENS, present),
        (DELETE_EXPIRED_SESSIONS, present),
        (DELETE_EXPIRED_CHALLENGES, present),
        // A family takes its tokens with it, and its last access tokens may outlive its refresh token.
        (DELETE_EXPIRED_FAMILIES, present - ACCESS_TOKEN),
    ];
    if steady_for >= CLOCK_STEADY_FOR {
        // These are few and kept for long, and members notice when one of them is gone that a clock ended too early.
        due.extend([
            (DELETE_EXPIRED_RESULTS_LINKS, present),
            (DELETE_EXPIRED_PREVIEW_LINKS, present - KEPT_AFTER_EXPIRY),
            (DELETE_EXPIRED_API_TOKENS, present - API_TOKEN_KEPT_AFTER_EXPIRY),
            (DELETE_EXPIRED_INVITATIONS, present - INVITATION_KEPT_AFTER_EXPIRY),
            (DELETE_OLD_DELIVERIES, present - DELIVERIES_KEPT_FOR),
            (DELETE_OLD_ATTEMPTS, present - DELIVERIES_KEPT_FOR),
        ]);
    }
    due
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use oauth::Timestamp;

    use super::due;
    use crate::CLOCK_STEADY_FOR;
    use crate::statements::cleaning::ALL;

    /// The tables from which rows may go by a clock that has been steady for so long.
    fn tables(steady_for: Duration) -> Vec<&'static str> {
        let due = due(Timestamp::from_milliseconds(1_800_000_000_000), steady_for);
        due.iter().map(|(deletion, _)| deletion.alone.split(' ').nth(2).unwrap()).collect()
    }

    #[test]
    fn what_members_would_miss_goes_by_a_steady_clock_alone() {
        let soon = ["authorization_code", "access_token", "session", "spent_challenge"];
        let unsure = tables(CLOCK_STEADY_FOR.checked_sub(Duration::from_millis(1)).unwrap());

        assert_eq!(unsure, [&soon[..], &["token_family"]].concat());
        assert_eq!(tables(CLOCK_STEADY_FOR).len(), ALL.len());
    }
}
