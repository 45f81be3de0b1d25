//! OAuth clients.

use oauth::{Client, ClientKind, RedirectUri};
use storage::{StorageError, Store};

use crate::given::{client, client_id, hash};

fn public() -> Client {
    Client { kind: ClientKind::Public, secret_hashes: vec![], ..client("phone") }
}

pub(crate) async fn a_client_comes_back_as_it_was_added(store: &dyn Store) {
    let uri = RedirectUri::parse("http://127.0.0.1/cb?a=%0A").unwrap();
    let mut confidential = client("reports");
    confidential.redirect_uris.push(uri);
    confidential.secret_hashes.push(hash("newer secret"));

    for client in [confidential, public()] {
        store.add_client(client.clone()).await.unwrap();
        assert_eq!(store.lookup_client(&client.client_id).await, Ok(Some(client)));
    }
}

pub(crate) async fn a_client_id_is_taken_once(store: &dyn Store) {
    store.add_client(client("reports")).await.unwrap();
    let second = Client { name: "Another".to_owned(), ..client("reports") };

    assert_eq!(store.add_client(second).await, Err(StorageError::Conflict));
    assert_eq!(store.lookup_client(&client_id("reports")).await, Ok(Some(client("reports"))));
}

pub(crate) async fn a_declared_client_replaces_itself(store: &dyn Store) {
    let changed = Client { client_id: client_id("reports"), ..public() };

    for client in [client("reports"), changed.clone(), changed] {
        store.put_client(client.clone()).await.unwrap();
        assert_eq!(store.lookup_client(&client_id("reports")).await, Ok(Some(client)));
    }
}

pub(crate) async fn an_unknown_client_is_not_found(store: &dyn Store) {
    store.add_client(client("reports")).await.unwrap();

    assert_eq!(store.lookup_client(&client_id("Reports")).await, Ok(None));
}
