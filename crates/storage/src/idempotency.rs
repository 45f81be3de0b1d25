//! Stored answers by idempotency key: a client that repeats a request gets the same answer again, and nothing is done
//! twice.

use async_trait::async_trait;
use oauth::Timestamp;

use crate::StorageError;

/// The right of one request to a key. It ends when the time is over for which the key was taken, unless it is renewed; only then may another
/// request take the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyLease {
    /// The hash of the key and of whose it is.
    pub key: [u8; 32],
    /// The hash of the whole request.
    pub request: [u8; 32],
    /// A random number, which tells this taking of the key from all others.
    pub number: i64,
}

/// A request under an idempotency key.
#[derive(Debug, Clone, Copy)]
pub struct KeyedRequest {
    /// The lease that it gets if it takes the key.
    pub lease: KeyLease,
    /// When it came.
    pub now: Timestamp,
    /// When another request may try, if this one has not been answered by then: its process may have died.
    pub given_up_at: Timestamp,
}

/// The state of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KnownKey {
    /// New: the request must run under this lease, and then its answer is stored or the key forgotten.
    New(KeyLease),
    /// The same request was answered like this.
    Answered(String),
    /// The same request is being done at this moment.
    InProgress,
    /// The key came with another request.
    OtherRequest,
}

/// Stored idempotency keys.
#[async_trait]
pub trait IdempotencyStore: Send + Sync + 'static {
    /// Takes a key, or returns its state.
    async fn take_key(&self, request: KeyedRequest) -> Result<KnownKey, StorageError>;

    /// Renews a lease until `given_up_at`; `false` if the key is gone, or has an answer or a new owner.
    async fn renew_lease(
        &self,
        lease: KeyLease,
        given_up_at: Timestamp,
    ) -> Result<bool, StorageError>;

    /// Keeps the answer to the request that has this lease, or had it when the key was cleaned away; `false` if the key has a new owner,
    /// whose request and answer stay as they are.
    async fn keep_answer(
        &self,
        lease: KeyLease,
        answer: String,
        expires_at: Timestamp,
    ) -> Result<bool, StorageError>;

    /// Forgets the key of this lease, since nothing was done. A key with a new owner stays.
    async fn forget_key(&self, lease: KeyLease) -> Result<(), StorageError>;
}

impl KnownKey {
    /// The state in a row, for a request with this hash.
    pub(crate) fn of_row(request: [u8; 32], kept: &[u8], answer: Option<String>) -> Self {
        match answer {
            _ if kept != request => Self::OtherRequest,
            Some(answer) => Self::Answered(answer),
            None => Self::InProgress,
        }
    }
}
