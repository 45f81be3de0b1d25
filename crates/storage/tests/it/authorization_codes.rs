//! Authorization codes: spent once, by the client, redirect URI and verifier they were made for (RFC 6749 section 4.1.3).

use oauth::{CodeChallenge, Scope, ScopeSet, code_challenge_of};
use storage::{
    AddCodeOutcome, ExchangeCode, ExchangeOutcome, NewAuthorizationCode, StorageError, Store,
};

use crate::given::{
    DAY, REFRESHED, all_at_once, at, client_id, code, consenting_member, exchange, grant, hash,
    keeping, new_code, opens, rotating, tokens,
};

const EXCHANGED: ExchangeOutcome = ExchangeOutcome::Exchanged(ScopeSet::ALL);

async fn outcome(store: &dyn Store, exchange: ExchangeCode) -> ExchangeOutcome {
    store.exchange_code(exchange).await.unwrap()
}

pub(crate) async fn a_code_becomes_tokens_of_its_scope(store: &dyn Store) {
    let member = code(store).await;
    let scope = ScopeSet::from(Scope::ConfigRead);
    let narrow = NewAuthorizationCode { scope, ..new_code("narrow", member) };
    store.add_authorization_code(narrow).await.unwrap();

    let exchange = ExchangeCode { code: hash("narrow"), ..exchange() };

    assert_eq!(outcome(store, exchange).await, ExchangeOutcome::Exchanged(scope));
    assert_eq!(grant(store, "access 0").await.unwrap().scope, scope);
    let refreshed = store.refresh(keeping("refresh 0", "access 1", at(2))).await;
    assert_eq!(refreshed, Ok(storage::RefreshOutcome::Refreshed(scope)));
}

pub(crate) async fn a_code_is_exchanged_once(store: &dyn Store) {
    code(store).await;

    assert_eq!(outcome(store, exchange()).await, EXCHANGED);
    assert_eq!(outcome(store, exchange()).await, ExchangeOutcome::AlreadyUsed);
}

pub(crate) async fn a_code_may_be_kept_again_until_it_is_spent(store: &dyn Store) {
    let member = code(store).await;
    let again = || NewAuthorizationCode { now: at(50), ..new_code("code", member) };
    assert_eq!(store.add_authorization_code(again()).await, Ok(AddCodeOutcome::Kept));
    let late = ExchangeCode { now: at(100), ..exchange() };
    assert_eq!(outcome(store, late).await, EXCHANGED, "its minute began anew");

    let spent = store.add_authorization_code(again()).await;

    assert_eq!(spent, Err(StorageError::Conflict));
    assert_eq!(outcome(store, exchange()).await, ExchangeOutcome::AlreadyUsed);
}

pub(crate) async fn of_twelve_exchanges_at_once_one_succeeds(store: &dyn Store) {
    code(store).await;

    let outcomes = all_at_once((0..12).map(|number| {
        store.exchange_code(ExchangeCode {
            access_token: hash(&format!("access of {number}")),
            refresh_token: hash(&format!("refresh of {number}")),
            ..exchange()
        })
    }))
    .await;

    let count = |expected| outcomes.iter().filter(|outcome| **outcome == Ok(expected)).count();
    assert_eq!(count(EXCHANGED), 1);
    assert_eq!(count(ExchangeOutcome::AlreadyUsed), 11);
    for number in 0..12 {
        assert!(!opens(store, &format!("access of {number}")).await);
    }
}

pub(crate) async fn a_replay_ends_the_family(store: &dyn Store) {
    tokens(store).await;
    assert!(opens(store, "access 0").await);

    assert_eq!(outcome(store, exchange()).await, ExchangeOutcome::AlreadyUsed);

    assert!(!opens(store, "access 0").await);
    let refreshed = store.refresh(keeping("refresh 0", "access 1", at(2))).await;
    assert_eq!(refreshed, Ok(storage::RefreshOutcome::Ended));
}

pub(crate) async fn a_replay_ends_the_family_also_after_rotation(store: &dyn Store) {
    tokens(store).await;
    assert_eq!(store.refresh(rotating("0", "1")).await, REFRESHED);
    let much_later = ExchangeCode { now: at(86_400), ..exchange() };

    assert_eq!(outcome(store, much_later).await, ExchangeOutcome::AlreadyUsed);

    assert!(!opens(store, "access 1").await);
    assert_eq!(store.refresh(rotating("1", "2")).await, Ok(storage::RefreshOutcome::Ended));
}

pub(crate) async fn another_clients_try_spends_and_ends_nothing(store: &dyn Store) {
    code(store).await;
    let theirs = || ExchangeCode { client_id: client_id("other"), ..exchange() };

    assert_eq!(outcome(store, theirs()).await, ExchangeOutcome::OtherClient);
    assert_eq!(outcome(store, exchange()).await, EXCHANGED);
    assert_eq!(outcome(store, theirs()).await, ExchangeOutcome::OtherClient);
    assert!(opens(store, "access 0").await);
}

pub(crate) async fn an_old_code_is_expired(store: &dyn Store) {
    code(store).await;

    let too_late = ExchangeCode { now: at(60), ..exchange() };
    assert_eq!(outcome(store, too_late).await, ExchangeOutcome::Expired);
}

pub(crate) async fn a_code_of_a_clock_that_was_far_ahead_is_expired(store: &dyn Store) {
    let member = code(store).await;
    let from_ahead = |now| NewAuthorizationCode { now, ..new_code("ahead", member) };
    let exchange = || ExchangeCode { code: hash("ahead"), ..exchange() };
    store.add_authorization_code(from_ahead(at(2 * DAY))).await.unwrap();

    let set_right = outcome(store, exchange()).await;
    let in_its_time = outcome(store, ExchangeCode { now: at(2 * DAY), ..exchange() }).await;

    assert_eq!((set_right, in_its_time), (ExchangeOutcome::Expired, EXCHANGED));
}

pub(crate) async fn a_wrong_redirect_uri_is_refused_and_spends_nothing(store: &dyn Store) {
    code(store).await;
    for redirect_uri in ["https://reports.example/other", "https://reports.example/cb/", "", "\0"] {
        let wrong = ExchangeCode { redirect_uri: redirect_uri.to_owned(), ..exchange() };
        assert_eq!(outcome(store, wrong).await, ExchangeOutcome::RedirectUriMismatch);
    }

    assert_eq!(outcome(store, exchange()).await, EXCHANGED);
}

fn challenge(character: &str) -> Option<CodeChallenge> {
    code_challenge_of(&character.repeat(43))
}

pub(crate) async fn a_wrong_verifier_is_refused_and_spends_nothing(store: &dyn Store) {
    let member = code(store).await;
    let challenged =
        NewAuthorizationCode { code_challenge: challenge("a"), ..new_code("pkce", member) };
    store.add_authorization_code(challenged).await.unwrap();
    let with = |code_challenge| ExchangeCode { code: hash("pkce"), code_challenge, ..exchange() };

    assert_eq!(outcome(store, with(challenge("b"))).await, ExchangeOutcome::CodeChallengeMismatch);
    assert_eq!(outcome(store, with(None)).await, ExchangeOutcome::CodeChallengeMismatch);
    assert_eq!(outcome(store, with(challenge("a"))).await, EXCHANGED);
}

pub(crate) async fn a_verifier_without_a_challenge_is_refused(store: &dyn Store) {
    code(store).await;

    let with_verifier = ExchangeCode { code_challenge: challenge("a"), ..exchange() };
    assert_eq!(outcome(store, with_verifier).await, ExchangeOutcome::CodeChallengeMismatch);
}

pub(crate) async fn an_unknown_code_is_refused(store: &dyn Store) {
    code(store).await;

    let unknown = ExchangeCode { code: hash("Code"), ..exchange() };
    assert_eq!(outcome(store, unknown).await, ExchangeOutcome::Unknown);
}

pub(crate) async fn tokens_are_no_codes(store: &dyn Store) {
    tokens(store).await;

    for token in ["access 0", "refresh 0"] {
        let with_token = ExchangeCode { code: hash(token), ..exchange() };
        assert_eq!(outcome(store, with_token).await, ExchangeOutcome::Unknown);
    }
}

pub(crate) async fn a_consent_is_remembered_beside_earlier_ones(store: &dyn Store) {
    let member = consenting_member(store).await;
    store.add_client(crate::given::client("reports"), crate::given::by_command(0)).await.unwrap();
    let consent = async || store.find_consent(member, &client_id("reports")).await.unwrap();
    assert_eq!(consent().await, None);
    let [read, publish] = [Scope::ConfigRead, Scope::Publish].map(ScopeSet::from);

    for (name, scope) in [("1", read), ("2", publish), ("3", read)] {
        let code = NewAuthorizationCode { scope, ..new_code(name, member) };
        store.add_authorization_code(code).await.unwrap();
    }

    assert_eq!(consent().await, Some(read.union(publish)));
    assert_eq!(store.find_consent(member, &client_id("other")).await, Ok(None));
}
