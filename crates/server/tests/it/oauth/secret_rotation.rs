//! An application moves from one secret to the next. The commands run in a process of their own, on the data of the running site.

use serde_json::Value;

use super::token_call::{assert_error, by_form, exchange, fetch_tokens, refresh};
use crate::browser::Browser;
use crate::site::{Application, Site};

fn with_secret(application: &Application, secret: &str) -> Application {
    Application { client_secret: secret.to_owned(), ..application.clone() }
}

fn secrets(site: &Site, application: &Application) -> Vec<Value> {
    let shown = site.command_json(&["application", "show", &application.client_id]);
    shown["secrets"].as_array().unwrap().clone()
}

fn id_of(secret: &Value) -> &str {
    secret["id"].as_str().unwrap()
}

#[tokio::test]
async fn an_application_moves_to_another_secret_without_an_outage() {
    let site = Site::start();
    let old = site.application().await;
    let tokens = fetch_tokens(&site, &old, "config:read").await;
    let id = old.client_id.as_str();
    let before = secrets(&site, &old);

    let added = site.command_json(&["application", "add-secret", id, "--note", "2027"]);
    let new = with_secret(&old, added["client_secret"].as_str().unwrap());
    for application in [&old, &new] {
        let refreshed = by_form(&site, &refresh(application, &tokens.refresh)).await;
        assert_eq!(refreshed.status.as_u16(), 200, "{refreshed:?}");
    }
    site.command_that_ends(&["application", "remove-secret", id, id_of(&before[0])]);

    assert_error(&by_form(&site, &refresh(&old, &tokens.refresh)).await, 401, "invalid_client");
    let refreshed = by_form(&site, &refresh(&new, &tokens.refresh)).await;
    assert_eq!(refreshed.status.as_u16(), 200, "{refreshed:?}");
    let opened = site.get_as("/v1/projects", &tokens.access).await;
    assert_eq!(opened.status.as_u16(), 200, "what it got with the old secret stays good");
    let after = secrets(&site, &old);
    assert_eq!((after.len(), id_of(&after[0])), (1, added["secret_id"].as_str().unwrap()));
    assert_eq!(after[0]["note"], "2027");
}

#[tokio::test]
async fn an_application_without_any_secret_gets_nothing_and_its_tokens_open_nothing() {
    let site = Site::start();
    let application = site.application().await;
    let tokens = fetch_tokens(&site, &application, "config:read").await;
    let opens = async || site.get_as("/v1/projects", &tokens.access).await.status.as_u16();
    assert_eq!(opens().await, 200);

    let id = application.client_id.as_str();
    let only = secrets(&site, &application);
    site.command_that_ends(&["application", "remove-secret", id, id_of(&only[0])]);

    let refused = by_form(&site, &refresh(&application, &tokens.refresh)).await;
    assert_error(&refused, 401, "invalid_client");
    assert_eq!(opens().await, 401);
    let added = site.command_json(&["application", "add-secret", id]);
    let new = with_secret(&application, added["client_secret"].as_str().unwrap());
    let refreshed = by_form(&site, &refresh(&new, &tokens.refresh)).await;
    assert_eq!((refreshed.status.as_u16(), opens().await), (200, 200));
}

#[tokio::test]
async fn the_last_use_of_each_secret_is_shown_to_the_minute() {
    let site = Site::start();
    let application = site.application().await;
    let member = site.member().await;
    let last_used = || secrets(&site, &application)[0]["last_used_at"].clone();
    assert_eq!(last_used(), Value::Null);

    let code = Browser::new(&site).fetch_code(&member, &application, &[]).await;
    let tokens = by_form(&site, &exchange(&application, &code)).await.json();
    site.settle().await;
    assert_eq!(last_used(), "2027-01-15T08:00:00Z");

    for (seconds, noted) in [(59, "2027-01-15T08:00:00Z"), (1, "2027-01-15T08:01:00Z")] {
        site.advance_seconds(seconds);
        let refresh_token = tokens["refresh_token"].as_str().unwrap();
        by_form(&site, &refresh(&application, refresh_token)).await;
        site.settle().await;
        assert_eq!(last_used(), noted);
    }
}

#[tokio::test]
async fn a_wrong_secret_is_no_use_of_the_right_one() {
    let site = Site::start();
    let application = site.application().await;
    let wrong = with_secret(&application, "wrong");

    by_form(&site, &refresh(&wrong, "anything")).await;
    site.settle().await;

    assert_eq!(secrets(&site, &application)[0]["last_used_at"], Value::Null);
}
