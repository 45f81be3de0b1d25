//! What visitors get from a live revision: asked by programs, and by members on a page of the console.

mod explained;
mod over_http;
mod told_of_visitors;

use crate::browser::Browser;
use crate::shop::publish_text;
use crate::site::Site;

const SHOP: &str = r#"
version: 1
project: {id: "1000", key: shop, name: "Tools & <more>"}
attributes: [{id: "7001", key: plan}]
pages:
  - {id: "2001", key: home, name: Front page, conditions: ["or", {type: url, match: simple, value: "https://shop.example/"}]}
  - {id: "2002", key: checkout, name: Checkout, activation: {type: manual}}
campaigns:
  - id: "3001"
    key: hero
    name: Hero text
    type: ab_test
    status: running
    pages: [home]
    experiments:
      - id: "4001"
        key: hero
        name: Hero text
        variations: [{id: "5001", key: original, name: Original, weight: 5000}, {id: "5002", key: short, name: Short, weight: 5000}]
  - id: "3002"
    key: pay
    name: One page checkout
    type: ab_test
    status: running
    pages: [checkout]
    experiments:
      - id: "4002"
        key: pay
        variations: [{id: "5003", key: one, weight: 10000}]
"#;

/// A member who is signed in, in front of a project that is live.
async fn signed_in(site: &Site) -> Browser<'_> {
    let member = site.member().await;
    publish_text(site, SHOP).await;
    let browser = Browser::new(site);
    let form = browser.open("/sign-in").await;
    browser.sign_in(&form, &member).await;
    browser
}
