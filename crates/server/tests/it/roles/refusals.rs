//! How a member is refused for want of a role or a scope. Which role opens what is told in `crates/app/tests/it/roles`.

use serde_json::{Value, json};
use storage::Role;

use super::{Call, grant, shops, token_with};

#[tokio::test]
async fn a_refusal_says_what_it_takes_and_what_the_member_has() {
    let (site, application) = shops().await;
    let token = token_with(&site, &application, grant(Role::Viewer, Some("1000"))).await;
    let call = Call { site: &site, token: &token };

    let link = json!({"url": "https://shop.example/", "variations": ["a"]});
    let refused = call.post("/v1/projects/1000/preview-links", &link).await.json();
    let elsewhere = call.get("/v1/audit").await.json();

    assert_eq!(
        refused,
        json!({
            "type": "about:blank", "title": "Forbidden", "status": 403,
            "detail": "this needs the role `editor` or a higher one; the member is `viewer`",
            "code": "role_required",
            "needed": {"role": "editor", "code": false, "whole_server": false},
            "role": "viewer",
        })
    );
    assert_eq!(
        elsewhere["detail"],
        "this needs the role `admin` for the whole server or a higher one; the member has none"
    );
    assert_eq!(elsewhere["role"], Value::Null);
}

#[tokio::test]
async fn a_role_does_not_widen_a_token() {
    let (site, application) = shops().await;
    let tokens = crate::oauth::token_call::fetch_tokens(&site, &application, "config:read").await;
    let call = Call { site: &site, token: &tokens.access };

    for path in ["/v1/members", "/v1/applications", "/v1/audit"] {
        let answer = call.get(path).await;
        assert_eq!(answer.status.as_u16(), 403, "{path}");
        assert!(answer.header("www-authenticate").contains("insufficient_scope"), "{answer:?}");
    }
}
