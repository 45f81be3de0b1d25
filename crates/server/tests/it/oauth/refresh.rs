//! An application fetches new access tokens with its refresh token.

use serde_json::json;

use super::token_call::{by_form, by_query, fetch_tokens, refresh};
use crate::site::Site;

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
