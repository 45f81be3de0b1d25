//! The installed check: which sites load the snippet, as members and programs see it.

use app::installations::record_loads;
use axum::body::Body;
use axum::http::Request;
use serde_json::json;

use crate::browser::Browser;
use crate::oauth::token_call::fetch_tokens;
use crate::shop::publish_shop;
use crate::site::Site;

/// A page of the site with this address loads the snippet.
async fn load(site: &Site, header: (&str, &str)) -> u16 {
    let request = Request::get("/js/1000.js").header(header.0, header.1);
    site.send(request.body(Body::empty()).unwrap()).await.status.as_u16()
}

#[tokio::test]
async fn the_sites_that_load_the_snippet_are_listed_over_rest() {
    let site = Site::start();
    let application = site.application().await;
    let token = fetch_tokens(&site, &application, "config:read").await.access;
    publish_shop(&site).await;
    let list = async || {
        record_loads(&site.app).await.unwrap();
        let answer = site.get_as("/v1/projects/1000/installations", &token).await;
        answer.json()["installations"].clone()
    };
    load(&site, ("accept", "*/*")).await;
    assert_eq!(list().await, json!([]), "a request that says nothing is no site");

    assert_eq!(load(&site, ("referer", "https://shop.example/cart?id=7")).await, 200);
    assert_eq!(list().await[0]["origin"], "https://shop.example");
    site.advance_seconds(90);
    load(&site, ("origin", "https://assay.example")).await;
    load(&site, ("referer", "https://shop.example/")).await;

    let (first_at, last_at) = ("2027-01-15T08:00:00Z", "2027-01-15T08:01:30Z");
    assert_eq!(
        list().await,
        json!([
            {"origin": "https://assay.example", "first_seen_at": last_at, "last_seen_at": last_at, "is_this_server": true},
            {"origin": "https://shop.example", "first_seen_at": first_at, "last_seen_at": last_at, "is_this_server": false},
        ])
    );
}

#[tokio::test]
async fn the_install_page_shows_the_tag_and_turns_green_with_the_sites_first_load() {
    let site = Site::start();
    let member = site.member().await;
    publish_shop(&site).await;
    let browser = Browser::new(&site);
    browser.sign_in_at_home(&member).await;
    let page = async || {
        record_loads(&site.app).await.unwrap();
        browser.open("/projects/1000/install").await
    };
    let tag = "&#60;script src=&#34;https://assay.example/js/1000.js&#34;&#62;&#60;/script&#62;";
    let empty = page().await;
    assert!(empty.body.contains(tag) && empty.body.contains("not seen yet"), "{}", empty.body);
    let policy = empty.header("content-security-policy");
    let scripts = "; script-src https://assay.example/assets/copy.js https://assay.example/assets/install.js; connect-src 'self'";
    assert!(policy.ends_with(scripts), "{policy}");

    load(&site, ("referer", "https://assay.example/demo/")).await;
    let own = page().await;
    load(&site, ("referer", "https://shop.example/")).await;
    let green = page().await;

    assert!(own.body.contains("not seen yet") && own.body.contains("Pages of this server"));
    assert!(green.body.contains("data-state=\"seen\""), "{}", green.body);
    assert!(green.body.contains("<h3>https://shop.example</h3>"), "{}", green.body);
    assert_eq!(browser.open("/projects/1/install").await.status.as_u16(), 404);
}
