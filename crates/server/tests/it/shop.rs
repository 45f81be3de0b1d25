//! The shop, which most stories are about, and how it and other projects go live.

use app::documents::check_document;
use app::projects::{Origin, publish_project};
use domain::{NoFiles, Source};

use crate::site::Site;

/// Its campaign has not begun: stories that need it running replace the status.
pub(crate) const SHOP: &str = r#"
version: 1
project: {id: "1000", key: shop, name: "Tools & <more>"}
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
        variations: [{id: "5001", key: a, weight: 5000}, {id: "5002", key: b, weight: 5000}]
"#;

/// The shop with these further fields of its project.
pub(crate) fn shop_with(fields: &str) -> String {
    let text = SHOP.replace("project: {", &format!("project: {{{fields}, "));
    assert_ne!(text, SHOP);
    text
}

pub(crate) async fn publish_shop(site: &Site) {
    publish_text(site, SHOP).await;
}

/// Makes the project of this document live, as a member who hands it in does.
pub(crate) async fn publish_text(site: &Site, text: &str) {
    let source = Source { name: "shop.yaml", text, files: &NoFiles };
    let project = check_document(&source).unwrap().project;
    publish_project(&site.app, project, Origin::Handed { by: "Ann" }).await.unwrap();
}
