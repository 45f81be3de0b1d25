//! Refresh tokens of clients that keep theirs, and what holds for all.

use oauth::{Scope, ScopeSet};
use storage::{
    ExchangeCode, ExchangeOutcome, NewAuthorizationCode, Refresh, RefreshOutcome, Store,
};

use crate::given::{
    DAY, REFRESHED, all_at_once, at, client_id, code, exchange, grant, hash, keeping, new_code,
    opens, rotating, tokens,
};

pub(crate) async fn a_kept_token_refreshes_for_weeks(store: &dyn Store) {
    tokens(store).await;

    for week in 1..=10 {
        let now = at(week * 7 * DAY);
        let access_token = format!("access {week}");
        assert_eq!(store.refresh(keeping("refresh 0", &access_token, now)).await, REFRESHED);
        let grant = store.find_access_token(&hash(&access_token), now).await.unwrap();
        assert_eq!(grant.unwrap().expires_at, at(week * 7 * DAY + 7_200));
    }
}

pub(crate) async fn a_kept_token_may_be_used_by_many_at_once(store: &dyn Store) {
    tokens(store).await;
    let names: Vec<String> = (1..=12).map(|number| format!("access {number}")).collect();

    let outcomes =
        all_at_once(names.iter().map(|name| store.refresh(keeping("refresh 0", name, at(2)))))
            .await;

    assert_eq!(outcomes, vec![REFRESHED; 12]);
    assert!(opens(store, "access 0").await);
    for name in names {
        assert!(opens(store, &name).await);
    }
}

pub(crate) async fn a_token_that_was_not_used_for_half_a_year_is_expired(store: &dyn Store) {
    tokens(store).await;
    let used_at = 100 * DAY;
    assert_eq!(store.refresh(keeping("refresh 0", "access 1", at(used_at))).await, REFRESHED);

    let last_moment = keeping("refresh 0", "access 2", at(used_at + 180 * DAY));

    assert_eq!(store.refresh(last_moment).await, Ok(RefreshOutcome::Expired));
}

pub(crate) async fn a_token_is_expired_after_a_year_of_use(store: &dyn Store) {
    tokens(store).await;
    for month in 1..=12 {
        let refresh = keeping("refresh 0", &format!("access {month}"), at(month * 30 * DAY));
        assert_eq!(store.refresh(refresh).await, REFRESHED);
    }

    let after_a_year = keeping("refresh 0", "access 13", at(1 + 365 * DAY));

    assert_eq!(store.refresh(after_a_year).await, Ok(RefreshOutcome::Expired));
}

pub(crate) async fn a_token_of_a_clock_that_was_far_ahead_is_expired(store: &dyn Store) {
    let member = code(store).await;
    let now = at(10 * DAY);
    store
        .add_authorization_code(NewAuthorizationCode { now, ..new_code("ahead", member) })
        .await
        .unwrap();
    let ahead = ExchangeCode { code: hash("ahead"), now, ..exchange() };
    store.exchange_code(ahead).await.unwrap();

    let kept = store.refresh(keeping("refresh 0", "access 1", at(2))).await;
    let replaced = store.refresh(rotating("0", "1")).await;
    let in_its_time = store.refresh(keeping("refresh 0", "access 1", now)).await;

    assert_eq!((kept, replaced), (Ok(RefreshOutcome::Expired), Ok(RefreshOutcome::Expired)));
    assert_eq!(in_its_time, REFRESHED);
}

pub(crate) async fn another_client_cannot_refresh_and_ends_nothing(store: &dyn Store) {
    tokens(store).await;
    let refresh = keeping("refresh 0", "access 1", at(2));
    let theirs = Refresh { client_id: client_id("other"), ..refresh };

    assert_eq!(store.refresh(theirs).await, Ok(RefreshOutcome::OtherClient));

    assert!(opens(store, "access 0").await);
    assert!(!opens(store, "access 1").await);
    assert_eq!(store.refresh(keeping("refresh 0", "access 1", at(2))).await, REFRESHED);
}

pub(crate) async fn a_narrower_scope_narrows_one_access_token_only(store: &dyn Store) {
    tokens(store).await;
    let narrow = ScopeSet::from(Scope::ConfigRead);

    let refresh = Refresh { scope: Some(narrow), ..keeping("refresh 0", "access 1", at(2)) };
    assert_eq!(store.refresh(refresh).await, Ok(RefreshOutcome::Refreshed(narrow)));
    assert_eq!(store.refresh(keeping("refresh 0", "access 2", at(2))).await, REFRESHED);

    assert_eq!(grant(store, "access 1").await.unwrap().scope, narrow);
    assert_eq!(grant(store, "access 2").await.unwrap().scope, ScopeSet::ALL);
}

pub(crate) async fn a_wider_scope_is_refused_and_changes_nothing(store: &dyn Store) {
    let member = crate::given::code(store).await;
    let narrow = ScopeSet::from(Scope::ConfigRead);
    let code =
        storage::NewAuthorizationCode { scope: narrow, ..crate::given::new_code("c", member) };
    store.add_authorization_code(code).await.unwrap();
    let exchange = storage::ExchangeCode { code: hash("c"), ..exchange() };
    assert_eq!(store.exchange_code(exchange).await, Ok(ExchangeOutcome::Exchanged(narrow)));

    let wide = Refresh { scope: Some(ScopeSet::ALL), ..crate::given::rotating("0", "1") };
    assert_eq!(store.refresh(wide).await, Ok(RefreshOutcome::ScopeTooWide));

    assert!(!opens(store, "access 1").await);
    let refreshed = store.refresh(crate::given::rotating("0", "2")).await;
    assert_eq!(refreshed, Ok(RefreshOutcome::Refreshed(narrow)));
}

pub(crate) async fn a_client_gets_no_more_than_it_may_be_given_now(store: &dyn Store) {
    tokens(store).await;
    let (read, publish) = (ScopeSet::from(Scope::ConfigRead), ScopeSet::from(Scope::Publish));
    let narrow = read.union(publish);
    let kept = |scope, access| Refresh {
        scope,
        widest_scope: narrow,
        ..keeping("refresh 0", access, at(2))
    };

    let unnamed = store.refresh(kept(None, "access 1")).await;
    let named = store.refresh(kept(Some(read), "access 2")).await;
    let wider = store.refresh(kept(Some(ScopeSet::ALL), "access 3")).await;
    let replaced = store.refresh(Refresh { widest_scope: narrow, ..rotating("0", "4") }).await;

    assert_eq!(unnamed, Ok(RefreshOutcome::Narrowed(narrow)));
    assert_eq!(named, Ok(RefreshOutcome::Refreshed(read)));
    assert_eq!(wider, Ok(RefreshOutcome::ScopeTooWide));
    assert_eq!(replaced, Ok(RefreshOutcome::Narrowed(narrow)));
    for (access, scope) in [("access 1", narrow), ("access 2", read), ("access 4", narrow)] {
        assert_eq!(grant(store, access).await.unwrap().scope, scope, "{access}");
    }
    assert!(!opens(store, "access 3").await);
    assert_eq!(store.refresh(rotating("4", "5")).await, REFRESHED, "the grant is what it was");
}

pub(crate) async fn a_client_that_may_be_given_nothing_of_the_grant_keeps_it(store: &dyn Store) {
    let member = crate::given::code(store).await;
    let read = ScopeSet::from(Scope::ConfigRead);
    let code = storage::NewAuthorizationCode { scope: read, ..crate::given::new_code("c", member) };
    store.add_authorization_code(code).await.unwrap();
    store.exchange_code(ExchangeCode { code: hash("c"), ..exchange() }).await.unwrap();
    let elsewhere = ScopeSet::from(Scope::Publish);

    let refused = store.refresh(Refresh { widest_scope: elsewhere, ..rotating("0", "1") }).await;
    let later = store.refresh(rotating("0", "2")).await;

    assert_eq!(refused, Ok(RefreshOutcome::NothingLeft));
    assert!(!opens(store, "access 1").await);
    assert_eq!(later, Ok(RefreshOutcome::Refreshed(read)));
}

pub(crate) async fn codes_and_access_tokens_do_not_refresh(store: &dyn Store) {
    tokens(store).await;

    for name in ["code", "access 0", "Refresh 0", "unknown"] {
        let outcome = store.refresh(keeping(name, "access 1", at(2))).await;
        assert_eq!(outcome, Ok(RefreshOutcome::Unknown), "{name}");
    }
}

pub(crate) async fn an_ended_family_does_not_refresh(store: &dyn Store) {
    tokens(store).await;
    assert_eq!(store.exchange_code(exchange()).await, Ok(ExchangeOutcome::AlreadyUsed));

    let outcome = store.refresh(keeping("refresh 0", "access 1", at(2))).await;

    assert_eq!(outcome, Ok(RefreshOutcome::Ended));
    assert!(!opens(store, "access 1").await);
}
