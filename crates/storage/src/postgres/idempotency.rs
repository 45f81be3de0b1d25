//! Answers that were given under idempotency keys.

use async_trait::async_trait;
use oauth::Timestamp;

use super::PostgresStore;
use super::query::{execute, query_opt};
use crate::statements::idempotency::{
    DELETE_EXPIRED_ANSWERS, FIND_ANSWER, FORGET_KEY, KEEP_ANSWER, RENEW_LEASE, TAKE_KEY,
};
use crate::{IdempotencyStore, KeyLease, KeyedRequest, KnownKey, StorageError};

#[async_trait]
impl IdempotencyStore for PostgresStore {
    async fn take_key(&self, request: KeyedRequest) -> Result<KnownKey, StorageError> {
        let KeyedRequest { lease, now, given_up_at } = request;
        let (key, request, now) = (&lease.key[..], &lease.request[..], now.as_milliseconds());
        let connection = self.connections.get().await?;
        let database = &connection.database;
        execute(database, DELETE_EXPIRED_ANSWERS, &[&now]).await?;
        let given_up_at = given_up_at.as_milliseconds();
        let values = [&key as _, &request as _, &lease.number as _, &given_up_at as _, &now as _];
        if execute(database, TAKE_KEY, &values).await? > 0 {
            return Ok(KnownKey::New(lease));
        }
        // Forgotten in between: the next request takes it.
        let Some(row) = query_opt(database, FIND_ANSWER, &[&key]).await? else {
            return Ok(KnownKey::InProgress);
        };
        let kept: Vec<u8> = row.try_get(0)?;
        Ok(KnownKey::of_row(lease.request, &kept, row.try_get(1)?))
    }

    async fn renew_lease(
        &self,
        KeyLease { key, number, .. }: KeyLease,
        given_up_at: Timestamp,
    ) -> Result<bool, StorageError> {
        let connection = self.connections.get().await?;
        let values = [&given_up_at.as_milliseconds() as _, &&key[..] as _, &number as _];
        Ok(execute(&connection.database, RENEW_LEASE, &values).await? > 0)
    }

    async fn keep_answer(
        &self,
        KeyLease { key, request, number }: KeyLease,
        answer: String,
        expires_at: Timestamp,
    ) -> Result<bool, StorageError> {
        let connection = self.connections.get().await?;
        let (key, request) = (&key[..], &request[..]);
        let expires_at = expires_at.as_milliseconds();
        let values = [&key as _, &request as _, &answer as _, &number as _, &expires_at as _];
        Ok(execute(&connection.database, KEEP_ANSWER, &values).await? > 0)
    }

    async fn forget_key(&self, KeyLease { key, number, .. }: KeyLease) -> Result<(), StorageError> {
        let connection = self.connections.get().await?;
        execute(&connection.database, FORGET_KEY, &[&&key[..], &number]).await?;
        Ok(())
    }
}
