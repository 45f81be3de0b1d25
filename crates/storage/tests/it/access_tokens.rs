//! Access tokens: what a program shows with each request.

use oauth::ScopeSet;
use storage::Store;

use crate::given::{HOUR, at, client_id, grant, hash, opens, tokens};

pub(crate) async fn a_token_opens_for_two_hours(store: &dyn Store) {
    let member = tokens(store).await;
    let token = hash("access 0");

    let grant = grant(store, "access 0").await.unwrap();
    assert_eq!(grant.member, member);
    assert_eq!(grant.client_id, client_id("reports"));
    assert_eq!(grant.scope, ScopeSet::ALL);
    assert_eq!(grant.expires_at, at(1 + 2 * HOUR));

    let last_second = store.find_access_token(&token, at(2 * HOUR)).await.unwrap();
    let after = store.find_access_token(&token, at(1 + 2 * HOUR)).await.unwrap();
    assert!(last_second.is_some());
    assert!(after.is_none());
}

pub(crate) async fn an_unknown_token_opens_nothing(store: &dyn Store) {
    tokens(store).await;

    assert!(!opens(store, "unknown").await);
}

pub(crate) async fn only_an_access_token_opens(store: &dyn Store) {
    tokens(store).await;

    assert!(!opens(store, "refresh 0").await);
    assert!(!opens(store, "code").await);
    assert!(!opens(store, "secret").await);
}
