//! What members allowed applications, and how they end it.

use oauth::{Client, ScopeSet};
use storage::{Authority, ConnectedClient, ExchangeOutcome, RefreshOutcome, Store};

use crate::given::{
    HOUR, PASSWORD_HASH, REFRESHED, at, by_command, by_member, client, client_id, exchange,
    keeping, new_code, opens, tokens,
};

async fn connected(store: &dyn Store, member: storage::MemberId) -> Vec<ConnectedClient> {
    store.list_connections(member).await.unwrap()
}

pub(crate) async fn a_member_sees_what_they_allowed_since_when_and_its_last_use(store: &dyn Store) {
    let member = tokens(store).await;
    let other = storage::NewAuthorizationCode {
        client_id: client_id("other"),
        scope: ScopeSet::parse("publish").unwrap(),
        now: at(5),
        ..new_code("another code", member)
    };
    store.add_authorization_code(other).await.unwrap();

    let found = connected(store, member).await;

    let Client { name, redirect_uris, .. } = client("reports");
    let reports = ConnectedClient {
        client_id: client_id("reports"),
        client_name: name,
        redirect_uris,
        scope: ScopeSet::ALL,
        allowed_at: at(0),
        last_used_at: Some(at(1)),
    };
    assert_eq!(found.len(), 2);
    assert_eq!((found[0].client_id.as_str(), found[0].last_used_at), ("other", None));
    assert_eq!(found[0].scope.to_string(), "publish");
    assert_eq!(found[1], reports);
}

pub(crate) async fn the_last_use_is_known_to_an_hour(store: &dyn Store) {
    let member = tokens(store).await;
    let used_after = async |seconds| {
        let name = format!("access after {seconds}");
        assert_eq!(store.refresh(keeping("refresh 0", &name, at(seconds))).await, REFRESHED);
        connected(store, member).await[0].last_used_at
    };

    assert_eq!(used_after(HOUR).await, Some(at(1)));
    assert_eq!(used_after(HOUR + 1).await, Some(at(HOUR + 1)));
    assert_eq!(used_after(20 * HOUR).await, Some(at(20 * HOUR)));
}

pub(crate) async fn disconnecting_ends_consent_codes_and_tokens(store: &dyn Store) {
    let member = tokens(store).await;
    let reports = client_id("reports");
    store.add_authorization_code(new_code("not exchanged yet", member)).await.unwrap();

    assert_eq!(store.disconnect(member, &reports, by_member(2)).await, Ok(true));
    assert_eq!(store.disconnect(member, &reports, by_member(3)).await, Ok(false));

    assert_eq!(connected(store, member).await, []);
    assert_eq!(store.find_consent(member, &reports).await, Ok(None));
    assert!(!opens(store, "access 0").await);
    let refreshed = store.refresh(keeping("refresh 0", "access 1", at(4))).await;
    assert_eq!(refreshed, Ok(RefreshOutcome::Ended));
    let code = crate::given::hash("not exchanged yet");
    let exchanged = storage::ExchangeCode {
        code,
        access_token: crate::given::hash("access 2"),
        refresh_token: crate::given::hash("refresh 2"),
        ..exchange()
    };
    assert_eq!(store.exchange_code(exchanged).await, Ok(ExchangeOutcome::Unknown));
}

pub(crate) async fn disconnecting_leaves_other_members_and_applications_alone(store: &dyn Store) {
    let member = tokens(store).await;
    let bob = storage::NewMember {
        email: "bob@example.com".to_owned(),
        password_hash: PASSWORD_HASH.to_owned(),
        is_password_temporary: false,
        roles: Vec::new(),
        through: None,
        act: by_command(0),
    };
    let bob = store.add_member(bob, Authority::Operator).await.unwrap();
    let others = storage::NewAuthorizationCode {
        client_id: client_id("other"),
        ..new_code("another code", member)
    };
    store.add_authorization_code(others).await.unwrap();

    assert_eq!(store.disconnect(bob, &client_id("reports"), by_member(2)).await, Ok(false));
    assert!(opens(store, "access 0").await);
    assert_eq!(store.disconnect(member, &client_id("other"), by_member(3)).await, Ok(true));
    assert!(opens(store, "access 0").await);
    assert_eq!(connected(store, member).await.len(), 1);
}
