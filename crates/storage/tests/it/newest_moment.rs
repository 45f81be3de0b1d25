//! How far time had come: a clock that was set back meanwhile is not believed. And what the database's own clock shows.

use storage::{AuditEvent, NewAuditEntry, NewAuthorizationCode, Store};

use crate::given::{DAY, HOUR, at, by_member, keeping, new_code, new_session, tokens};

pub(crate) async fn an_empty_store_knows_no_moment(store: &dyn Store) {
    assert_eq!(store.newest_moment().await, Ok(None));
}

/// The cluster of the tests runs on this machine. A file has no clock.
pub(crate) async fn a_database_on_a_server_tells_its_own_time(store: &dyn Store) {
    let Some(shown) = store.database_time().await.unwrap() else { return };

    let again = store.database_time().await.unwrap().unwrap();

    assert!(again >= shown && again.as_milliseconds() - shown.as_milliseconds() < 60_000);
    assert!(shown.as_milliseconds() > 1_700_000_000_000, "{shown:?}");
}

pub(crate) async fn the_newest_moment_is_that_of_whatever_came_last(store: &dyn Store) {
    let member = tokens(store).await;
    assert_eq!(store.newest_moment().await, Ok(Some(at(1))), "an exchange");

    store.refresh(keeping("refresh 0", "access 1", at(HOUR))).await.unwrap();
    assert_eq!(store.newest_moment().await, Ok(Some(at(HOUR))), "a refresh");

    let code = NewAuthorizationCode { now: at(2 * HOUR), ..new_code("another", member) };
    store.add_authorization_code(code).await.unwrap();
    assert_eq!(store.newest_moment().await, Ok(Some(at(2 * HOUR))), "a code");

    store.add_session(new_session("session", member, DAY)).await.unwrap();
    assert_eq!(store.newest_moment().await, Ok(Some(at(DAY))), "a session");

    let (event, act) = (AuditEvent::ConsentDenied, by_member(2 * DAY));
    let refusal = NewAuditEntry {
        event,
        act,
        member: Some(member),
        client_id: None,
        detail: String::new(),
        project: None,
    };
    store.add_audit_entry(refusal).await.unwrap();
    assert_eq!(store.newest_moment().await, Ok(Some(at(2 * DAY))), "an entry of the audit log");
}
