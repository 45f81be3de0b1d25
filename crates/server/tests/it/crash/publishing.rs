//! A server that is killed while it publishes: what is live afterwards is a whole revision, and none that was delivered is lost.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use axum::http::{Method, Request};
use domain::ProjectId;
use serde_json::{Value, json};
use storage::{PostgresStore, SqliteStore, Store};

use super::client::{CHALLENGE, Caller, exchange};
use super::dice::Dice;
use super::life::{Database, demo_application, demo_member};
use super::{number, say};
use crate::browser::Browser;
use crate::command_line::binary::{Folder, PROJECT, Server};
use crate::door::DATA;
use crate::oauth::token_call::Tokens;

/// How often each server is killed.
const KILLS: u64 = 6;

/// Publishing takes a tenth of that.
const LONGEST_WORK: Duration = Duration::from_millis(600);

const PROJECT_FILE: &str = "shop.yaml";

/// In one step, so that no half of a file is read.
fn write(folder: &Folder, headline: u64) {
    let document = PROJECT.replace("Ship faster", &format!("Headline {headline}."));
    let new = folder.write("new.yaml", &document);
    std::fs::rename(new, folder.path(PROJECT_FILE)).unwrap();
}

/// The headline in a document or a snippet.
fn headline(text: &str) -> u64 {
    let (_, rest) = text.split_once("Headline ").unwrap();
    rest.split_once('.').unwrap().0.parse().unwrap()
}

async fn delivered(server: &Server) -> u64 {
    let answer = reqwest::get(server.url("/js/1000.js")).await.unwrap();
    headline(&answer.text().await.unwrap())
}

/// Compares what is stored of a project with itself, and tells what is live.
async fn compare(store: &dyn Store, project: &str) -> (u32, u64) {
    let project: ProjectId = project.parse().unwrap();
    let live = store.live_revision(project).await.unwrap().unwrap();
    assert_eq!(headline(&live.javascript), headline(&live.document), "half a revision");
    for number in 1..=live.number {
        assert!(store.lookup_revision(project, number).await.unwrap().is_some(), "{number}");
    }
    assert_eq!(store.lookup_revision(project, live.number + 1).await, Ok(None), "half published");
    (live.number, headline(&live.document))
}

/// What a server that was killed has left behind.
pub(super) async fn left_behind(
    database: Database,
    folder: &Folder,
    place: &str,
) -> Arc<dyn Store> {
    match database {
        Database::File => Arc::new(SqliteStore::open(&folder.path(DATA).join("assay.db")).unwrap()),
        Database::Postgres => {
            Arc::new(PostgresStore::open(&place.to_owned().into()).await.unwrap())
        }
    }
}

async fn publish_and_die(database: Database, name: &str) {
    let seed = number("ASSAY_CRASH_SEED", u64::from(std::process::id()));
    say(&format!("{name}: ASSAY_CRASH_SEED={seed}"));
    let (mut dice, folder) = (Dice::new(seed), Arc::new(Folder::new()));
    let [flag, place] = database.fresh(&format!("crash_publishing_{seed}"));
    let mut written = 1;
    write(&folder, written);
    for _ in 0..KILLS {
        let server = folder.serve_logging("warn", &[PROJECT_FILE, &flag, &place]);
        let moment = dice.below(u64::try_from(LONGEST_WORK.as_micros()).unwrap());
        let (start, mut reached) = (Instant::now(), 0);
        while start.elapsed() < Duration::from_micros(moment) {
            reached = delivered(&server).await;
            // The next change is on its way as soon as the one before it has arrived.
            if reached == written {
                written += 1;
                write(&folder, written);
            }
        }
        drop(server);

        let store = left_behind(database, &folder, &place).await;
        let (revision, live) = compare(&*store, "1000").await;
        assert!((reached..=written).contains(&live), "{reached} was delivered, {live} is live");
        say(&format!("{name}: revision {revision} after {moment} microseconds"));
    }
}

/// A program that changes a project and publishes it, again and again.
#[derive(Clone)]
struct Publisher {
    caller: Caller,
    token: String,
    /// The last headline that was sent, and the last that was answered to be live.
    sent: Arc<AtomicU64>,
    told: Arc<AtomicU64>,
}

impl Publisher {
    async fn of(server: &Server) -> Self {
        let (caller, application) = (Caller::new(&server.url("")), demo_application(server));
        let parameters = [&CHALLENGE[..], &[("scope", "all")]].concat();
        let browser = Browser::new(&caller);
        let code = browser.fetch_code(&demo_member(server), &application, &parameters).await;
        let tokens = Tokens::of(&caller.send_text(exchange(&application, &code)).await);
        Self { caller, token: tokens.access, sent: Arc::default(), told: Arc::default() }
    }

    /// The same program after the server was started again.
    fn at(&self, server: &Server) -> Self {
        Self { caller: Caller::new(&server.url("")), ..self.clone() }
    }

    async fn publish_until_no_answer(self) {
        while self.publish_next().await.is_some() {}
    }

    /// Nothing if there is no answer: then it is unknown what was done.
    async fn publish_next(&self) -> Option<()> {
        let headline = self.sent.fetch_add(1, Ordering::Relaxed) + 1;
        let condition = if headline == 1 { ("if-none-match", "*") } else { ("if-match", "*") };
        let document = self.request(Method::PUT, "document", condition, &offer(headline));
        let published = self.request(Method::POST, "revisions", ("if-match", "*"), &json!({}));
        for request in [document, published] {
            let answer = self.caller.ask(request).await?;
            assert!(answer.status.is_success(), "{}", answer.body);
        }
        self.told.store(headline, Ordering::Relaxed);
        Some(())
    }

    fn request(
        &self,
        method: Method,
        what: &str,
        (name, value): (&str, &str),
        body: &Value,
    ) -> Request<String> {
        let request = Request::builder().method(method).uri(format!("/v1/projects/2000/{what}"));
        let request = request.header(AUTHORIZATION, format!("Bearer {}", self.token));
        let request = request.header(CONTENT_TYPE, "application/json").header(name, value);
        request.body(body.to_string()).unwrap()
    }
}

fn offer(headline: u64) -> Value {
    let change =
        json!({"type": "text", "selector": "h1", "value": format!("Headline {headline}.")});
    let variation = json!({"key": "short", "weight": 10_000, "changes": [change]});
    json!({
        "version": 1,
        "project": {"id": "2000", "key": "shop"},
        "pages": [{"key": "home", "conditions": []}],
        "campaigns": [{
            "key": "offer", "type": "ab_test", "status": "running", "pages": ["home"],
            "experiments": [{"key": "offer", "variations": [variation]}],
        }],
    })
}

async fn publish_over_rest_and_die(database: Database, name: &str) {
    let seed = number("ASSAY_CRASH_SEED", u64::from(std::process::id()));
    say(&format!("{name}: ASSAY_CRASH_SEED={seed}"));
    let (mut dice, folder) = (Dice::new(seed), Folder::new());
    let [flag, place] = database.fresh(&format!("crash_publishing_rest_{seed}"));
    let serve = || folder.serve_logging("warn", &["--demo", &flag, &place]);
    let mut server = serve();
    let publisher = Publisher::of(&server).await;
    for _ in 0..KILLS {
        let begun = publisher.told.load(Ordering::Relaxed);
        let mut publishing = tokio::spawn(publisher.at(&server).publish_until_no_answer());
        // It is killed at a random moment, but not before it has published something.
        while publisher.told.load(Ordering::Relaxed) == begun {
            assert!(!publishing.is_finished(), "nothing is published, though the server lives");
            tokio::task::yield_now().await;
        }
        let moment = dice.below(u64::try_from(LONGEST_WORK.as_micros()).unwrap());
        let given_up = tokio::time::timeout(Duration::from_micros(moment), &mut publishing).await;
        assert!(given_up.is_err(), "a request has no answer, though the server lives");
        drop(server);
        publishing.await.unwrap();

        let store = left_behind(database, &folder, &place).await;
        let (revision, live) = compare(&*store, "2000").await;
        let [told, sent] =
            [&publisher.told, &publisher.sent].map(|count| count.load(Ordering::Relaxed));
        assert!((told..=sent).contains(&live), "{told} was told, {live} is live");
        let draft = store.find_draft("2000".parse().unwrap()).await.unwrap().unwrap();
        assert!((live..=sent).contains(&headline(&draft.document)), "half a draft");
        say(&format!("{name}: revision {revision} after {moment} microseconds"));
        server = serve();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_killed_while_it_publishes_leaves_a_whole_revision_live() {
    publish_and_die(Database::File, "SQLite").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_killed_while_it_publishes_leaves_a_whole_revision_live_on_postgres() {
    publish_and_die(Database::Postgres, "PostgreSQL").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_killed_while_a_program_publishes_leaves_a_whole_revision_live() {
    publish_over_rest_and_die(Database::File, "SQLite, REST").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_killed_while_a_program_publishes_leaves_a_whole_revision_live_on_postgres() {
    publish_over_rest_and_die(Database::Postgres, "PostgreSQL, REST").await;
}
