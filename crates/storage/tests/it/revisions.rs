//! Projects and their revisions.

use domain::ProjectId;
use storage::{NewRevision, Page, ProjectSummary, Store};

use crate::given::at;

fn project(number: u64) -> ProjectId {
    ProjectId::new(number).unwrap()
}

/// A revision whose document and snippet are told apart by their names.
fn revision(project_id: u64, document: &str, snippet: &str) -> NewRevision {
    NewRevision {
        project_id: project(project_id),
        project_key: format!("key-{project_id}"),
        project_name: Some("Shop".to_owned()),
        document: format!("{{\"name\":\"{document}\"}}"),
        snippet_hash: format!("hash of {snippet}"),
        javascript: format!("{snippet}();"),
        brotli: vec![0, 1, 255],
        gzip: vec![],
        author: "ann@example.com".to_owned(),
        message: "Hero".to_owned(),
        created_at: at(5),
    }
}

async fn publish(store: &dyn Store, new: NewRevision) -> u32 {
    store.publish_revision(new).await.unwrap().number
}

pub(crate) async fn revisions_are_numbered_within_their_project(store: &dyn Store) {
    assert_eq!(publish(store, revision(1, "a", "a")).await, 1);
    assert_eq!(publish(store, revision(1, "b", "b")).await, 2);
    assert_eq!(publish(store, revision(2, "a", "a")).await, 1);

    let live = store.live_revision(project(1)).await.unwrap().unwrap();
    assert_eq!((live.number, live.document.as_str()), (2, "{\"name\":\"b\"}"));
    assert_eq!(store.live_revision(project(3)).await, Ok(None));
}

pub(crate) async fn publishing_the_same_again_changes_nothing(store: &dyn Store) {
    let first = store.publish_revision(revision(1, "a", "a")).await.unwrap();
    let again = NewRevision { created_at: at(9), ..revision(1, "a", "a") };

    assert_eq!(store.publish_revision(again).await, Ok(first.clone()));
    assert_eq!(store.live_revision(project(1)).await, Ok(Some(first)));
}

pub(crate) async fn any_difference_is_a_new_revision(store: &dyn Store) {
    assert_eq!(publish(store, revision(1, "a", "a")).await, 1);
    assert_eq!(publish(store, revision(1, "a", "newer runtime")).await, 2);
    assert_eq!(publish(store, revision(1, "paused campaign", "newer runtime")).await, 3);
    assert_eq!(publish(store, revision(1, "a", "a")).await, 4);

    let newest = store.find_revision(project(1), "hash of a").await.unwrap().unwrap();
    assert_eq!(newest.number, 4);
}

pub(crate) async fn old_revisions_stay_as_they_were(store: &dyn Store) {
    let published = store.publish_revision(revision(1, "a", "a")).await.unwrap();
    publish(store, revision(1, "b", "b")).await;

    let found = store.find_revision(project(1), "hash of a").await.unwrap().unwrap();

    assert_eq!(found, published);
    assert_eq!(found.javascript, "a();");
    assert_eq!(found.brotli, [0, 1, 255]);
    assert_eq!(found.created_at, at(5));
    assert_eq!(store.find_revision(project(1), "hash of c").await, Ok(None));
    assert_eq!(store.find_revision(project(2), "hash of a").await, Ok(None));
}

pub(crate) async fn projects_are_listed_page_by_page(store: &dyn Store) {
    for id in [(1 << 53) - 1, 7, 30, 4] {
        publish(store, revision(id, "a", "a")).await;
    }
    let renamed = NewRevision { project_name: None, ..revision(7, "b", "b") };
    publish(store, NewRevision { created_at: at(6), ..renamed }).await;
    let ids = async |page| {
        let projects = store.list_projects(Page { page, per_page: 3 }).await.unwrap();
        projects.iter().map(|project| project.id.get()).collect::<Vec<_>>()
    };

    assert_eq!(ids(1).await, [4, 7, 30]);
    assert_eq!(ids(2).await, [(1 << 53) - 1]);
    assert!(ids(3).await.is_empty());
    assert!(ids(u32::MAX).await.is_empty());

    let projects = store.list_projects(Page { page: 1, per_page: 3 }).await.unwrap();
    assert_eq!(
        projects[1],
        ProjectSummary {
            id: project(7),
            key: "key-7".to_owned(),
            name: None,
            revision: 2,
            published_at: at(6),
        }
    );
}
