//! A clock that was set back: what has expired stays expired.

use oauth::{CredentialKind, Lifetime, Timestamp, hash, mint};
use secrecy::ExposeSecret as _;
use storage::{
    Act, ActorKind, Authority, MemberStore as _, NewMember, NewSession, Proof, SessionStore as _,
    SqliteStore,
};

use super::token_call::{Tokens, about, by_form, exchange, form_to};
use crate::browser::Browser;
use crate::command_line::binary::Folder;
use crate::door::{DATA, Running};
use crate::postgres::now;

const HOUR: Lifetime = Lifetime::from_seconds(3_600);

/// Leaves a store behind in which a member signed in then.
async fn written_at(then: Timestamp) -> Folder {
    let folder = Folder::new();
    std::fs::create_dir(folder.path(DATA)).unwrap();
    let store = SqliteStore::open(&folder.path(DATA).join("assay.db")).unwrap();
    let (email, password_hash) = ("ann@example.com".to_owned(), "$argon2id$…".to_owned());
    let act = Act { by: ActorKind::Command, member: None, address: None, at: then };
    let member = NewMember {
        email,
        password_hash,
        is_password_temporary: false,
        roles: Vec::new(),
        through: None,
        act,
    };
    let member = store.add_member(member, Authority::Operator).await.unwrap();
    let session = hash(mint(CredentialKind::Session, then, [7; 32]).expose_secret()).unwrap();
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

/// When the token ends that a server gives on this store, in seconds.
async fn end_of_token(folder: Folder) -> i64 {
    let server = Running::start_in(folder);
    let application = server.register("https://reports.example/callback", &[]);
    let code = Browser::new(&server).fetch_code(&server.member(), &application, &[]).await;
    let tokens = Tokens::of(&by_form(&server, &exchange(&application, &code)).await);
    let about = about(&application, &tokens.access);
    let described = form_to(&server, "/oauth2/introspect", &about).await.json();
    described["exp"].as_i64().unwrap()
}

#[tokio::test]
async fn time_goes_on_from_where_an_earlier_process_saw_it() {
    let then = now() + HOUR;

    let end = end_of_token(written_at(then).await).await;

    let two_hours_later = then.as_milliseconds() / 1_000 + 7_200;
    assert!((two_hours_later..two_hours_later + 600).contains(&end), "{end}");
}

#[tokio::test]
async fn a_clock_that_was_years_ahead_leaves_nothing_behind() {
    let in_2100 = Timestamp::from_milliseconds(4_102_444_800_000);

    let end = end_of_token(written_at(in_2100).await).await;

    let two_hours_later = now().as_milliseconds() / 1_000 + 7_200;
    assert!((two_hours_later - 600..=two_hours_later).contains(&end), "{end}");
}
