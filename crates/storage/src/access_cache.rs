//! What access tokens allow, what members may do and what preview links show, kept in memory: a program shows its token with each request, and the database is
//! not asked each time.
//!
//! An entry here opens doors, so an operation that ends a token or changes roles invalidates its entries before it is answered. A process
//! may have read a row just before such a commit and bring it here just after: each entry therefore carries the [`CacheEpoch`] at which
//! its reading began, and `cache_epochs.rs` says whether anything has ended it since.

use std::sync::Arc;

use oauth::{ACCESS_TOKEN, CredentialHash, Timestamp};
use quick_cache::sync::Cache;

use crate::cache_epochs::{CacheEpoch, CacheEpochs};
use crate::invalidation::{Change, Invalidation};
use crate::roles::FoundRoles;
use crate::{AccessGrant, MemberId, RoleGrant, StoredPreviewLink};

/// At some 350 bytes each, twenty-three megabytes at most. Those used least go first.
const TOKENS_AT_MOST: usize = 65_536;

/// More members than act at the same time on one server; at some 150 bytes each, two or three megabytes.
const MEMBERS_AT_MOST: usize = 16_384;

/// More links than are looked at in the same hour; at some kilobytes each for the longest addresses, a few megabytes.
const PREVIEW_LINKS_AT_MOST: usize = 1_024;

/// A token that is good, and has been used before: the database knows of that, so later uses have nothing to write.
#[derive(Debug, Clone)]
pub(crate) struct CachedToken {
    pub(crate) hash: CredentialHash,
    pub(crate) family: i64,
    pub(crate) grant: AccessGrant,
    /// The database is asked again then at the latest: what has to be written down by then is.
    pub(crate) trusted_until: Timestamp,
}

impl CachedToken {
    /// An access token of a family, which is trusted until it expires.
    pub(crate) const fn of_family(hash: CredentialHash, family: i64, grant: AccessGrant) -> Self {
        Self { hash, family, trusted_until: grant.expires_at, grant }
    }

    /// Whether it may be answered from memory: once the clock is right again, tokens from when it was far ahead may not.
    fn is_of_this_time(&self, now: Timestamp) -> bool {
        self.trusted_until.is_end_of_something_good(ACCESS_TOKEN, now)
    }
}

/// Caches of tokens, roles and preview links that are invalidated together.
pub(crate) struct AccessCache {
    epochs: CacheEpochs,
    tokens: Cache<[u8; 32], (CacheEpoch, CachedToken)>,
    roles: Cache<MemberId, (CacheEpoch, FoundRoles)>,
    preview_links: Cache<String, (CacheEpoch, Arc<StoredPreviewLink>)>,
}

impl Default for AccessCache {
    fn default() -> Self {
        Self {
            epochs: CacheEpochs::default(),
            tokens: Cache::new(TOKENS_AT_MOST),
            roles: Cache::new(MEMBERS_AT_MOST),
            preview_links: Cache::new(PREVIEW_LINKS_AT_MOST),
        }
    }
}

impl AccessCache {
    /// The epoch of what an operation reads or issues that begins now. To be called before the database is asked.
    pub(crate) fn epoch(&self) -> CacheEpoch {
        self.epochs.now()
    }

    /// What a token allows, if that is cached and has not ended.
    pub(crate) fn find_token(&self, hash: &CredentialHash, now: Timestamp) -> Option<AccessGrant> {
        let (epoch, token) = self.tokens.get(hash.as_bytes())?;
        let subjects = [Invalidation::Token(token.hash), Invalidation::Family(token.family)];
        let is_current = subjects.iter().all(|subject| self.epochs.is_current(epoch, subject));
        (is_current && token.is_of_this_time(now)).then_some(token.grant)
    }

    /// What a member may do, if that is cached and has not changed.
    pub(crate) fn find_roles(&self, member: MemberId, now: Timestamp) -> Option<Arc<[RoleGrant]>> {
        let (epoch, roles) = self.roles.get(&member)?;
        self.epochs.is_current(epoch, &Invalidation::Roles(member)).then(|| roles.at(now))
    }

    /// A preview link, if that is cached and was not revoked.
    pub(crate) fn find_preview_link(&self, id: &str) -> Option<Arc<StoredPreviewLink>> {
        let (epoch, link) = self.preview_links.get(id)?;
        let subject = Invalidation::PreviewLink(id.to_owned());
        self.epochs.is_current(epoch, &subject).then_some(link)
    }

    pub(crate) fn keep_preview_link(&self, epoch: CacheEpoch, link: Arc<StoredPreviewLink>) {
        self.preview_links.insert(link.id.clone(), (epoch, link));
    }

    /// From here on a preview link is read anew. Nothing has ended.
    pub(crate) fn forget_preview_link(&self, id: &str) {
        self.preview_links.remove(id);
    }

    pub(crate) fn keep_token(&self, epoch: CacheEpoch, token: CachedToken) {
        self.tokens.insert(*token.hash.as_bytes(), (epoch, token));
    }

    pub(crate) fn keep_roles(&self, epoch: CacheEpoch, member: MemberId, roles: FoundRoles) {
        self.roles.insert(member, (epoch, roles));
    }

    /// Takes note of what an operation changed that began at `epoch`.
    pub(crate) fn apply(&self, epoch: CacheEpoch, change: Change) {
        match change {
            Change::Nothing => {}
            Change::Issued(token) => self.keep_token(epoch, token),
            Change::Ended(invalidation) => self.invalidate(&invalidation),
            Change::ApiTokenRemoved(invalidations) => {
                for invalidation in &invalidations {
                    self.invalidate(invalidation);
                }
            }
        }
    }

    /// From here on nothing is answered from entries that this is about.
    pub(crate) fn invalidate(&self, invalidation: &Invalidation) {
        self.epochs.invalidate(invalidation);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use oauth::{CredentialHash, ScopeSet, Timestamp};

    use super::{AccessCache, CachedToken, TOKENS_AT_MOST};
    use crate::invalidation::Invalidation;
    use crate::roles::FoundRoles;
    use crate::{AccessGrant, MemberId, RoleGrant};

    const NOW: Timestamp = Timestamp::from_milliseconds(1_000);
    const ANN: MemberId = MemberId::from_row(1);
    const BOB: MemberId = MemberId::from_row(2);

    fn hash(number: usize) -> CredentialHash {
        oauth::hash(&number.to_string()).unwrap()
    }

    fn token(number: usize, family: i64) -> CachedToken {
        let grant = AccessGrant {
            member: ANN,
            client_id: "reports".parse().unwrap(),
            scope: ScopeSet::ALL,
            expires_at: Timestamp::from_milliseconds(2_000),
        };
        CachedToken::of_family(hash(number), family, grant)
    }

    fn with_tokens(numbers: impl IntoIterator<Item = usize>, family: i64) -> AccessCache {
        let cache = AccessCache::default();
        for number in numbers {
            cache.keep_token(cache.epoch(), token(number, family));
        }
        cache
    }

    fn owner() -> FoundRoles {
        FoundRoles { roles: Arc::new([RoleGrant::OWNER]), service_until: None }
    }

    fn keep_roles(cache: &AccessCache, member: MemberId) {
        cache.keep_roles(cache.epoch(), member, owner());
    }

    fn has(cache: &AccessCache, number: usize) -> bool {
        cache.find_token(&hash(number), NOW).is_some()
    }

    #[test]
    fn a_token_is_cached_until_it_expires() {
        let cache = with_tokens([1], 7);

        assert!(has(&cache, 1));
        assert!(!has(&cache, 2));
        assert!(cache.find_token(&hash(1), Timestamp::from_milliseconds(2_000)).is_none());
    }

    #[test]
    fn an_invalidation_takes_what_it_is_about() {
        let cache = with_tokens(1..=40, 7);
        cache.keep_token(cache.epoch(), token(50, 8));
        keep_roles(&cache, ANN);
        keep_roles(&cache, BOB);

        cache.invalidate(&Invalidation::Token(hash(1)));
        assert!(!has(&cache, 1) && has(&cache, 2));

        cache.invalidate(&Invalidation::Family(7));
        assert!((1..=40).all(|number| !has(&cache, number)) && has(&cache, 50));

        cache.invalidate(&Invalidation::Roles(ANN));
        assert!(cache.find_roles(ANN, NOW).is_none() && cache.find_roles(BOB, NOW).is_some());

        cache.invalidate(&Invalidation::Everything);
        assert!(!has(&cache, 50) && cache.find_roles(BOB, NOW).is_none());
    }

    #[test]
    fn what_was_read_before_an_invalidation_is_not_answered_after_it() {
        for invalidation in
            [Invalidation::Token(hash(1)), Invalidation::Family(7), Invalidation::Everything]
        {
            let cache = AccessCache::default();
            let epoch = cache.epoch();

            cache.invalidate(&invalidation);
            cache.keep_token(epoch, token(1, 7));
            assert!(!has(&cache, 1));

            cache.keep_token(cache.epoch(), token(1, 7));
            assert!(has(&cache, 1));
        }
    }

    #[test]
    fn roles_that_were_read_before_a_change_are_not_answered_after_it() {
        let cache = AccessCache::default();
        let epoch = cache.epoch();

        cache.invalidate(&Invalidation::Roles(ANN));
        cache.keep_roles(epoch, ANN, owner());

        assert!(cache.find_roles(ANN, NOW).is_none());
    }

    #[test]
    fn roles_of_a_service_count_until_its_token_expires() {
        let cache = AccessCache::default();
        let until = Timestamp::from_milliseconds(2_000);
        let service = FoundRoles { service_until: Some(until), ..owner() };
        cache.keep_roles(cache.epoch(), ANN, service);

        assert_eq!(cache.find_roles(ANN, NOW).unwrap().len(), 1);
        assert_eq!(cache.find_roles(ANN, until).unwrap().len(), 0);
    }

    #[test]
    fn the_tokens_used_most_stay_and_others_go() {
        let cache = with_tokens([0], 7);
        for number in 1..TOKENS_AT_MOST * 2 {
            cache.keep_token(cache.epoch(), token(number, 8));
            assert!(has(&cache, 0), "after {number}");
        }

        let kept = (0..TOKENS_AT_MOST * 2).filter(|number| has(&cache, *number)).count();
        assert!((TOKENS_AT_MOST / 4..=TOKENS_AT_MOST).contains(&kept), "{kept}");
    }
}
