//! Two servers on one database: what one answers, the other knows.

use std::time::SystemTime;

use oauth::{CredentialKind, ScopeSet, Timestamp};
use reqwest::{Client, Method, StatusCode};
use secrecy::ExposeSecret as _;
use serde_json::{Value, json};
use storage::{
    Act, ActorKind, AuthorizationCodeStore as _, Consent, MemberStore as _, NewAuthorizationCode,
    NewSession, PostgresStore, Proof, SessionStore as _,
};

use super::database;
use crate::command_line::binary::{Folder, Server};

/// A code of the demo's application, as if its member had allowed that.
async fn code(server: &Server, address: &str) -> String {
    let store = PostgresStore::open(&address.into()).await.unwrap();
    let member = store.find_member_by_email("demo@example.com").await.unwrap().unwrap();
    let application = &server.ready["application"];
    let session = NewSession {
        hash: oauth::hash("a browser").unwrap(),
        id: "a browser".to_owned(),
        member: member.id,
        proof: Proof::Password(member.password_hash),
        browser: String::new(),
        replaced: None,
        act: Act { by: ActorKind::Member, member: None, address: None, at: now() },
    };
    let session_hash = session.hash;
    store.add_session(session).await.unwrap();
    let code = oauth::mint(CredentialKind::AuthorizationCode, now(), [7; 32]);
    let code = code.expose_secret().to_owned();
    let new = NewAuthorizationCode {
        hash: oauth::hash(&code).unwrap(),
        client_id: application["client_id"].as_str().unwrap().parse().unwrap(),
        member: member.id,
        redirect_uri: application["redirect_uri"].as_str().unwrap().to_owned(),
        scope: ScopeSet::ALL,
        names_scope: true,
        code_challenge: None,
        consent: Consent::Remembered,
        session: session_hash,
        now: now(),
    };
    store.add_authorization_code(new).await.unwrap();
    code
}

#[expect(clippy::disallowed_methods, reason = "the servers go by the machine's clock")]
pub(crate) fn now() -> Timestamp {
    let since_epoch = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    Timestamp::from_milliseconds(i64::try_from(since_epoch.as_millis()).unwrap())
}

/// A form that this application sends to a server.
async fn post(
    application: &Value,
    server: &Server,
    path: &str,
    fields: &[(&str, &str)],
) -> (StatusCode, Value) {
    let id = application["client_id"].as_str();
    let secret = application["client_secret"].as_str();
    let form = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
    let request = Client::new()
        .post(server.url(path))
        .basic_auth(id.unwrap(), secret)
        .header("content-type", "application/x-www-form-urlencoded")
        .body(form);
    let answer = request.send().await.unwrap();
    (answer.status(), answer.json().await.unwrap())
}

async fn get_projects(server: &Server, token: &str) -> StatusCode {
    let request = Client::new().get(server.url("/v1/projects")).bearer_auth(token);
    request.send().await.unwrap().status()
}

/// Tokens of the demo's application, from this server.
async fn tokens(server: &Server, address: &str) -> Value {
    let exchange = [
        ("grant_type", "authorization_code"),
        ("code", &code(server, address).await),
        ("redirect_uri", server.ready["application"]["redirect_uri"].as_str().unwrap()),
    ];
    let (status, tokens) =
        post(&server.ready["application"], server, "/oauth2/token", &exchange).await;
    assert_eq!(status, 200, "{tokens}");
    tokens
}

#[tokio::test]
async fn a_revocation_answered_by_one_process_is_in_force_in_the_other() {
    let address = database("several_processes");
    let folders = [Folder::new(), Folder::new()];
    let one = folders[0].serve(&["--demo", "--database", &address]);
    let other = folders[1].serve(&["--database", &address]);
    let tokens = tokens(&one, &address).await;
    let refresh_token = tokens["refresh_token"].as_str().unwrap();
    let refresh = [("grant_type", "refresh_token"), ("refresh_token", refresh_token)];
    let application = &one.ready["application"];

    for number in 0..200 {
        let (_, refreshed) = post(application, &one, "/oauth2/token", &refresh).await;
        let token = refreshed["access_token"].as_str().unwrap();
        for _ in 0..2 {
            assert_eq!(get_projects(&other, token).await, 200);
        }

        let (status, _) = post(application, &one, "/oauth2/revoke", &[("token", token)]).await;
        assert_eq!(status, 200);

        if number % 2 == 0 {
            assert_eq!(get_projects(&other, token).await, 401, "{number}");
        } else {
            let (_, told) =
                post(application, &other, "/oauth2/introspect", &[("token", token)]).await;
            assert_eq!(told, serde_json::json!({"active": false}), "{number}");
        }
        assert_eq!(get_projects(&one, token).await, 401);
    }
    let token = tokens["access_token"].as_str().unwrap();
    assert_eq!(get_projects(&other, token).await, 200);
    post(application, &one, "/oauth2/revoke", &[("token", refresh_token)]).await;
    assert_eq!(get_projects(&other, token).await, 401, "with its family");
}

/// Asks a server something about the project of the demo.
async fn ask(server: &Server, token: &str, (method, path): (Method, &str), body: Value) -> Value {
    let url = server.url(&format!("/v1/projects/1000{path}"));
    let request = Client::new().request(method, url).bearer_auth(token).json(&body);
    let answer = request.send().await.unwrap();
    assert!(answer.status().is_success(), "{path}: {:?}", answer.text().await);
    serde_json::from_str(&answer.text().await.unwrap()).unwrap_or_default()
}

#[tokio::test]
async fn a_project_that_one_process_deletes_is_served_by_no_other() {
    let address = database("deleted_projects");
    let folders = [Folder::new(), Folder::new()];
    let one = folders[0].serve(&["--demo", "--database", &address]);
    let other = folders[1].serve(&["--database", &address]);
    let tokens = tokens(&one, &address).await;
    let token = tokens["access_token"].as_str().unwrap();
    let get = async |path: &str| Client::new().get(other.url(path)).send().await.unwrap().status();
    for campaign in
        ask(&one, token, (Method::GET, "/campaigns"), json!({})).await.as_array().unwrap()
    {
        if campaign["status"] == "running" {
            let path = format!("/campaigns/{}/actions", campaign["id"].as_str().unwrap());
            ask(&one, token, (Method::POST, &path), json!({"action": "pause"})).await;
        }
    }
    let live = ask(&one, token, (Method::GET, "/revisions"), json!({})).await;
    let immutable = format!("/js/1000/{}.js", live[0]["snippet_hash"].as_str().unwrap());
    assert_eq!(get_projects(&other, token).await, 200);
    assert_eq!([get("/js/1000.js").await, get(&immutable).await], [200, 200]);
    let key =
        ask(&one, token, (Method::GET, ""), json!({})).await["key"].as_str().unwrap().to_owned();
    ask(&one, token, (Method::DELETE, ""), json!({})).await;

    ask(&one, token, (Method::DELETE, &format!("?permanently={key}")), json!({})).await;

    // This answer waits until all is heard that was committed before.
    assert_eq!(get_projects(&other, token).await, 200);
    assert_eq!([get("/js/1000.js").await, get(&immutable).await], [410, 410]);
}
