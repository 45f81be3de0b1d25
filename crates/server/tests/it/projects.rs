//! What members and programs see of the projects on a server.

use axum::body::Body;
use axum::http::Request;
use serde_json::json;

use crate::browser::Browser;
use crate::oauth::token_call::fetch_tokens;
use crate::shop::publish_shop;
use crate::site::Site;

#[tokio::test]
async fn a_member_sees_what_is_live_and_where_to_go_on() {
    let site = Site::start();
    let member = site.member().await;
    publish_shop(&site).await;
    let browser = Browser::new(&site);
    let form = browser.open("/sign-in").await;
    let home = browser.open(browser.sign_in(&form, &member).await.location()).await;

    for shown in [
        "Tools &#38; &#60;more&#62;",
        "<span class=\"pill good\">live</span>",
        "Revision 1, published <time datetime=\"2027-01-15T08:00:00Z\">15 January 2027, 08:00 UTC</time>",
        "<a href=\"/projects/1000/campaigns\">1 campaign</a>, visitors get 0",
        "<a href=\"/projects/1000/install\">Install</a>",
    ] {
        assert!(home.body.contains(shown), "{shown} in {}", home.body);
    }
}

#[tokio::test]
async fn a_program_lists_the_projects() {
    let site = Site::start();
    let application = site.application().await;
    publish_shop(&site).await;
    let tokens = fetch_tokens(&site, &application, "config:read").await;

    let answer = site.get_as("/v1/projects", &tokens.access).await;

    let shop = json!({
        "id": "1000", "key": "shop", "name": "Tools & <more>", "archived": false, "revision": 1,
        "managed_by": "store", "created_at": "2027-01-15T08:00:00Z",
        "updated_at": "2027-01-15T08:00:00Z", "updated_by": "Ann",
        "etag": answer.json()[0]["etag"],
    });
    assert_eq!(answer.json(), json!([shop]));
    assert_eq!(
        answer.header("link"),
        "<https://assay.example/v1/projects?page=1&per_page=25>; rel=\"first\", \
         <https://assay.example/v1/projects?page=1&per_page=25>; rel=\"last\""
    );
}

#[tokio::test]
async fn an_added_project_is_in_the_list_at_once() {
    let site = Site::start();
    let application = site.application().await;
    publish_shop(&site).await;
    let tokens = fetch_tokens(&site, &application, "config:read config:write").await;
    let keys = async || {
        let listed = site.get_as("/v1/projects", &tokens.access).await.json();
        let keys = listed.as_array().unwrap().iter().map(|project| project["key"].to_string());
        keys.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(keys().await, "\"shop\"");

    let added = Request::post("/v1/projects")
        .header("authorization", format!("Bearer {}", tokens.access))
        .header("content-type", "application/json")
        .body(Body::from(json!({"id": "1001", "key": "blog"}).to_string()));
    let added = site.send(added.unwrap()).await;

    assert_eq!(added.status, 201, "{added:?}");
    assert_eq!(keys().await, "\"shop\" \"blog\"");
}
