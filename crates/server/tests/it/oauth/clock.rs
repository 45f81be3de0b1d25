//! A clock that was set back: what has expired stays expired.

use oauth::{CredentialKind, Timestamp, hash, mint};
use secrecy::ExposeSecret as _;
use storage::{Act, Actor, NewMember, NewSession, Proof, SqliteStore, Store as _};

use super::token_call::{Tokens, about, by_form, exchange, form_to};
use crate::browser::Browser;
use crate::command_line::binary::Folder;
use crate::door::{DATA, Running};

/// Later than any machine that runs this shows.
const FUTURE: Timestamp = Timestamp::from_milliseconds(4_102_444_800_000);

/// Leaves a store behind in which somebody signed in in the future.
async fn written_in_the_future() -> Folder {
    let folder = Folder::new();
    std::fs::create_dir(folder.path(DATA)).unwrap();
    let store = SqliteStore::open(&folder.path(DATA).join("assay.db")).unwrap();
    let (email, password_hash) = ("ann@example.com".to_owned(), "$argon2id$…".to_owned());
    let act = Act { by: Actor::Command, member: None, address: None, at: FUTURE };
    let member = NewMember {
        email,
        password_hash,
        is_password_temporary: false,
        roles: Vec::new(),
        through: None,
        act,
    };
    let member = store.add_member(member).await.unwrap();
    let session = hash(mint(CredentialKind::Session, FUTURE, [7; 32]).expose_secret()).unwrap();
    let (id, browser) = ("first".to_owned(), "Firefox on Linux".to_owned());
    store
        .add_session(NewSession {
            hash: session,
            id,
            member,
            proof: Proof::Password("$argon2id$…".to_owned()),
            browser,
            replaced: None,
            act,
        })
        .await
        .unwrap();
    folder
}

#[tokio::test]
async fn time_goes_on_from_where_an_earlier_process_saw_it() {
    let server = Running::start_in(written_in_the_future().await);
    let application = server.register("https://reports.example/callback", &[]);

    let code = Browser::new(&server).fetch_code(&server.member(), &application, &[]).await;
    let tokens = Tokens::of(&by_form(&server, &exchange(&application, &code)).await);
    let about = about(&application, &tokens.access);
    let described = form_to(&server, "/oauth2/introspect", &about).await.json();

    let two_hours_later = FUTURE.as_milliseconds() / 1_000 + 7_200;
    let expires_at = described["exp"].as_i64().unwrap();
    assert!((two_hours_later..two_hours_later + 600).contains(&expires_at), "{described}");
}
