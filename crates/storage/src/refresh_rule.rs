//! When a refresh token is good: the rules, which are the same whatever the database (RFC 6749 section 6, RFC 9700 section 4.14.2).

use oauth::{ACCESS_TOKEN, Lifetime, REFRESH_IDLE, ScopeSet, Timestamp};

use crate::ending::{Change, Ending};
use crate::known_tokens::KnownToken;
use crate::stored::client_id;
use crate::{AccessGrant, MemberId, Refresh, RefreshOutcome, Rotation, StorageError};

/// The last use, and with it the idle limit, is moved at most once an hour, which spares all other refreshes of a kept token a
/// write.
pub(crate) const USE_STEP: Lifetime = Lifetime::from_seconds(3_600);

/// A generation of a family, to which a token belongs: the first comes from the exchange, each rotation starts the next.
#[derive(Clone, Copy)]
pub(crate) struct Generation {
    pub(crate) family: i64,
    pub(crate) number: i64,
}

/// A refresh token beside its family.
pub(crate) struct RefreshToken {
    pub(crate) number: i64,
    pub(crate) family: i64,
    pub(crate) client_id: String,
    pub(crate) scope: ScopeSet,
    pub(crate) family_generation: i64,
    pub(crate) seen_generation: i64,
    pub(crate) expires_at: Timestamp,
    pub(crate) ends_at: Timestamp,
    pub(crate) has_ended: bool,
    pub(crate) member: MemberId,
    pub(crate) last_used_at: Timestamp,
}

impl RefreshToken {
    /// Why the token is not good for this refresh. Of another client's token nothing else is looked at.
    pub(crate) fn refuses(&self, refresh: &Refresh) -> Option<RefreshOutcome> {
        if self.client_id != refresh.client_id.as_str() {
            Some(RefreshOutcome::OtherClient)
        } else if self.has_ended {
            Some(RefreshOutcome::Ended)
        } else if self.expires_at <= refresh.now {
            Some(RefreshOutcome::Expired)
        } else if !self.is_newest() && !self.is_retry() && !self.is_beside(refresh) {
            Some(RefreshOutcome::Reused)
        } else if refresh.scope.is_some_and(|wanted| !wanted.is_subset_of(self.scope)) {
            Some(RefreshOutcome::ScopeTooWide)
        } else {
            None
        }
    }

    /// What the token can give; `None` unless a refresh with it would succeed.
    pub(crate) fn grant(self, now: Timestamp) -> Result<Option<AccessGrant>, StorageError> {
        let is_good =
            !self.has_ended && self.expires_at > now && (self.is_newest() || self.is_retry());
        if !is_good {
            return Ok(None);
        }
        Ok(Some(AccessGrant {
            member: self.member,
            client_id: client_id(&self.client_id)?,
            scope: self.scope,
            expires_at: self.expires_at,
        }))
    }

    /// Whether the token is spent, but nobody has used what it was spent for.
    fn is_retry(&self) -> bool {
        self.number + 1 == self.family_generation && self.seen_generation <= self.number
    }

    /// Whether what an earlier use gave is to go: it was lost on its way, and nobody asked for it at the same moment.
    pub(crate) fn replaces_successor(&self, refresh: &Refresh) -> bool {
        self.is_retry() && !self.is_beside(refresh)
    }

    /// Whether the token was spent only while this refresh was under way.
    fn is_beside(&self, refresh: &Refresh) -> bool {
        matches!(refresh.rotation, Rotation::ReplaceBeside(_))
            && self.number + 1 == self.family_generation
    }

    /// What a refused refresh changes about access tokens.
    pub(crate) fn change_by_refusal(&self, refused: RefreshOutcome) -> Change {
        if refused == RefreshOutcome::Reused {
            Change::Ended(Ending::Family(self.family))
        } else {
            Change::Nothing
        }
    }

    /// What a refresh changes about access tokens. One of a generation of which none has been used is not kept in memory: its first
    /// use has to be written down. (One that a repeated refresh takes away was therefore never kept.)
    pub(crate) fn change_by_refresh(
        self,
        generation: Generation,
        scope: ScopeSet,
        refresh: &Refresh,
    ) -> Change {
        if generation.number > self.seen_generation {
            return Change::Nothing;
        }
        let grant = AccessGrant {
            member: self.member,
            client_id: refresh.client_id.clone(),
            scope,
            expires_at: refresh.now + ACCESS_TOKEN,
        };
        Change::Issued(KnownToken { hash: refresh.access_token, family: self.family, grant })
    }

    pub(crate) fn is_newest(&self) -> bool {
        self.number == self.family_generation
    }

    /// When the family expires if the token is used now.
    pub(crate) fn expires_after_use(&self, now: Timestamp) -> Timestamp {
        (now + REFRESH_IDLE).min(self.ends_at)
    }

    /// Whether the last use that is written down is so long ago that this one is worth it.
    pub(crate) fn is_worth_moving(&self, now: Timestamp) -> bool {
        now - USE_STEP >= self.last_used_at
    }

    pub(crate) fn generation(&self) -> Generation {
        Generation { family: self.family, number: self.number }
    }

    pub(crate) fn next_generation(&self) -> Generation {
        Generation { family: self.family, number: self.number + 1 }
    }
}
