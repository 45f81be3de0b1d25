//! A project whose stored draft or live revision cannot be read: its members see what is wrong, and repair it in the console.

use app::drafts::readable_draft;
use app::revisions::publish_draft;
use app::roles::Actor;
use storage::{
    Act, ActorKind, AuditEvent, ChangeDraft, DraftChanges, DraftDocument, DraftUpdate, ManagedBy,
    NewAuditEntry, NewRevision, Precondition, Publication, PublishOutcome, Role,
};

use super::{browser_of, shop};
use crate::browser::{Browser, hidden_fields};
use crate::site::{Answer, Site};

/// The draft has an id that an earlier version took.
async fn db_has_unreadable_draft(site: &Site) {
    let (store, id) = (site.app.store(), "1000".parse().unwrap());
    let stored = store.find_draft(id).await.unwrap().unwrap();
    let at = site.app.now();
    let draft = DraftDocument {
        key: stored.key,
        name: stored.name,
        is_archived: stored.is_archived,
        document: stored.document.replace("\"6001\"", "\"0\""),
        changes: DraftChanges { at, by: "Ann".to_owned(), changes: Vec::new() },
    };
    let entry = entry(site, AuditEvent::DraftChanged);
    let version = stored.head.draft_version;
    store.change_draft(ChangeDraft { project_id: id, version, draft, entry }).await.unwrap();
}

/// What is live has such an id, too.
async fn db_has_unreadable_revision(site: &Site) {
    let (store, id) = (site.app.store(), "1000".parse().unwrap());
    let stored = store.find_draft(id).await.unwrap().unwrap();
    let text = || "unreadable".to_owned();
    let revision = NewRevision {
        project_id: id,
        document: stored.document.replace("\"6001\"", "\"0\""),
        document_hash: text(),
        snippet_hash: text(),
        javascript: text(),
        brotli: Vec::new(),
        gzip: Vec::new(),
        author: "Ann".to_owned(),
        message: String::new(),
        restored_from: None,
        created_at: site.app.now(),
        moments: Vec::new(),
    };
    let publication = Publication {
        revision,
        precondition: Precondition::default(),
        settled: Vec::new(),
        draft: DraftUpdate::Keep,
        managed_by: ManagedBy::Store,
        announcements: Vec::new(),
        entry: entry(site, AuditEvent::RevisionPublished),
    };
    let outcome = store.publish_revision(publication).await.unwrap();
    assert!(matches!(outcome, PublishOutcome::Published(_)), "{outcome:?}");
}

fn entry(site: &Site, event: AuditEvent) -> NewAuditEntry {
    NewAuditEntry {
        event,
        act: Act { by: ActorKind::Command, member: None, address: None, at: site.app.now() },
        member: None,
        client_id: None,
        detail: String::new(),
        project: None,
    }
}

async fn published() -> Site {
    let site = shop().await;
    let project = "1000".parse().unwrap();
    publish_draft(&site.app, &Actor::Command, project, String::new(), |_| true).await.unwrap();
    site
}

async fn is_readable(site: &Site) -> bool {
    readable_draft(&site.app, &Actor::Command, "1000".parse().unwrap()).await.is_ok()
}

/// Sends the form of a page that has the tag of the draft.
async fn send(browser: &Browser<'_>, path: &str, page: &str) -> Answer {
    let (before, _) = page.split_once("name=\"draft\"").unwrap();
    let fields = hidden_fields(&page[before.rfind("<form").unwrap()..]);
    let fields: Vec<_> =
        fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    browser.post(path, &fields).await
}

#[tokio::test]
async fn the_first_page_shows_it_and_its_own_page_says_what_is_wrong() {
    let site = published().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;
    db_has_unreadable_draft(&site).await;

    let list = browser.open("/").await;
    let own = browser.open("/projects/1000").await;

    assert_eq!(list.status.as_u16(), 200);
    assert!(list.body.contains("<a href=\"/projects/1000\">Shop</a>"), "{}", list.body);
    assert!(list.body.contains("The draft cannot be read") && list.body.contains("Revision 1"));
    assert_eq!(own.status.as_u16(), 500);
    assert!(own.body.contains("The draft of project 1000 cannot be read: "), "{}", own.body);
    assert!(own.body.contains("/attributes/0/id"), "{}", own.body);
    assert!(own.body.contains("href=\"/projects/1000/discard\""), "{}", own.body);
    assert_eq!(browser.open("/projects/1000/history").await.status.as_u16(), 200);
}

#[tokio::test]
async fn a_member_discards_it() {
    let site = published().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;
    db_has_unreadable_draft(&site).await;
    let page = browser.open("/projects/1000/discard").await.body;
    assert!(page.contains("The draft of project 1000 cannot be read: "), "{page}");

    let done = send(&browser, "/projects/1000/discard", &page).await;

    assert_eq!(done.location(), "/projects/1000?done=discarded");
    assert!(is_readable(&site).await);
}

#[tokio::test]
async fn a_member_restores_a_revision_into_it() {
    let site = published().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;
    db_has_unreadable_draft(&site).await;
    let page = browser.open("/projects/1000/history/1").await.body;

    let done = send(&browser, "/projects/1000/history/1/restore", &page).await;

    assert_eq!(done.location(), "/projects/1000/history?done=restored");
    assert!(is_readable(&site).await);
}

#[tokio::test]
async fn a_viewer_repairs_nothing() {
    let site = published().await;
    let browser = browser_of(&site, "ann", Role::Viewer).await;
    db_has_unreadable_draft(&site).await;
    let page = browser.open("/projects/1000/discard").await.body;
    assert!(page.contains("Your role does not allow discarding."), "{page}");

    let refused = send(&browser, "/projects/1000/discard", &page).await;

    assert_eq!(refused.status.as_u16(), 403);
    assert!(!is_readable(&site).await);
}

#[tokio::test]
async fn a_member_publishes_the_draft_in_the_place_of_a_live_revision_that_cannot_be_read() {
    let site = published().await;
    let browser = browser_of(&site, "ann", Role::Publisher).await;
    db_has_unreadable_revision(&site).await;

    let page = browser.open("/projects/1000").await;
    let elsewhere = browser.open("/projects/1000/size").await;
    let done = send(&browser, "/projects/1000/publish", &page.body).await;
    let after = browser.open("/projects/1000").await;

    assert_eq!(page.status.as_u16(), 200, "{}", page.body);
    assert!(page.body.contains("Revision 2 of project 1000 cannot be read: "), "{}", page.body);
    assert!(page.body.contains("href=\"/projects/1000/history\""), "{}", page.body);
    assert_eq!(elsewhere.status.as_u16(), 500);
    assert!(elsewhere.body.contains("href=\"/projects/1000\">First page"), "{}", elsewhere.body);
    assert_eq!(done.location(), "/projects/1000?done=published", "{}", done.body);
    assert_eq!(after.status.as_u16(), 200);
    assert!(after.body.contains("what visitors get"), "{}", after.body);
}

#[tokio::test]
async fn an_editor_is_told_who_can_replace_an_unreadable_revision() {
    let site = published().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;
    db_has_unreadable_revision(&site).await;

    let page = browser.open("/projects/1000").await;

    assert!(page.body.contains("A publisher or an admin of this project can."), "{}", page.body);
    assert_eq!(send(&browser, "/projects/1000/publish", &page.body).await.status.as_u16(), 403);
}
