//! The history of a project, and what was published before restored into the draft.

use app::documents::ResourceKind;
use app::drafts::{ExpectedVersion, Removal, Replacement, readable_draft, replace_document};
use app::resources::change_resource;
use app::revisions::publish_draft;
use app::roles::Actor;
use serde_json::{Value, json};
use storage::Role;

use super::{browser_of, resource, shop};
use crate::browser::{form_token, hidden_fields};
use crate::site::Site;

const HISTORY: &str = "/projects/1000/history";

/// Publishes the draft after its attribute got this name.
async fn publish_with(site: &Site, name: &str, message: &str) {
    let project = "1000".parse().unwrap();
    rename(site, name).await;
    let message = message.to_owned();
    publish_draft(&site.app, &Actor::Command, project, message, |_| true).await.unwrap();
}

async fn rename(site: &Site, name: &str) {
    let (project, plan) = ("1000".parse().unwrap(), (ResourceKind::Attribute, "6001".to_owned()));
    let change = json!({ "name": name }).as_object().unwrap().clone();
    let change = (change, ExpectedVersion::any());
    change_resource(&site.app, &Actor::Command, project, plan, change).await.unwrap();
}

/// The name of the attribute in the draft.
async fn name_of(site: &Site) -> String {
    let plan = resource(site, ResourceKind::Attribute, "6001").await;
    plan["name"].as_str().unwrap().to_owned()
}

/// What the form that restores carries: it comes after the one that signs out.
fn restoring_fields(page: &str) -> Vec<(String, String)> {
    let (_, form) = page.split_once("<form class=\"inset\"").unwrap();
    hidden_fields(form)
}

#[tokio::test]
async fn revisions_are_listed_newest_first_and_say_who_published_them_and_why() {
    let site = shop().await;
    let browser = browser_of(&site, "vic", Role::Viewer).await;
    let before = browser.open(HISTORY).await.body;
    publish_with(&site, "First", "<b>Begin</b>").await;
    publish_with(&site, "Second", "Go on").await;

    let list = browser.open(HISTORY).await.body;
    let beyond = browser.open(&format!("{HISTORY}?page=4294967295")).await;

    assert!(before.contains("Nothing is published yet"), "{before}");
    let place = |text: &str| list.find(text).unwrap_or_else(|| panic!("no {text} in {list}"));
    assert!(place(">Revision 2</a> <span class=\"pill good\">live</span>") < place(">Revision 1<"));
    assert!(place("Go on") < place("&#60;b&#62;Begin&#60;/b&#62;"));
    assert!(list.contains("2 in all."), "{list}");
    assert_eq!(beyond.status.as_u16(), 200);
    assert!(beyond.body.contains("no revisions on this page"), "{}", beyond.body);
}

#[tokio::test]
async fn an_editor_restores_a_revision_into_the_draft_and_nothing_goes_live() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;
    publish_with(&site, "First", "Begin").await;
    publish_with(&site, "Second", "Go on").await;

    let asked = browser.open(&format!("{HISTORY}/1")).await;
    let fields = restoring_fields(&asked.body);
    let fields: Vec<_> =
        fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let restored = browser.post(&format!("{HISTORY}/1/restore"), &fields).await;
    let again = browser.post(&format!("{HISTORY}/1/restore"), &fields).await;

    assert_eq!(restored.location(), format!("{HISTORY}?done=restored"));
    let list = browser.open(restored.location()).await.body;
    assert!(list.contains("Restored into the draft.") && list.contains("2 in all."), "{list}");
    assert_eq!(name_of(&site).await, "First");
    assert_eq!(again.location(), restored.location(), "a double click");
}

#[tokio::test]
async fn a_draft_that_changed_meanwhile_is_not_replaced() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;
    publish_with(&site, "First", "Begin").await;
    let asked = browser.open(&format!("{HISTORY}/1")).await;
    let tag = |body: &str| {
        let fields = restoring_fields(body);
        fields.into_iter().find(|(name, _)| name == "draft").unwrap().1
    };
    rename(&site, "Meanwhile").await;

    let csrf = form_token(&asked).to_owned();
    let stale = [("csrf", csrf.as_str()), ("draft", &tag(&asked.body))];
    let refused = browser.post(&format!("{HISTORY}/1/restore"), &stale).await;
    let fresh = tag(&refused.body);
    let kept = name_of(&site).await;
    let seen = [("csrf", csrf.as_str()), ("draft", fresh.as_str())];
    let restored = browser.post(&format!("{HISTORY}/1/restore"), &seen).await;

    assert_eq!((refused.status.as_u16(), kept.as_str()), (409, "Meanwhile"));
    assert!(refused.body.contains("another member has changed this meanwhile"));
    assert_eq!(restored.location(), format!("{HISTORY}?done=restored"));
    assert_eq!(name_of(&site).await, "First");
}

#[tokio::test]
async fn a_viewer_sees_who_may_restore_and_no_forged_form_does() {
    let site = shop().await;
    let viewer = browser_of(&site, "vic", Role::Viewer).await;
    let editor = browser_of(&site, "ann", Role::Editor).await;
    publish_with(&site, "First", "Begin").await;
    rename(&site, "Kept").await;
    let page = viewer.open(&format!("{HISTORY}/1")).await;
    let draft = readable_draft(&site.app, &Actor::Command, "1000".parse().unwrap()).await.unwrap();

    let csrf = form_token(&page).to_owned();
    let fields = [("csrf", csrf.as_str()), ("draft", draft.tag.as_str())];
    let of_viewer = viewer.post(&format!("{HISTORY}/1/restore"), &fields).await;
    let forged = editor.post(&format!("{HISTORY}/1/restore"), &fields).await;
    let unknown = editor.open(&format!("{HISTORY}/7")).await;

    assert!(page.body.contains("Its editors can restore a revision."), "{}", page.body);
    assert!(page.body.contains("disabled aria-describedby=\"no-restoring\""));
    assert_eq!((of_viewer.status.as_u16(), forged.status.as_u16()), (403, 403));
    assert_eq!(unknown.status.as_u16(), 404);
    for path in ["/projects/9/history", "/projects/1000/history/x", "/projects/9/history/1"] {
        assert_ne!(editor.open(path).await.status.as_u16(), 200, "{path}");
    }
    assert_eq!(name_of(&site).await, "Kept");
}

#[tokio::test]
async fn any_two_states_are_compared_in_words() {
    let site = shop().await;
    let browser = browser_of(&site, "vic", Role::Viewer).await;
    publish_with(&site, "First", "<b>Begin</b>").await;
    publish_with(&site, "Second", "Go on").await;
    rename(&site, "Third").await;
    let compare = async |query: &str| browser.open(&format!("{HISTORY}/compare{query}")).await;

    let usual = compare("").await.body;
    let revisions = compare("?from=1&to=2").await.body;
    let backwards = compare("?from=draft&to=1").await.body;
    let same = compare("?from=2&to=live").await.body;

    assert!(usual.contains("<del>Second</del>") && usual.contains("<ins>Third</ins>"), "{usual}");
    let (first, second) = ("<del>First</del>", "<ins>Second</ins>");
    assert!(revisions.contains(first) && revisions.contains(second), "{revisions}");
    assert!(revisions.contains("<option value=\"1\" selected>Revision 1,"), "{revisions}");
    assert!(revisions.contains(": &#60;b&#62;Begin"), "{revisions}");
    let (third, first) = ("<del>Third</del>", "<ins>First</ins>");
    assert!(backwards.contains(third) && backwards.contains(first), "{backwards}");
    assert!(same.contains("Nothing differs."), "{same}");
    for wrong in ["?from=9&to=1", "?from=%3Cb%3E&to=draft"] {
        let refused = compare(wrong).await;
        assert_eq!(refused.status.as_u16(), 404, "{wrong}");
        assert!(refused.body.contains("no such state") && !refused.body.contains("<b>"));
    }
    let foreign = browser.open("/projects/9/history/compare").await.status.as_u16();
    assert!(matches!(foreign, 403 | 404), "{foreign}");
}

#[tokio::test]
async fn a_viewer_reads_who_changed_what_and_narrows_it() {
    let site = shop().await;
    let vic = browser_of(&site, "vic", Role::Viewer).await;
    publish_with(&site, "First", "<b>Begin</b>").await;
    site.advance_seconds(1);
    rename(&site, "Second").await;
    let search = async |query: &str| vic.open(&format!("{HISTORY}/changes{query}")).await.body;

    let list = vic.open(HISTORY).await.body;
    let all = search("").await;
    let attributes = search("?resource=attribute").await;
    let publications = search("?resource=revision&until=2999-12-31").await;
    let [nobody, early, beyond] = ["?by=nobody", "?until=1999-01-01", "?page=4294967295"];

    assert!(list.contains(&format!("href=\"{HISTORY}/changes\"")), "{list}");
    let place = |text: &str| all.find(text).unwrap_or_else(|| panic!("no {text} in {all}"));
    assert!(place("<ins>Second</ins>") < place(&format!("href=\"{HISTORY}/1\"")));
    assert!(place("&#60;b&#62;Begin") < place("<ins>First</ins>"));
    assert!(!all.contains("project › "), "no more than changed is told: {all}");
    assert!(attributes.contains("<ins>First</ins>") && !attributes.contains("Begin"));
    assert!(publications.contains("Begin") && !publications.contains("<ins>"));
    assert!(search(nobody).await.contains("Nothing matches"));
    assert!(search(early).await.contains("Nothing matches"));
    assert!(search(beyond).await.contains("no such page"));
    let foreign = vic.open("/projects/9/history/changes").await.status.as_u16();
    assert!(matches!(foreign, 403 | 404), "{foreign}");
}

/// Makes this of the draft.
async fn edit(site: &Site, change: impl FnOnce(&mut Value)) {
    let project = "1000".parse().unwrap();
    let draft = readable_draft(&site.app, &Actor::Command, project).await.unwrap();
    let mut document = serde_json::to_value(&*draft.document).unwrap();
    change(&mut document);
    let (removal, expected) = (Removal::Wanted, ExpectedVersion::any());
    let replacement = Replacement { document, removal, expected };
    replace_document(&site.app, &Actor::Command, project, replacement).await.unwrap();
    site.advance_seconds(1);
}

#[tokio::test]
async fn a_new_order_is_told_and_what_is_gone_is_no_link() {
    let site = shop().await;
    let vic = browser_of(&site, "vic", Role::Viewer).await;
    let variations = |first: Value, second: Value| {
        move |document: &mut Value| {
            document["campaigns"][0]["experiments"][0]["variations"] = json!([first, second]);
        }
    };
    let [control, other] = [("5001", "Control"), ("5009", "Other")].map(|(id, name)| {
        move |weight: u32| json!({"id": id, "key": name.to_lowercase(), "name": name, "weight": weight})
    });
    let plan = |document: &mut Value| document["attributes"][0]["name"] = "Plan".into();
    edit(&site, variations(control(5_000), other(5_000))).await;
    edit(&site, variations(other(4_000), control(6_000))).await;
    edit(&site, plan).await;
    edit(&site, |document| {
        document["attributes"] = json!([]);
        document["audiences"] = json!([]);
    })
    .await;
    edit(&site, |document| document["project"]["name"] = "Store".into()).await;

    let all = vic.open(&format!("{HISTORY}/changes")).await.body;
    let settings = vic.open(&format!("{HISTORY}/changes?resource=project")).await.body;

    assert!(all.contains("<dt>variations</dt>"), "{all}");
    let (before, after) = all.split_once("Control, Other</del>").unwrap_or_else(|| panic!("{all}"));
    assert!(before.ends_with("<del>") && after.contains("<ins>Other, Control</ins>"), "{all}");
    assert!(all.contains("40 %") && !all.contains("variations › "), "{all}");
    assert!(all.contains("6001") && !all.contains("/attributes/6001"), "{all}");
    assert!(settings.contains("<ins>Store</ins>"), "{settings}");
    assert_eq!(settings.matches("<section class=\"panel\" aria-label=").count(), 2, "{settings}");
}
