//! What a service made for others ends with its token.

use serde_json::{Value, json};
use storage::RoleGrant;

use super::{Call, shops, token_with};
use crate::browser::Browser;
use crate::site::Site;

const SECONDS: i64 = 600;

/// The links that a new service with this name made, and the path of its token.
struct Made {
    preview: String,
    results: String,
    invitation: String,
    token_path: String,
}

async fn made_by_service(site: &Site, owner: &Call<'_>, name: &str) -> Made {
    let wanted = json!({
        "name": name,
        "scopes": ["members:write", "config:write", "results:read"],
        "expires_in": SECONDS,
        "service": {"roles": [{"role": "admin"}]},
    });
    let token = owner.post("/v1/tokens", &wanted).await.json();
    let service = Call { site, token: token["token"].as_str().unwrap() };
    let post = async |path: &str, wanted: Value| {
        let made = service.post(path, &wanted).await;
        assert_eq!(made.status.as_u16(), 201, "{made:?}");
        made.json()
    };
    let draft = json!({"url": "https://shop.example/", "variations": ["b"], "draft": true});
    let preview = post("/v1/projects/1000/preview-links", draft).await;
    let results = post("/v1/projects/1000/results-links", json!({"campaign": "hero"})).await;
    let cleo = json!({"email": "cleo@example.com", "role": "admin"});
    let invitation = post("/v1/invitations", cleo).await;
    let (_, shown) = preview["url"].as_str().unwrap().split_once('=').unwrap();
    let path_of = |link: &Value| {
        link["link"].as_str().unwrap().strip_prefix("https://assay.example").unwrap().to_owned()
    };
    Made {
        preview: format!("/js/1000.js?preview={shown}"),
        results: path_of(&results),
        invitation: path_of(&invitation),
        token_path: format!("/v1/tokens/{}", token["id"].as_str().unwrap()),
    }
}

/// Whether the preview, the results and the invitation open.
async fn opens(site: &Site, made: &Made) -> [bool; 3] {
    let preview = site.get(&made.preview).await;
    let results = Browser::new(site).open(&made.results).await;
    let invitation = Browser::new(site).open(&made.invitation).await;
    [
        preview.body.contains("Hero text"),
        results.status.as_u16() == 200,
        invitation.status.as_u16() == 200,
    ]
}

#[tokio::test]
async fn links_and_invitations_of_a_service_end_with_its_token() {
    let (site, application) = shops().await;
    let owner = token_with(&site, &application, RoleGrant::OWNER).await;
    let owner = Call { site: &site, token: &owner };
    let removed = made_by_service(&site, &owner, "deploy").await;
    let expiring = made_by_service(&site, &owner, "reports").await;
    for made in [&removed, &expiring] {
        assert_eq!(opens(&site, made).await, [true; 3]);
    }

    assert_eq!(owner.delete(&removed.token_path).await.status.as_u16(), 204);

    assert_eq!(opens(&site, &removed).await, [false; 3]);
    assert_eq!(opens(&site, &expiring).await, [true; 3]);
    site.advance_seconds(SECONDS);
    assert_eq!(opens(&site, &expiring).await, [false; 3]);
}
