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
    /// The hash of all that the request says.
    pub request: [u8; 32],
    /// When it came.
    pub now: Timestamp,
    /// When another request may try, if this one has not been answered by then: its process may have died.
    pub given_up_at: Timestamp,
}

/// What is known of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KnownKey {
    /// Nothing: the request is to be done, and its answer kept or the key forgotten.
    New,
    /// The same request was answered like this.
    Answered(String),
    /// The same request is being done at this moment.
    InProgress,
    /// The key came with another request.
    OtherRequest,
}

/// What is durable about idempotency keys.
#[async_trait]
pub trait IdempotencyStore: Send + Sync + 'static {
    /// Takes a key, or tells what is known of it.
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
    /// What a row tells, for a request with this hash.
    pub(crate) fn of_row(request: [u8; 32], kept: &[u8], answer: Option<String>) -> Self {
        match answer {
            _ if kept != request => Self::OtherRequest,
            Some(answer) => Self::Answered(answer),
            None => Self::InProgress,
        }
    }
}
