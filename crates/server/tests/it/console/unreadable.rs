//! A project whose stored draft cannot be read: its members see what is wrong, and repair it in the console.

use app::drafts::readable_draft;
use app::revisions::publish_draft;
use app::roles::Actor;
use storage::{
    Act, ActorKind, AuditEvent, ChangeDraft, DraftChanges, DraftDocument, NewAuditEntry, Role,
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
    let entry = NewAuditEntry {
        event: AuditEvent::DraftChanged,
        act: Act { by: ActorKind::Command, member: None, address: None, at },
        member: None,
        client_id: None,
        detail: String::new(),
        project: None,
    };
    let version = stored.head.draft_version;
    store.change_draft(ChangeDraft { project_id: id, version, draft, entry }).await.unwrap();
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
