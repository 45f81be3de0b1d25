//! OAuth clients, and who may change what about them.

use oauth::{Client, ClientKind, ClientOrigin, RedirectUri, ScopeSet};
use storage::{ChangeClient, ListRange, StorageError, Store};

use crate::given::{at, by_command, client, client_id, opens, secret, tokens};

fn public() -> Client {
    Client { kind: ClientKind::Public, secrets: vec![], ..client("phone") }
}

async fn found(store: &dyn Store, name: &str) -> Option<Client> {
    store.lookup_client(&client_id(name)).await.unwrap()
}

pub(crate) async fn a_client_comes_back_as_it_was_added(store: &dyn Store) {
    let uri = RedirectUri::parse("http://127.0.0.1/cb?a=%0A").unwrap();
    let mut confidential = client("reports");
    confidential.redirect_uris.push(uri);
    confidential.secrets.push(secret("the newer secret"));

    for client in [confidential, public()] {
        store.add_client(client.clone(), by_command(0)).await.unwrap();
        assert_eq!(store.lookup_client(&client.client_id).await, Ok(Some(client)));
    }
}

pub(crate) async fn a_client_id_is_taken_once(store: &dyn Store) {
    store.add_client(client("reports"), by_command(0)).await.unwrap();
    let second = Client { name: "Another".to_owned(), ..client("reports") };

    assert_eq!(store.add_client(second, by_command(0)).await, Err(StorageError::Conflict));
    assert_eq!(found(store, "reports").await, Some(client("reports")));
}

pub(crate) async fn a_declared_client_replaces_itself(store: &dyn Store) {
    let origin = ClientOrigin::ProjectFile;
    let changed = Client { client_id: client_id("reports"), origin, ..public() };

    for client in [client("reports"), changed.clone(), changed] {
        store.put_client(client.clone(), by_command(0)).await.unwrap();
        assert_eq!(found(store, "reports").await, Some(client));
    }
}

pub(crate) async fn a_declared_client_keeps_what_is_known_of_a_secret_that_stays(
    store: &dyn Store,
) {
    let reports = client_id("reports");
    store.put_client(client("reports"), by_command(0)).await.unwrap();
    store.note_secret_use(&reports, "secret", at(1)).await.unwrap();
    let mut again = client("reports");
    again.name = "Other name".to_owned();
    again.secrets[0].id = "made anew".to_owned();
    again.secrets[0].created_at = at(2);

    store.put_client(again, by_command(2)).await.unwrap();

    let after = found(store, "reports").await.unwrap();
    assert_eq!(after.name, "Other name");
    assert_eq!((after.secrets[0].id.as_str(), after.secrets[0].created_at), ("secret", at(0)));
    assert_eq!(after.secrets[0].last_used_at, Some(at(1)));
}

pub(crate) async fn a_disabled_client_stays_disabled_when_it_is_declared_again(store: &dyn Store) {
    let reports = client_id("reports");
    store.put_client(client("reports"), by_command(0)).await.unwrap();
    store.disable_client(&reports, by_command(1)).await.unwrap();

    let renamed = Client { name: "Other name".to_owned(), ..client("reports") };
    store.put_client(renamed, by_command(2)).await.unwrap();

    assert_eq!(found(store, "reports").await.unwrap().disabled_at, Some(at(1)));
}

pub(crate) async fn an_unknown_client_is_not_found(store: &dyn Store) {
    store.add_client(client("reports"), by_command(0)).await.unwrap();

    assert_eq!(found(store, "Reports").await, None);
}

pub(crate) async fn clients_are_listed_page_by_page_with_all_their_secrets(store: &dyn Store) {
    for name in ["c", "a", "d", "b"] {
        let mut client = client(name);
        client.secrets.push(secret("the newer secret"));
        store.add_client(client, by_command(0)).await.unwrap();
    }
    let names = async |page| {
        let clients = store.list_clients(ListRange { page, per_page: 3 }).await.unwrap();
        assert!(clients.iter().all(|client| client.secrets.len() == 2));
        clients.into_iter().map(|client| client.client_id.to_string()).collect::<Vec<_>>()
    };

    assert_eq!(names(1).await, ["a", "b", "c"]);
    assert_eq!(names(2).await, ["d"]);
    assert_eq!(names(3).await, [""; 0]);
}

/// A change of the client `reports` as it was seen.
fn renaming(before: &Client, name: Option<&str>) -> ChangeClient {
    ChangeClient {
        client_id: client_id("reports"),
        name_before: before.name.clone(),
        redirect_uris_before: before.redirect_uris.clone(),
        scope_before: before.scope,
        name: name.map(str::to_owned),
        redirect_uris: None,
        scope: None,
    }
}

pub(crate) async fn what_is_changed_of_a_client_as_it_was_seen_leaves_the_rest(store: &dyn Store) {
    store.add_client(client("reports"), by_command(0)).await.unwrap();
    let change = |before: &Client, name: Option<&str>, uris: Option<&str>| ChangeClient {
        redirect_uris: uris.map(|uri| vec![RedirectUri::parse(uri).unwrap()]),
        ..renaming(before, name)
    };

    let first = client("reports");
    let named = store.change_client(change(&first, Some("New name"), None), by_command(1)).await;
    let renamed = Client { name: "New name".to_owned(), ..client("reports") };
    assert_eq!(named, Ok(true));
    assert_eq!(found(store, "reports").await, Some(renamed.clone()));

    let uri = "https://new.example/cb";
    store.change_client(change(&renamed, None, Some(uri)), by_command(2)).await.unwrap();
    let moved = Client { redirect_uris: vec![RedirectUri::parse(uri).unwrap()], ..renamed };
    assert_eq!(found(store, "reports").await, Some(moved.clone()));

    let scope = Some(ScopeSet::LEAST);
    let narrow = ChangeClient { scope, ..change(&moved, None, None) };
    assert_eq!(store.change_client(narrow, by_command(3)).await, Ok(true));
    let moved = Client { scope, ..moved };
    assert_eq!(found(store, "reports").await, Some(moved.clone()));

    let stale = change(&first, Some("y"), None);
    assert_eq!(store.change_client(stale, by_command(3)).await, Ok(false));
    assert_eq!(found(store, "reports").await, Some(moved.clone()));
    let nobody = ChangeClient { client_id: client_id("nobody"), ..change(&moved, Some("x"), None) };
    assert_eq!(store.change_client(nobody, by_command(3)).await, Ok(false));
}

pub(crate) async fn a_scope_that_changed_meanwhile_is_not_overwritten(store: &dyn Store) {
    let seen = client("reports");
    store.add_client(seen.clone(), by_command(0)).await.unwrap();
    let to = |scope| ChangeClient { scope: Some(scope), ..renaming(&seen, None) };

    let first = store.change_client(to(ScopeSet::LEAST), by_command(1)).await;
    let late = store.change_client(to(ScopeSet::ALL), by_command(2)).await;
    let now = found(store, "reports").await.unwrap();
    let again = store.change_client(renaming(&now, Some("New name")), by_command(3)).await;

    assert_eq!((first, late, again), (Ok(true), Ok(false), Ok(true)));
    assert_eq!(now.scope, Some(ScopeSet::LEAST));
}

pub(crate) async fn a_client_that_was_declared_meanwhile_is_not_changed(store: &dyn Store) {
    let seen = client("reports");
    store.add_client(seen.clone(), by_command(0)).await.unwrap();
    let declared = Client { origin: ClientOrigin::ProjectFile, ..seen.clone() };
    store.put_client(declared.clone(), by_command(1)).await.unwrap();

    let late = store.change_client(renaming(&seen, Some("New name")), by_command(2)).await;

    assert_eq!(late, Ok(false));
    assert_eq!(found(store, "reports").await, Some(declared));
}

pub(crate) async fn tokens_of_a_disabled_client_open_nothing_until_it_is_enabled(
    store: &dyn Store,
) {
    tokens(store).await;
    let reports = client_id("reports");
    assert!(opens(store, "access 0").await);

    assert_eq!(store.disable_client(&reports, by_command(2)).await, Ok(true));
    assert!(!opens(store, "access 0").await);
    assert_eq!(store.disable_client(&reports, by_command(3)).await, Ok(true));
    assert_eq!(found(store, "reports").await.unwrap().disabled_at, Some(at(2)));

    assert_eq!(store.enable_client(&reports, by_command(4)).await, Ok(true));
    assert!(opens(store, "access 0").await);
    let nobody = client_id("nobody");
    assert_eq!(store.disable_client(&nobody, by_command(5)).await, Ok(false));
    assert_eq!(store.enable_client(&nobody, by_command(5)).await, Ok(false));
}

pub(crate) async fn a_removed_client_takes_everything_with_it(store: &dyn Store) {
    let member = tokens(store).await;
    let reports = client_id("reports");

    assert_eq!(store.remove_client(&reports, by_command(2)).await, Ok(true));
    assert_eq!(store.remove_client(&reports, by_command(3)).await, Ok(false));

    assert_eq!(found(store, "reports").await, None);
    assert!(!opens(store, "access 0").await);
    assert_eq!(store.find_consent(member, &reports).await, Ok(None));
    assert!(found(store, "other").await.is_some());
    store.add_client(client("reports"), by_command(4)).await.unwrap();
    assert!(!opens(store, "access 0").await);
}
