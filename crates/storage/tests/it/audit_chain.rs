//! The chain of the audit log.

use std::net::IpAddr;

use storage::{
    AuditEvent, AuditHead, ChainCheck, ListRange, NewAuditEntry, Refusal, SealedEntry, Store,
};

use crate::given::{all_at_once, at, by_member, client_id, tokens};

/// All sealed entries, the oldest first.
pub(crate) async fn chain(store: &dyn Store) -> Vec<SealedEntry> {
    store.list_sealed_entries(0, 10_000).await.unwrap()
}

/// How many entries there are and the last of them, if they are what was sealed.
async fn checked(store: &dyn Store) -> (u64, Option<AuditHead>) {
    let mut check = ChainCheck::new(None);
    chain(store).await.iter().try_for_each(|entry| check.take(entry)).unwrap();
    check.finish().unwrap()
}

async fn note(store: &dyn Store, number: i64) {
    let entry = NewAuditEntry {
        event: AuditEvent::ConsentDenied,
        act: by_member(number),
        member: None,
        client_id: None,
        detail: format!("\"{number}\"\n\\\u{1f}\u{7f}\u{2028}é"),
        project: None,
    };
    store.add_audit_entry(entry).await.unwrap();
}

fn refusal() -> Refusal {
    Refusal {
        event: AuditEvent::ClientRefused,
        member: None,
        client_id: Some(client_id("reports")),
        address: Some("192.0.2.1".parse::<IpAddr>().unwrap()),
        minute: at(0),
    }
}

pub(crate) async fn entries_are_sealed_once_one_after_the_other(store: &dyn Store) {
    assert_eq!(store.audit_head().await, Ok(None));
    tokens(store).await;
    assert_eq!(store.oldest_unsealed(at(2)).await, Ok(Some(at(0))));

    assert_eq!(store.seal_audit_entries(at(2)).await, Ok(false));
    let before = chain(store).await;
    note(store, 2).await;
    store.seal_audit_entries(at(2)).await.unwrap();

    let after = chain(store).await;
    assert_eq!(after[..before.len()], before);
    assert_eq!(after.iter().map(|entry| entry.seal).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6, 7]);
    assert!(after.is_sorted_by(|one, next| one.id < next.id));
    let (count, head) = checked(store).await;
    assert_eq!((count, store.audit_head().await), (7, Ok(head)));
    assert_eq!(store.oldest_unsealed(at(2)).await, Ok(None));
}

pub(crate) async fn a_count_is_sealed_when_its_minute_is_over_and_what_comes_late_is_another_entry(
    store: &dyn Store,
) {
    store.count_refusals(vec![(refusal(), 3)]).await.unwrap();
    store.seal_audit_entries(at(60)).await.unwrap();
    assert_eq!(checked(store).await.0, 0);
    store.count_refusals(vec![(refusal(), 4)]).await.unwrap();

    store.seal_audit_entries(at(70)).await.unwrap();
    store.count_refusals(vec![(refusal(), 1)]).await.unwrap();
    store.count_refusals(vec![(refusal(), 1)]).await.unwrap();
    store.seal_audit_entries(at(70)).await.unwrap();

    let counts: Vec<_> = chain(store).await.iter().map(|entry| entry.count).collect();
    assert_eq!(counts, [7, 2]);
    assert_eq!(checked(store).await.0, 2);
}

pub(crate) async fn concurrent_sealers_seal_each_entry_once(store: &dyn Store) {
    for round in 0..5 {
        all_at_once((0..6).map(|number| note(store, 6 * round + number))).await;
        let sealed = all_at_once((0..6).map(|_| store.seal_audit_entries(at(60)))).await;
        assert!(sealed.iter().all(Result::is_ok), "{sealed:?}");
    }

    assert_eq!(checked(store).await.0, 30);
}

pub(crate) async fn as_many_as_there_are_are_sealed_a_part_at_a_time(store: &dyn Store) {
    all_at_once((0..600).map(|number| note(store, number))).await;

    assert_eq!(store.seal_audit_entries(at(600)).await, Ok(true));
    assert_eq!(store.seal_audit_entries(at(600)).await, Ok(false));

    assert_eq!(checked(store).await.0, 600);
}

pub(crate) async fn the_log_shows_what_an_entry_is_sealed_with(store: &dyn Store) {
    note(store, 0).await;
    store.seal_audit_entries(at(0)).await.unwrap();
    note(store, 1).await;

    let log = store.list_audit_entries(ListRange { page: 1, per_page: 10 }).await.unwrap();

    assert_eq!(log[0].seal, None);
    let (seal, sealed) = (log[1].seal.unwrap(), &chain(store).await[0]);
    assert_eq!((seal.number, Some(seal.hash)), (1, sealed.hash));
    assert_eq!(seal.prev_hash, sealed.prev_hash);
}

pub(crate) async fn the_first_entry_since_a_moment_is_found(store: &dyn Store) {
    for number in 0..3 {
        note(store, number).await;
    }
    store.seal_audit_entries(at(3)).await.unwrap();

    assert_eq!(store.first_seal_since(at(1)).await, Ok(Some(2)));
    assert_eq!(store.first_seal_since(at(3)).await, Ok(None));
    assert_eq!(store.list_sealed_entries(1, 1).await.unwrap()[0].seal, 2);
}
