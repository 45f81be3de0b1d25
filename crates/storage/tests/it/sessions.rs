//! Sessions of members in their browsers.

use storage::{NewSession, Store};

use crate::given::{DAY, HOUR, at, hash, member};

async fn session(store: &dyn Store) {
    let member = member(store).await;
    let session = NewSession { hash: hash("session"), member, now: at(0) };
    store.add_session(session).await.unwrap();
}

async fn is_found(store: &dyn Store, seconds: i64) -> bool {
    store.find_session(&hash("session"), at(seconds)).await.unwrap().is_some()
}

pub(crate) async fn a_session_belongs_to_its_member(store: &dyn Store) {
    session(store).await;

    let found = store.find_session(&hash("session"), at(1)).await.unwrap().unwrap();

    assert_eq!(found.member.email, "ann@example.com");
    assert!(store.find_session(&hash("another"), at(1)).await.unwrap().is_none());
}

pub(crate) async fn a_session_ends_when_it_is_idle(store: &dyn Store) {
    session(store).await;

    assert!(is_found(store, 12 * HOUR - 1).await);
    assert!(!is_found(store, 24 * HOUR - 1).await);
}

pub(crate) async fn a_session_that_is_used_lasts_a_month(store: &dyn Store) {
    session(store).await;

    for hours in (11..30 * 24).step_by(11) {
        assert!(is_found(store, hours * HOUR).await, "after {hours} hours");
    }
    assert!(!is_found(store, 30 * DAY).await);
}

pub(crate) async fn a_removed_session_is_gone(store: &dyn Store) {
    session(store).await;

    store.remove_session(&hash("session")).await.unwrap();
    store.remove_session(&hash("session")).await.unwrap();

    assert!(!is_found(store, 1).await);
}
