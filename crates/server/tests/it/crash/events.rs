//! A server that is killed while pages send events, and while it moves them into files: each that was acknowledged is there once, in the log or
//! in a listed file, and none is there twice.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use axum::http::Request;
use axum::http::header::CONTENT_TYPE;
use domain::ProjectId;
use events::{EventId, Record};
use lake::{Wanted, read_file};
use serde_json::json;
use storage::Store;
use tokio::task::JoinSet;

use super::client::Caller;
use super::dice::Dice;
use super::life::Database;
use super::publishing::left_behind;
use super::{number, say};
use crate::command_line::binary::{Folder, Server, project_with};

/// Each sends the next batch when the last one is answered.
const SENDERS: u64 = 4;

const EVENTS_IN_A_BATCH: u64 = 7;

/// Files are made once a second, and at once when a server starts.
const LONGEST_WORK: Duration = Duration::from_millis(1_500);

const DAY_MS: u64 = 86_400_000;

#[expect(clippy::disallowed_methods, reason = "the server's clock is that of the machine")]
pub(crate) fn now() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    u64::try_from(since.as_millis()).unwrap()
}

/// What was sent, and what of it was acknowledged.
#[derive(Default)]
pub(super) struct SentEvents {
    pub(super) sent: HashSet<EventId>,
    pub(super) acknowledged: HashSet<EventId>,
}

impl SentEvents {
    pub(super) fn add(&mut self, other: Self) {
        self.sent.extend(other.sent);
        self.acknowledged.extend(other.acknowledged);
    }
}

/// Sends batches until there is no answer. None is sent again, so that one that is there twice was doubled by the server.
async fn send_until_no_answer(
    caller: Caller,
    name: String,
    is_enough: Arc<AtomicBool>,
) -> SentEvents {
    let mut outcome = SentEvents::default();
    for batch in 0_u64.. {
        let ids: Vec<String> =
            (0..EVENTS_IN_A_BATCH).map(|at| format!("{name}-{batch}-{at}")).collect();
        // Three days, so that a batch becomes several files.
        let time = |place: u64| now() - DAY_MS * (place % 3);
        let events = ids.iter().zip(0..).map(|(id, place)| {
            json!({"id": id, "time": time(place), "type": "event", "name": "purchase", "revenue": 5})
        });
        let events: Vec<_> = events.collect();
        let body =
            json!({"project": "1000", "visitor": format!("v{}", batch % 50), "events": events});
        outcome.sent.extend(ids.iter().map(|id| EventId::of(id)));
        let request = Request::post("/v1/events").header(CONTENT_TYPE, "text/plain");
        let Some(answer) = caller.ask(request.body(body.to_string()).unwrap()).await else { break };
        match answer.status.as_u16() {
            202 => outcome.acknowledged.extend(ids.iter().map(|id| EventId::of(id))),
            // So many from one address are refused.
            429 if !is_enough.load(Ordering::Relaxed) => tokio::task::yield_now().await,
            429 => break,
            other => panic!("{other}: {}", answer.body),
        }
    }
    outcome
}

/// Has a server take events for so long, and kills it.
pub(super) async fn work_and_die(server: Server, name: &str, work: Duration) -> SentEvents {
    let is_enough = Arc::new(AtomicBool::new(false));
    let mut sending = JoinSet::new();
    for sender in 0..SENDERS {
        let caller = Caller::new(&server.url(""));
        sending.spawn(send_until_no_answer(
            caller,
            format!("{name}-{sender}"),
            Arc::clone(&is_enough),
        ));
    }
    let given_up = tokio::time::timeout(work, sending.join_next()).await;
    assert!(given_up.is_err(), "a request has no answer, though the server lives");
    drop(server);
    is_enough.store(true, Ordering::Relaxed);
    let mut events = SentEvents::default();
    for one in sending.join_all().await {
        events.add(one);
    }
    events
}

/// How often each event is there, in the log and in listed files, and how many of them are in files.
async fn stored(store: &dyn Store, folder: &Folder) -> (BTreeMap<EventId, u32>, usize) {
    let project: ProjectId = "1000".parse().unwrap();
    let (mut found, mut after, mut in_files) = (BTreeMap::new(), 0, 0);
    while let Some(part) = Some(store.list_logged_events(project, after, 1 << 24).await.unwrap())
        .filter(|part| !part.is_empty())
    {
        after = part.last().unwrap().sequence;
        for row in part {
            for record in serde_json::from_slice::<Vec<Record>>(&row.body).unwrap() {
                *found.entry(record.id).or_default() += 1;
            }
        }
    }
    for file in store.list_event_files(project).await.unwrap() {
        let path = folder.path("data/events").join(&file.name);
        for group in read_file(&path, &Wanted::all()).unwrap() {
            for record in group.unwrap() {
                *found.entry(record.id).or_default() += 1;
                in_files += 1;
            }
        }
    }
    (found, in_files)
}

async fn collect_and_die(database: Database, name: &str) {
    let seed = number("ASSAY_CRASH_SEED", u64::from(std::process::id()));
    say(&format!("{name}: ASSAY_CRASH_SEED={seed}"));
    let (mut dice, folder) = (Dice::new(seed), Folder::new());
    let [flag, place] = database.fresh(&format!("crash_events_{seed}"));
    folder.write("shop.yaml", &project_with("results: on"));
    let arguments = ["shop.yaml", &flag, &place, "--events", "data/events", "--seal-events", "0"];
    let mut events = SentEvents::default();
    let (kills, mut left_over) = (number("ASSAY_CRASHES", 4), 0);
    for round in 0..kills {
        let server = folder.serve_logging("info", &arguments);
        let work = dice.below(u64::try_from(LONGEST_WORK.as_micros()).unwrap());
        let name = format!("{seed}-{round}");
        events.add(work_and_die(server, &name, Duration::from_micros(work)).await);

        let store = left_behind(database, &folder, &place).await;
        let (found, in_files) = stored(&*store, &folder).await;
        let doubled = found.values().filter(|times| **times > 1).count();
        let lost = events.acknowledged.iter().filter(|id| !found.contains_key(id)).count();
        let made_up = found.keys().filter(|id| !events.sent.contains(id)).count();
        assert_eq!((lost, doubled, made_up), (0, 0, 0), "kill {round} of seed {seed}");
        left_over = found.len() - in_files;
    }
    let all = events.acknowledged.len();
    assert!(all > 0, "nothing was acknowledged");
    let log = std::fs::read_to_string(folder.path(crate::command_line::binary::LOG)).unwrap();
    let removed = log.matches("files of events that were left over are gone").count();
    say(&format!(
        "{name}: {kills} kills, {all} events acknowledged, 0 lost, 0 doubled; {left_over} still in the log; files were left over {removed} times"
    ));
}

#[tokio::test(flavor = "multi_thread")]
async fn each_event_that_was_acknowledged_survives_being_killed_once() {
    collect_and_die(Database::File, "SQLite").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_event_that_was_acknowledged_survives_being_killed_once_on_postgres() {
    collect_and_die(Database::Postgres, "PostgreSQL").await;
}
