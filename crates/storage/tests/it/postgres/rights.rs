//! What the user of a database lacks is known before a server starts on it, and the start says the same.

use secrecy::{ExposeSecret as _, SecretString};
use storage::{FoundSchema, Obstacle, OpenError, PostgresStore};

use crate::cluster::Database;

const OLDER: FoundSchema = FoundSchema::Older { found: 1, known: 2 };

/// The address with a setting of the session.
fn with(database: &Database, setting: &str) -> SecretString {
    let address = database.address();
    format!("{}?options=-c%20{}", address.expose_secret(), setting.replace('=', "%3D")).into()
}

/// The address for a role that may do nothing but connect.
async fn of_a_stranger(database: &Database) -> SecretString {
    let role = &database.name;
    let make = format!("CREATE ROLE {role}; GRANT USAGE ON SCHEMA public TO {role}");
    database.connect().await.batch_execute(&make).await.unwrap();
    with(database, &format!("role={role}"))
}

fn obstacle(error: &OpenError) -> Option<Obstacle> {
    let OpenError::Refused { obstacle, .. } = error else { return None };
    Some(*obstacle)
}

#[tokio::test]
async fn a_user_without_the_right_to_create_tables_cannot_start_a_server() {
    let database = Database::new().await;
    let stranger = of_a_stranger(&database).await;

    let known = PostgresStore::check_rights(&stranger, FoundSchema::Empty).await.unwrap_err();
    let opened = PostgresStore::open(&stranger).await.err().unwrap();

    for error in [known, opened] {
        assert_eq!(obstacle(&error), Some(Obstacle::Rights), "{error}");
    }
    let owner = PostgresStore::check_rights(&database.address(), FoundSchema::Empty).await;
    assert!(owner.is_ok(), "{owner:?}");
}

#[tokio::test]
async fn a_database_that_is_kept_read_only_cannot_be_migrated_and_can_be_used() {
    let database = Database::new().await;
    let read_only = with(&database, "default_transaction_read_only=on");

    let known = PostgresStore::check_rights(&read_only, FoundSchema::Empty).await;
    let opened = PostgresStore::open(&read_only).await.map(drop);
    let current = PostgresStore::check_rights(&read_only, FoundSchema::Current).await;

    for refused in [known, opened] {
        assert!(matches!(refused, Err(OpenError::ReadOnly)), "{refused:?}");
    }
    assert!(current.is_ok(), "{current:?}");
}

#[tokio::test]
async fn tables_of_another_user_cannot_be_migrated_nor_used_without_rights_to_them() {
    let database = Database::new().await;
    database.store().await;
    let (stranger, role) = (of_a_stranger(&database).await, &database.name);
    let owner = database.connect().await;
    owner.batch_execute(&format!("GRANT CREATE ON SCHEMA public TO {role}")).await.unwrap();

    let unusable = PostgresStore::check_rights(&stranger, FoundSchema::Current).await.unwrap_err();
    let grant =
        format!("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {role}");
    owner.batch_execute(&grant).await.unwrap();
    let usable = PostgresStore::check_rights(&stranger, FoundSchema::Current).await;
    let not_own = PostgresStore::check_rights(&stranger, OLDER).await.unwrap_err();

    for error in [unusable, not_own] {
        assert_eq!(obstacle(&error), Some(Obstacle::Owner), "{error}");
        assert!(error.to_string().contains("belongs to"), "{error}");
    }
    assert!(usable.is_ok(), "{usable:?}");
}
