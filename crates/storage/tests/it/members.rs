//! Members.

use std::pin::Pin;

use storage::{
    AddCodeOutcome, AuditEvent, Authority, ChoosePasswordOutcome, ChoosingSession, ChosenPassword,
    ExchangeCode, ExchangeOutcome, ListRange, MemberId, NewMember, NewSession, Proof,
    RefreshOutcome, RenewedHash, RoleGrant, StorageError, Store, TemporaryPassword,
};

use crate::given::{
    CONSENTING, PASSWORD_HASH, all_at_once, at, by_command, by_member, client_id, exchange, hash,
    keeping, member, new_code, new_session, opens, tokens,
};

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
        is_password_temporary: false,
        roles: Vec::new(),
        through: None,
        act: by_command(1),
    };

    assert_eq!(store.add_member(again, Authority::Operator).await, Err(StorageError::Conflict));
    let found = store.find_member_by_email("ann@example.com").await.unwrap().unwrap();
    assert_eq!(found.id, first);
}

pub(crate) async fn the_first_member_is_added_once(store: &dyn Store) {
    let first = |name: usize| NewMember {
        email: format!("{name}@example.com"),
        password_hash: PASSWORD_HASH.to_owned(),
        is_password_temporary: false,
        roles: vec![RoleGrant::OWNER],
        through: None,
        act: by_command(1),
    };

    let added = all_at_once((0..8).map(|number| store.add_first_member(first(number)))).await;

    let owners: Vec<MemberId> = added.into_iter().filter_map(Result::unwrap).collect();
    assert_eq!(owners.len(), 1);
    let lines = store.list_members(None, ListRange { page: 1, per_page: 10 }).await.unwrap();
    let found: Vec<_> = lines.iter().map(|line| (line.id, line.roles.clone())).collect();
    assert_eq!(found, [(owners[0], vec![RoleGrant::OWNER])]);
    assert_eq!(store.add_first_member(first(9)).await, Ok(None));
}

pub(crate) async fn an_unknown_member_is_not_found(store: &dyn Store) {
    member(store).await;

    for email in ["bob@example.com", "Ann@example.com", "", "\0"] {
        assert!(store.find_member_by_email(email).await.unwrap().is_none(), "{email:?}");
    }
}

fn chosen(member: MemberId, before: &str, after: &str, session: ChoosingSession) -> ChosenPassword {
    ChosenPassword {
        member,
        before: before.to_owned(),
        after: after.to_owned(),
        removed_passkeys: Vec::new(),
        session,
        act: by_member(1),
    }
}

/// The session that a change to the password `second` starts in place of this one.
fn renewed(shown: &str, member: MemberId) -> ChoosingSession {
    let proof = Proof::Password("second".to_owned());
    let session = NewSession { proof, ..new_session("renewed", member, 1) };
    ChoosingSession::Renewed(hash(shown), Box::new(session))
}

pub(crate) fn temporary(member: MemberId, password_hash: &str) -> TemporaryPassword {
    TemporaryPassword { member, password_hash: password_hash.to_owned(), act: by_command(1) }
}

async fn is_open(store: &dyn Store, session: &str) -> bool {
    store.find_session(&hash(session), at(1)).await.unwrap().is_some()
}

pub(crate) async fn a_changed_password_ends_all_other_sessions(store: &dyn Store) {
    let id = member(store).await;
    for session in ["here", "elsewhere"] {
        store.add_session(new_session(session, id, 0)).await.unwrap();
    }

    let outcome =
        store.choose_password(chosen(id, PASSWORD_HASH, "second", renewed("here", id))).await;

    assert_eq!(outcome, Ok(ChoosePasswordOutcome::Chosen));
    assert!(is_open(store, "renewed").await);
    assert!(!is_open(store, "here").await && !is_open(store, "elsewhere").await);
    assert_eq!(store.lookup_member(id).await.unwrap().unwrap().password_hash, "second");
    let log = store.list_audit_entries(ListRange { page: 1, per_page: 4 }).await.unwrap();
    let events: Vec<_> = log.iter().map(|entry| entry.event).collect();
    let ended = AuditEvent::SessionEnded;
    assert_eq!(events, [AuditEvent::SignedIn, ended, ended, AuditEvent::PasswordChanged]);
}

pub(crate) async fn a_password_is_changed_from_what_it_is_in_a_session_that_is_alive(
    store: &dyn Store,
) {
    let id = member(store).await;
    store.add_session(new_session("here", id, 0)).await.unwrap();
    let (here, elsewhere) = (|| renewed("here", id), renewed("elsewhere", id));

    let late = store.choose_password(chosen(id, "another", "stolen", here())).await;
    let signed_out = store.choose_password(chosen(id, PASSWORD_HASH, "stolen", elsewhere)).await;
    store.reset_password(temporary(id, "given")).await.unwrap();
    let overtaken = store.choose_password(chosen(id, PASSWORD_HASH, "stolen", here())).await;
    let ended = store.choose_password(chosen(id, "given", "stolen", here())).await;

    assert_eq!(late, Ok(ChoosePasswordOutcome::OtherPassword));
    assert_eq!(signed_out, Ok(ChoosePasswordOutcome::SignedOut));
    assert_eq!(overtaken, Ok(ChoosePasswordOutcome::OtherPassword));
    assert_eq!(ended, Ok(ChoosePasswordOutcome::SignedOut));
    assert_eq!(store.lookup_member(id).await.unwrap().unwrap().password_hash, "given");
}

pub(crate) async fn a_reset_password_ends_all_that_acts_for_the_member(store: &dyn Store) {
    let id = tokens(store).await;
    store.add_authorization_code(new_code("not exchanged yet", id)).await.unwrap();
    assert!(opens(store, "access 0").await && is_open(store, CONSENTING).await);

    store.reset_password(temporary(id, "given")).await.unwrap();

    nothing_acts_for(store, id).await;
    let member = store.lookup_member(id).await.unwrap().unwrap();
    assert_eq!((member.password_hash.as_str(), member.is_password_temporary), ("given", true));
    let log = store.list_audit_entries(ListRange { page: 1, per_page: 3 }).await.unwrap();
    let events: Vec<_> = log.iter().map(|entry| entry.event).collect();
    let expected = [
        AuditEvent::ApplicationDisconnected,
        AuditEvent::SessionEnded,
        AuditEvent::PasswordChanged,
    ];
    assert_eq!(events, expected);
}

/// Neither a browser nor an application acts for a member who had [`tokens`], and none gets another code.
pub(crate) async fn nothing_acts_for(store: &dyn Store, member: MemberId) {
    assert!(!is_open(store, CONSENTING).await && !opens(store, "access 0").await);
    let refreshed = store.refresh(keeping("refresh 0", "access 1", at(4))).await;
    assert_eq!(refreshed, Ok(RefreshOutcome::Ended));
    assert_eq!(store.find_consent(member, &client_id("reports")).await, Ok(None));
    let code = ExchangeCode { code: hash("not exchanged yet"), ..exchange() };
    assert_eq!(store.exchange_code(code).await, Ok(ExchangeOutcome::Unknown));
    let late = store.add_authorization_code(new_code("late", member)).await;
    assert_eq!(late, Ok(AddCodeOutcome::SignedOut));
}

pub(crate) async fn no_sign_in_in_flight_outlives_a_reset(store: &dyn Store) {
    let id = member(store).await;
    let names: Vec<_> = (0..50).map(|number| format!("browser {number}")).collect();
    let sign_ins = names.iter().map(|name| store.add_session(new_session(name, id, 1)));
    let mut in_flight: Vec<Pin<Box<dyn Future<Output = bool> + '_>>> =
        sign_ins.map(|sign_in| Box::pin(async { sign_in.await.is_ok() }) as _).collect();
    let reset = async { store.reset_password(temporary(id, "given")).await.is_ok() };
    in_flight.insert(25, Box::pin(reset));

    let done = all_at_once(in_flight.into_iter()).await;

    assert!(done[25], "the password was reset");
    for name in &names {
        assert!(!is_open(store, name).await, "{name}");
    }
    let member = store.lookup_member(id).await.unwrap().unwrap();
    assert_eq!(member.password_hash, "given");
}

pub(crate) async fn a_temporary_password_becomes_ones_own_with_the_first_session(
    store: &dyn Store,
) {
    let id = member(store).await;
    store.reset_password(temporary(id, "given")).await.unwrap();
    let proof = Proof::Password("own".to_owned());
    let first =
        || NewSession { proof: Proof::Password("own".to_owned()), ..new_session("first", id, 1) };
    let second = NewSession { proof, ..new_session("second", id, 1) };

    let started = ChoosingSession::Started(Box::new(first()));
    let outcome = store.choose_password(chosen(id, "given", "own", started)).await;
    let again = ChoosingSession::Started(Box::new(second));
    let again = store.choose_password(chosen(id, "given", "another", again)).await;

    assert_eq!(outcome, Ok(ChoosePasswordOutcome::Chosen));
    assert_eq!(again, Ok(ChoosePasswordOutcome::OtherPassword));
    assert!(is_open(store, "first").await && !is_open(store, "second").await);
    let member = store.lookup_member(id).await.unwrap().unwrap();
    assert_eq!((member.password_hash.as_str(), member.is_password_temporary), ("own", false));
}

pub(crate) async fn a_password_chosen_with_the_only_session_ends_all_else(store: &dyn Store) {
    let id = tokens(store).await;
    store.add_authorization_code(new_code("not exchanged yet", id)).await.unwrap();
    assert!(opens(store, "access 0").await && is_open(store, CONSENTING).await);
    let proof = || Proof::Password("own".to_owned());
    let only = |name| {
        let session = NewSession { proof: proof(), ..new_session(name, id, 1) };
        chosen(id, PASSWORD_HASH, "own", ChoosingSession::Only(Box::new(session)))
    };

    let outcome = store.choose_password(only("first")).await;
    let again = store.choose_password(only("second")).await;

    assert_eq!(outcome, Ok(ChoosePasswordOutcome::Chosen));
    assert_eq!(again, Ok(ChoosePasswordOutcome::OtherPassword));
    assert!(is_open(store, "first").await && !is_open(store, "second").await);
    nothing_acts_for(store, id).await;
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
