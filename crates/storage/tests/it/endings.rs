//! What has ended opens nothing from the answer on, also what was used just before and is still in memory.

use storage::{EndedEverything, ExchangeCode, ExchangeOutcome, NewKeys, Revoke, Store};

use crate::given::{
    ADDRESS, REFRESHED, all_at_once, at, client_id, code, exchange, hash, keeping, new_code,
    new_session, opens, rotating, tokens,
};

fn revoke(token: &str) -> Revoke {
    Revoke { token: hash(token), client_id: client_id("reports"), address: ADDRESS, now: at(3) }
}

pub(crate) async fn a_token_in_use_is_closed_by_its_revocation(store: &dyn Store) {
    tokens(store).await;
    assert_eq!(store.refresh(keeping("refresh 0", "access 1", at(2))).await, REFRESHED);
    assert!(opens(store, "access 0").await && opens(store, "access 1").await);

    store.revoke(revoke("access 0")).await.unwrap();
    assert!(!opens(store, "access 0").await && opens(store, "access 1").await);

    store.revoke(revoke("refresh 0")).await.unwrap();
    assert!(!opens(store, "access 1").await);
}

pub(crate) async fn tokens_in_use_are_closed_by_reuse(store: &dyn Store) {
    tokens(store).await;
    assert_eq!(store.refresh(rotating("0", "1")).await, REFRESHED);
    assert!(opens(store, "access 0").await && opens(store, "access 1").await);

    store.refresh(rotating("0", "2")).await.unwrap();

    assert!(!opens(store, "access 0").await && !opens(store, "access 1").await);
}

pub(crate) async fn a_token_in_use_expires(store: &dyn Store) {
    tokens(store).await;
    assert!(opens(store, "access 0").await);

    let found = store.find_access_token(&hash("access 0"), at(7_201)).await.unwrap();

    assert!(found.is_none());
}

const NOTHING: EndedEverything =
    EndedEverything { families: 0, sessions: 0, api_tokens: 0, services: 0 };

pub(crate) async fn everything_can_be_ended(store: &dyn Store) {
    let member = tokens(store).await;
    store.add_session(new_session("session", member, 0)).await.unwrap();
    store.add_authorization_code(new_code("second code", member)).await.unwrap();
    assert!(opens(store, "access 0").await);

    let ended = store.end_everything(NewKeys::default(), at(2)).await.unwrap();

    assert_eq!(ended, EndedEverything { families: 1, sessions: 2, ..NOTHING });
    assert!(!opens(store, "access 0").await);
    assert!(store.find_session(&hash("session"), at(2)).await.unwrap().is_none());
    let exchange = ExchangeCode { code: hash("second code"), ..exchange() };
    assert_eq!(store.exchange_code(exchange).await, Ok(ExchangeOutcome::Unknown));
    let again = store.end_everything(NewKeys::default(), at(3)).await.unwrap();
    assert_eq!(again, NOTHING);
}

/// Twenty families live, are used by several at once while they are revoked, and then open nothing.
pub(crate) async fn no_use_at_the_same_time_keeps_a_token_open(store: &dyn Store) {
    let member = code(store).await;

    let all_closed = all_at_once((0..20).map(async |number| {
        let [code, access, refresh] =
            ["code", "access", "refresh"].map(|word| format!("{word} of {number}"));
        store.add_authorization_code(new_code(&code, member)).await.unwrap();
        let exchange = ExchangeCode {
            code: hash(&code),
            access_token: hash(&access),
            refresh_token: hash(&refresh),
            ..exchange()
        };
        store.exchange_code(exchange).await.unwrap();
        assert!(opens(store, &access).await);
        let use_and_revoke = (0..8).map(async |place| match place {
            4 => store.revoke(revoke(&refresh)).await.map(drop),
            _ => store.find_access_token(&hash(&access), at(3)).await.map(drop),
        });
        assert!(all_at_once(use_and_revoke).await.iter().all(Result::is_ok));
        !opens(store, &access).await
    }))
    .await;

    assert_eq!(all_closed, [true; 20]);
}
