//! `/v1/projects/{id}/preview-links`.

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};

use super::{SHOP, shop};
use crate::oauth::token_call::fetch_tokens;
use crate::shop::publish_text;
use crate::site::{Answer, Site};

async fn token(site: &Site, scope: &str) -> String {
    let application = site.application().await;
    fetch_tokens(site, &application, scope).await.access
}

async fn ask_with(site: &Site, token: &str, wanted: &Value) -> Answer {
    let request = Request::post("/v1/projects/1000/preview-links")
        .header("authorization", format!("Bearer {token}"))
        .header("content-type", "application/json");
    site.send(request.body(Body::from(wanted.to_string())).unwrap()).await
}

async fn ask(site: &Site, wanted: &Value) -> Answer {
    ask_with(site, &token(site, "config:write").await, wanted).await
}

#[tokio::test]
async fn a_program_makes_a_link_that_works() {
    let site = shop().await;
    let wanted = json!({"url": "https://shop.example/?a=1#top", "variations": ["short", "5003"], "expires_in": 3600});

    let answer = ask(&site, &wanted).await;

    assert_eq!(answer.status.as_u16(), 201, "{answer:?}");
    assert_eq!(answer.header("cache-control"), "no-store");
    assert_eq!(answer.json()["expires_at"], "2027-01-15T09:00:00Z");
    let url = answer.json()["url"].as_str().unwrap().to_owned();
    let token = url.strip_prefix("https://shop.example/?a=1&experimentation_preview=").unwrap();
    let token = token.strip_suffix("#top").unwrap();
    assert!(token.starts_with("assay_pv.1000."), "{token}");
    let preview = site.get(&format!("/js/1000.js?preview={token}")).await;
    assert!(preview.body.contains("Ship faster") && preview.body.contains("Everything for half"));
}

#[tokio::test]
async fn what_is_wrong_with_a_request_has_a_pointer() {
    let site = shop().await;
    let token = token(&site, "config:write").await;
    let pointers = async |wanted: Value| {
        let answer = ask_with(&site, &token, &wanted).await;
        assert_eq!(answer.status.as_u16(), 422, "{answer:?}");
        let errors = answer.json()["errors"].as_array().unwrap().clone();
        let told = errors.iter().map(|error| {
            format!("{} {}", error["pointer"].as_str().unwrap(), error["detail"].as_str().unwrap())
        });
        told.collect::<Vec<_>>()
    };

    let names = json!({"url": "https://shop.example/", "variations": ["shrot", "original"]});
    let form = json!({"url": 1, "variations": "short", "expires": 1, "expires_in": "1d"});
    let limits = json!({"url": "https://shop.example/", "variations": [], "expires_in": 9_999_999});
    let address = json!({"url": "javascript:alert(1)", "variations": ["short"]});

    assert_eq!(
        pointers(names).await,
        [
            "#/variations/0 there is no variation `shrot`; did you mean `short`?",
            "#/variations/1 more than one variation is called `original`; say which by its id: `5001`, `5004`",
        ]
    );
    assert_eq!(
        pointers(form).await,
        [
            "#/expires unknown field `expires`, expected one of `url`, `variations`, `draft`, `switchable`, `expires_in`; did you mean `expires_in`?",
            "#/url this is a number, expected a text",
            "#/variations this is a text, expected a list",
            "#/expires_in this is a text, expected a whole number",
        ]
    );
    assert_eq!(
        pointers(limits).await,
        [
            "#/variations at least one variation has to be shown",
            "#/expires_in a link is good for 60 to 2592000 seconds",
        ]
    );
    assert_eq!(
        pointers(address).await,
        [
            "#/url this is not the address of a page, expected an address such as `https://shop.example/`"
        ]
    );
}

#[tokio::test]
async fn a_program_lists_links_and_revokes_one() {
    let site = shop().await;
    let token = token(&site, "config:write").await;
    let wanted = json!({"url": "https://shop.example/", "variations": ["short"]});
    let made = ask_with(&site, &token, &wanted).await.json();
    let list = "/v1/projects/1000/preview-links";
    let call = async |method: &str, path: &str| {
        let request = Request::builder().method(method).uri(path);
        let request = request.header("authorization", format!("Bearer {token}"));
        site.send(request.body(Body::empty()).unwrap()).await
    };
    let preview =
        format!("/js/1000.js?preview={}", made["url"].as_str().unwrap().split_once('=').unwrap().1);
    assert!(site.get(&preview).await.body.contains("Ship faster"));

    let listed = call("GET", list).await;
    let path = format!("{list}/{}", made["id"].as_str().unwrap());
    let revoked = call("DELETE", &path).await;
    let again = call("DELETE", &path).await;
    let unknown = call("DELETE", &format!("{list}/77")).await;

    assert_eq!(listed.header("x-total-count"), "1");
    assert_eq!(listed.json()[0]["url"], made["url"]);
    assert_eq!(listed.json()[0]["made_by"], "ann@example.com");
    assert_eq!(listed.json()[0]["last_opened_at"], made["made_at"]);
    let statuses = [revoked, again, unknown].map(|answer| answer.status.as_u16());
    assert_eq!(statuses, [204, 204, 404]);
    assert!(site.get(&preview).await.body.contains("this link was revoked"));
    assert_eq!(call("GET", list).await.json()[0]["state"], "revoked");
}

#[tokio::test]
async fn reading_is_not_enough_to_show_others_what_is_not_public() {
    let site = shop().await;
    let wanted = json!({"url": "https://shop.example/", "variations": ["short"]});

    let refused = ask_with(&site, &token(&site, "config:read").await, &wanted).await;

    assert_eq!(refused.status.as_u16(), 403, "{refused:?}");
    assert!(refused.header("www-authenticate").contains("scope=\"config:write\""));
}

#[tokio::test]
async fn a_project_that_takes_no_previews_makes_no_links() {
    let site = Site::start();
    publish_text(&site, &SHOP.replace("preview: true", "preview: false")).await;
    let wanted = json!({"url": "https://shop.example/", "variations": ["short"]});

    let refused = ask(&site, &wanted).await;

    assert_eq!(refused.status.as_u16(), 409, "{refused:?}");
    assert!(refused.json()["detail"].as_str().unwrap().contains("snippet.preview: true"));
}
