//! When resources of a draft were created and last changed, and their history.

use std::collections::BTreeMap;

use oauth::Timestamp;
use storage::{
    AuditEvent, ChangeDraft, DraftChanges, DraftDocument, DraftUpdate, HistoryEntry, HistoryFilter,
    ListRange, LiveStamp, NewProject, PastChange, PublishOutcome, REVISION, ResourceChange,
    ResourceChangeKind, Store,
};

use crate::given::at;
use crate::revisions::{draft, entry, project, publication};

use ResourceChangeKind::{Changed, Created, Removed};

/// A draft that changes these resources so many seconds into the story.
fn changing(name: &str, seconds: i64, changes: &[(&str, ResourceChangeKind)]) -> DraftDocument {
    let changes = changes.iter().map(|(resource, kind)| ResourceChange {
        resource: (*resource).to_owned(),
        kind: *kind,
        fields: format!("[\"{name}\"]"),
        live: LiveStamp::AsBefore,
    });
    let by = format!("{name}@example.com");
    DraftDocument {
        changes: DraftChanges { at: at(seconds), by, changes: changes.collect() },
        ..draft(name)
    }
}

async fn add(store: &dyn Store, draft: DraftDocument) {
    let entry = entry(AuditEvent::ProjectAdded, 1);
    store.add_project(NewProject { id: project(1), draft, entry }).await.unwrap();
}

async fn change(store: &dyn Store, version: i64, draft: DraftDocument) -> Option<i64> {
    let entry = entry(AuditEvent::DraftChanged, 1);
    let change = ChangeDraft { project_id: project(1), version, draft, entry };
    store.change_draft(change).await.unwrap()
}

/// The stamps of the draft: created, updated, by whom.
async fn stamps(store: &dyn Store) -> BTreeMap<String, (Option<Timestamp>, Timestamp, String)> {
    let draft = store.find_draft(project(1)).await.unwrap().unwrap();
    let stamps = draft.stamps.into_iter();
    stamps
        .map(|(name, stamp)| (name, (stamp.created_at, stamp.updated_at, stamp.updated_by)))
        .collect()
}

fn stamp(created: i64, updated: i64, by: &str) -> (Option<Timestamp>, Timestamp, String) {
    (Some(at(created)), at(updated), format!("{by}@example.com"))
}

async fn history(store: &dyn Store, resource: &str, page: u32) -> (Vec<PastChange>, u64) {
    let page = ListRange { page, per_page: 2 };
    store.list_resource_changes(project(1), resource, page).await.unwrap()
}

pub(crate) async fn a_draft_is_stored_with_what_it_changes(store: &dyn Store) {
    add(store, changing("ann", 1, &[("project", Created), ("page 2", Created)])).await;

    let second = changing("bob", 2, &[("project", Changed), ("page 3", Created)]);
    assert_eq!(change(store, 1, second).await, Some(2));
    assert_eq!(change(store, 1, changing("late", 3, &[("page 2", Changed)])).await, None);

    let stamps = stamps(store).await;
    assert_eq!(stamps["page 2"], stamp(1, 1, "ann"));
    assert_eq!(stamps["page 3"], stamp(2, 2, "bob"));
    assert_eq!(stamps["project"], stamp(1, 2, "bob"));
    let listed = store
        .list_projects(storage::WhichProjects::Any, ListRange { page: 1, per_page: 9 })
        .await
        .unwrap();
    let listed = listed[0].stamp.clone().unwrap();
    assert_eq!((listed.created_at, listed.updated_at), (Some(at(1)), at(2)));
}

pub(crate) async fn a_resource_that_comes_back_was_created_when_it_was(store: &dyn Store) {
    add(store, changing("ann", 1, &[("page 2", Created)])).await;
    change(store, 1, changing("bob", 2, &[("page 2", Removed)])).await;

    change(store, 2, changing("cat", 3, &[("page 2", Created)])).await;

    assert_eq!(stamps(store).await["page 2"], stamp(1, 3, "cat"));
}

pub(crate) async fn the_history_of_a_resource_is_read_page_by_page_the_newest_first(
    store: &dyn Store,
) {
    add(store, changing("ann", 1, &[("page 2", Created)])).await;
    change(store, 1, changing("bob", 2, &[("page 20", Created)])).await;
    change(store, 2, changing("cat", 3, &[("page 2", Changed)])).await;
    change(store, 3, changing("dan", 4, &[("page 2", Removed)])).await;

    let (first, total) = history(store, "page 2", 1).await;
    let (second, _) = history(store, "page 2", 2).await;

    let told: Vec<_> = first.iter().chain(&second).map(|one| (one.kind, one.at)).collect();
    assert_eq!((total, told), (3, vec![(Removed, at(4)), (Changed, at(3)), (Created, at(1))]));
    assert_eq!((&*first[1].by, &*first[1].fields), ("cat@example.com", "[\"cat\"]"));
    assert_eq!(history(store, "page 3", 1).await, (Vec::new(), 0));
    assert_eq!(history(store, "page\0", 1).await, (Vec::new(), 0));
}

pub(crate) async fn a_publication_stores_what_its_draft_changes(store: &dyn Store) {
    let publish = async |snippet: &str, draft: DraftDocument| {
        let draft = DraftUpdate::Replace(draft);
        let publication = publication(1, snippet, snippet);
        store.publish_revision(storage::Publication { draft, ..publication }).await.unwrap()
    };

    let first = publish("a", changing("ann", 1, &[("page 2", Created)])).await;
    let second = publish("b", changing("bob", 2, &[("page 2", Changed)])).await;

    assert!(matches!(first, PublishOutcome::Published(_)));
    assert!(matches!(second, PublishOutcome::Published(_)));
    assert_eq!(stamps(store).await["page 2"], stamp(1, 2, "bob"));
    assert_eq!(history(store, "page 2", 1).await.1, 2);
}

/// What the history of the project has that fits: what, of which resource or revision, by whom; and how many there are.
async fn project_history(
    store: &dyn Store,
    filter: HistoryFilter,
    page: u32,
) -> (Vec<(String, String)>, u64) {
    let page = ListRange { page, per_page: 2 };
    let (entries, total) = store.list_project_history(project(1), filter, page).await.unwrap();
    let told = entries.into_iter().map(|entry| match entry {
        HistoryEntry::Change { resource, change } => {
            assert!(change.fields.starts_with("[\""), "{}", change.fields);
            (format!("{resource} {}", change.kind.as_str()), change.by)
        }
        HistoryEntry::Publication { number, by, message, restored_from, at } => {
            assert_eq!(at, crate::given::at(5));
            (format!("{number} {message} {restored_from:?}"), by)
        }
    });
    (told.collect(), total)
}

pub(crate) async fn the_history_of_a_project_has_changes_and_publications_the_newest_first(
    store: &dyn Store,
) {
    add(store, changing("ann", 1, &[("project", Created), ("page 2", Created)])).await;
    change(store, 1, changing("bob", 5, &[("page 2", Changed), ("page_view 2", Created)])).await;
    let mut restored = publication(1, "a", "a");
    restored.draft = DraftUpdate::Keep;
    restored.revision.restored_from = Some(7);
    store.publish_revision(restored).await.unwrap();
    let any = HistoryFilter::default;
    let of = |resource: &str| HistoryFilter { resource: Some(resource.to_owned()), ..any() };
    let entry = |what: &str, by: &str| (what.to_owned(), format!("{by}@example.com"));

    let first = project_history(store, any(), 1).await;
    let second = project_history(store, any(), 2).await;
    let third = project_history(store, any(), 3).await;

    let published = entry("1 Hero Some(7)", "ann");
    let changed = entry("page 2 changed", "bob");
    assert_eq!(first, (vec![published.clone(), changed.clone()], 5));
    let seen = entry("page_view 2 created", "bob");
    assert_eq!(second, (vec![seen, entry("page 2 created", "ann")], 5));
    assert_eq!(third, (vec![entry("project created", "ann")], 5));
    let created = entry("page 2 created", "ann");
    for resource in ["page", "page 2"] {
        let found = project_history(store, of(resource), 1).await;
        assert_eq!(found, (vec![changed.clone(), created.clone()], 2), "{resource}");
    }
    assert_eq!(project_history(store, of(REVISION), 1).await, (vec![published], 1));
    for nothing in ["pag", "page 3", "page\0"] {
        assert_eq!(project_history(store, of(nothing), 1).await, (vec![], 0), "{nothing}");
    }
    let by = HistoryFilter { by: Some("bob@example.com".to_owned()), ..any() };
    assert_eq!(project_history(store, by, 1).await.1, 2);
    let late = HistoryFilter { since: Some(at(5)), ..any() };
    assert_eq!(project_history(store, late, 1).await.1, 3);
    let early = HistoryFilter { until: Some(at(5)), ..any() };
    assert_eq!(project_history(store, early, 1).await.1, 2);
}
