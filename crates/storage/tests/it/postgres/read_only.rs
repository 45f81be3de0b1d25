//! A database that may only be read: a standby, or one that its operator keeps so for a while.

use oauth::Lifetime;
use storage::{AuditKeeping, MemberStore as _, PostgresStore, StorageError, Store as _};

use crate::cluster::Database;
use crate::given::{DAY, member};

#[tokio::test]
async fn a_database_that_may_only_be_read_is_read_and_refuses_writes_as_such() {
    let database = Database::new().await;
    let ann = member(&database.store().await).await;
    let operator = database.connect().await;
    let name = &database.name;
    let setting = format!("ALTER DATABASE {name} SET default_transaction_read_only = on");
    operator.batch_execute(&setting).await.unwrap();

    let audit = AuditKeeping::of(Lifetime::from_seconds(DAY));
    let store = PostgresStore::open_to_serve(&database.address(), audit).await.unwrap();

    assert!(store.lookup_member(ann).await.is_ok());
    assert_eq!(store.is_writable().await, Err(StorageError::ReadOnly));
}
