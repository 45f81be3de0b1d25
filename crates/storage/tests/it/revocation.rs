//! Clients give tokens back, and ask what they are good for.

use oauth::{CredentialHash, ScopeSet};
use storage::{RefreshOutcome, Revoke, RevokeOutcome, Store};

use crate::given::{
    ADDRESS, DAY, REFRESHED, at, client_id, hash, keeping, new_code, opens, rotating, tokens,
};

fn revoke(token: &str, client: &str) -> Revoke {
    Revoke { token: hash(token), client_id: client_id(client), address: ADDRESS, now: at(3) }
}

async fn gives(store: &dyn Store, token: CredentialHash, day: i64) -> Option<ScopeSet> {
    let grant = store.find_refresh_token(&token, at(day * DAY)).await.unwrap();
    grant.map(|grant| grant.scope)
}

pub(crate) async fn a_revoked_refresh_token_ends_the_family(store: &dyn Store) {
    tokens(store).await;
    assert_eq!(store.refresh(keeping("refresh 0", "access 1", at(2))).await, REFRESHED);

    assert_eq!(store.revoke(revoke("refresh 0", "reports")).await, Ok(RevokeOutcome::FamilyEnded));

    assert!(!opens(store, "access 0").await);
    assert!(!opens(store, "access 1").await);
    let again = store.refresh(keeping("refresh 0", "access 2", at(4))).await;
    assert_eq!(again, Ok(RefreshOutcome::Ended));
    assert_eq!(gives(store, hash("refresh 0"), 1).await, None);
}

pub(crate) async fn a_revoked_access_token_goes_alone(store: &dyn Store) {
    tokens(store).await;
    assert_eq!(store.refresh(keeping("refresh 0", "access 1", at(2))).await, REFRESHED);

    let outcome = store.revoke(revoke("access 0", "reports")).await;

    assert_eq!(outcome, Ok(RevokeOutcome::AccessTokenRemoved));
    assert!(!opens(store, "access 0").await);
    assert!(opens(store, "access 1").await);
    assert_eq!(store.refresh(keeping("refresh 0", "access 2", at(4))).await, REFRESHED);
}

pub(crate) async fn a_replaced_refresh_token_still_ends_its_family(store: &dyn Store) {
    tokens(store).await;
    assert_eq!(store.refresh(rotating("0", "1")).await, REFRESHED);

    assert_eq!(store.revoke(revoke("refresh 0", "reports")).await, Ok(RevokeOutcome::FamilyEnded));

    assert!(!opens(store, "access 1").await);
}

pub(crate) async fn a_client_revokes_only_its_own_tokens(store: &dyn Store) {
    let member = tokens(store).await;
    store.add_authorization_code(new_code("next code", member)).await.unwrap();

    for (token, client) in [
        ("refresh 0", "other"),
        ("access 0", "other"),
        ("refresh 9", "reports"),
        ("next code", "reports"),
    ] {
        let outcome = store.revoke(revoke(token, client)).await;
        assert_eq!(outcome, Ok(RevokeOutcome::NotTheirs), "{token} by {client}");
    }
    assert!(opens(store, "access 0").await);
    assert_eq!(store.refresh(keeping("refresh 0", "access 1", at(4))).await, REFRESHED);
}

pub(crate) async fn a_refresh_token_tells_what_it_can_give_while_it_can(store: &dyn Store) {
    tokens(store).await;

    assert_eq!(gives(store, hash("refresh 0"), 179).await, Some(ScopeSet::ALL));
    assert_eq!(gives(store, hash("refresh 0"), 181).await, None);
    assert_eq!(gives(store, hash("access 0"), 0).await, None);
}

pub(crate) async fn a_replaced_refresh_token_can_give_nothing_once_its_successor_was_seen(
    store: &dyn Store,
) {
    tokens(store).await;
    assert_eq!(store.refresh(rotating("0", "1")).await, REFRESHED);
    assert_eq!(gives(store, hash("refresh 0"), 0).await, Some(ScopeSet::ALL));

    assert!(opens(store, "access 1").await);

    assert_eq!(gives(store, hash("refresh 0"), 0).await, None);
    assert_eq!(gives(store, hash("refresh 1"), 0).await, Some(ScopeSet::ALL));
}
