//! Projects and their drafts.

use storage::{
    AuditEvent, ChangeDraft, Counted, DraftDocument, DraftUpdate, ListRange, ManagedBy, NewProject,
    ProjectHead, ProjectSummary, StorageError, Store, WhichProjects,
};

use crate::given::all_at_once;
use crate::revisions::{draft, draft_of, entry, project, publication};

async fn add(store: &dyn Store, id: u64, draft: DraftDocument) {
    store.add_project(new(id, draft)).await.unwrap();
}

fn new(id: u64, draft: DraftDocument) -> NewProject {
    NewProject { id: project(id), draft, entry: entry(AuditEvent::ProjectAdded, id) }
}

fn change(version: i64, name: &str) -> ChangeDraft {
    let entry = entry(AuditEvent::DraftChanged, 1);
    ChangeDraft { project_id: project(1), version, draft: draft(name), entry }
}

pub(crate) async fn a_new_project_has_a_draft_and_nothing_live(store: &dyn Store) {
    add(store, 1, draft("a")).await;

    let found = store.find_draft(project(1)).await.unwrap().unwrap();
    let head = ProjectHead { draft_version: 1, live_revision: None, managed_by: ManagedBy::Store };
    assert_eq!((found.head, found.document), (head, draft("a").document));
    assert_eq!(store.find_project(project(1)).await, Ok(Some(head)));
    assert_eq!(store.live_revision(project(1)).await, Ok(None));
    assert_eq!(store.find_draft(project(2)).await, Ok(None));
    assert_eq!(store.find_project(project(2)).await, Ok(None));
}

pub(crate) async fn a_project_id_is_taken_once(store: &dyn Store) {
    add(store, 1, draft("a")).await;

    let again = store.add_project(new(1, draft("b"))).await;

    assert_eq!(again, Err(StorageError::Conflict));
    assert_eq!(store.find_draft(project(1)).await.unwrap().unwrap().document, draft("a").document);
    let log = store.list_audit_entries(ListRange { page: 1, per_page: 9 }).await.unwrap();
    assert_eq!(log.iter().map(|entry| entry.event).collect::<Vec<_>>(), [AuditEvent::ProjectAdded]);
}

pub(crate) async fn a_draft_changes_only_from_its_present_version(store: &dyn Store) {
    add(store, 1, draft("a")).await;

    assert_eq!(store.change_draft(change(1, "b")).await, Ok(Some(2)));
    assert_eq!(store.change_draft(change(1, "late")).await, Ok(None));

    let found = store.find_draft(project(1)).await.unwrap().unwrap();
    assert_eq!((found.head.draft_version, found.document), (2, draft("b").document));
    let log = store.list_audit_entries(ListRange { page: 1, per_page: 9 }).await.unwrap();
    let events: Vec<_> = log.iter().map(|entry| entry.event).collect();
    assert_eq!(events, [AuditEvent::DraftChanged, AuditEvent::ProjectAdded]);
}

pub(crate) async fn of_twelve_changes_of_one_version_one_is_stored(store: &dyn Store) {
    add(store, 1, draft("a")).await;
    let names: Vec<String> = (0..12).map(|number| format!("b{number}")).collect();
    let changes = names.iter().map(|name| store.change_draft(change(1, name)));

    let stored = all_at_once(changes).await;

    assert_eq!(stored.iter().filter(|version| **version == Ok(Some(2))).count(), 1);
    assert_eq!(stored.iter().filter(|version| **version == Ok(None)).count(), 11);
}

pub(crate) async fn projects_are_listed_page_by_page(store: &dyn Store) {
    for id in [(1 << 53) - 1, 7, 30] {
        store.publish_revision(publication(id, "a", "a")).await.unwrap();
    }
    add(store, 4, DraftDocument { name: None, ..draft_of(4, "a") }).await;
    add(store, 5, DraftDocument { is_archived: true, ..draft_of(5, "a") }).await;
    let ids = async |which, page| {
        let projects = store.list_projects(which, ListRange { page, per_page: 3 }).await.unwrap();
        projects.iter().map(|project| project.id.get()).collect::<Vec<_>>()
    };

    assert_eq!(ids(WhichProjects::Current, 1).await, [4, 7, 30]);
    assert_eq!(ids(WhichProjects::Current, 2).await, [(1 << 53) - 1]);
    assert!(ids(WhichProjects::Current, 3).await.is_empty());
    assert!(ids(WhichProjects::Current, u32::MAX).await.is_empty());
    assert_eq!(ids(WhichProjects::Archived, 1).await, [5]);
    assert_eq!(ids(WhichProjects::Any, 1).await, [4, 5, 7]);
    let count = async |which| store.count(Counted::Projects(which)).await.unwrap();
    assert_eq!(count(WhichProjects::Current).await, 4);
    assert_eq!(count(WhichProjects::Archived).await, 1);
    assert_eq!(count(WhichProjects::Any).await, 5);

    let current = WhichProjects::Current;
    let projects = store.list_projects(current, ListRange { page: 1, per_page: 3 }).await.unwrap();
    let line = ProjectSummary {
        stamp: None,
        id: project(7),
        key: "shop7".to_owned(),
        name: Some("Shop".to_owned()),
        is_archived: false,
        head: ProjectHead {
            draft_version: 1,
            live_revision: Some(1),
            managed_by: ManagedBy::Store,
        },
    };
    assert_eq!(projects[1], line);
    assert_eq!((&projects[0].name, projects[0].head.live_revision), (&None, None));
}

pub(crate) async fn a_key_belongs_to_one_project(store: &dyn Store) {
    add(store, 1, draft("a")).await;
    add(store, 2, draft_of(2, "a")).await;

    assert_eq!(store.add_project(new(3, draft("a"))).await, Err(StorageError::KeyTaken));
    let renamed = ChangeDraft { project_id: project(2), ..change(1, "b") };
    assert_eq!(store.change_draft(renamed).await, Err(StorageError::KeyTaken));
    let mut file = publication(2, "b", "b");
    file.draft = DraftUpdate::Replace(draft("b"));
    assert_eq!(store.publish_revision(file).await, Err(StorageError::KeyTaken));

    assert_eq!(store.find_project_by_key("shop").await, Ok(Some(project(1))));
    assert_eq!(store.find_project_by_key("shop2").await, Ok(Some(project(2))));
    assert_eq!(store.find_project_by_key("shop\0").await, Ok(None));
    assert_eq!(store.find_draft(project(2)).await.unwrap().unwrap().head.draft_version, 1);
}
