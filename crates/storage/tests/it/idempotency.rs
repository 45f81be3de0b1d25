//! What is done under an idempotency key is done once.

use storage::{KeyLease, KeyedRequest, KnownKey, Store};

use crate::given::{DAY, all_at_once, at};

/// The lease of a taking of the key that all here have, for the first request.
fn lease(number: i64) -> KeyLease {
    lease_for(1, number)
}

fn lease_for(what: u8, number: i64) -> KeyLease {
    KeyLease { key: [1; 32], request: [what; 32], number }
}

/// The request comes so many seconds after the first one, which is the number of its lease.
fn request(what: u8, seconds: i64) -> KeyedRequest {
    let (now, given_up_at) = (at(seconds), at(seconds + 60));
    KeyedRequest { lease: lease_for(what, seconds), now, given_up_at }
}

fn answered(answer: &str) -> KnownKey {
    KnownKey::Answered(answer.to_owned())
}

pub(crate) async fn a_repeated_request_gets_the_answer_again(store: &dyn Store) {
    assert_eq!(store.take_key(request(1, 0)).await, Ok(KnownKey::New(lease(0))));
    assert_eq!(store.take_key(request(1, 1)).await, Ok(KnownKey::InProgress));
    assert_eq!(store.keep_answer(lease(0), "done".to_owned(), at(DAY)).await, Ok(true));

    assert_eq!(store.take_key(request(1, 2)).await, Ok(answered("done")));
    assert_eq!(store.take_key(request(2, 3)).await, Ok(KnownKey::OtherRequest));
    assert_eq!(store.take_key(request(2, DAY)).await, Ok(KnownKey::New(lease_for(2, DAY))));
}

pub(crate) async fn what_was_given_up_or_forgotten_may_be_done_again(store: &dyn Store) {
    store.take_key(request(1, 0)).await.unwrap();
    assert_eq!(store.take_key(request(1, 60)).await, Ok(KnownKey::New(lease(60))));

    store.forget_key(lease(60)).await.unwrap();
    assert_eq!(store.take_key(request(2, 61)).await, Ok(KnownKey::New(lease_for(2, 61))));
}

pub(crate) async fn a_renewed_lease_keeps_the_key(store: &dyn Store) {
    store.take_key(request(1, 0)).await.unwrap();

    assert_eq!(store.renew_lease(lease(0), at(100)).await, Ok(true));

    assert_eq!(store.take_key(request(1, 99)).await, Ok(KnownKey::InProgress));
    assert_eq!(store.take_key(request(1, 100)).await, Ok(KnownKey::New(lease(100))));
}

pub(crate) async fn a_renewal_that_comes_late_leaves_the_answer(store: &dyn Store) {
    store.take_key(request(1, 0)).await.unwrap();
    store.keep_answer(lease(0), "done".to_owned(), at(DAY)).await.unwrap();

    assert_eq!(store.renew_lease(lease(0), at(100)).await, Ok(false));

    assert_eq!(store.take_key(request(1, 200)).await, Ok(answered("done")));
}

pub(crate) async fn a_request_that_was_given_up_leaves_the_key_to_its_new_owner(store: &dyn Store) {
    store.take_key(request(1, 0)).await.unwrap();
    store.take_key(request(2, 60)).await.unwrap();

    assert_eq!(store.keep_answer(lease(0), "late".to_owned(), at(DAY)).await, Ok(false));
    store.forget_key(lease(0)).await.unwrap();
    assert_eq!(store.renew_lease(lease(0), at(DAY)).await, Ok(false));

    assert_eq!(store.take_key(request(2, 61)).await, Ok(KnownKey::InProgress));
    assert_eq!(store.keep_answer(lease_for(2, 60), "new".to_owned(), at(DAY)).await, Ok(true));
    assert_eq!(store.take_key(request(2, 62)).await, Ok(answered("new")));
}

pub(crate) async fn an_answer_is_kept_whose_key_was_cleaned_away(store: &dyn Store) {
    store.take_key(request(1, 0)).await.unwrap();
    let other = KeyLease { key: [2; 32], ..lease(60) };
    let cleaning = KeyedRequest { lease: other, ..request(1, 60) };
    assert_eq!(store.take_key(cleaning).await, Ok(KnownKey::New(other)));
    assert_eq!(store.renew_lease(lease(0), at(120)).await, Ok(false), "the key is gone");

    assert_eq!(store.keep_answer(lease(0), "late".to_owned(), at(DAY)).await, Ok(true));

    assert_eq!(store.take_key(request(1, 61)).await, Ok(answered("late")));
    assert_eq!(store.take_key(request(2, 62)).await, Ok(KnownKey::OtherRequest));
}

pub(crate) async fn of_twelve_with_one_key_one_is_done(store: &dyn Store) {
    let known = all_at_once((0..12).map(|_| store.take_key(request(1, 0)))).await;

    let new = Ok(KnownKey::New(lease(0)));
    assert_eq!(known.iter().filter(|known| **known == new).count(), 1);
    assert_eq!(known.iter().filter(|known| **known == Ok(KnownKey::InProgress)).count(), 11);
}
