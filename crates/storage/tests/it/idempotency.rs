//! What is done under an idempotency key is done once.

use storage::{KeyedRequest, KnownKey, Store};

use crate::given::{DAY, all_at_once, at};

const KEY: [u8; 32] = [1; 32];

fn request(what: u8, seconds: i64) -> KeyedRequest {
    KeyedRequest { key: KEY, request: [what; 32], now: at(seconds), given_up_at: at(seconds + 60) }
}

pub(crate) async fn a_repeated_request_gets_the_answer_again(store: &dyn Store) {
    assert_eq!(store.take_key(request(1, 0)).await, Ok(KnownKey::New));
    assert_eq!(store.take_key(request(1, 1)).await, Ok(KnownKey::InProgress));
    store.keep_answer(KEY, "done".to_owned(), at(DAY)).await.unwrap();

    assert_eq!(store.take_key(request(1, 2)).await, Ok(KnownKey::Answered("done".to_owned())));
    assert_eq!(store.take_key(request(2, 3)).await, Ok(KnownKey::OtherRequest));
    assert_eq!(store.take_key(request(2, DAY)).await, Ok(KnownKey::New));
}

pub(crate) async fn what_was_given_up_or_forgotten_may_be_done_again(store: &dyn Store) {
    store.take_key(request(1, 0)).await.unwrap();
    assert_eq!(store.take_key(request(1, 60)).await, Ok(KnownKey::New));

    store.forget_key(KEY).await.unwrap();
    assert_eq!(store.take_key(request(2, 61)).await, Ok(KnownKey::New));
}

pub(crate) async fn of_twelve_with_one_key_one_is_done(store: &dyn Store) {
    let known = all_at_once((0..12).map(|_| store.take_key(request(1, 0)))).await;

    assert_eq!(known.iter().filter(|known| **known == Ok(KnownKey::New)).count(), 1);
    assert_eq!(known.iter().filter(|known| **known == Ok(KnownKey::InProgress)).count(), 11);
}
