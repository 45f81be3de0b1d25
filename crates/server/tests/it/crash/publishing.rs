//! A server that is killed while it publishes: what is live afterwards is a whole revision, and none that was delivered is lost.

use std::sync::Arc;
use std::time::{Duration, Instant};

use domain::ProjectId;
use storage::{PostgresStore, SqliteStore, Store};

use super::dice::Dice;
use super::life::Database;
use super::{number, say};
use crate::command_line::binary::{Folder, PROJECT, Server};
use crate::door::DATA;

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

/// Compares what is stored with itself, and tells what is live.
async fn compare(store: &dyn Store) -> (u32, u64) {
    let project: ProjectId = "1000".parse().unwrap();
    let live = store.live_revision(project).await.unwrap().unwrap();
    assert_eq!(headline(&live.javascript), headline(&live.document), "half a revision");
    for number in 1..=live.number {
        assert!(store.lookup_revision(project, number).await.unwrap().is_some(), "{number}");
    }
    assert_eq!(store.lookup_revision(project, live.number + 1).await, Ok(None), "half published");
    (live.number, headline(&live.document))
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

        let store: Arc<dyn Store> = match database {
            Database::File => {
                Arc::new(SqliteStore::open(&folder.path(DATA).join("assay.db")).unwrap())
            }
            Database::Postgres => {
                Arc::new(PostgresStore::open(&place.clone().into()).await.unwrap())
            }
        };
        let (revision, live) = compare(&*store).await;
        assert!((reached..=written).contains(&live), "{reached} was delivered, {live} is live");
        say(&format!("{name}: revision {revision} after {moment} microseconds"));
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
