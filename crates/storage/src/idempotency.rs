//! Stored answers by idempotency key: a client that repeats a request gets the same answer again, and nothing is done
//! twice.

use async_trait::async_trait;
use oauth::Timestamp;

use crate::StorageError;

/// A request under an idempotency key.
#[derive(Debug, Clone, Copy)]
pub struct KeyedRequest {
    /// The hash of the key and of whose it is.
    pub key: [u8; 32],
    /// The hash of the whole request.
    pub request: [u8; 32],
    /// When it came.
    pub now: Timestamp,
    /// When another request may try, if this one has not been answered by then: its process may have died.
    pub given_up_at: Timestamp,
}

/// The state of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KnownKey {
    /// New: the request must run, and then its answer is stored or the key forgotten.
    New,
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

    /// Keeps the answer to the request that took this key.
    async fn keep_answer(
        &self,
        key: [u8; 32],
        answer: String,
        expires_at: Timestamp,
    ) -> Result<(), StorageError>;

    /// Forgets a key: nothing was done.
    async fn forget_key(&self, key: [u8; 32]) -> Result<(), StorageError>;
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
