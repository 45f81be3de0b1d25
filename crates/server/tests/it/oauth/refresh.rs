//! An application fetches new access tokens with its refresh token.

use oauth::ClientKind;
use serde_json::json;

use super::pkce::{CHALLENGE, VERIFIER};
use super::token_call::{
    Tokens, assert_error, by_form, by_query, exchange, fetch_tokens, refresh, without,
};
use crate::browser::Browser;
use crate::site::{Application, Site};

const DAY: i64 = 24 * 60 * 60;

#[tokio::test]
async fn a_confidential_client_keeps_its_refresh_token() {
    let site = Site::start();
    let application = site.application().await;
    let tokens = fetch_tokens(&site, &application, "all").await;

    let first = by_form(&site, &refresh(&application, &tokens.refresh)).await;
    site.advance_seconds(30 * DAY);
    let second = by_query(&site, &refresh(&application, &tokens.refresh)).await;

    for answer in [&first, &second] {
        let body = answer.json();
        let mut members: Vec<&String> = body.as_object().unwrap().keys().collect();
        members.sort();
        assert_eq!(members, ["access_token", "expires_in", "token_type"]);
        assert_eq!((&body["expires_in"], &body["token_type"]), (&json!(7200), &json!("bearer")));
        assert_eq!(answer.header("cache-control"), "no-store");
    }
    let access = second.json()["access_token"].as_str().unwrap().to_owned();
    assert_eq!(site.get_as("/v1/projects", &access).await.status.as_u16(), 200);
}

#[tokio::test]
async fn a_refresh_token_that_is_not_used_for_long_is_over() {
    let site = Site::start();
    let application = site.application().await;
    let tokens = fetch_tokens(&site, &application, "all").await;

    site.advance_seconds(181 * DAY);

    assert_error(
        &by_form(&site, &refresh(&application, &tokens.refresh)).await,
        400,
        "invalid_grant",
    );
}

#[tokio::test]
async fn using_a_refresh_token_keeps_it_alive_but_not_for_ever() {
    let site = Site::start();
    let application = site.application().await;
    let tokens = fetch_tokens(&site, &application, "all").await;

    for _ in 0..3 {
        site.advance_seconds(100 * DAY);
        assert_eq!(
            by_form(&site, &refresh(&application, &tokens.refresh)).await.status.as_u16(),
            200
        );
    }
    site.advance_seconds(66 * DAY);

    assert_error(
        &by_form(&site, &refresh(&application, &tokens.refresh)).await,
        400,
        "invalid_grant",
    );
}

#[tokio::test]
async fn a_public_client_gets_a_new_refresh_token_each_time_and_reuse_ends_the_grant() {
    let site = Site::start();
    let (member, application) =
        (site.member().await, site.register("App", ClientKind::Public).await);
    let challenge = [("code_challenge", CHALLENGE), ("code_challenge_method", "S256")];
    let code = Browser::new(&site).fetch_code(&member, &application, &challenge).await;
    let mut pairs = without(&exchange(&application, &code), "client_secret");
    pairs.push(("code_verifier", VERIFIER));
    let first = Tokens::of(&by_form(&site, &pairs).await);

    let second = Tokens::of(&refreshed(&site, &application, &first.refresh).await);
    let third = Tokens::of(&refreshed(&site, &application, &second.refresh).await);

    assert_ne!(first.refresh, second.refresh);
    assert_error(&refreshed(&site, &application, &first.refresh).await, 400, "invalid_grant");
    assert_error(&refreshed(&site, &application, &third.refresh).await, 400, "invalid_grant");
    assert_eq!(site.get_as("/v1/projects", &third.access).await.status.as_u16(), 401);
}

async fn refreshed(site: &Site, application: &Application, token: &str) -> crate::site::Answer {
    by_form(site, &without(&refresh(application, token), "client_secret")).await
}

#[tokio::test]
async fn a_refresh_token_of_another_client_stays_good_for_its_owner() {
    let site = Site::start();
    let application = site.application().await;
    let other = site.register("Other", ClientKind::Confidential).await;
    let tokens = fetch_tokens(&site, &application, "all").await;

    assert_error(&by_form(&site, &refresh(&other, &tokens.refresh)).await, 400, "invalid_grant");
    assert_eq!(by_form(&site, &refresh(&application, &tokens.refresh)).await.status.as_u16(), 200);
}

#[tokio::test]
async fn what_is_no_refresh_token_is_an_invalid_grant() {
    let site = Site::start();
    let application = site.application().await;
    let tokens = fetch_tokens(&site, &application, "all").await;

    for wrong in ["x", &tokens.access, &tokens.refresh[1..], &tokens.refresh.to_uppercase()] {
        assert_error(&by_form(&site, &refresh(&application, wrong)).await, 400, "invalid_grant");
    }
    let nothing = without(&refresh(&application, ""), "refresh_token");
    assert_error(&by_form(&site, &nothing).await, 400, "invalid_request");
}

#[tokio::test]
async fn the_scope_can_shrink_but_not_grow() {
    let site = Site::start();
    let application = site.application().await;
    let tokens = fetch_tokens(&site, &application, "config:read publish").await;
    let ask = async |scope| {
        let mut pairs = refresh(&application, &tokens.refresh);
        pairs.push(("scope", scope));
        by_form(&site, &pairs).await
    };

    assert_error(&ask("config:read members:write").await, 400, "invalid_scope");
    let narrow = ask("publish").await.json()["access_token"].as_str().unwrap().to_owned();

    assert_eq!(site.get_as("/v1/projects", &narrow).await.status.as_u16(), 403);
    let whole =
        ask("publish config:read").await.json()["access_token"].as_str().unwrap().to_owned();
    assert_eq!(site.get_as("/v1/projects", &whole).await.status.as_u16(), 200);
}
