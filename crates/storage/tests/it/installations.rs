//! The sites that load snippets.

use domain::ProjectId;
use storage::{AuditEvent, NewProject, SnippetLoad, Store};

use crate::given::at;
use crate::revisions::{draft_of, entry};

async fn project(store: &dyn Store, number: u64) -> ProjectId {
    let id = ProjectId::new(number).unwrap();
    let entry = entry(AuditEvent::ProjectAdded, number);
    let draft = draft_of(number, "shop");
    store.add_project(NewProject { id, draft, entry }).await.unwrap();
    id
}

fn load(project: ProjectId, origin: &str, seconds: i64) -> SnippetLoad {
    SnippetLoad { project, origin: origin.to_owned(), at: at(seconds) }
}

async fn origins(store: &dyn Store, project: ProjectId) -> Vec<String> {
    let sites = store.list_installations(project).await.unwrap();
    sites.into_iter().map(|site| site.origin).collect()
}

pub(crate) async fn a_site_is_known_since_its_first_load_and_until_its_last(store: &dyn Store) {
    let shop = project(store, 1000).await;
    let loads = [5, 1, 9, 7].map(|seconds| load(shop, "https://shop.example", seconds));

    for load in loads {
        store.record_loads(vec![load]).await.unwrap();
    }

    let sites = store.list_installations(shop).await.unwrap();
    assert_eq!((sites.len(), &*sites[0].origin), (1, "https://shop.example"));
    assert_eq!((sites[0].first_seen_at, sites[0].last_seen_at), (at(5), at(9)));
}

pub(crate) async fn the_last_twenty_sites_of_each_project_are_known(store: &dyn Store) {
    let (shop, other) = (project(store, 1000).await, project(store, 1001).await);
    store.record_loads(vec![load(other, "https://other.example", 0)]).await.unwrap();

    let loads = (0..25).map(|number| load(shop, &format!("https://{number}.example"), number));
    store.record_loads(loads.collect()).await.unwrap();

    let expected: Vec<_> =
        (5..25).rev().map(|number| format!("https://{number}.example")).collect();
    assert_eq!(origins(store, shop).await, expected);
    assert_eq!(origins(store, other).await, ["https://other.example"]);
}
