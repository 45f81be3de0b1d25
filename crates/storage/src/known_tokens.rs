//! What access tokens allow, kept in memory: a program shows its token with each request, and the database is not asked each time.
//!
//! There is a limit to how many are kept; those that were not used for longest go first. A token that is here opens its doors, so
//! whatever ends a token has to reach this before it is answered. What was read from the database just before an ending may arrive
//! here after it: each reading begins with a [`Reading`], and what an ending has overtaken is not kept.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use oauth::{CredentialHash, Timestamp};

use crate::AccessGrant;
use crate::ending::{Change, Ending};
use crate::known_roles::KnownRoles;

/// At some 300 bytes each, twenty megabytes at most.
const TOKENS_AT_MOST: usize = 65_536;

/// As many requests can look up tokens at once without waiting for each other.
const SHARDS: usize = 16;

const TOKENS_PER_HALF: usize = TOKENS_AT_MOST / SHARDS / 2;

/// A token that is good, and has been used before: that is written down in the database, so nothing is left to do for later uses.
#[derive(Debug, Clone)]
pub(crate) struct KnownToken {
    pub(crate) hash: CredentialHash,
    pub(crate) family: i64,
    pub(crate) grant: AccessGrant,
}

/// The moment at which somebody began to read, or write, what they want to keep here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Reading(u64);

/// The tokens that were seen lately.
#[derive(Default)]
pub(crate) struct KnownTokens {
    endings: AtomicU64,
    /// What the members may do in whose names they are.
    roles: KnownRoles,
    shards: [Mutex<Shard>; SHARDS],
}

impl KnownTokens {
    /// To be called before the database is asked.
    pub(crate) fn begin_reading(&self) -> Reading {
        Reading(self.endings.load(Ordering::SeqCst))
    }

    /// What members may do: it is forgotten with the tokens, and for the same reasons.
    pub(crate) fn roles(&self) -> &KnownRoles {
        &self.roles
    }

    /// What a token allows, if it is known.
    pub(crate) fn find(&self, hash: &CredentialHash, now: Timestamp) -> Option<AccessGrant> {
        let grant = self.shard(hash).find(hash)?;
        grant.is_of_this_time(now).then_some(grant)
    }

    /// Keeps what was read, unless anything has ended since the reading began.
    pub(crate) fn keep(&self, reading: Reading, token: KnownToken) {
        let mut shard = self.shard(&token.hash);
        // Within the lock: an ending counts itself first and comes to the shard then.
        if self.begin_reading() == reading {
            shard.keep(token);
        }
    }

    /// Takes note of what an operation changed that began as `reading`.
    pub(crate) fn apply(&self, reading: Reading, change: Change) {
        match change {
            Change::Nothing => {}
            Change::Issued(token) => self.keep(reading, token),
            Change::Ended(ending) => self.end(&ending),
        }
    }

    /// Forgets what has ended.
    pub(crate) fn end(&self, ending: &Ending) {
        self.endings.fetch_add(1, Ordering::SeqCst);
        match ending {
            Ending::Roles(member) => self.roles.forget(*member),
            Ending::Token(hash) => self.shard(hash).forget(hash),
            Ending::Family(family) => self.all_shards().for_each(|mut shard| shard.end(*family)),
            Ending::Everything => {
                self.roles.forget_all();
                self.all_shards().for_each(|mut shard| *shard = Shard::default());
            }
        }
    }

    /// Hashes are random: their first byte spreads them evenly.
    fn shard(&self, hash: &CredentialHash) -> MutexGuard<'_, Shard> {
        lock(&self.shards[usize::from(hash.as_bytes()[0]) % SHARDS])
    }

    fn all_shards(&self) -> impl Iterator<Item = MutexGuard<'_, Shard>> {
        self.shards.iter().map(lock)
    }
}

fn lock(shard: &Mutex<Shard>) -> MutexGuard<'_, Shard> {
    shard.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What is used moves to the young half. When that is full it becomes the old one, and what was not used since is forgotten.
#[derive(Default)]
struct Shard {
    young: Half,
    old: Half,
}

impl Shard {
    fn find(&mut self, hash: &CredentialHash) -> Option<AccessGrant> {
        if let Some(token) = self.young.tokens.get(hash.as_bytes()) {
            return Some(token.grant.clone());
        }
        let token = self.old.remove(hash)?;
        let grant = token.grant.clone();
        self.keep(token);
        Some(grant)
    }

    fn keep(&mut self, token: KnownToken) {
        if self.young.tokens.len() >= TOKENS_PER_HALF {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.add(token);
    }

    fn forget(&mut self, hash: &CredentialHash) {
        self.young.remove(hash);
        self.old.remove(hash);
    }

    fn end(&mut self, family: i64) {
        self.young.end(family);
        self.old.end(family);
    }
}

/// Tokens, also by family.
#[derive(Default)]
struct Half {
    tokens: HashMap<[u8; 32], KnownToken>,
    families: HashMap<i64, HashSet<[u8; 32]>>,
}

impl Half {
    fn add(&mut self, token: KnownToken) {
        let (hash, family) = (*token.hash.as_bytes(), token.family);
        if self.tokens.insert(hash, token).is_none() {
            self.families.entry(family).or_default().insert(hash);
        }
    }

    fn remove(&mut self, hash: &CredentialHash) -> Option<KnownToken> {
        let token = self.tokens.remove(hash.as_bytes())?;
        if let Some(hashes) = self.families.get_mut(&token.family) {
            hashes.remove(hash.as_bytes());
            if hashes.is_empty() {
                self.families.remove(&token.family);
            }
        }
        Some(token)
    }

    fn end(&mut self, family: i64) {
        for hash in self.families.remove(&family).unwrap_or_default() {
            self.tokens.remove(&hash);
        }
    }
}

#[cfg(test)]
mod tests {
    use oauth::{CredentialHash, ScopeSet, Timestamp};

    use super::{KnownToken, KnownTokens, TOKENS_AT_MOST};
    use crate::ending::Ending;
    use crate::{AccessGrant, MemberId};

    const NOW: Timestamp = Timestamp::from_milliseconds(1_000);

    fn hash(number: usize) -> CredentialHash {
        oauth::hash(&number.to_string()).unwrap()
    }

    fn token(number: usize, family: i64) -> KnownToken {
        let grant = AccessGrant {
            member: MemberId::from_row(1),
            client_id: "reports".parse().unwrap(),
            scope: ScopeSet::ALL,
            expires_at: Timestamp::from_milliseconds(2_000),
        };
        KnownToken { hash: hash(number), family, grant }
    }

    fn with_tokens(numbers: impl IntoIterator<Item = usize>, family: i64) -> KnownTokens {
        let known = KnownTokens::default();
        for number in numbers {
            known.keep(known.begin_reading(), token(number, family));
        }
        known
    }

    fn knows(known: &KnownTokens, number: usize) -> bool {
        known.find(&hash(number), NOW).is_some()
    }

    #[test]
    fn a_token_is_known_until_it_expires() {
        let known = with_tokens([1], 7);

        assert!(knows(&known, 1));
        assert!(!knows(&known, 2));
        assert!(known.find(&hash(1), Timestamp::from_milliseconds(2_000)).is_none());
    }

    #[test]
    fn an_ending_takes_what_it_is_about() {
        let known = with_tokens(1..=40, 7);
        known.keep(known.begin_reading(), token(50, 8));

        known.end(&Ending::Token(hash(1)));
        assert!(!knows(&known, 1) && knows(&known, 2));

        known.end(&Ending::Family(7));
        assert!((1..=40).all(|number| !knows(&known, number)) && knows(&known, 50));

        known.end(&Ending::Everything);
        assert!(!knows(&known, 50));
    }

    #[test]
    fn what_an_ending_has_overtaken_is_not_kept() {
        let known = KnownTokens::default();
        let reading = known.begin_reading();

        known.end(&Ending::Family(7));
        known.keep(reading, token(1, 7));

        assert!(!knows(&known, 1));
    }

    #[test]
    fn the_tokens_used_last_stay_and_the_others_go() {
        let known = with_tokens([0], 7);
        for number in 1..TOKENS_AT_MOST * 2 {
            known.keep(known.begin_reading(), token(number, 8));
            assert!(knows(&known, 0), "after {number}");
        }

        let kept = (0..TOKENS_AT_MOST * 2).filter(|number| knows(&known, *number)).count();
        assert!((TOKENS_AT_MOST / 4..=TOKENS_AT_MOST).contains(&kept), "{kept}");
        known.end(&Ending::Family(7));
        assert!(!knows(&known, 0));
    }
}
