//! Events that pages and servers sent.

use domain::ProjectId;
use storage::{AuditEvent, EventLogWeight, NewEvents, NewProject, Store};

use crate::given::at;
use crate::revisions::{draft_of, entry};

async fn project(store: &dyn Store, number: u64) -> ProjectId {
    let id = ProjectId::new(number).unwrap();
    let entry = entry(AuditEvent::ProjectAdded, number);
    store.add_project(NewProject { id, draft: draft_of(number, "shop"), entry }).await.unwrap();
    id
}

async fn log(store: &dyn Store, project: ProjectId, seconds: i64, body: &str) {
    let (received_at, body) = (at(seconds), body.as_bytes().to_vec());
    store.log_events(NewEvents { project, received_at, events: 2, body }).await.unwrap();
}

async fn bodies(store: &dyn Store, project: ProjectId, after: i64, bytes: i64) -> Vec<String> {
    let logged = store.list_logged_events(project, after, bytes).await.unwrap();
    logged.into_iter().map(|row| String::from_utf8(row.body).unwrap()).collect()
}

pub(crate) async fn logged_events_come_back_in_their_order_by_project(store: &dyn Store) {
    let (shop, blog) = (project(store, 1000).await, project(store, 1001).await);

    for (project, body) in [(shop, "one"), (blog, "other"), (shop, "two"), (shop, "three")] {
        log(store, project, 5, body).await;
    }

    assert_eq!(bodies(store, shop, 0, 1_000).await, ["one", "two", "three"]);
    assert_eq!(bodies(store, blog, 0, 1_000).await, ["other"]);
}

pub(crate) async fn a_part_of_the_log_is_read_at_a_time_and_no_row_is_too_large(store: &dyn Store) {
    let shop = project(store, 1000).await;
    for body in ["aaaa", "bb", "cccccc", "d"] {
        log(store, shop, 5, body).await;
    }

    let (mut after, mut read) = (0, Vec::new());
    loop {
        let part = store.list_logged_events(shop, after, 5).await.unwrap();
        let Some(last) = part.last() else { break };
        after = last.sequence;
        read.push(part.len());
    }

    assert_eq!(read, [2, 1, 1], "five bytes are four and one more row, six are one row");
}

pub(crate) async fn the_weight_of_a_log_counts_events_and_knows_the_newest(store: &dyn Store) {
    let (shop, blog) = (project(store, 1000).await, project(store, 1001).await);
    for seconds in [5, 9, 7] {
        log(store, shop, seconds, "[]").await;
    }

    let weight = store.weigh_event_log(shop).await.unwrap();

    assert_eq!(weight, EventLogWeight { events: 6, newest_at: Some(at(9)) });
    assert_eq!(store.weigh_event_log(blog).await.unwrap(), EventLogWeight::default());
}
