//! The server's own signing keys.

use oauth::SigningKey;
use storage::{KeyUse, NewKeys, Store};

use crate::given::{all_at_once, at};

/// The bytes of the key that the store has for a use.
async fn key(store: &dyn Store, key_use: KeyUse) -> [u8; 32] {
    let other = SigningKey::from_bytes([9; 32]);
    *store.find_or_add_signing_key(key_use, other).await.unwrap().as_bytes()
}

pub(crate) async fn the_first_signing_key_stays(store: &dyn Store) {
    let new = |number| SigningKey::from_bytes([number; 32]);
    let keys = all_at_once(
        (1..=6).map(|number| store.find_or_add_signing_key(KeyUse::Signatures, new(number))),
    )
    .await;

    let first = keys[0].as_ref().unwrap().as_bytes();
    assert!(keys.iter().all(|key| key.as_ref().unwrap().as_bytes() == first));
    for key_use in [KeyUse::Lasting, KeyUse::Signatures, KeyUse::EventFiles] {
        assert_eq!(key(store, key_use).await, *first);
    }
}

pub(crate) async fn a_new_key_is_there_for_its_use_alone(store: &dyn Store) {
    let lasting = key(store, KeyUse::Lasting).await;

    for number in [1, 2] {
        let signatures = Some(SigningKey::from_bytes([number; 32]));
        let keys = NewKeys { signatures, ..NewKeys::default() };
        store.end_everything(keys, at(number.into())).await.unwrap();

        assert_eq!(key(store, KeyUse::Signatures).await, [number; 32]);
    }
    let keys = NewKeys { event_files: Some(SigningKey::from_bytes([3; 32])), ..NewKeys::default() };
    store.end_everything(keys, at(3)).await.unwrap();

    assert_eq!(key(store, KeyUse::EventFiles).await, [3; 32]);
    assert_eq!(key(store, KeyUse::Signatures).await, [2; 32]);
    assert_eq!(key(store, KeyUse::Lasting).await, lasting);
}
