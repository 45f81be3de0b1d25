//! The newest moment in the store. Nothing is written for it: every expiring row has its start.

use deadpool_postgres::GenericClient;
use oauth::{ACCESS_TOKEN, AUTHORIZATION_CODE, Lifetime, SESSION_ABSOLUTE, Timestamp};

use super::query::query_one;
use crate::StorageError;
use crate::statements::store::FIND_NEWEST_MOMENT;

pub(super) async fn find(database: &impl GenericClient) -> Result<Option<Timestamp>, StorageError> {
    let milliseconds = |lifetime: Lifetime| lifetime.seconds() * 1_000;
    let values = [
        &milliseconds(ACCESS_TOKEN) as _,
        &milliseconds(AUTHORIZATION_CODE) as _,
        &milliseconds(SESSION_ABSOLUTE) as _,
    ];
    let row = query_one(database, FIND_NEWEST_MOMENT, &values).await?;
    Ok(row.try_get::<_, Option<i64>>(0)?.map(Timestamp::from_milliseconds))
}
