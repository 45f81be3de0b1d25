//! Sessions of members in their browsers.

use storage::{
    AuditEntry, AuditEvent, Authority, ListRange, MemberId, NewMember, NewSession, Store,
};

use crate::given::{
    DAY, HOUR, PASSWORD_HASH, at, by_command, by_member, hash, member, new_session,
};

async fn session(store: &dyn Store) -> MemberId {
    let member = member(store).await;
    store.add_session(new_session("session", member, 0)).await.unwrap();
    member
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

    store.remove_session(&hash("session"), by_member(1)).await.unwrap();
    store.remove_session(&hash("session"), by_member(1)).await.unwrap();

    assert!(!is_found(store, 1).await);
}

async fn listed(store: &dyn Store, member: MemberId, seconds: i64) -> Vec<String> {
    let lines = store.list_sessions(member, at(seconds)).await.unwrap();
    lines.into_iter().map(|line| line.id).collect()
}

pub(crate) async fn a_sign_in_ends_the_session_it_replaces(store: &dyn Store) {
    let member = session(store).await;
    let another_member = another_member(store).await;
    let new =
        NewSession { replaced: Some(hash("session")), ..new_session("new", another_member, 1) };

    store.add_session(new).await.unwrap();

    assert!(!is_found(store, 1).await);
    assert_eq!(listed(store, another_member, 1).await, ["new"]);
    let log = store.list_audit_entries(ListRange { page: 1, per_page: 2 }).await.unwrap();
    let told = |entry: &AuditEntry| (entry.event, entry.member.as_ref().map(|member| member.id));
    assert_eq!(told(&log[0]), (AuditEvent::SignedIn, Some(another_member)));
    assert_eq!(told(&log[1]), (AuditEvent::SignedOut, Some(member)));
}

pub(crate) async fn a_member_sees_the_sessions_that_are_not_over(store: &dyn Store) {
    let member = session(store).await;
    store.add_session(new_session("phone", member, 11 * HOUR)).await.unwrap();
    let nobodys = listed(store, another_member(store).await, 11 * HOUR).await;

    let both = store.list_sessions(member, at(11 * HOUR)).await.unwrap();

    assert_eq!(nobodys, [""; 0]);
    assert_eq!(both.iter().map(|line| &line.id).collect::<Vec<_>>(), ["phone", "session"]);
    assert_eq!((both[1].started_at, both[1].seen_at), (at(0), at(0)));
    assert_eq!((both[1].hash, both[1].browser.as_str()), (hash("session"), "Firefox on Linux"));
    assert_eq!(listed(store, member, 12 * HOUR).await, ["phone"]);
}

pub(crate) async fn a_member_ends_one_session(store: &dyn Store) {
    let member = session(store).await;
    store.add_session(new_session("phone", member, 0)).await.unwrap();
    let other = another_member(store).await;

    assert_eq!(store.end_session(other, "session", by_member(1)).await, Ok(false));
    assert_eq!(listed(store, member, 1).await.len(), 2, "it is not theirs");
    assert_eq!(store.end_session(member, "session", by_member(1)).await, Ok(true));
    assert_eq!(store.end_session(member, "session", by_member(1)).await, Ok(false));

    assert!(!is_found(store, 1).await);
    assert_eq!(listed(store, member, 1).await, ["phone"]);
}

pub(crate) async fn a_member_ends_all_other_sessions(store: &dyn Store) {
    let member = session(store).await;
    let other = another_member(store).await;
    for (id, member) in [("phone", member), ("tablet", member), ("neighbour", other)] {
        store.add_session(new_session(id, member, 0)).await.unwrap();
    }

    let ended = store.end_other_sessions(member, &hash("session"), by_member(1)).await;
    let again = store.end_other_sessions(member, &hash("session"), by_member(1)).await;

    assert_eq!((ended, again), (Ok(true), Ok(false)));
    assert_eq!(listed(store, member, 1).await, ["session"]);
    assert_eq!(listed(store, other, 1).await, ["neighbour"]);
}

async fn another_member(store: &dyn Store) -> MemberId {
    let member = NewMember {
        email: "bob@example.com".to_owned(),
        password_hash: PASSWORD_HASH.to_owned(),
        is_password_temporary: false,
        roles: Vec::new(),
        through: None,
        act: by_command(0),
    };
    store.add_member(member, Authority::Operator).await.unwrap()
}
