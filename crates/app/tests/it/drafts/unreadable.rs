//! What an earlier version took and this one refuses stops one project only, and members repair it.

use app::documents::ResourceKind::{Campaign, Page};
use app::drafts::Removal::Refused;
use app::projects::{ProjectDescription, ProjectFilter, describe_projects};
use app::resources::{Archiving, State};
use app::revisions::{Restoration, restore_revision};
use serde_json::{Value, json};
use storage::{
    Act, ActorKind, AuditEvent, ChangeDraft, DraftChanges, DraftDocument, DraftUpdate, ManagedBy,
    NewAuditEntry, NewRevision, Precondition, Publication, Role, WhichProjects,
};

use crate::refusal::{Refusal, refused};
use crate::server::{ALL, grant};
use crate::shop::{HERO, Shop, anything, hero, only};

/// Why the drafts of these stories cannot be read.
const DRAFT: &str = "the draft of project 1000 cannot be read: ";

fn entry(shop: &Shop) -> NewAuditEntry {
    NewAuditEntry {
        event: AuditEvent::DraftChanged,
        act: Act { by: ActorKind::Command, member: None, address: None, at: shop.app().now() },
        member: None,
        client_id: None,
        detail: String::new(),
        project: None,
    }
}

/// The store has this text as the draft.
async fn db_has_draft(shop: &Shop, document: String) {
    let stored = shop.app().store().find_draft(shop.id).await.unwrap().unwrap();
    let at = shop.app().now();
    let draft = DraftDocument {
        key: stored.key,
        name: stored.name,
        is_archived: stored.is_archived,
        document,
        changes: DraftChanges { at, by: "Ann".to_owned(), changes: Vec::new() },
    };
    let version = stored.head.draft_version;
    let change = ChangeDraft { project_id: shop.id, version, draft, entry: entry(shop) };
    shop.app().store().change_draft(change).await.unwrap().unwrap();
}

/// A draft in which the campaign has an id that an earlier version took.
async fn db_has_unreadable_draft(shop: &Shop) {
    let stored = shop.app().store().find_draft(shop.id).await.unwrap().unwrap();
    db_has_draft(shop, stored.document.replace("\"3001\"", "\"0\"")).await;
}

/// A live document in which the campaign has such an id.
async fn db_has_unreadable_live(shop: &Shop) {
    let stored = shop.app().store().find_draft(shop.id).await.unwrap().unwrap();
    let revision = NewRevision {
        project_id: shop.id,
        document: stored.document.replace("\"3001\"", "\"0\""),
        document_hash: "0".repeat(64),
        snippet_hash: "0".repeat(32),
        javascript: String::new(),
        brotli: Vec::new(),
        gzip: Vec::new(),
        author: "Ann".to_owned(),
        message: String::new(),
        restored_from: None,
        created_at: shop.app().now(),
        moments: Vec::new(),
    };
    let publication = Publication {
        revision,
        precondition: Precondition::default(),
        settled: Vec::new(),
        draft: DraftUpdate::Keep,
        managed_by: ManagedBy::Store,
        announcements: Vec::new(),
        entry: entry(shop),
    };
    shop.app().store().publish_revision(publication).await.unwrap();
}

fn said(refusal: Refusal) -> String {
    let Refusal::Other(words) = refusal else { panic!("{refusal:?}") };
    words
}

/// The tag of the draft, as a plan tells it.
async fn tag(shop: &Shop, document: &Value) -> Value {
    json!(shop.plan(document.clone()).await.unwrap().tag)
}

async fn described(shop: &Shop) -> Vec<ProjectDescription> {
    let filter = ProjectFilter::from(WhichProjects::Current);
    describe_projects(shop.app(), &shop.actor, &filter, ALL).await.unwrap().0
}

#[tokio::test]
async fn a_draft_that_cannot_be_read_is_named_with_its_first_fault() {
    let shop = Shop::with_hero().await;
    db_has_unreadable_draft(&shop).await;

    let refusals = [
        refused(shop.find(Page, "2001").await),
        refused(shop.change_project(json!({"name": "New"})).await),
        refused(shop.archive_project(Archiving::Archive).await),
        refused(shop.publish("").await),
    ];

    for refusal in refusals {
        let words = said(refusal);
        assert!(words.starts_with(DRAFT) && words.contains("at `/campaigns/0/id`"), "{words}");
    }
    db_has_draft(&shop, "{\"version\": 1".to_owned()).await;
    let words = said(refused(shop.find(Page, "2001").await));
    assert!(words.starts_with(DRAFT) && words.contains("line 1 column 13"), "{words}");
}

#[tokio::test]
async fn a_whole_document_replaces_a_draft_that_cannot_be_read() {
    let shop = Shop::running().await;
    let (mut document, seen) = (shop.document().await, json!(shop.draft_tag().await));
    document["campaigns"][0]["name"] = json!("Mended");
    document["campaigns"][0].as_object_mut().unwrap().remove("status");
    db_has_unreadable_draft(&shop).await;

    let late = refused(shop.replace_if((document.clone(), only(&seen)), Refused).await);
    assert!(matches!(late, Refusal::Changed { .. }), "{late:?}");
    let now = tag(&shop, &document).await;
    shop.replace_if((document, only(&now)), Refused).await.unwrap();

    let campaign = shop.get(Campaign, HERO).await;
    assert_eq!((&campaign["name"], &campaign["status"]), (&json!("Mended"), &json!("running")));
    let change = &shop.server.audit().await[0].project.clone().unwrap().change;
    assert!(change.contains("Mended") && change.contains("/pages"), "all of it: {change}");
}

#[tokio::test]
async fn a_project_that_was_never_published_is_repaired_too() {
    let shop = Shop::with_hero().await;
    let document = shop.document().await;
    db_has_draft(&shop, "damaged".to_owned()).await;

    shop.replace(document.clone(), Refused).await.unwrap();

    assert_eq!(shop.document().await, document);
}

#[tokio::test]
async fn a_draft_that_cannot_be_read_takes_no_document_of_another_project_and_no_code_of_an_editor()
{
    let shop = Shop::with_hero().await;
    let mut document = shop.document().await;
    document["campaigns"][0]["experiments"][0]["variations"][1]["changes"] =
        json!([{"type": "javascript", "value": "alert(1)"}]);
    let editor = shop.seen_by_new("bob", grant(Role::Editor, Some("1000"))).await;
    db_has_unreadable_draft(&shop).await;

    let code = refused(editor.replace(document.clone(), Refused).await);
    document["project"]["key"] = json!("blog");
    let other = refused(shop.replace(document, Refused).await);

    assert!(code.needs_code(), "{code:?}");
    assert_eq!(other.places(), ["/project/key"]);
}

#[tokio::test]
async fn a_draft_that_cannot_be_read_is_discarded() {
    let shop = Shop::running().await;
    let (document, seen) = (shop.document().await, json!(shop.draft_tag().await));
    db_has_unreadable_draft(&shop).await;

    let late = refused(shop.discard_draft(only(&seen)).await);
    assert!(matches!(late, Refusal::Changed { .. }), "{late:?}");
    shop.discard_draft(only(&tag(&shop, &document).await)).await.unwrap();

    assert_eq!(shop.document().await, document);
    assert_eq!(shop.unpublished().await.differences, []);
}

#[tokio::test]
async fn a_revision_goes_live_again_beside_a_draft_that_cannot_be_read() {
    let shop = Shop::with_hero().await;
    shop.publish("One").await.unwrap();
    shop.change(Campaign, HERO, json!({"name": "Two"})).await.unwrap();
    shop.publish("Two").await.unwrap();
    let seen = shop.project().await;
    db_has_unreadable_draft(&shop).await;
    let restore = async |expected| {
        let restoration = Restoration { number: 1, message: String::new(), expected };
        restore_revision(shop.app(), &shop.actor, shop.id, restoration).await
    };

    let late = refused(restore(Some(only(&seen))).await.map_err(Refusal::from));
    let Refusal::Changed { current, .. } = late else { panic!("{late:?}") };
    restore(Some(only(&current))).await.unwrap();

    assert_eq!(shop.live_number().await, Some(3));
    let live = shop.revision(3).await;
    assert_eq!(live["campaigns"][0]["name"], "Hero");
}

#[tokio::test]
async fn a_live_document_that_cannot_be_read_blocks_no_better_one() {
    let shop = Shop::with_hero().await;
    db_has_unreadable_live(&shop).await;
    let shop = shop.restarted();

    let words = said(refused(shop.find_in(State::Live, Campaign, HERO).await));
    assert!(words.starts_with("revision 1 of project 1000 cannot be read: "), "{words}");
    shop.change(Campaign, HERO, json!({"name": "Mended"})).await.unwrap();
    shop.replace(shop.document().await, Refused).await.unwrap();
    shop.publish("Mended").await.unwrap();

    let live = shop.find_in(State::Live, Campaign, HERO).await.unwrap();
    assert_eq!(live["name"], "Mended");
}

#[tokio::test]
async fn a_list_has_projects_with_documents_that_cannot_be_read() {
    let shop = Shop::running().await;
    shop.begin("1001", "blog").await.unwrap();
    db_has_unreadable_draft(&shop).await;

    let [damaged, blog] = &described(&shop).await[..] else { panic!() };
    assert_eq!((damaged.key.as_str(), damaged.draft.is_none()), ("shop", true));
    assert_eq!(damaged.live.as_ref().unwrap().content.unwrap().running, 1);
    assert_eq!(blog.draft.unwrap().campaigns, 0);

    shop.discard_draft(anything()).await.unwrap();
    assert_eq!(described(&shop).await[0].draft.unwrap().campaigns, 1);
    db_has_unreadable_live(&shop).await;
    let live = described(&shop).await[0].live.clone().unwrap();
    assert_eq!((live.revision, live.content.is_none()), (2, true));
}

#[tokio::test]
async fn a_list_tells_what_has_changed_since_it_was_read_last() {
    let shop = Shop::with_hero().await;
    let told = async || {
        let one = described(&shop).await.remove(0);
        let draft = one.draft.unwrap();
        (one.name.unwrap(), draft.campaigns, draft.is_changed, one.live.map(|live| live.revision))
    };

    assert_eq!(told().await, ("Shop".to_owned(), 1, true, None));
    shop.publish("").await.unwrap();
    assert_eq!(told().await, ("Shop".to_owned(), 1, false, Some(1)));
    shop.change_project(json!({"name": "Store"})).await.unwrap();
    assert_eq!(told().await, ("Store".to_owned(), 1, true, Some(1)));
    shop.has(Campaign, hero("3002", "other")).await;
    assert_eq!(told().await, ("Store".to_owned(), 2, true, Some(1)));
}
