//! A link to a draft shows what nobody has published: it is good for as long as whoever made it may show that.

use axum::http::Method;
use serde_json::{Value, json};
use storage::{Role, RoleGrant};

use super::{Call, grant, shops, token_with};
use crate::site::Answer;

const SHOP: &str = "/v1/projects/1000";

fn text(value: &str) -> Value {
    json!({"changes": [{"type": "text", "selector": "h1", "value": value}]})
}

fn code() -> Value {
    json!({"changes": [{"type": "javascript", "value": "unpublished()"}]})
}

/// A link to the draft, which lasts for so many seconds.
async fn link(call: &Call<'_>, seconds: Option<i64>) -> Answer {
    let body = json!({"url": "https://shop.example/", "variations": ["b"], "draft": true, "expires_in": seconds});
    call.post(&format!("{SHOP}/preview-links"), &body).await
}

/// What the page is given by a link.
async fn shown(call: &Call<'_>, link: &Answer) -> String {
    assert_eq!(link.status.as_u16(), 201, "{link:?}");
    let link = link.json();
    let (_, token) = link["url"].as_str().unwrap().rsplit_once('=').unwrap();
    call.site.get(&format!("/js/1000.js?preview={token}")).await.body
}

const NOT_THEIRS: &str = "whoever made this link may not show it any more";

#[tokio::test]
async fn a_link_to_a_draft_ends_with_the_role_of_who_made_it() {
    let (site, application) = shops().await;
    let owner = token_with(&site, &application, RoleGrant::OWNER).await;
    let owner = Call { site: &site, token: &owner };
    let variation = format!("{SHOP}/variations/5002");
    owner.patch(&variation, Some("*"), &text("not yet")).await;
    for after in [json!([]), json!([{"role": "viewer", "project": "1000"}]), Value::Null] {
        let editor = token_with(&site, &application, grant(Role::Editor, Some("1000"))).await;
        let editor = Call { site: &site, token: &editor };
        let made = link(&editor, None).await;
        assert!(shown(&owner, &made).await.contains("not yet"));

        let path = owner.path_of("editor1000@example.com").await;
        if !after.is_null() {
            let lowered = owner.patch(&path, Some("*"), &json!({"grants": after})).await;
            assert_eq!(lowered.status.as_u16(), 200, "{lowered:?}");
            assert!(shown(&owner, &made).await.contains(NOT_THEIRS), "{after}");
        }
        assert_eq!(owner.delete(&path).await.status.as_u16(), 204);

        assert!(shown(&owner, &made).await.contains(NOT_THEIRS), "{after}");
    }
}

#[tokio::test]
async fn unpublished_code_is_shown_by_who_may_publish_it() {
    let (site, application) = shops().await;
    let owner = token_with(&site, &application, RoleGrant::OWNER).await;
    let owner = Call { site: &site, token: &owner };
    let writes = RoleGrant { is_code_allowed: true, ..grant(Role::Editor, Some("1000")) };
    let editor = token_with(&site, &application, writes).await;
    let editor = Call { site: &site, token: &editor };
    let publisher = token_with(&site, &application, grant(Role::Publisher, Some("1000"))).await;
    let publisher = Call { site: &site, token: &publisher };
    let variation = format!("{SHOP}/variations/5002");
    let made_before = link(&editor, None).await;

    let written = editor.patch(&variation, Some("*"), &code()).await;

    assert_eq!(written.status.as_u16(), 200, "{written:?}");
    let refused = link(&editor, None).await;
    assert_eq!(refused.status.as_u16(), 403, "{refused:?}");
    assert_eq!(refused.json()["needed"]["role"], "publisher");
    assert!(shown(&owner, &made_before).await.contains(NOT_THEIRS));
    let made = link(&publisher, None).await;
    assert!(shown(&owner, &made).await.contains("unpublished()"));
    let path = owner.path_of("publisher1000@example.com").await;
    let lowered = json!({"grants": [{"role": "editor", "project": "1000", "code": true}]});
    owner.patch(&path, Some("*"), &lowered).await;
    assert!(shown(&owner, &made).await.contains(NOT_THEIRS));

    let revisions = format!("{SHOP}/revisions");
    let revision = owner.send(Method::POST, &revisions, Some("*"), Some(&json!({}))).await;
    assert!(revision.status.is_success(), "{revision:?}");
    assert!(shown(&owner, &made_before).await.contains("unpublished()"), "it is live by now");
}

#[tokio::test]
async fn a_link_to_a_draft_is_good_for_a_day_and_a_week_at_most() {
    let (site, application) = shops().await;
    let owner = token_with(&site, &application, RoleGrant::OWNER).await;
    let owner = Call { site: &site, token: &owner };
    owner.patch(&format!("{SHOP}/variations/5002"), Some("*"), &text("not yet")).await;
    let made = link(&owner, None).await;
    let too_long = link(&owner, Some(7 * 86_400 + 1)).await;
    let longest = link(&owner, Some(7 * 86_400)).await;

    assert_eq!(too_long.status.as_u16(), 422, "{too_long:?}");
    assert_eq!(longest.status.as_u16(), 201);
    site.advance_seconds(86_399);
    assert!(shown(&owner, &made).await.contains("not yet"));
    site.advance_seconds(1);
    assert!(shown(&owner, &made).await.contains("this link has expired"));
}
