//! Preview links.

use domain::ProjectId;
use storage::{
    AuditEvent, ListRange, NewAuditEntry, NewKeys, NewProject, PREVIEW_LINKS_AT_MOST, Store,
    StoredPreviewLink,
};

use crate::given::{HOUR, at, member};
use crate::revisions::{draft_of, entry, project};

/// A link of project 1 with this id, made so many seconds into the story, good for an hour.
pub(crate) fn link(id: &str, seconds: i64) -> StoredPreviewLink {
    StoredPreviewLink {
        id: id.to_owned(),
        project: project(1),
        url: "https://shop.example/?größe=1".to_owned(),
        variations: vec!["5002".parse().unwrap(), "5012".parse().unwrap()],
        is_switchable: false,
        is_draft: false,
        member: None,
        made_by: "ann@example.com".to_owned(),
        made_at: at(seconds),
        expires_at: at(seconds + HOUR),
        revoked_at: None,
        last_opened_at: None,
    }
}

fn revoking(seconds: i64) -> NewAuditEntry {
    let mut entry = entry(AuditEvent::PreviewLinkRevoked, 1);
    entry.act.at = at(seconds);
    entry
}

pub(crate) async fn with_projects(store: &dyn Store) {
    for number in [1, 2] {
        let (id, draft) = (project(number), draft_of(number, "a"));
        let entry = entry(AuditEvent::ProjectAdded, number);
        store.add_project(NewProject { id, draft, entry }).await.unwrap();
    }
}

pub(crate) async fn add(store: &dyn Store, link: StoredPreviewLink) -> bool {
    store.add_preview_link(link, entry(AuditEvent::PreviewLinkMade, 1)).await.unwrap()
}

async fn find(store: &dyn Store, id: &str, seconds: i64) -> Option<StoredPreviewLink> {
    store.find_preview_link(id, at(seconds)).await.unwrap().map(|link| (*link).clone())
}

async fn ids(store: &dyn Store, project: ProjectId) -> Vec<String> {
    let links = store.list_preview_links(project).await.unwrap();
    links.into_iter().map(|link| link.id).collect()
}

async fn audited(store: &dyn Store) -> Vec<AuditEvent> {
    let log = store.list_audit_entries(ListRange { page: 1, per_page: 2 }).await.unwrap();
    log.into_iter().map(|entry| entry.event).collect()
}

pub(crate) async fn a_link_comes_back_as_it_was_made(store: &dyn Store) {
    with_projects(store).await;
    let plain = link("one", 0);
    let member = Some(member(store).await);
    let draft = StoredPreviewLink { is_switchable: true, is_draft: true, member, ..link("two", 1) };

    assert!(add(store, plain.clone()).await && add(store, draft.clone()).await);

    for _ in ["from the database", "from the cache"] {
        assert_eq!(find(store, "one", 2).await, Some(plain.clone()));
        assert_eq!(find(store, "two", 2).await, Some(draft.clone()));
    }
    assert_eq!(find(store, "three", 2).await, None);
    assert_eq!(audited(store).await, [AuditEvent::PreviewLinkMade; 2]);
}

pub(crate) async fn a_project_lists_its_links_those_made_last_first(store: &dyn Store) {
    with_projects(store).await;
    add(store, link("one", 0)).await;
    add(store, link("two", 1)).await;
    add(store, StoredPreviewLink { project: project(2), ..link("other", 2) }).await;

    assert_eq!(ids(store, project(1)).await, ["two", "one"]);
    assert_eq!(ids(store, project(2)).await, ["other"]);
}

pub(crate) async fn a_revoked_link_is_known_as_such_from_the_answer_on(store: &dyn Store) {
    with_projects(store).await;
    add(store, link("one", 0)).await;
    add(store, link("two", 0)).await;
    assert!(find(store, "one", 1).await.is_some());

    assert_eq!(store.revoke_preview_link(project(1), "one", revoking(5)).await, Ok(true));

    assert_eq!(find(store, "one", 5).await.unwrap().revoked_at, Some(at(5)));
    assert_eq!(find(store, "two", 5).await.unwrap().revoked_at, None);
    assert_eq!(audited(store).await[0], AuditEvent::PreviewLinkRevoked);
}

pub(crate) async fn a_link_is_revoked_once_and_only_as_one_of_its_project(store: &dyn Store) {
    with_projects(store).await;
    add(store, link("one", 0)).await;

    assert_eq!(store.revoke_preview_link(project(2), "one", revoking(5)).await, Ok(false));
    assert_eq!(store.revoke_preview_link(project(1), "two", revoking(5)).await, Ok(false));
    assert_eq!(store.revoke_preview_link(project(1), "o\0e", revoking(5)).await, Ok(false));
    assert_eq!(audited(store).await[0], AuditEvent::PreviewLinkMade);
    for seconds in [6, 7] {
        let revoked = store.revoke_preview_link(project(1), "one", revoking(seconds)).await;
        assert_eq!(revoked, Ok(true));
    }

    assert_eq!(find(store, "one", 8).await.unwrap().revoked_at, Some(at(6)));
    let expected = [AuditEvent::PreviewLinkRevoked, AuditEvent::PreviewLinkMade];
    assert_eq!(audited(store).await, expected);
}

pub(crate) async fn that_a_link_was_opened_is_known_to_an_hour(store: &dyn Store) {
    with_projects(store).await;
    add(store, link("one", 0)).await;
    let opened = async |seconds| {
        store.note_preview_link_opened("one", at(seconds)).await.unwrap();
        find(store, "one", seconds).await.unwrap().last_opened_at
    };

    assert_eq!(find(store, "one", 1).await.unwrap().last_opened_at, None);
    assert_eq!(opened(10).await, Some(at(10)));
    assert_eq!(opened(9 + HOUR).await, Some(at(10)));
    assert_eq!(opened(10 + HOUR).await, Some(at(10 + HOUR)));
}

pub(crate) async fn a_project_has_so_many_links_and_forgets_the_oldest_that_ended(
    store: &dyn Store,
) {
    with_projects(store).await;
    for number in 0..PREVIEW_LINKS_AT_MOST {
        assert!(add(store, link(&format!("first {number}"), 0)).await);
    }
    assert!(!add(store, link("one too many", 0)).await);
    assert!(add(store, StoredPreviewLink { project: project(2), ..link("other", 0) }).await);
    store.revoke_preview_link(project(1), "first 0", revoking(1)).await.unwrap();
    assert!(add(store, link("in its place", 1)).await);

    assert!(add(store, link("next", 2 * HOUR)).await, "the others have expired");

    let known = ids(store, project(1)).await;
    assert_eq!((known.len(), known[0].as_str(), known[1].as_str()), (101, "next", "in its place"));
}

pub(crate) async fn the_end_of_everything_revokes_links(store: &dyn Store) {
    with_projects(store).await;
    add(store, link("one", 0)).await;
    assert!(find(store, "one", 1).await.is_some());

    store.end_everything(NewKeys::default(), at(5)).await.unwrap();

    assert_eq!(find(store, "one", 6).await.unwrap().revoked_at, Some(at(5)));
}
