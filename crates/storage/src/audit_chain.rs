//! The audit log as a chain: each entry that is sealed has the hash of the one before it, so that no entry can be changed, removed or
//! inserted without a trace. docs/audit.md says what that proves, and how to check it without us.

use std::fmt;
use std::str::FromStr;

use async_trait::async_trait;
use oauth::{Lifetime, Timestamp};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use thiserror::Error;

use crate::StorageError;
use crate::row::Row;

/// How many entries are sealed at once: some milliseconds' work.
pub(crate) const SEALED_AT_ONCE: i64 = 512;

/// Refusals of one minute are counted while it lasts, and written down some moments later.
const MINUTE_AND_A_MOMENT: Lifetime = Lifetime::from_seconds(70);

/// The SHA-256 of an entry and of all before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AuditHash([u8; 32]);

/// How far the chain reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AuditHead {
    /// The number of its last entry.
    pub seal: i64,
    /// The hash of that.
    pub hash: AuditHash,
}

/// A sealed entry, as it is stored: absent values are 0 or empty.
///
/// Its members are in the order of their names. So the hash covers the entry without its hash, as JSON without whitespace, which
/// other programs can write as well.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SealedEntry {
    /// Who did it.
    pub actor: String,
    /// From where.
    pub address: String,
    /// When, in milliseconds since 1970 began.
    pub at: i64,
    /// What it changed in a project.
    pub change: String,
    /// The client it is about.
    pub client_id: String,
    /// How often it happened.
    pub count: i64,
    /// More of it, in a word or two.
    pub detail: String,
    /// What of a project it changed.
    pub entity: String,
    /// What happened.
    pub event: String,
    /// What it is sealed with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hash: Option<AuditHash>,
    /// Its number in the log.
    pub id: i64,
    /// The member it is about.
    pub member: i64,
    /// The hash of the entry before it.
    pub prev_hash: AuditHash,
    /// The project it is about.
    pub project: i64,
    /// The request that asked for it.
    pub request_id: String,
    /// Its number in the chain, from 1.
    pub seal: i64,
}

/// The chain, as far as it is stored.
#[async_trait]
pub trait AuditChainStore: Send + Sync + 'static {
    /// Seals some of the entries that are complete at this moment, in the order in which they were written. Tells whether there may
    /// be more of them. Of several who do this at once, one does it.
    async fn seal_audit_entries(&self, now: Timestamp) -> Result<bool, StorageError>;

    /// So many sealed entries after the one with this number, the oldest first.
    async fn list_sealed_entries(
        &self,
        after: i64,
        at_most: u32,
    ) -> Result<Vec<SealedEntry>, StorageError>;

    /// The number of the first sealed entry of that moment or later.
    async fn first_seal_since(&self, since: Timestamp) -> Result<Option<i64>, StorageError>;

    /// The last sealed entry.
    async fn audit_head(&self) -> Result<Option<AuditHead>, StorageError>;

    /// From when to when the entries were complete that are not sealed, whatever else stands in them.
    async fn unsealed_span(&self) -> Result<Option<UnsealedSpan>, StorageError>;

    /// When the oldest entry was written that is complete and not sealed.
    async fn oldest_unsealed(&self, now: Timestamp) -> Result<Option<Timestamp>, StorageError>;
}

/// Entries without a seal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnsealedSpan {
    /// When the oldest of them was complete.
    pub oldest: Timestamp,
    /// When the newest of them was written.
    pub newest: Timestamp,
}

impl UnsealedSpan {
    pub(crate) fn from_row(oldest: Option<i64>, newest: Option<i64>) -> Option<Self> {
        let [oldest, newest] = [oldest?, newest?].map(Timestamp::from_milliseconds);
        Some(Self { oldest, newest })
    }
}

/// Where a chain is broken.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BrokenChain {
    /// The number is not the next one.
    #[error("entry {expected} is missing: after {} comes {found}", .expected - 1)]
    Gap {
        /// The number that is due.
        expected: i64,
        /// The number found.
        found: i64,
    },
    /// It does not follow the entry before it.
    #[error("entry {0} was not sealed after the one before it")]
    Unlinked(i64),
    /// It differs from what was sealed.
    #[error("entry {0} is not as it was sealed")]
    Changed(i64),
    /// The hash that was noted elsewhere is not there.
    #[error(
        "no entry has the hash that was noted, {0}: the log was rewritten, cut, or is kept for a shorter time"
    )]
    NotedHashMissing(AuditHash),
}

/// Looks through a chain, the oldest entry first.
#[derive(Debug, Default)]
pub struct ChainCheck {
    /// A hash that was noted earlier, which has to be in the chain.
    noted: Option<AuditHash>,
    last: Option<AuditHead>,
    entries: u64,
}

impl ChainCheck {
    /// Looks for a hash that was noted earlier, if there is one.
    #[must_use]
    pub fn new(noted: Option<AuditHash>) -> Self {
        Self { noted, ..Self::default() }
    }

    /// The next entry.
    ///
    /// # Errors
    /// If it is not the entry sealed after the one before it.
    pub fn take(&mut self, entry: &SealedEntry) -> Result<(), BrokenChain> {
        let SealedEntry { seal, prev_hash, .. } = *entry;
        if let Some(last) = self.last {
            let expected = last.seal + 1;
            if seal != expected {
                return Err(BrokenChain::Gap { expected, found: seal });
            }
            if prev_hash != last.hash {
                return Err(BrokenChain::Unlinked(seal));
            }
        } else if seal == 1 && prev_hash != AuditHash::BEFORE_ALL {
            return Err(BrokenChain::Unlinked(seal));
        }
        let hash = entry.digest();
        if entry.hash != Some(hash) {
            return Err(BrokenChain::Changed(seal));
        }
        // The entry that a part of a log follows may have been noted. Before the first of all there is none.
        let is_follower = prev_hash != AuditHash::BEFORE_ALL;
        self.noted.take_if(|noted| *noted == hash || (is_follower && *noted == prev_hash));
        self.last = Some(AuditHead { seal, hash });
        self.entries += 1;
        Ok(())
    }

    /// How many entries there were, and the last of them.
    ///
    /// # Errors
    /// If the hash that was noted earlier was not among them.
    pub fn finish(self) -> Result<(u64, Option<AuditHead>), BrokenChain> {
        match self.noted {
            Some(noted) => Err(BrokenChain::NotedHashMissing(noted)),
            None => Ok((self.entries, self.last)),
        }
    }
}

impl SealedEntry {
    /// What it is to be sealed with.
    pub(crate) fn digest(&self) -> AuditHash {
        let unsealed = Self { hash: None, ..self.clone() };
        AuditHash(Sha256::digest(unsealed.to_string()).into())
    }
}

/// As it is exported: JSON on one line.
impl fmt::Display for SealedEntry {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let json = serde_json::to_string(self).expect("texts and numbers are JSON");
        formatter.write_str(&json)
    }
}

impl SealedEntry {
    /// An entry that is not sealed yet.
    pub(crate) fn unsealed_from_row(row: &impl Row) -> Result<Self, StorageError> {
        Ok(Self {
            id: row.column(0)?,
            at: row.column(1)?,
            event: row.column(2)?,
            actor: row.column(3)?,
            member: row.column(4)?,
            client_id: row.column(5)?,
            address: row.column(6)?,
            detail: row.column(7)?,
            count: row.column(8)?,
            project: row.column(9)?,
            entity: row.column(10)?,
            change: row.column(11)?,
            request_id: row.column(12)?,
            seal: 0,
            prev_hash: AuditHash::BEFORE_ALL,
            hash: None,
        })
    }

    /// A sealed entry, as far as its seal can be read: verification judges the rest.
    pub(crate) fn from_row(row: &impl Row) -> Result<Self, StorageError> {
        let hash = |number| -> Result<_, StorageError> {
            let bytes: Option<Vec<u8>> = row.column(number)?;
            Ok(bytes.and_then(|bytes| AuditHash::from_row(&bytes).ok()))
        };
        let prev_hash = hash(14)?.unwrap_or(AuditHash::BEFORE_ALL);
        Ok(Self {
            seal: row.column(13)?,
            prev_hash,
            hash: hash(15)?,
            ..Self::unsealed_from_row(row)?
        })
    }
}

impl AuditHead {
    pub(crate) fn from_row(row: &impl Row) -> Result<Self, StorageError> {
        let hash: Vec<u8> = row.column(1)?;
        Ok(Self { seal: row.column(0)?, hash: AuditHash::from_row(&hash)? })
    }
}

/// Seals entries one after the other.
pub(crate) struct Sealer {
    seal: i64,
    hash: AuditHash,
}

impl Sealer {
    /// Goes on from here.
    pub(crate) fn after(head: Option<AuditHead>) -> Self {
        let head = head.unwrap_or(AuditHead { seal: 0, hash: AuditHash::BEFORE_ALL });
        Self { seal: head.seal, hash: head.hash }
    }

    pub(crate) fn seal(&mut self, entry: SealedEntry) -> SealedEntry {
        self.seal += 1;
        let entry = SealedEntry { seal: self.seal, prev_hash: self.hash, ..entry };
        self.hash = entry.digest();
        SealedEntry { hash: Some(self.hash), ..entry }
    }
}

/// How long after its minute began a count may still grow, in milliseconds.
pub(crate) const COUNTED_WITHIN_MS: i64 = MINUTE_AND_A_MOMENT.seconds() * 1_000;

/// When minutes began whose counts are complete.
pub(crate) fn counted_until(now: Timestamp) -> i64 {
    (now - MINUTE_AND_A_MOMENT).as_milliseconds()
}

impl AuditHash {
    /// What the first entry has for the hash of the one before it.
    pub(crate) const BEFORE_ALL: Self = Self([0; 32]);

    pub(crate) fn from_row(bytes: &[u8]) -> Result<Self, StorageError> {
        bytes.try_into().map(Self).map_err(|_| StorageError::corrupt("audit hash"))
    }

    pub(crate) const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// Sixty-four hexadecimal digits.
impl fmt::Display for AuditHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&hex::encode(self.0))
    }
}

impl FromStr for AuditHash {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(text, &mut bytes)
            .map_err(|_| "expected a hash of 64 hexadecimal digits".to_owned())?;
        Ok(Self(bytes))
    }
}

impl Serialize for AuditHash {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for AuditHash {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}
