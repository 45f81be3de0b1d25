//! The settings of a project.

use app::documents::ResourceKind;
use app::drafts::{ExpectedVersion, project_view, readable_draft};
use app::resources::{change_project, change_resource};
use app::roles::Actor;
use serde_json::{Value, json};
use storage::Role;

use super::filled_form::FilledForm;
use super::{browser_of, shop};
use crate::site::Site;

const SETTINGS: &str = "/projects/1000/settings";

async fn settings(site: &Site) -> Value {
    let draft = readable_draft(&site.app, &Actor::Command, "1000".parse().unwrap()).await;
    project_view(&draft.unwrap())
}

/// Another member renames the project over REST, and changes a page.
async fn meanwhile(site: &Site, name: &str) {
    let (id, changes) = ("1000".parse().unwrap(), json!({ "name": name }));
    let changes = changes.as_object().unwrap().clone();
    let page = (ResourceKind::Page, "2001".to_owned());
    let of_page = (changes.clone(), ExpectedVersion::any());
    change_resource(&site.app, &Actor::Command, id, page, of_page).await.unwrap();
    let any = ExpectedVersion::any();
    change_project(&site.app, &Actor::Command, id, changes, any).await.unwrap();
}

#[tokio::test]
async fn an_editor_changes_settings_and_nothing_else() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;
    let before = settings(&site).await;

    let unchanged = FilledForm::of(&browser.open(SETTINGS).await).save(&browser).await;
    let form = FilledForm::of(&browser.open(SETTINGS).await)
        .with("/name", " Ann's <b>shop ")
        .with("/holdback", "2.5 %")
        .with("/snippet/respect_dnt", "true")
        .with("/snippet/consent", "required")
        .with("/snippet/global_aliases", "optimizely\r\n\r\n");
    let saved = form.save(&browser).await;

    assert_eq!(unchanged.location(), format!("{SETTINGS}?done=unchanged"));
    assert_eq!(saved.location(), format!("{SETTINGS}?done=saved"));
    let mut wanted = before.clone();
    (wanted["name"], wanted["holdback"]) = (json!("Ann's <b>shop"), json!(250));
    let snippet = &mut wanted["snippet"];
    (snippet["respect_dnt"], snippet["consent"]) = (json!(true), json!("required"));
    snippet["global_aliases"] = json!(["optimizely"]);
    let after = settings(&site).await;
    for field in ["id", "key", "name", "holdback", "archived", "snippet"] {
        assert_eq!(after[field], wanted[field], "{field}");
    }
    let page = browser.open(saved.location()).await.body;
    assert!(page.contains("Saved in the draft.") && page.contains("Ann&#39;s &#60;b&#62;shop"));
}

#[tokio::test]
async fn a_fault_is_shown_at_its_field_and_what_was_typed_stays() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;

    let form = FilledForm::of(&browser.open(SETTINGS).await)
        .with("/key", "No key")
        .with("/snippet/visitor_id/source", "query");
    let refused = form.save(&browser).await;

    assert_eq!(refused.status.as_u16(), 422);
    for at in ["/key", "/snippet/visitor_id/name"] {
        assert!(refused.body.contains(&format!("<a href=\"#{at}\">")), "{at}: {}", refused.body);
    }
    assert_eq!(FilledForm::of(&refused).value("/key"), "No key");
    assert_eq!(settings(&site).await["key"], "shop");
}

#[tokio::test]
async fn two_members_keep_both_of_their_changes() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;
    let form = FilledForm::of(&browser.open(SETTINGS).await);
    meanwhile(&site, "Theirs").await;

    let both = form.with("/holdback", "5").save(&browser).await;
    let shown = FilledForm::of(&both).press(&browser, "show").await;
    let saved = FilledForm::of(&both).save(&browser).await;

    assert_eq!(both.status.as_u16(), 409);
    assert!(both.body.contains("Theirs"), "{}", both.body);
    assert_eq!(FilledForm::of(&shown).value("/name"), "Theirs");
    assert_eq!(saved.location(), format!("{SETTINGS}?done=saved"));
    let after = settings(&site).await;
    assert_eq!((&after["name"], &after["holdback"]), (&json!("Theirs"), &json!(500)));
}

#[tokio::test]
async fn a_change_of_a_resource_is_no_conflict_with_settings() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;
    meanwhile(&site, "Shop").await;
    let form = FilledForm::of(&browser.open(SETTINGS).await);
    meanwhile(&site, "Shop").await;

    let saved = form.with("/name", "Mine").save(&browser).await;

    assert_eq!(saved.location(), format!("{SETTINGS}?done=saved"));
}

#[tokio::test]
async fn code_takes_the_right_to_code_and_a_viewer_only_reads() {
    let site = shop().await;
    let viewer = browser_of(&site, "vic", Role::Viewer).await;
    let editor = browser_of(&site, "ann", Role::Editor).await;
    let page = viewer.open(SETTINGS).await;

    let of_viewer = FilledForm::of(&page).with("/name", "Mine").save(&viewer).await;
    let code = FilledForm::of(&editor.open(SETTINGS).await).with("/snippet/javascript", "steal();");
    let of_editor = code.save(&editor).await;
    let mut forged = FilledForm::of(&editor.open(SETTINGS).await);
    forged = forged.with("csrf", "x").with("/name", "Mine");

    assert!(page.body.contains("an admin can make you one") && page.body.contains("disabled"));
    assert_eq!(of_viewer.status.as_u16(), 403);
    assert!(matches!(of_editor.status.as_u16(), 403 | 422), "{}", of_editor.body);
    assert!(of_editor.body.contains("steal();"), "what was typed stays: {}", of_editor.body);
    assert_eq!(forged.save(&editor).await.status.as_u16(), 403);
    let after = settings(&site).await;
    assert_eq!((&after["name"], &after["snippet"]["javascript"]), (&json!("Shop"), &Value::Null));
}

#[tokio::test]
async fn an_origin_that_was_copied_with_its_slash_is_taken() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;
    let form = FilledForm::of(&browser.open(SETTINGS).await);

    let pasted = "https://shop.example/\r\nhttps://*.shop.example";
    let saved = form.clone().with("/origins", pasted).save(&browser).await;
    let refused = form.with("/origins", "https://shop.example/cart/").save(&browser).await;

    assert_eq!(saved.location(), format!("{SETTINGS}?done=saved"), "{}", saved.body);
    let origins = json!(["https://shop.example", "https://*.shop.example"]);
    assert_eq!(settings(&site).await["origins"], origins);
    assert_ne!(refused.status.as_u16(), 303);
}
