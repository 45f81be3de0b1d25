//! Refresh tokens of clients that cannot keep a secret: replaced at each use (RFC 9700 section 4.14.2). A spent one may come again
//! for a while, until what it was spent for has been used, because the answer may have been lost.

use storage::{ExchangeCode, Refresh, RefreshOutcome, Rotation, Store};

use crate::given::{
    REFRESHED, all_at_once, at, code, exchange, hash, new_code, opens, rotating, tokens,
};

/// A refresh that came while another with the same token was under way.
pub(crate) fn beside(spent: &str, next: &str) -> Refresh {
    let rotation = Rotation::ReplaceBeside(hash(&format!("refresh {next}")));
    Refresh { rotation, ..rotating(spent, next) }
}

/// The first refresh token of a further code of the same member.
async fn refresh_of_another_code(store: &dyn Store, number: i64) -> String {
    let member = if number == 0 {
        code(store).await
    } else {
        store.find_member_by_email("ann@example.com").await.unwrap().unwrap().id
    };
    let [code, name] = ["code", "first of"].map(|name| format!("{name} {number}"));
    store.add_authorization_code(new_code(&code, member)).await.unwrap();
    let exchange = ExchangeCode {
        code: hash(&code),
        access_token: hash(&format!("access {name}")),
        refresh_token: hash(&format!("refresh {name}")),
        ..exchange()
    };
    store.exchange_code(exchange).await.unwrap();
    name
}

const REUSED: Result<RefreshOutcome, storage::StorageError> = Ok(RefreshOutcome::Reused);
const UNKNOWN: Result<RefreshOutcome, storage::StorageError> = Ok(RefreshOutcome::Unknown);
const ENDED: Result<RefreshOutcome, storage::StorageError> = Ok(RefreshOutcome::Ended);

pub(crate) async fn each_refresh_replaces_the_token(store: &dyn Store) {
    tokens(store).await;

    assert_eq!(store.refresh(rotating("0", "1")).await, REFRESHED);
    assert!(opens(store, "access 1").await);
    assert_eq!(store.refresh(rotating("1", "2")).await, REFRESHED);
    assert!(opens(store, "access 2").await);
    assert!(opens(store, "access 0").await, "it has not expired");
}

pub(crate) async fn a_lost_answer_can_be_fetched_again(store: &dyn Store) {
    tokens(store).await;
    assert_eq!(store.refresh(rotating("0", "lost")).await, REFRESHED);

    assert_eq!(store.refresh(rotating("0", "1")).await, REFRESHED);

    assert!(!opens(store, "access lost").await);
    assert!(opens(store, "access 1").await);
    assert_eq!(store.refresh(rotating("1", "2")).await, REFRESHED);
}

pub(crate) async fn an_answer_that_was_taken_for_lost_and_comes_ends_the_family(store: &dyn Store) {
    for (number, is_used) in [(0, false), (1, true)] {
        let first = refresh_of_another_code(store, number).await;
        let [lost, next] = ["lost", "next"].map(|name| format!("{name} {number}"));
        assert_eq!(store.refresh(rotating(&first, &lost)).await, REFRESHED);
        assert_eq!(store.refresh(rotating(&first, &next)).await, REFRESHED);
        assert!(opens(store, &format!("access {next}")).await);
        if is_used {
            assert_eq!(store.refresh(rotating(&next, "later")).await, REFRESHED);
        }

        assert_eq!(store.refresh(rotating(&lost, "of a thief")).await, REUSED);

        assert!(!opens(store, &format!("access {next}")).await);
        assert_eq!(store.refresh(rotating(&next, "nothing")).await, ENDED);
        assert_eq!(store.refresh(rotating(&lost, "nothing")).await, ENDED);
    }
}

pub(crate) async fn a_spent_token_may_come_again_for_ten_minutes(store: &dyn Store) {
    let again = |spent: &str, next: &str, seconds: i64| {
        let now = at(2 + seconds);
        Refresh { now, ..rotating(spent, next) }
    };
    tokens(store).await;
    assert_eq!(store.refresh(again("0", "1", 0)).await, REFRESHED);
    for minutes in 1..=10 {
        let next = format!("after {minutes}");
        assert_eq!(store.refresh(again("0", &next, 60 * minutes)).await, REFRESHED);
    }

    assert_eq!(store.refresh(again("0", "too late", 601)).await, REUSED);

    assert_eq!(store.refresh(again("after 10", "2", 602)).await, ENDED);
}

pub(crate) async fn a_spent_token_ends_the_family_once_the_next_access_token_was_used(
    store: &dyn Store,
) {
    tokens(store).await;
    assert_eq!(store.refresh(rotating("0", "1")).await, REFRESHED);
    assert!(opens(store, "access 1").await);

    assert_eq!(store.refresh(rotating("0", "2")).await, REUSED);

    assert!(!opens(store, "access 0").await);
    assert!(!opens(store, "access 1").await);
    assert_eq!(store.refresh(rotating("1", "2")).await, ENDED);
}

pub(crate) async fn a_spent_token_ends_the_family_once_its_successor_was_used(store: &dyn Store) {
    tokens(store).await;
    assert_eq!(store.refresh(rotating("0", "1")).await, REFRESHED);
    assert_eq!(store.refresh(rotating("1", "2")).await, REFRESHED);

    assert_eq!(store.refresh(rotating("0", "3")).await, REUSED);

    assert_eq!(store.refresh(rotating("2", "3")).await, ENDED);
}

pub(crate) async fn a_token_two_generations_old_ends_the_family(store: &dyn Store) {
    tokens(store).await;
    for (spent, next) in [("0", "1"), ("1", "2"), ("2", "3")] {
        assert_eq!(store.refresh(rotating(spent, next)).await, REFRESHED);
    }

    assert_eq!(store.refresh(rotating("1", "4")).await, REUSED);

    assert!(!opens(store, "access 3").await);
}

pub(crate) async fn reuse_ends_no_other_family(store: &dyn Store) {
    let member = tokens(store).await;
    store.add_authorization_code(new_code("second code", member)).await.unwrap();
    let second = ExchangeCode {
        code: hash("second code"),
        access_token: hash("access of the second"),
        refresh_token: hash("refresh of the second"),
        ..exchange()
    };
    store.exchange_code(second).await.unwrap();
    assert_eq!(store.refresh(rotating("0", "1")).await, REFRESHED);
    assert!(opens(store, "access 1").await);

    assert_eq!(store.refresh(rotating("0", "2")).await, REUSED);

    assert!(opens(store, "access of the second").await);
    assert_eq!(store.refresh(rotating("of the second", "3")).await, REFRESHED);
}

pub(crate) async fn of_twelve_refreshes_at_once_one_successor_lives(store: &dyn Store) {
    tokens(store).await;
    let names: Vec<String> = (1..=12).map(|number| format!("of {number}")).collect();

    let outcomes = all_at_once(names.iter().map(|name| store.refresh(rotating("0", name)))).await;

    assert_eq!(outcomes, vec![REFRESHED; 12]);
    let (mut good, mut living) = (0, 0);
    for name in &names {
        // Those that another has replaced open nothing.
        if opens(store, &format!("access {name}")).await {
            good += 1;
            let outcome = store.refresh(rotating(name, &format!("after {name}"))).await;
            assert!(outcome == REFRESHED || outcome == UNKNOWN, "{outcome:?}");
            living += usize::from(outcome == REFRESHED);
        }
    }
    assert!(good >= 1 && living == 1, "{good} {living}");
}

pub(crate) async fn of_tokens_asked_for_at_once_the_first_that_is_used_goes_on(store: &dyn Store) {
    tokens(store).await;
    assert_eq!(store.refresh(rotating("0", "1")).await, REFRESHED);
    assert_eq!(store.refresh(beside("0", "2")).await, REFRESHED);
    assert!(opens(store, "access 1").await && opens(store, "access 2").await);
    assert_eq!(store.refresh(beside("0", "3")).await, REFRESHED, "it came before that");

    assert_eq!(store.refresh(rotating("2", "4")).await, REFRESHED);

    assert_eq!(store.refresh(rotating("1", "5")).await, UNKNOWN);
    assert_eq!(store.refresh(rotating("3", "5")).await, UNKNOWN);
    assert!(opens(store, "access 1").await && opens(store, "access 3").await);
    assert_eq!(store.refresh(rotating("4", "5")).await, REFRESHED);
    assert_eq!(store.refresh(beside("0", "6")).await, REUSED, "company explains one step only");
}

pub(crate) async fn a_lost_answer_takes_those_asked_for_at_once_along(store: &dyn Store) {
    tokens(store).await;
    assert_eq!(store.refresh(rotating("0", "1")).await, REFRESHED);
    assert_eq!(store.refresh(beside("0", "2")).await, REFRESHED);

    assert_eq!(store.refresh(rotating("0", "3")).await, REFRESHED);

    assert!(!opens(store, "access 1").await && !opens(store, "access 2").await);
    assert_eq!(store.refresh(rotating("3", "4")).await, REFRESHED);
    assert_eq!(store.refresh(rotating("2", "5")).await, REUSED);
    assert_eq!(store.refresh(rotating("4", "5")).await, ENDED);
}

pub(crate) async fn a_replay_among_refreshes_and_uses_leaves_nothing(store: &dyn Store) {
    tokens(store).await;

    let done = all_at_once((1..=24).map(async |number| {
        let name = format!("of {number}");
        match number % 3 {
            0 => store.refresh(rotating("0", &name)).await.map(drop),
            1 => store.find_access_token(&hash("access of 3"), at(3)).await.map(drop),
            _ => store.exchange_code(exchange()).await.map(drop),
        }
    }))
    .await;

    assert!(done.iter().all(Result::is_ok), "{done:?}");
    for name in (1..=24).map(|number| format!("of {number}")) {
        assert!(!opens(store, &format!("access {name}")).await);
        let outcome = store.refresh(rotating(&name, "next")).await;
        assert!(outcome == UNKNOWN || outcome == ENDED, "{outcome:?}");
    }
}

pub(crate) async fn refreshes_and_uses_at_once_never_fork_a_family(store: &dyn Store) {
    tokens(store).await;
    let names: Vec<String> = (1..=12).map(|number| format!("of {number}")).collect();

    let refreshes = names.iter().map(async |name| {
        let outcome = store.refresh(rotating("0", name)).await.unwrap();
        // Using the token at once closes the door to those who come with the spent one.
        (outcome, opens(store, &format!("access {name}")).await)
    });
    let done = all_at_once(refreshes).await;

    // One client was first to use its answer; a later use of the spent token has ended the family.
    assert!(done.iter().all(|(outcome, _)| {
        matches!(
            outcome,
            RefreshOutcome::Refreshed(_) | RefreshOutcome::Reused | RefreshOutcome::Ended
        )
    }));
    let mut living = 0;
    for name in &names {
        let outcome = store.refresh(rotating(name, &format!("after {name}"))).await;
        assert!(matches!(outcome, REFRESHED | UNKNOWN | REUSED | ENDED), "{outcome:?}");
        living += usize::from(outcome == REFRESHED);
    }
    assert!(living <= 1, "{living}");
}
