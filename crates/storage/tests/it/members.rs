//! Members.

use storage::{NewMember, StorageError, Store};

use crate::given::{by_command, member};

pub(crate) async fn a_member_is_found_by_address_and_id(store: &dyn Store) {
    let id = member(store).await;

    let by_address = store.find_member_by_email("ann@example.com").await.unwrap().unwrap();
    let by_id = store.lookup_member(id).await.unwrap().unwrap();

    assert_eq!(by_address.id, id);
    assert_eq!(by_address.password_hash, "$argon2id$…");
    assert_eq!(by_id.email, "ann@example.com");
    assert!(!format!("{by_id:?}").contains("argon2id"));
}

pub(crate) async fn an_address_is_taken_once(store: &dyn Store) {
    let first = member(store).await;
    let again = NewMember {
        email: "ann@example.com".to_owned(),
        password_hash: "another".to_owned(),
        act: by_command(1),
    };

    assert_eq!(store.add_member(again).await, Err(StorageError::Conflict));
    let found = store.find_member_by_email("ann@example.com").await.unwrap().unwrap();
    assert_eq!(found.id, first);
}

pub(crate) async fn an_unknown_member_is_not_found(store: &dyn Store) {
    member(store).await;

    for email in ["bob@example.com", "Ann@example.com", "", "\0"] {
        assert!(store.find_member_by_email(email).await.unwrap().is_none(), "{email:?}");
    }
}
