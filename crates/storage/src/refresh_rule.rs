//! When a refresh token is valid: the rules, the same for both databases (RFC 6749 section 6, RFC 9700 section 4.14.2).
//!
//! Of a token that is replaced at each use, three kinds may be seen again. The spent token itself: for a while, as its answer may
//! have been lost; what that answer held is then **replaced**. A replaced token: never, it was not lost after all, so two hold tokens of the
//! family, which ends. And what was handed out **beside** another because both were asked for at once: until one of them is used; the others
//! are then gone, and it is no sign of a thief that the client asks with one.

use oauth::{ACCESS_TOKEN, Lifetime, REFRESH_IDLE, ScopeSet, Timestamp};

use crate::access_cache::CachedToken;
use crate::invalidation::{Change, Invalidation};
use crate::row::Row;
use crate::stored::{client_id, scope};
use crate::{AccessGrant, MemberId, Refresh, RefreshOutcome, Rotation, StorageError};

/// The last use, and with it the idle limit, is moved at most once an hour, which spares all other refreshes of a kept token a
/// write.
pub(crate) const USE_STEP: Lifetime = Lifetime::from_seconds(3_600);

/// For so long an answer may be thought lost: a client on a bad line tries again within seconds, one that was put to sleep in between within
/// minutes.
pub(crate) const RETRY: Lifetime = Lifetime::from_seconds(600);

/// A generation of a family, to which a token belongs: the first comes from the exchange, each rotation starts the next.
#[derive(Clone, Copy)]
pub(crate) struct Generation {
    pub(crate) family: i64,
    pub(crate) number: i64,
}

/// A refresh token beside its family.
pub(crate) struct RefreshToken {
    /// Its generation; -1, which is before any other, once it was replaced.
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
    pub(crate) fn from_row(row: &impl Row) -> Result<Self, StorageError> {
        Ok(Self {
            number: row.column(0)?,
            family: row.column(1)?,
            client_id: row.column(2)?,
            scope: scope(&row.column::<String>(3)?)?,
            family_generation: row.column(4)?,
            seen_generation: row.column(5)?,
            expires_at: Timestamp::from_milliseconds(row.column(6)?),
            ends_at: Timestamp::from_milliseconds(row.column(7)?),
            has_ended: row.column::<Option<i64>>(8)?.is_some(),
            member: MemberId::from_row(row.column(9)?),
            last_used_at: Timestamp::from_milliseconds(row.column(10)?),
        })
    }

    /// The scope of the access token that this refresh gives, or why it gives none. Of another client's token nothing else is looked at.
    pub(crate) fn check(&self, refresh: &Refresh) -> Result<ScopeSet, RefreshOutcome> {
        if self.client_id != refresh.client_id.as_str() {
            Err(RefreshOutcome::OtherClient)
        } else if self.has_ended {
            Err(RefreshOutcome::Ended)
        } else if !self.is_of_this_time(refresh.now) {
            Err(RefreshOutcome::Expired)
        } else if !self.is_newest() && !self.is_retry(refresh.now) && !self.is_beside(refresh) {
            Err(RefreshOutcome::Reused)
        } else {
            self.scope_for(refresh)
        }
    }

    /// What is wanted, or all that was granted, and in either case no more than the client may be given now.
    fn scope_for(&self, refresh: &Refresh) -> Result<ScopeSet, RefreshOutcome> {
        let left = self.scope.intersection(refresh.widest_scope);
        let Some(wanted) = refresh.scope else { return left.ok_or(RefreshOutcome::NothingLeft) };
        let is_left = left.is_some_and(|left| wanted.is_subset_of(left));
        if is_left { Ok(wanted) } else { Err(RefreshOutcome::ScopeTooWide) }
    }

    /// How a refresh that gave this scope is told: a client that named none expects what was granted.
    pub(crate) fn refreshed(&self, refresh: &Refresh, scope: ScopeSet) -> RefreshOutcome {
        if refresh.scope.is_none() && scope != self.scope {
            RefreshOutcome::Narrowed(scope)
        } else {
            RefreshOutcome::Refreshed(scope)
        }
    }

    /// What the token can give; `None` unless a refresh with it would succeed.
    pub(crate) fn grant(self, now: Timestamp) -> Result<Option<AccessGrant>, StorageError> {
        let is_good = !self.has_ended
            && self.is_of_this_time(now)
            && (self.is_newest() || self.is_retry(now));
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

    /// Whether the family has not expired, and was not started by a clock that was far ahead.
    fn is_of_this_time(&self, now: Timestamp) -> bool {
        self.expires_at.is_end_of_something_good(REFRESH_IDLE, now)
    }

    /// Whether the token was spent a moment ago, and no token that it was spent for has been used.
    fn is_retry(&self, now: Timestamp) -> bool {
        self.number + 1 == self.family_generation
            && self.seen_generation <= self.number
            && now <= self.last_used_at + RETRY
    }

    /// Whether what an earlier use gave is to go: it was lost on its way, and no other request asked for it at the same moment.
    pub(crate) fn replaces_successor(&self, refresh: &Refresh) -> bool {
        self.is_retry(refresh.now) && !self.is_beside(refresh)
    }

    /// Whether the token was spent only while this refresh was under way.
    fn is_beside(&self, refresh: &Refresh) -> bool {
        let was_overtaken = matches!(refresh.rotation, Rotation::ReplaceBeside(_))
            || refresh.at_once_since.is_some_and(|since| self.last_used_at >= since);
        was_overtaken && self.number + 1 == self.family_generation
    }

    /// What a refused refresh changes about access tokens.
    pub(crate) fn change_by_refusal(&self, refused: RefreshOutcome) -> Change {
        if refused == RefreshOutcome::Reused {
            Change::Ended(Invalidation::Family(self.family))
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
        Change::Issued(CachedToken::of_family(refresh.access_token, self.family, grant))
    }

    pub(crate) fn is_newest(&self) -> bool {
        self.number == self.family_generation
    }

    /// When the family expires if the token is used now.
    pub(crate) fn expires_after_use(&self, now: Timestamp) -> Timestamp {
        (now + REFRESH_IDLE).min(self.ends_at)
    }

    /// When a family was last used that a token of this generation is handed out of now. Trying again is no use: else it could be done
    /// for ever.
    pub(crate) fn last_used_after(&self, handed_out: Generation, now: Timestamp) -> Timestamp {
        let is_next = handed_out.number != self.family_generation;
        if is_next || now - USE_STEP >= self.last_used_at { now } else { self.last_used_at }
    }

    pub(crate) fn generation(&self) -> Generation {
        Generation { family: self.family, number: self.number }
    }

    pub(crate) fn next_generation(&self) -> Generation {
        Generation { family: self.family, number: self.number + 1 }
    }
}
