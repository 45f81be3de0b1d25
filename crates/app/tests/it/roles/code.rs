//! Code in a project runs in every visitor's browser: who has no right to write it gets none in, whichever way they try.

use app::documents::ResourceKind::{self, Audience, Campaign, Experiment, Page, Variation};
use app::drafts::Removal;
use serde_json::{Value, json};
use storage::{Role, RoleGrant};

use crate::refusal::{Refusal, refused};
use crate::server::grant;
use crate::shop::{HERO, Outcome, Shop, id};

/// The shop, as its owner and as an editor who may write no code.
async fn with_editor() -> (Shop, Shop) {
    let shop = Shop::with_hero().await;
    let editor = shop.seen_by_new("eve", grant(Role::Editor, Some("1000"))).await;
    (shop, editor)
}

/// Changes of a variation that run code or lead the visitor away.
fn smuggling() -> Vec<Value> {
    let attribute = |name: &str| json!({"type": "attribute", "selector": "a", "name": name, "value": "javascript:x()"});
    let style = |name: &str, value: &str| json!({"type": "style", "selector": "h1", "name": name, "value": value});
    let text =
        |selector: &str, value: &str| json!({"type": "text", "selector": selector, "value": value});
    let css = |value: &str| json!({"type": "css", "value": value});
    let mut changes = vec![
        json!({"type": "javascript", "value": "x()"}),
        json!({"type": "html", "selector": "h1", "value": "<img src=x onerror=x()>"}),
        json!({"type": "insert", "selector": "h1", "value": "<script>x()</script>", "position": "after"}),
        json!({"type": "redirect", "destination": "https://other.example/"}),
        json!({"type": "redirect", "destination_code": "return '/x'"}),
        text("style", "b{}"),
        text(".x", "@import '//other.example'"),
        text("h1", "{{constructor.constructor('x()')()}}"),
        style("background", "url(//other.example)"),
        style("background", "\\75rl(//other.example)"),
        style("-moz-binding", "none"),
        css("@import '//other.example/x.css'"),
        css("b{background:image-set('//other.example' 1x)}"),
    ];
    let names = [
        "href",
        "onclick",
        "OnClick",
        "srcdoc",
        "http-equiv",
        "content",
        "values",
        "src",
        "x-init",
        "x-on:click",
        "@click",
        "ng-init",
        "data-ng-init",
        "hx-on:click",
        "v-html",
        "v-on:click",
        "sandbox",
        "type",
        "id",
        "data-bind",
    ];
    changes.extend(names.map(attribute));
    let removed = ["sandbox", "type", "integrity"];
    changes.extend(removed.map(
        |name| json!({"type": "attribute", "selector": "iframe", "name": name, "value": null}),
    ));
    changes
}

/// Changes of a variation that show something else, and no more.
fn content() -> [Value; 6] {
    [
        json!({"type": "text", "selector": "h1", "value": "Save 20 % (today) @ home"}),
        json!({"type": "attribute", "selector": "img", "name": "alt", "value": "A mug"}),
        json!({"type": "attribute", "selector": "h1", "name": "aria-label", "value": "Mugs"}),
        json!({"type": "style", "selector": "h1", "name": "color", "value": "rgb(255 0 0 / 50%)"}),
        json!({"type": "css", "value": "@media (min-width: 40em) { .hero:hover { margin: calc(1px * 2) } }"}),
        json!({"type": "class", "selector": "h1", "value": "big"}),
    ]
}

#[track_caller]
fn assert_takes_code(outcome: Outcome, what: &Value) {
    let refusal = refused(outcome);
    assert!(refusal.needs_code(), "{what}: {refusal:?}");
}

#[tokio::test]
async fn an_editor_gets_no_code_into_a_variation() {
    let (shop, editor) = with_editor().await;
    let [_, short] = shop.variations().await;
    let before = shop.document().await;

    for change in smuggling() {
        let patch = json!({"changes": [change]});
        assert_takes_code(editor.change(Variation, &short, patch).await, &change);
    }

    assert_eq!(shop.document().await, before);
}

#[tokio::test]
async fn an_editor_gets_no_code_in_elsewhere() {
    let (shop, editor) = with_editor().await;
    let before = shop.document().await;
    let experiment = id(&shop.experiment().await);
    let code = json!([{"type": "javascript", "value": "x()"}]);
    let asked = json!(["or", {"type": "custom_code", "value": "return true"}]);
    let variations =
        json!([{"key": "original", "weight": 5000}, {"key": "b", "weight": 5000, "changes": code}]);
    let tag = json!({"key": "a", "locator": "return 1", "locator_type": "javascript"});
    let campaign = json!({
        "key": "x", "type": "ab_test", "pages": ["2001"],
        "experiments": [{"key": "x", "variations": [{"key": "a", "weight": 10_000, "changes": code}]}],
    });
    let changed: [(ResourceKind, &str, Value); 4] = [
        (Campaign, HERO, json!({"changes": code})),
        (Experiment, &experiment, json!({"variations": variations})),
        (Page, "2001", json!({"tags": [tag]})),
        (Page, "2001", json!({"activation": {"type": "polling", "code": "return 1"}})),
    ];
    let created = [
        (Audience, json!({"key": "x", "conditions": asked})),
        (Page, json!({"key": "x", "conditions": asked})),
        (Campaign, campaign),
    ];

    for (kind, name, patch) in changed {
        assert_takes_code(editor.change(kind, name, patch.clone()).await, &patch);
    }
    for (kind, sent) in created {
        assert_takes_code(editor.create(kind, sent.clone()).await, &sent);
    }
    for snippet in [json!({"javascript": "x()"}), json!({"global_aliases": ["fetch"]})] {
        let patch = json!({"snippet": snippet});
        assert_takes_code(editor.change_project(patch.clone()).await, &patch);
    }
    let phase = json!({"add_variations": [{"key": "b", "weight": 0, "changes": code}]});
    let phase = editor.start_phase(&experiment, phase).await.map(|phase| phase.experiment);
    assert_takes_code(phase, &code);
    assert_eq!(shop.document().await, before);
}

#[tokio::test]
async fn an_editor_gets_no_integration_in() {
    let (shop, editor) = with_editor().await;
    let before = shop.document().await;

    for integration in [
        json!({"type": "callback", "code": "x()"}),
        json!({"type": "ga4_gtm", "data_layer": "fetch"}),
        json!({"type": "ga4_gtag", "send_to": "G-OTHER"}),
    ] {
        let mut document = before.clone();
        document["integrations"] = json!([integration]);
        let refusal = refused(editor.replace(document, Removal::Refused).await);
        assert!(refusal.needs_code(), "{integration}: {refusal:?}");
    }

    assert_eq!(shop.document().await, before);
}

#[tokio::test]
async fn an_editor_changes_what_only_shows() {
    let (shop, editor) = with_editor().await;
    let [_, short] = shop.variations().await;

    for change in content() {
        let changed = editor.change(Variation, &short, json!({"changes": [change]})).await;
        assert!(changed.is_ok(), "{change}: {changed:?}");
    }
    let alias = json!({"snippet": {"global_aliases": ["optimizely"]}});
    assert!(editor.change_project(alias).await.is_ok());
}

#[tokio::test]
async fn only_an_admin_of_applications_writes_them_into_a_project() {
    let shop = Shop::with_hero().await;
    let of_project = shop.seen_by_new("adm", grant(Role::Admin, Some("1000"))).await;
    let of_server = shop.seen_by_new("bob", grant(Role::Admin, None)).await;
    let mut document = shop.document().await;
    document["applications"] = json!([
        {"client_id": "mine", "name": "Mine", "redirect_uris": ["https://mine.example/"]},
    ]);

    let refusal = refused(of_project.replace(document.clone(), Removal::Refused).await);
    let done = of_server.replace(document, Removal::Refused).await;

    assert!(matches!(refusal, Refusal::Role(_)) && !refusal.needs_code(), "{refusal:?}");
    assert!(done.is_ok(), "{done:?}");
}

#[tokio::test]
async fn only_members_with_the_right_write_code_and_others_may_reuse_it() {
    let (shop, editor) = with_editor().await;
    let with_code = RoleGrant { is_code_allowed: true, ..grant(Role::Editor, Some("1000")) };
    let coder = shop.seen_by_new("cor", with_code).await;
    let [original, short] = shop.variations().await;
    let code = json!({"changes": [{"type": "javascript", "value": "x()"}]});

    let before = editor.change(Variation, &original, code.clone()).await;
    let written = coder.change(Variation, &short, code.clone()).await;
    let again = editor.change(Variation, &original, code.clone()).await;

    assert_takes_code(before, &code);
    assert!(written.is_ok(), "{written:?}");
    assert!(again.is_ok(), "{again:?}");
}
