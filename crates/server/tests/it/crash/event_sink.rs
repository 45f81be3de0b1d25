//! A server that is killed while it hands files of events to another system: each event that was acknowledged gets there, and none under two
//! deduplication tokens. So a system that honours the tokens, as `ClickHouse` does, has each once.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::routing::post;
use events::EventId;
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::watch;

use super::dice::Dice;
use super::events::{SentEvents, work_and_die};
use super::life::Database;
use super::{number, say};
use crate::command_line::binary::{Folder, project_with};

/// A server looks two seconds after its start what it has to send, and then again and again.
const LONGEST_WORK: Duration = Duration::from_secs(4);

/// All is sent before that.
const LONGEST_SENDING: Duration = Duration::from_secs(30);

/// What the system got under each token, and how often it got anything.
#[derive(Default)]
struct Got {
    lines: BTreeMap<String, String>,
    /// The tokens under which each event came.
    tokens: BTreeMap<EventId, BTreeSet<String>>,
    requests: usize,
    /// Tokens that came again with other lines.
    changed: BTreeSet<String>,
}

impl Got {
    fn take(&mut self, token: String, lines: String) {
        self.requests += 1;
        for line in lines.lines() {
            let line: Value = serde_json::from_str(line).unwrap();
            let id = hex::decode(line["event_id"].as_str().unwrap()).unwrap();
            let id = EventId::from_bytes(id.try_into().unwrap());
            self.tokens.entry(id).or_default().insert(token.clone());
        }
        let before = self.lines.insert(token.clone(), lines);
        if before.is_some_and(|before| before != self.lines[&token]) {
            self.changed.insert(token);
        }
    }

    fn has_all(&self, wanted: &HashSet<EventId>) -> bool {
        wanted.iter().all(|id| self.tokens.contains_key(id))
    }
}

type System = Arc<watch::Sender<Got>>;

/// Takes what it gets, and says twice that it did not: who sends has to send it again.
async fn take(
    State(system): State<System>,
    Query(query): Query<BTreeMap<String, String>>,
    lines: String,
) -> StatusCode {
    let token = query["insert_deduplication_token"].clone();
    system.send_modify(|got| got.take(token, lines));
    if [3, 8].contains(&system.borrow().requests) {
        StatusCode::SERVICE_UNAVAILABLE
    } else {
        StatusCode::OK
    }
}

async fn system() -> (System, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let system = System::new(watch::Sender::new(Got::default()));
    let routes = Router::new().route("/", post(take)).with_state(Arc::clone(&system));
    tokio::spawn(async move { axum::serve(listener, routes).await.unwrap() });
    (system, format!("clickhouse+http://{address}/shop/event"))
}

async fn send_and_die(database: Database, name: &str) {
    let seed = number("ASSAY_CRASH_SEED", u64::from(std::process::id()));
    say(&format!("{name}: ASSAY_CRASH_SEED={seed}"));
    let (mut dice, folder) = (Dice::new(seed), Folder::new());
    let [flag, place] = database.fresh(&format!("crash_sink_{seed}"));
    folder.write("shop.yaml", &project_with("results: on"));
    let (system, sink) = system().await;
    let files = ["--events", "data/events", "--seal-events", "0", "--sink", &sink];
    let arguments = [&["shop.yaml", &flag, &place], &files[..]].concat();
    let mut events = SentEvents::default();
    let kills = number("ASSAY_CRASHES", 3);
    for round in 0..kills {
        let server = folder.serve_logging("warn", &arguments);
        let work = dice.below(u64::try_from(LONGEST_WORK.as_micros()).unwrap());
        let name = format!("{seed}-{round}");
        events.add(work_and_die(server, &name, Duration::from_micros(work)).await);
    }

    let _server = folder.serve_logging("warn", &arguments);
    let mut changes = system.subscribe();
    let all_there = changes.wait_for(|got| got.has_all(&events.acknowledged));
    let waited = tokio::time::timeout(LONGEST_SENDING, all_there).await;

    assert!(waited.is_ok(), "an event that was acknowledged has not come: seed {seed}");
    let got = system.borrow();
    let doubled = got.tokens.values().filter(|tokens| tokens.len() > 1).count();
    let made_up = got.tokens.keys().filter(|id| !events.sent.contains(id)).count();
    assert_eq!((doubled, made_up, &got.changed), (0, 0, &BTreeSet::new()), "seed {seed}");
    assert!(!events.acknowledged.is_empty(), "nothing was acknowledged");
    say(&format!(
        "{name}: {kills} kills, {} events acknowledged, {} requests with {} tokens, 0 events lost, 0 under two tokens",
        events.acknowledged.len(),
        got.requests,
        got.lines.len()
    ));
}

#[tokio::test(flavor = "multi_thread")]
async fn each_event_survives_being_killed_on_its_way_to_a_sink_under_one_token() {
    send_and_die(Database::File, "SQLite").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_event_survives_being_killed_on_its_way_to_a_sink_on_postgres() {
    send_and_die(Database::Postgres, "PostgreSQL").await;
}
