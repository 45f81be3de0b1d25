//! Events that pages and servers sent.

use domain::ProjectId;
use storage::{
    AuditEvent, EventFile, EventLog, EventWeight, LostEventDay, MovedEvents, NewEvents, NewProject,
    Store,
};

use crate::given::at;
use crate::revisions::{draft_of, entry};

async fn project(store: &dyn Store, number: u64) -> ProjectId {
    let id = ProjectId::new(number).unwrap();
    let entry = entry(AuditEvent::ProjectAdded, number);
    store.add_project(NewProject { id, draft: draft_of(number, "shop"), entry }).await.unwrap();
    id
}

async fn log(store: &dyn Store, project: ProjectId, seconds: i64, body: &str) {
    log_of(store, project, (seconds, seconds), body).await;
}

/// Events that came and that happened at these seconds.
async fn log_of(store: &dyn Store, project: ProjectId, (came, happened): (i64, i64), body: &str) {
    let (received_at, last_at, body) = (at(came), at(happened), body.as_bytes().to_vec());
    let events = NewEvents { project, received_at, last_at, events: 2, body };
    store.log_events(events).await.unwrap();
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

fn file(name: &str, day: i64) -> EventFile {
    let at = |seconds: i64| (day * 86_400 + seconds) * 1_000;
    let (name, received_until) = (name.to_owned(), at_day(day));
    let (first_at, last_at, sealed_at) = (at(1), at(2), at_day(day + 1));
    EventFile { name, day, events: 3, bytes: 900, first_at, last_at, received_until, sealed_at }
}

fn at_day(day: i64) -> oauth::Timestamp {
    oauth::Timestamp::from_milliseconds(day * 86_400_000)
}

async fn sequences(store: &dyn Store, project: ProjectId) -> Vec<i64> {
    let logged = store.list_logged_events(project, 0, 1_000).await.unwrap();
    logged.into_iter().map(|row| row.sequence).collect()
}

pub(crate) async fn events_are_moved_from_the_log_into_files_at_once(store: &dyn Store) {
    let (shop, blog) = (project(store, 1000).await, project(store, 1001).await);
    for (project, body) in [(shop, "one"), (blog, "other"), (shop, "two"), (shop, "three")] {
        log(store, project, 5, body).await;
    }
    let from_log = sequences(store, shop).await[..2].to_vec();
    let to_files = vec![file("b", 20_001), file("a", 20_000)];
    let entry = Some(entry(AuditEvent::VisitorForgotten, 1000));

    let moved = MovedEvents { from_log, to_files, entry, ..MovedEvents::of(shop) };
    assert!(store.move_events(moved).await.unwrap());

    assert_eq!(bodies(store, shop, 0, 1_000).await, ["three"]);
    assert_eq!(bodies(store, blog, 0, 1_000).await, ["other"]);
    let files = store.list_event_files(shop).await.unwrap();
    assert_eq!(files, [file("a", 20_000), file("b", 20_001)]);
    assert_eq!(store.list_event_files(blog).await.unwrap(), []);
    assert_eq!(store.list_projects_with_event_files().await.unwrap(), [shop]);
    let page = storage::ListRange { page: 1, per_page: 1 };
    let log = store.list_audit_entries(page).await.unwrap();
    assert_eq!(log[0].event, AuditEvent::VisitorForgotten);
}

pub(crate) async fn rows_of_the_log_between_those_that_go_stay(store: &dyn Store) {
    let shop = project(store, 1000).await;
    for body in ["one", "two", "three", "four"] {
        log(store, shop, 5, body).await;
    }
    let all = sequences(store, shop).await;

    let some = MovedEvents { from_log: vec![all[0], all[1], all[3]], ..MovedEvents::of(shop) };
    assert_eq!(store.move_events(some).await, Ok(true));

    assert_eq!(bodies(store, shop, 0, 1_000).await, ["three"]);
}

pub(crate) async fn what_another_process_has_moved_is_not_moved_again(store: &dyn Store) {
    let shop = project(store, 1000).await;
    log(store, shop, 5, "one").await;
    log(store, shop, 5, "two").await;
    let all = sequences(store, shop).await;
    let quicker = MovedEvents { from_log: vec![all[1]], ..MovedEvents::of(shop) };
    let to_files = vec![file("a", 20_000)];
    let first = MovedEvents { to_files, ..quicker };
    assert!(store.move_events(first).await.unwrap());

    let late = MovedEvents { from_log: all, ..MovedEvents::of(shop) };
    let to_files = vec![file("b", 20_000)];
    let late = store.move_events(MovedEvents { to_files, ..late }).await.unwrap();
    let from_files = vec!["a".to_owned(), "gone".to_owned()];
    let compacted = MovedEvents { from_files, ..MovedEvents::of(shop) };
    let compacted = store.move_events(compacted).await.unwrap();

    assert!(!late && !compacted);
    assert_eq!(bodies(store, shop, 0, 1_000).await, ["one"]);
    assert_eq!(store.list_event_files(shop).await.unwrap(), [file("a", 20_000)]);
}

pub(crate) async fn a_file_takes_the_place_of_others_and_is_there_once(store: &dyn Store) {
    let shop = project(store, 1000).await;
    let to_files = vec![file("a", 20_000), file("b", 20_000)];
    assert!(store.move_events(MovedEvents { to_files, ..MovedEvents::of(shop) }).await.unwrap());

    let (from_files, to_files) = (vec!["b".to_owned()], vec![file("a", 20_000)]);
    let (at, body) = (at(9), b"rest".to_vec());
    let rest = NewEvents { project: shop, received_at: at, last_at: at, events: 1, body };
    let to_log = vec![rest];
    let moved = MovedEvents { from_files, to_files, to_log, ..MovedEvents::of(shop) };
    assert!(store.move_events(moved).await.unwrap());

    assert_eq!(store.list_event_files(shop).await.unwrap(), [file("a", 20_000)]);
    assert_eq!(bodies(store, shop, 0, 1_000).await, ["rest"]);
}

pub(crate) async fn logs_tell_their_oldest_events_and_those_can_be_deleted(store: &dyn Store) {
    let (shop, blog) = (project(store, 1000).await, project(store, 1001).await);
    for (project, seconds) in [(shop, 9), (shop, 5), (blog, 7)] {
        log(store, project, seconds, "[]").await;
    }
    let of = |project, seconds, bytes| EventLog { project, oldest_at: at(seconds), bytes };
    assert_eq!(store.list_event_logs().await.unwrap(), [of(shop, 5, 4), of(blog, 7, 2)]);

    let deleted = store.delete_logged_events(at(9)).await.unwrap();

    assert_eq!(deleted, 2);
    assert_eq!(store.list_event_logs().await.unwrap(), [of(shop, 9, 2)]);
    assert_eq!(store.delete_logged_events(at(9)).await.unwrap(), 0);
}

pub(crate) async fn logged_events_that_came_long_after_they_happened_are_as_old_as_they_are(
    store: &dyn Store,
) {
    let shop = project(store, 1000).await;
    for (happened, body) in [(3, "old"), (4, "new"), (9, "now")] {
        log_of(store, shop, (9, happened), body).await;
    }

    let deleted = store.delete_logged_events(at(4)).await.unwrap();

    assert_eq!(deleted, 1);
    assert_eq!(bodies(store, shop, 0, 1_000).await, ["new", "now"]);
}

pub(crate) async fn the_weight_of_events_counts_log_and_files(store: &dyn Store) {
    let (shop, blog) = (project(store, 1000).await, project(store, 1001).await);
    for seconds in [5, 9, 7] {
        log(store, shop, seconds, "[]").await;
    }
    let logged = store.weigh_events(shop).await.unwrap();
    let to_files = vec![file("a", 30_000)];
    let moved = MovedEvents { to_files, ..MovedEvents::of(shop) };
    assert!(store.move_events(moved).await.unwrap());

    let weight = store.weigh_events(shop).await.unwrap();

    assert_eq!(logged, EventWeight { events: 6, newest_at: Some(at(9)) });
    let newest_at = Some(at(9).max(at_day(30_000)));
    assert_eq!(weight, EventWeight { events: 9, newest_at });
    assert_eq!(store.weigh_events(blog).await.unwrap(), EventWeight::default());
}

pub(crate) async fn a_sink_has_taken_a_file_that_was_made_of_files_it_has_taken(store: &dyn Store) {
    let shop = project(store, 1000).await;
    let moved = |from: &[&str], to: &str| MovedEvents {
        from_files: from.iter().map(|name| (*name).to_owned()).collect(),
        to_files: vec![file(to, 1)],
        ..MovedEvents::of(shop)
    };
    let taken = async |sink: &str| store.list_sent_event_files(sink, shop).await.unwrap();
    for name in ["a", "b", "c"] {
        assert_eq!(store.move_events(moved(&[], name)).await, Ok(true));
    }
    for (sink, name) in [("one", "a"), ("one", "b"), ("two", "a"), ("one", "a"), ("one", "gone")] {
        store.add_sent_event_file(sink, shop, name).await.unwrap();
    }

    assert_eq!(store.move_events(moved(&["a", "b"], "ab")).await, Ok(true));

    assert_eq!(taken("one").await, ["ab"]);
    assert_eq!(taken("two").await, [""; 0], "it lacks what was in the other one");
    assert_eq!(store.move_events(moved(&["ab", "c"], "abc")).await, Ok(true));
    assert_eq!(taken("one").await, [""; 0]);
    store.add_sent_event_file("one", shop, "abc").await.unwrap();
    log(store, shop, 5, "new").await;
    let from_log = store.list_logged_events(shop, 0, 100).await.unwrap();
    let from_log = from_log.iter().map(|row| row.sequence).collect();
    let mixed = MovedEvents { from_log, ..moved(&["abc"], "new") };
    assert_eq!(store.move_events(mixed).await, Ok(true));
    assert_eq!(taken("one").await, [""; 0], "no sink has got what was in the log");
}

pub(crate) async fn days_keep_in_mind_how_many_events_were_lost_with_their_files(
    store: &dyn Store,
) {
    let (shop, blog) = (project(store, 1000).await, project(store, 1001).await);
    let to_files = vec![file("a", 20_001), file("b", 20_000), file("c", 20_001)];
    let listed = MovedEvents { to_files, ..MovedEvents::of(shop) };
    assert!(store.move_events(listed).await.unwrap());
    let day =
        |day, events, received| LostEventDay { day, events, received_until: at_day(received) };
    let give_up = |names: &[&str], lost: &[LostEventDay]| MovedEvents {
        from_files: names.iter().map(|name| (*name).to_owned()).collect(),
        lost: lost.to_vec(),
        ..MovedEvents::of(shop)
    };
    let first = [day(20_001, 3, 20_009), day(20_000, 3, 20_000)];
    let second = [day(20_001, 3, 20_002)];

    assert!(store.move_events(give_up(&["a", "b"], &first)).await.unwrap());
    assert!(store.move_events(give_up(&["c"], &second)).await.unwrap());
    let again = store.move_events(give_up(&["c"], &second)).await.unwrap();

    assert!(!again, "nothing is lost twice");
    let lost = store.list_lost_event_days(shop).await.unwrap();
    assert_eq!(lost, [day(20_000, 3, 20_000), day(20_001, 6, 20_009)]);
    assert_eq!(store.list_lost_event_days(blog).await.unwrap(), []);
}
