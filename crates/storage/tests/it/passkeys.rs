//! Passkeys.

use std::pin::Pin;

use storage::{
    AddPasskeyOutcome, AnsweredChallenge, AuditEvent, Authority, ListRange, MemberId, NewMember,
    NewPasskey, NewSession, PasskeyUse, Proof, RenamePasskey, StorageError, Store,
};

use crate::given::{
    CONSENTING, PASSWORD_HASH, all_at_once, at, by_command, by_member, hash, member, new_code,
    new_session, opens, tokens,
};
use crate::members::nothing_acts_for;

fn challenge(name: &str) -> AnsweredChallenge {
    AnsweredChallenge { hash: hash(name), expires_at: at(300) }
}

/// A passkey by its name, which was added in answer to a challenge of that name.
fn new_passkey(name: &str, member: MemberId) -> NewPasskey {
    NewPasskey {
        credential_id: name.as_bytes().to_vec(),
        id: format!("id of {name}"),
        member,
        credential: "0 times".to_owned(),
        name: name.to_owned(),
        challenge: challenge(name),
        session: hash(&page_of(member)),
        act: by_member(0),
    }
}

/// The session in which a member looks at their account.
fn page_of(member: MemberId) -> String {
    format!("account page of {member}")
}

async fn with_page(store: &dyn Store, member: MemberId) -> MemberId {
    store.add_session(new_session(&page_of(member), member, 0)).await.unwrap();
    member
}

/// A member with the passkey `phone`.
async fn holder(store: &dyn Store) -> MemberId {
    let member = with_page(store, member(store).await).await;
    let added = store.add_passkey(new_passkey("phone", member)).await;
    assert_eq!(added, Ok(AddPasskeyOutcome::Added));
    member
}

async fn another_member(store: &dyn Store) -> MemberId {
    let email = "bob@example.com".to_owned();
    let member = NewMember {
        email,
        password_hash: PASSWORD_HASH.to_owned(),
        is_password_temporary: false,
        roles: Vec::new(),
        through: None,
        act: by_command(0),
    };
    with_page(store, store.add_member(member, Authority::Operator).await.unwrap()).await
}

/// A sign-in with the passkey `phone` for the session `id`, in answer to the challenge `answered`.
fn sign_in(id: &str, member: MemberId, answered: &str, times: [&str; 2]) -> NewSession {
    let used = PasskeyUse {
        credential_id: b"phone".to_vec(),
        before: times[0].to_owned(),
        after: times[1].to_owned(),
        challenge: challenge(answered),
    };
    NewSession { proof: Proof::Passkey(used), ..new_session(id, member, 1) }
}

async fn names(store: &dyn Store, member: MemberId) -> Vec<String> {
    store.list_passkeys(member).await.unwrap().into_iter().map(|line| line.name).collect()
}

async fn is_signed_in(store: &dyn Store, session: &str) -> bool {
    store.find_session(&hash(session), at(2)).await.unwrap().is_some()
}

pub(crate) async fn a_passkey_is_found_with_its_member(store: &dyn Store) {
    let member = holder(store).await;

    let found = store.find_passkey(b"phone").await.unwrap().unwrap();

    assert_eq!((found.member.id, found.credential.as_str()), (member, "0 times"));
    assert!(store.find_passkey(b"tablet").await.unwrap().is_none());
    let lines = store.list_passkeys(member).await.unwrap();
    assert_eq!(lines[0].credential_id, b"phone");
    assert_eq!((lines[0].added_at, lines[0].last_used_at), (at(0), None));
}

pub(crate) async fn a_passkey_is_added_once_and_its_challenge_answered_once(store: &dyn Store) {
    let member = holder(store).await;
    let again = NewPasskey { challenge: challenge("another"), ..new_passkey("phone", member) };
    let replayed = NewPasskey { challenge: challenge("phone"), ..new_passkey("tablet", member) };

    assert_eq!(store.add_passkey(again).await, Err(StorageError::Conflict));
    assert_eq!(store.add_passkey(replayed).await, Err(StorageError::Conflict));

    assert_eq!(names(store, member).await, ["phone"]);
}

pub(crate) async fn a_member_has_twenty_passkeys_at_most(store: &dyn Store) {
    let member = with_page(store, member(store).await).await;
    for number in 0..20 {
        store.add_passkey(new_passkey(&number.to_string(), member)).await.unwrap();
    }
    let other = another_member(store).await;

    let one_more = store.add_passkey(new_passkey("one more", member)).await;
    let others = store.add_passkey(new_passkey("of another", other)).await;

    assert_eq!((one_more, others), (Ok(AddPasskeyOutcome::TooMany), Ok(AddPasskeyOutcome::Added)));
    assert_eq!(names(store, member).await.len(), 20);
}

pub(crate) async fn a_sign_in_with_a_passkey_moves_it_on(store: &dyn Store) {
    let member = holder(store).await;

    store.add_session(sign_in("laptop", member, "first", ["0 times", "1 time"])).await.unwrap();

    assert!(is_signed_in(store, "laptop").await);
    assert_eq!(store.find_passkey(b"phone").await.unwrap().unwrap().credential, "1 time");
    assert_eq!(store.list_passkeys(member).await.unwrap()[0].last_used_at, Some(at(1)));
    let log = store.list_audit_entries(ListRange { page: 1, per_page: 1 }).await.unwrap();
    assert_eq!(log[0].event, AuditEvent::SignedInByPasskey);
}

pub(crate) async fn a_challenge_signs_in_only_once(store: &dyn Store) {
    let member = holder(store).await;
    store.add_session(sign_in("laptop", member, "first", ["0 times", "0 times"])).await.unwrap();

    let again = store.add_session(sign_in("thief", member, "first", ["0 times", "0 times"])).await;

    assert_eq!(again, Err(StorageError::Conflict));
    assert!(!is_signed_in(store, "thief").await);
}

pub(crate) async fn a_passkey_that_moved_on_or_is_gone_does_not_sign_in(store: &dyn Store) {
    let member = holder(store).await;
    let other = another_member(store).await;
    store.add_session(sign_in("laptop", member, "first", ["0 times", "1 time"])).await.unwrap();

    let behind = store.add_session(sign_in("a", member, "a", ["0 times", "1 time"])).await;
    let anothers = store.add_session(sign_in("b", other, "b", ["1 time", "2 times"])).await;
    store.remove_passkey(member, "id of phone", by_member(1)).await.unwrap();
    let removed = store.add_session(sign_in("c", member, "c", ["1 time", "2 times"])).await;

    for refused in [behind, anothers, removed] {
        assert_eq!(refused, Err(StorageError::Conflict));
    }
    for session in ["a", "b", "c"] {
        assert!(!is_signed_in(store, session).await, "{session}");
    }
}

pub(crate) async fn a_member_renames_and_removes_only_their_own(store: &dyn Store) {
    let member = holder(store).await;
    let other = another_member(store).await;
    let id = "id of phone";
    let rename = async |member, id: &str, name: &str| {
        let (id, name) = (id.to_owned(), name.to_owned());
        store.rename_passkey(RenamePasskey { member, id, name }).await
    };

    assert_eq!(rename(other, id, "mine").await, Ok(false));
    assert_eq!(store.remove_passkey(other, id, by_member(1)).await, Ok(false));
    assert_eq!(rename(member, id, "old phone").await, Ok(true));
    assert_eq!(names(store, member).await, ["old phone"]);
    assert_eq!(store.remove_passkey(member, id, by_member(1)).await, Ok(true));
    assert_eq!(store.remove_passkey(member, id, by_member(1)).await, Ok(false));
    assert_eq!(rename(member, "\0", "x").await, Ok(false));

    assert!(names(store, member).await.is_empty());
}

pub(crate) async fn all_passkeys_of_a_member_go_with_all_that_acts_for_them(store: &dyn Store) {
    let member = tokens(store).await;
    let other = another_member(store).await;
    for (name, member) in [("phone", member), ("tablet", member), ("of another", other)] {
        let session = hash(if member == other { "neighbour" } else { CONSENTING });
        if member == other {
            store.add_session(new_session("neighbour", other, 0)).await.unwrap();
        }
        let passkey = NewPasskey { session, ..new_passkey(name, member) };
        assert_eq!(store.add_passkey(passkey).await, Ok(AddPasskeyOutcome::Added));
    }
    store.add_authorization_code(new_code("not exchanged yet", member)).await.unwrap();
    assert!(opens(store, "access 0").await);

    assert_eq!(store.remove_passkeys(member, by_command(1)).await, Ok(2));

    assert!(names(store, member).await.is_empty());
    nothing_acts_for(store, member).await;
    assert_eq!(names(store, other).await, ["of another"]);
    assert!(is_signed_in(store, "neighbour").await);
    let late = NewPasskey { session: hash(CONSENTING), ..new_passkey("late", member) };
    assert_eq!(store.add_passkey(late).await, Ok(AddPasskeyOutcome::SignedOut));
    let log = store.list_audit_entries(ListRange { page: 1, per_page: 4 }).await.unwrap();
    let told: Vec<_> = log.iter().map(|entry| entry.event).collect();
    let [removed, disconnected, ended] =
        [AuditEvent::PasskeyRemoved, AuditEvent::ApplicationDisconnected, AuditEvent::SessionEnded];
    assert_eq!(told, [removed, removed, disconnected, ended]);
}

pub(crate) async fn no_passkey_sign_in_in_flight_outlives_the_removal_of_all(store: &dyn Store) {
    for round in 0..10 {
        let member =
            if round == 0 { holder(store).await } else { again_with_phone(store, round).await };
        let session = format!("thief {round}");
        let challenge = format!("challenge {round}");
        let sign_in = async {
            let times = ["0 times", "1 time"];
            store.add_session(sign_in(&session, member, &challenge, times)).await.is_ok()
        };
        let add = async {
            let added = store.add_passkey(new_passkey(&format!("planted {round}"), member)).await;
            matches!(added, Ok(AddPasskeyOutcome::Added))
        };
        let remove = async { store.remove_passkeys(member, by_command(1)).await.is_ok() };
        let in_flight: [Pin<Box<dyn Future<Output = bool> + '_>>; 3] =
            [Box::pin(sign_in), Box::pin(add), Box::pin(remove)];

        let done = all_at_once(in_flight.into_iter()).await;

        assert!(done[2], "all passkeys were removed");
        assert!(!is_signed_in(store, &session).await, "{done:?}");
        assert!(names(store, member).await.is_empty(), "{done:?}");
    }
}

/// The member of the story once more with the passkey `phone`.
async fn again_with_phone(store: &dyn Store, round: usize) -> MemberId {
    let member = store.find_member_by_email("ann@example.com").await.unwrap().unwrap().id;
    with_page(store, member).await;
    let challenge = challenge(&format!("phone of {round}"));
    let phone = NewPasskey { challenge, ..new_passkey("phone", member) };
    assert_eq!(store.add_passkey(phone).await, Ok(AddPasskeyOutcome::Added));
    member
}
