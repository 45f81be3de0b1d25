//! Members.

use storage::{AuditEvent, NewMember, NewPassword, Page, RenewedHash, StorageError, Store};

use crate::given::{at, by_command, by_member, hash, member, new_session};

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
        roles: Vec::new(),
        through: None,
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

pub(crate) async fn a_changed_password_ends_all_other_sessions(store: &dyn Store) {
    let id = member(store).await;
    for session in ["here", "elsewhere"] {
        store.add_session(new_session(session, id, 0)).await.unwrap();
    }
    let is_open =
        async |name: &str| store.find_session(&hash(name), at(1)).await.unwrap().is_some();
    let new = |password_hash: &str, kept_session| NewPassword {
        member: id,
        password_hash: password_hash.to_owned(),
        kept_session,
        act: by_member(1),
    };

    store.change_password(new("second", Some(hash("here")))).await.unwrap();

    assert!(is_open("here").await && !is_open("elsewhere").await);
    assert_eq!(store.lookup_member(id).await.unwrap().unwrap().password_hash, "second");
    let log = store.list_audit_entries(Page { page: 1, per_page: 2 }).await.unwrap();
    let events: Vec<_> = log.iter().map(|entry| entry.event).collect();
    assert_eq!(events, [AuditEvent::SessionEnded, AuditEvent::PasswordChanged]);

    store.change_password(new("third", None)).await.unwrap();
    assert!(!is_open("here").await);
}

pub(crate) async fn a_password_hash_is_renewed_unless_it_changed_meanwhile(store: &dyn Store) {
    let id = member(store).await;
    let kept = async || store.lookup_member(id).await.unwrap().unwrap().password_hash;

    let renewed = |after: &str| RenewedHash {
        member: id,
        before: "$argon2id$…".to_owned(),
        after: after.to_owned(),
    };

    store.renew_password_hash(renewed("stronger")).await.unwrap();
    assert_eq!(kept().await, "stronger");

    store.renew_password_hash(renewed("late")).await.unwrap();
    assert_eq!(kept().await, "stronger");
}
