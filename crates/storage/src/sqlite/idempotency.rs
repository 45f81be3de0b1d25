//! Answers that were given under idempotency keys.

use async_trait::async_trait;
use oauth::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, params};

use super::SqliteStore;
use crate::statements::idempotency::{
    DELETE_EXPIRED_ANSWERS, FIND_ANSWER, FORGET_KEY, KEEP_ANSWER, RENEW_LEASE, TAKE_KEY,
};
use crate::{IdempotencyStore, KeyLease, KeyedRequest, KnownKey, StorageError};

#[async_trait]
impl IdempotencyStore for SqliteStore {
    async fn take_key(&self, request: KeyedRequest) -> Result<KnownKey, StorageError> {
        self.writer.write(Some(request.now), move |database| take(database, request)).await
    }

    async fn renew_lease(
        &self,
        KeyLease { key, number, .. }: KeyLease,
        given_up_at: Timestamp,
    ) -> Result<bool, StorageError> {
        let renew = move |database: &Connection| {
            let values = params![given_up_at.as_milliseconds(), key, number];
            Ok(database.prepare_cached(RENEW_LEASE)?.execute(values)? > 0)
        };
        self.writer.write(None, renew).await
    }

    async fn keep_answer(
        &self,
        KeyLease { key, request, number }: KeyLease,
        answer: String,
        expires_at: Timestamp,
    ) -> Result<bool, StorageError> {
        let keep = move |database: &Connection| {
            let values = params![key, request, answer, number, expires_at.as_milliseconds()];
            Ok(database.prepare_cached(KEEP_ANSWER)?.execute(values)? > 0)
        };
        self.writer.write(None, keep).await
    }

    async fn forget_key(&self, KeyLease { key, number, .. }: KeyLease) -> Result<(), StorageError> {
        let forget = move |database: &Connection| {
            database.prepare_cached(FORGET_KEY)?.execute(params![key, number])?;
            Ok(())
        };
        self.writer.write(None, forget).await
    }
}

fn take(database: &Connection, request: KeyedRequest) -> Result<KnownKey, StorageError> {
    let KeyedRequest { lease, now, given_up_at } = request;
    let (now, given_up_at) = (now.as_milliseconds(), given_up_at.as_milliseconds());
    database.prepare_cached(DELETE_EXPIRED_ANSWERS)?.execute([now])?;
    let values = params![lease.key, lease.request, lease.number, given_up_at, now];
    if database.prepare_cached(TAKE_KEY)?.execute(values)? > 0 {
        return Ok(KnownKey::New(lease));
    }
    let mut statement = database.prepare_cached(FIND_ANSWER)?;
    let found = statement
        .query_row([lease.key], |row| Ok((row.get::<_, Vec<u8>>(0)?, row.get(1)?)))
        .optional()?;
    Ok(found.map_or(KnownKey::InProgress, |(kept, answer)| {
        KnownKey::of_row(lease.request, &kept, answer)
    }))
}
