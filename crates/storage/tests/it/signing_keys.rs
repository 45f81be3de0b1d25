//! The server's own signing key.

use oauth::SigningKey;
use storage::Store;

use crate::given::all_at_once;

pub(crate) async fn the_first_signing_key_stays(store: &dyn Store) {
    let keys = all_at_once(
        (1..=6).map(|number| store.find_or_add_signing_key(SigningKey::from_bytes([number; 32]))),
    )
    .await;

    let first = keys[0].as_ref().unwrap().as_bytes();
    assert!(keys.iter().all(|key| key.as_ref().unwrap().as_bytes() == first));
    let later = store.find_or_add_signing_key(SigningKey::from_bytes([9; 32])).await.unwrap();
    assert_eq!(later.as_bytes(), first);
}
