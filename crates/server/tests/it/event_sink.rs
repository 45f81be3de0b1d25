//! Events go to another system, each at least once, whatever that system does.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use app::events::{
    DeletedEvents, EventSink, SentEvents, SinkError, VisitorName, compact_event_files,
    delete_events, forget_visitor, seal_events, send_event_files,
};
use app::roles::Actor;
use async_trait::async_trait;
use serde_json::Value;

use crate::event_files;
use crate::events::{batch, bought, let_visitors_come, now, publish, send};
use crate::site::Site;

/// A system that keeps what it is sent, and fails at some requests.
struct System {
    id: &'static str,
    kept: Mutex<BTreeMap<String, String>>,
    requests: Mutex<usize>,
    takes: fn(usize) -> bool,
}

impl System {
    fn new(id: &'static str, takes: fn(usize) -> bool) -> Self {
        Self { id, kept: Mutex::default(), requests: Mutex::default(), takes }
    }

    /// The events that it has.
    fn events(&self) -> Vec<Value> {
        let kept = self.kept.lock().unwrap();
        let lines = kept.values().flat_map(|lines| lines.lines());
        lines.map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

#[async_trait]
impl EventSink for System {
    fn id(&self) -> &str {
        self.id
    }

    async fn send(&self, key: &str, lines: String) -> Result<(), SinkError> {
        let request = {
            let mut requests = self.requests.lock().unwrap();
            *requests += 1;
            *requests
        };
        if !(self.takes)(request) {
            return Err(SinkError("it is away".to_owned()));
        }
        let known = self.kept.lock().unwrap().insert(key.to_owned(), lines.clone());
        assert!(known.is_none_or(|known| known == lines), "the same key, other lines");
        Ok(())
    }
}

async fn sealed(site: &Site) {
    site.advance_seconds(300);
    seal_events(&site.app).await.unwrap();
    compact_event_files(&site.app).await.unwrap();
}

async fn site_with_files() -> Site {
    let site = Site::start();
    publish(&site, "on").await;
    let_visitors_come(&site).await;
    sealed(&site).await;
    site
}

#[tokio::test]
async fn a_sink_gets_all_events_once_and_then_those_that_are_new() {
    let (site, system) = (site_with_files().await, System::new("one", |_| true));

    let first = send_event_files(&site.app, &system).await.unwrap();
    let nothing = send_event_files(&site.app, &system).await.unwrap();
    let new = batch("new", &[bought("o-new", now(&site))]);
    assert_eq!(send(&site, &new).await.status.as_u16(), 202);
    sealed(&site).await;
    let second = send_event_files(&site.app, &system).await.unwrap();

    assert_eq!((first.events, nothing), (280 + 130, SentEvents::default()));
    assert_eq!((second.files, second.events), (1, 1));
    let events = system.events();
    let ids: BTreeSet<_> = events
        .iter()
        .map(|event| (&event["visitor"], &event["event_id"]))
        .map(|id| format!("{id:?}"))
        .collect();
    assert_eq!((events.len(), ids.len()), (411, 411));
    assert_eq!((&events[0]["project"], &events[0]["is_bot"]), (&1000.into(), &false.into()));
}

#[tokio::test]
async fn what_a_sink_did_not_take_is_sent_again_and_nothing_waits_for_it() {
    let site = site_with_files().await;
    let system = System::new("one", |request| request > 2);

    for _ in 0..2 {
        let failed = send_event_files(&site.app, &system).await.unwrap_err();
        assert_eq!(failed.to_string(), "it is away");
    }
    let body = batch("ada", &[bought("o-ada", now(&site))]);
    assert_eq!(send(&site, &body).await.status.as_u16(), 202);
    sealed(&site).await;

    send_event_files(&site.app, &system).await.unwrap();

    assert_eq!(system.events().len(), 411);
}

#[tokio::test]
async fn a_damaged_file_keeps_no_other_from_the_sink() {
    let (site, system) = (Site::start(), System::new("one", |_| true));
    publish(&site, "on").await;
    for number in 0..3 {
        let body = batch("ada", &[bought(&format!("o{number}"), now(&site))]);
        assert_eq!(send(&site, &body).await.status.as_u16(), 202);
        sealed(&site).await;
    }
    let project = "1000".parse().unwrap();
    let first = site.app.store().list_event_files(project).await.unwrap().remove(0);
    let first = event_files::path(&site, &first);
    event_files::damage(&first);

    let error = send_event_files(&site.app, &system).await.unwrap_err().to_string();

    assert!(error.contains(first.file_name().unwrap().to_str().unwrap()), "{error}");
    assert_eq!(system.events().len(), 2);
    assert_eq!(send_event_files(&site.app, &system).await.unwrap(), SentEvents::default());
    event_files::damage(&first);
    site.advance_seconds(3_600);
    assert_eq!(send_event_files(&site.app, &system).await.unwrap().events, 1, "it is whole again");
}

#[tokio::test]
async fn a_file_stays_as_it_is_until_the_sink_has_all_of_it() {
    let site = Site::start_sending("one");
    publish(&site, "on").await;
    let system = System::new("one", |request| request == 1 || request > 2);
    for number in 0..8 {
        let body = batch("ada", &[bought(&format!("o{number}"), now(&site))]);
        assert_eq!(send(&site, &body).await.status.as_u16(), 202);
        sealed(&site).await;
    }
    send_event_files(&site.app, &system).await.unwrap_err();
    compact_event_files(&site.app).await.unwrap();

    send_event_files(&site.app, &system).await.unwrap();

    assert_eq!(system.events().len(), 8, "none came under two names");
    compact_event_files(&site.app).await.unwrap();
    let project = "1000".parse().unwrap();
    assert_eq!(site.app.store().list_event_files(project).await.unwrap().len(), 1);
    assert_eq!(send_event_files(&site.app, &system).await.unwrap(), SentEvents::default());
}

#[tokio::test]
async fn files_that_are_made_into_one_are_not_sent_again() {
    let (site, system) = (site_with_files().await, System::new("one", |_| true));
    let other = System::new("other", |_| true);
    for number in 0..8 {
        let body = batch("ada", &[bought(&format!("o{number}"), now(&site))]);
        assert_eq!(send(&site, &body).await.status.as_u16(), 202);
        sealed(&site).await;
        send_event_files(&site.app, &system).await.unwrap();
    }

    send_event_files(&site.app, &other).await.unwrap();

    let id = |event: &Value| format!("{}{}{}", event["visitor"], event["event_id"], event["name"]);
    let ids = |system: &System| system.events().iter().map(id).collect::<BTreeSet<_>>();
    assert_eq!(ids(&system), ids(&other), "another system gets what was there before it");
    assert_eq!(ids(&system).len(), 418);
}

#[tokio::test]
async fn a_visitor_who_is_forgotten_sends_no_event_of_others_again() {
    let (site, system) = (site_with_files().await, System::new("one", |_| true));
    let body = batch("ada", &[bought("o1", now(&site))]);
    assert_eq!(send(&site, &body).await.status.as_u16(), 202);
    sealed(&site).await;
    send_event_files(&site.app, &system).await.unwrap();
    let of_bob = batch("bob", &[bought("o2", now(&site))]);
    for body in [&batch("ada", &[bought("o2", now(&site))]), &of_bob] {
        assert_eq!(send(&site, body).await.status.as_u16(), 202);
    }

    let project = "1000".parse().unwrap();
    let forgotten =
        forget_visitor(&site.app, &Actor::Command, project, &VisitorName::Id("ada".to_owned()))
            .await
            .unwrap();

    assert_eq!(forgotten.events, 2, "one in a file, and one in the log");
    assert_eq!(send_event_files(&site.app, &system).await.unwrap(), SentEvents::default());
    sealed(&site).await;
    assert_eq!(send_event_files(&site.app, &system).await.unwrap().events, 1, "that of bob");
}

#[tokio::test]
async fn after_all_events_are_deleted_a_sink_gets_only_what_comes_then() {
    let (site, system) = (site_with_files().await, System::new("one", |_| true));
    send_event_files(&site.app, &system).await.unwrap();

    let project = "1000".parse().unwrap();
    delete_events(&site.app, &Actor::Command, project, DeletedEvents::All).await.unwrap();

    assert_eq!(send_event_files(&site.app, &system).await.unwrap(), SentEvents::default());
    let taken = site.app.store().list_sent_event_files(system.id, project).await.unwrap();
    assert_eq!(taken, Vec::<String>::new(), "nothing is noted of files that are gone");
    send(&site, &batch("ada", &[bought("o1", now(&site))])).await;
    sealed(&site).await;
    assert_eq!(send_event_files(&site.app, &system).await.unwrap().events, 1);
}
