//! What an application asks for that names no scope, and what it is told.

use super::token_call::{about, assert_error, by_form, exchange, form_to};
use crate::browser::{Browser, authorize_path};
use crate::site::{Application, REDIRECT_URI, Site};

const ALL: &str =
    "config:read config:write publish results:read events:write members:write audit:read";

fn registered(site: &Site, more: &[&str]) -> Application {
    let add = ["application", "add", "Reports", "--redirect-uri", REDIRECT_URI];
    let added = site.command_json(&[&add[..], more].concat());
    let text = |name: &str| added[name].as_str().unwrap().to_owned();
    Application {
        client_id: text("client_id"),
        client_secret: text("client_secret"),
        redirect_uri: REDIRECT_URI.to_owned(),
    }
}

#[tokio::test]
async fn a_client_registered_for_all_gets_all() {
    let site = Site::start();
    let (member, application) = (site.member().await, registered(&site, &["--scope", "all"]));
    let code = Browser::new(&site).fetch_code(&member, &application, &[]).await;

    let tokens = by_form(&site, &exchange(&application, &code)).await.json();

    let mut members: Vec<&String> = tokens.as_object().unwrap().keys().collect();
    members.sort();
    assert_eq!(members, ["access_token", "expires_in", "refresh_token", "token_type"]);
    let about = about(&application, tokens["access_token"].as_str().unwrap());
    let described = form_to(&site, "/oauth2/introspect", &about).await.json();
    assert_eq!(described["scope"], ALL);
}

#[tokio::test]
async fn a_client_cannot_ask_for_more_than_its_registered_scope() {
    let site = Site::start();
    let application = registered(&site, &["--scope", "config:read publish"]);
    let ask = async |scope: &'static str| {
        Browser::new(&site).open(&authorize_path(&application, &[("scope", scope)])).await
    };

    let (wider, within) = (ask("config:read audit:read").await, ask("publish").await);

    assert_eq!(wider.returned("error").as_deref(), Some("invalid_scope"));
    assert_eq!(within.status.as_u16(), 200, "the sign-in page");
    let id = &application.client_id;
    let changed = site.command_json(&["application", "set", id, "--scope", "all"]);
    assert_eq!(changed["scope"], ALL);
    let wrong = site.command(&["application", "set", id, "--scope", "admin"]);
    assert_eq!(wrong.status.code(), Some(1));
    let refused = by_form(&site, &exchange(&application, "x")).await;
    assert_error(&refused, 400, "invalid_grant");
}
