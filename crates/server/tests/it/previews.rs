//! Preview links: who can make them, what they show, and what those who alter them get.

mod console;
mod delivered;
mod editor;
mod made;

use app::previews::{PreviewRequest, PreviewSource, make_preview_link};
use app::roles::Actor;

use crate::shop::publish_text;
use crate::site::Site;

/// A project whose variations cannot be forced, with one draft to show and another that must stay secret.
const SHOP: &str = r#"
version: 1
project: {id: "1000", key: shop, name: Shop, snippet: {preview: true, allow_force: false}}
pages:
  - {id: "2001", key: home, conditions: ["or", {type: url, match: simple, value: "https://shop.example/"}]}
campaigns:
  - id: "3001"
    key: hero
    name: Hero text
    type: ab_test
    status: not_started
    pages: [home]
    experiments:
      - id: "4001"
        key: hero
        variations:
          - {id: "5001", key: original, name: Original, weight: 5000}
          - {id: "5002", key: short, name: Short, weight: 5000, changes: [{type: text, selector: h1, value: Ship faster}]}
  - id: "3002"
    key: secret
    name: Secret sale
    type: ab_test
    status: not_started
    pages: [home]
    experiments:
      - id: "4002"
        key: secret
        variations:
          - {id: "5003", key: half, name: Half price, weight: 5000, changes: [{type: text, selector: h1, value: Everything for half}]}
          - {id: "5004", key: original, name: Original, weight: 5000}
"#;

/// A site with a live shop.
async fn shop() -> Site {
    let site = Site::start();
    publish_text(&site, SHOP).await;
    site
}

/// The token of a fresh link to variations of the shop.
async fn token_of(site: &Site, variations: &[&str]) -> String {
    let request = PreviewRequest {
        source: PreviewSource::Live,
        url: "https://shop.example/".to_owned(),
        variations: variations.iter().map(|name| (*name).to_owned()).collect(),
        is_switchable: false,
        lifetime: None,
    };
    let link = make_preview_link(&site.app, &Actor::Command, "1000".parse().unwrap(), &request)
        .await
        .unwrap();
    let (_, token) = link.url.split_once("?experimentation_preview=").unwrap();
    token.to_owned()
}
