//! The link of the visual editor works as long as its member may write the draft, for the variation and the site that it names.

use app::documents::ResourceKind::{Campaign, Variation};
use app::members::{change_roles, remove_member};
use app::previews::{FindPreviewError, find_preview};
use app::visual_editor::{EditorLink, OpenEditorError, find_editor, is_editor_token, open_editor};
use serde_json::{Value, json};
use storage::{MemberLine, Role, RoleGrant};

use crate::server::grant;
use crate::shop::{HERO, Shop, hero};

const WORKING_DAY: i64 = 8 * 60 * 60;

/// The shop is live with previews, and `hero` runs; its draft has another text.
async fn with_draft() -> Shop {
    let shop = Shop::with_hero().await;
    shop.change_project(json!({"snippet": {"preview": true}})).await.unwrap();
    shop.publish("").await.unwrap();
    shop.start(HERO).await.unwrap();
    write(&shop, json!({"type": "text", "selector": "h1", "value": "Ship today"})).await;
    shop
}

/// Puts this change into the draft of the second variation.
async fn write(shop: &Shop, change: Value) {
    let [_, short] = shop.variations().await;
    shop.change(Variation, &short, json!({"changes": [change]})).await.unwrap();
}

/// A link to the second variation.
async fn opened(shop: &Shop, page: &str) -> Result<EditorLink, OpenEditorError> {
    let [_, short] = shop.variations().await;
    open_editor(shop.app(), &shop.actor, shop.id, (&short, page)).await
}

async fn token(shop: &Shop) -> String {
    let link = opened(shop, "https://shop.example/").await.unwrap();
    link.url.rsplit_once('=').unwrap().1.to_owned()
}

/// What the page is given by a link.
async fn shown(shop: &Shop, token: &str) -> Result<String, FindPreviewError> {
    let found = find_editor(shop.app(), shop.id, token).await?;
    Ok(String::from_utf8(found.javascript.to_vec()).unwrap())
}

async fn line_of(shop: &Shop) -> MemberLine {
    let line = shop.app().store().lookup_member_line(shop.actor.member().unwrap()).await;
    line.unwrap().unwrap()
}

#[tokio::test]
async fn the_editor_gets_the_draft_of_its_variation_and_no_other() {
    let shop = with_draft().await;
    let mut offer = hero("3002", "offer");
    offer["name"] = json!("Secret sale");
    shop.has(Campaign, offer).await;

    let link = opened(&shop, "https://shop.example:8443/a?b=1").await.unwrap();
    let script = shown(&shop, link.url.rsplit_once('=').unwrap().1).await.unwrap();

    assert_eq!(link.site, "https://shop.example:8443");
    for word in ["Ship today", "https://shop.example:8443", &link.nonce, "assay-editor"] {
        assert!(script.contains(word), "{word}");
    }
    for word in ["Secret sale", "Ship faster"] {
        assert!(!script.contains(word), "{word}");
    }
    assert!(!shop.shows("assay-editor").await, "visitors get the editor");
}

#[tokio::test]
async fn a_link_ends_with_the_role_of_its_member_and_with_the_member() {
    let shop = with_draft().await;
    let editor = shop.seen_by_new("eve", grant(Role::Editor, Some("1000"))).await;
    let made = token(&editor).await;
    assert!(shown(&shop, &made).await.is_ok());

    let viewer = vec![grant(Role::Viewer, Some("1000"))];
    change_roles(shop.app(), &shop.actor, &line_of(&editor).await, viewer).await.unwrap();
    assert!(matches!(shown(&shop, &made).await, Err(FindPreviewError::NotTheirs)));
    assert!(matches!(
        opened(&editor, "https://shop.example/").await,
        Err(OpenEditorError::Role(_))
    ));

    remove_member(shop.app(), &shop.actor, &line_of(&editor).await).await.unwrap();
    assert!(matches!(shown(&shop, &made).await, Err(FindPreviewError::NotTheirs)));
}

#[tokio::test]
async fn code_that_is_not_live_takes_the_right_to_publish_as_in_a_preview() {
    let shop = with_draft().await;
    let writes = RoleGrant { is_code_allowed: true, ..grant(Role::Editor, Some("1000")) };
    let author = shop.seen_by_new("amy", writes).await;
    let publisher = shop.seen_by_new("pia", grant(Role::Publisher, Some("1000"))).await;
    let (of_author, of_publisher) = (token(&author).await, token(&publisher).await);
    assert!(shown(&shop, &of_author).await.unwrap().contains("mayWriteCode:!0"));
    assert!(shown(&shop, &of_publisher).await.unwrap().contains("mayWriteCode:!1"));

    write(&author, json!({"type": "html", "selector": "h1", "value": "<b>new</b>"})).await;

    assert!(matches!(shown(&shop, &of_author).await, Err(FindPreviewError::NotTheirs)));
    let refusal = opened(&author, "https://shop.example/").await;
    assert!(matches!(refusal, Err(OpenEditorError::Role(_))), "{refusal:?}");
    assert!(shown(&shop, &of_publisher).await.is_ok());
    assert!(opened(&publisher, "https://shop.example/").await.is_ok());
    shop.publish("").await.unwrap();
    assert!(shown(&shop, &of_author).await.is_ok());
}

#[tokio::test]
async fn a_link_is_good_for_a_working_day() {
    let shop = with_draft().await;
    let made = token(&shop).await;

    shop.server.advance_seconds(WORKING_DAY - 1);
    assert!(shown(&shop, &made).await.is_ok());
    shop.server.advance_seconds(1);

    assert!(matches!(shown(&shop, &made).await, Err(FindPreviewError::Expired)));
}

#[tokio::test]
async fn a_link_is_for_one_project_and_is_no_preview_link() {
    let shop = with_draft().await;
    let other = shop.begin("2000", "other").await.unwrap();
    let made = token(&shop).await;

    assert!(is_editor_token(&made));
    assert!(matches!(shown(&other, &made).await, Err(FindPreviewError::NotSigned)));
    let previewed = find_preview(shop.app(), shop.id, &made).await;
    assert!(matches!(previewed, Err(FindPreviewError::NotSigned)));
}

#[tokio::test]
async fn a_page_is_opened_only_by_an_address_of_the_web_and_with_a_snippet_that_reads_links() {
    let shop = with_draft().await;
    for page in ["", "shop.example", "javascript:alert(1)", "data:text/html,x"] {
        let refusal = opened(&shop, page).await;
        assert!(matches!(refusal, Err(OpenEditorError::Address(_))), "{page}: {refusal:?}");
    }

    shop.change_project(json!({"snippet": {"preview": false}})).await.unwrap();
    shop.publish("").await.unwrap();

    let refusal = opened(&shop, "https://shop.example/").await;
    assert!(matches!(refusal, Err(OpenEditorError::SwitchedOff)), "{refusal:?}");
}
