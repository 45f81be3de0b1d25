//! The secrets of clients: two at once, so that a client can move from one to the next.

use oauth::{Client, ClientKind};
use storage::{AddSecretOutcome, Store};

use crate::given::{at, by_command, client, client_id, opens, secret, tokens};

async fn ids(store: &dyn Store) -> Vec<String> {
    let client = store.lookup_client(&client_id("reports")).await.unwrap().unwrap();
    client.secrets.into_iter().map(|secret| secret.id).collect()
}

pub(crate) async fn a_client_has_two_secrets_at_most(store: &dyn Store) {
    let reports = client_id("reports");
    store.add_client(client("reports"), by_command(0)).await.unwrap();
    let add = async |text| store.add_client_secret(&reports, secret(text), by_command(1)).await;

    assert_eq!(add("second").await, Ok(AddSecretOutcome::Added));
    assert_eq!(add("third").await, Ok(AddSecretOutcome::TooMany));
    assert_eq!(ids(store).await, ["second", "secret"]);

    let remove = async |id| store.remove_client_secret(&reports, id, by_command(2)).await;
    assert_eq!((remove("secret").await, remove("secret").await), (Ok(true), Ok(false)));
    assert_eq!(add("third").await, Ok(AddSecretOutcome::Added));
    assert_eq!(ids(store).await, ["second", "third"]);
}

pub(crate) async fn an_unknown_client_gets_no_secret(store: &dyn Store) {
    let nobody = client_id("nobody");

    let added = store.add_client_secret(&nobody, secret("secret"), by_command(0)).await;

    assert_eq!(added, Ok(AddSecretOutcome::UnknownClient));
    assert_eq!(store.remove_client_secret(&nobody, "secret", by_command(0)).await, Ok(false));
}

pub(crate) async fn the_use_of_a_secret_is_noted_once_a_minute(store: &dyn Store) {
    let reports = client_id("reports");
    store.add_client(client("reports"), by_command(0)).await.unwrap();
    let noted = async |seconds| {
        store.note_secret_use(&reports, "secret", at(seconds)).await.unwrap();
        let client = store.lookup_client(&reports).await.unwrap().unwrap();
        client.secrets[0].last_used_at
    };

    assert_eq!(noted(1).await, Some(at(1)));
    assert_eq!(noted(60).await, Some(at(1)));
    assert_eq!(noted(61).await, Some(at(61)));
    assert_eq!(noted(30).await, Some(at(61)), "a late note does not turn time back");
}

pub(crate) async fn tokens_of_a_client_without_any_secret_open_nothing(store: &dyn Store) {
    tokens(store).await;
    let reports = client_id("reports");

    store.add_client_secret(&reports, secret("second"), by_command(2)).await.unwrap();
    store.remove_client_secret(&reports, "secret", by_command(3)).await.unwrap();
    assert!(opens(store, "access 0").await, "it has moved to another secret");

    store.remove_client_secret(&reports, "second", by_command(4)).await.unwrap();
    assert!(!opens(store, "access 0").await);

    store.add_client_secret(&reports, secret("third"), by_command(5)).await.unwrap();
    assert!(opens(store, "access 0").await);
}

pub(crate) async fn tokens_of_a_public_client_need_no_secret(store: &dyn Store) {
    tokens(store).await;
    let public = Client { kind: ClientKind::Public, secrets: vec![], ..client("reports") };

    store.put_client(public, by_command(2)).await.unwrap();

    assert!(opens(store, "access 0").await);
}
