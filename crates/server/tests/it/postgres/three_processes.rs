//! Three servers on one database, behind a proxy that knows nothing of sessions: together they are one.

use std::time::{Duration, Instant};

use reqwest::StatusCode;
use storage::{
    Act, ActorKind, AuditEvent, AuditStore as _, DraftUpdate, ListRange, ManagedBy, MomentOutcome,
    NewAuditEntry, NewRevision, PostgresStore, Precondition, Publication, PublishOutcome, Revision,
    RevisionStore as _, ScheduleStore as _, ScheduledAction, ScheduledMoment,
};

use super::database;
use super::round_robin::RoundRobin;
use super::several_processes::now;
use crate::browser::Browser;
use crate::command_line::binary::{Folder, PROJECT, Server};
use crate::crash::client::{Caller, allow, authorize, exchange, refresh, revoke, use_of};
use crate::crash::life::{demo_application, demo_member};
use crate::site::Answer;

/// One after the other so many requests reach each server more than once.
const ROUNDS: usize = 7;

const A_SECOND: Duration = Duration::from_secs(1);

struct Three {
    address: String,
    proxy: RoundRobin,
    /// The first has the demo, the second a project file.
    servers: Vec<Server>,
    folders: [Folder; 3],
}

impl Three {
    async fn start(name: &str) -> Self {
        let (address, proxy) = (database(name), RoundRobin::start().await);
        let folders = [Folder::new(), Folder::new(), Folder::new()];
        let common = ["--database", &address, "--public-url", &proxy.url()];
        folders[1].write("shop.yaml", &shop("not_started"));
        let offers = ["--demo", "shop.yaml", "--audit-days=7"];
        let servers = folders.iter().zip(offers).map(|(folder, offer)| {
            let server = folder.serve(&[&[offer][..], &common].concat());
            proxy.add(server.address());
            server
        });
        let servers = servers.collect();
        Self { address, proxy, servers, folders }
    }

    /// Whose requests go to one server after the other.
    fn caller(&self) -> Caller {
        Caller::scattered(&self.proxy.url())
    }

    /// Comes back when all that live deliver a snippet with these words. Tells when the last request began that did not get it.
    async fn all_deliver(&self, words: &str) -> Instant {
        let mut last_without = Instant::now();
        for server in &self.servers {
            let url = format!("http://{}/js/2000.js", server.address());
            let mut asked = Instant::now();
            while !reqwest::get(&url).await.unwrap().text().await.unwrap().contains(words) {
                last_without = asked;
                asked = Instant::now();
            }
        }
        last_without
    }

    async fn store(&self) -> PostgresStore {
        PostgresStore::open(&self.address.clone().into()).await.unwrap()
    }
}

/// Beside the demo, so its id is another.
fn shop(status: &str) -> String {
    PROJECT.replace("\"1000\"", "\"2000\"").replace("status: running", &format!("status: {status}"))
}

/// A member of a tokens' answer.
fn token(answer: &Answer, name: &str) -> String {
    assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
    answer.json()[name].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_codes_and_tokens_are_good_on_every_process_also_when_one_is_killed() {
    let mut three = Three::start("three_processes_sessions").await;
    let (member, application) =
        (demo_member(&three.servers[0]), demo_application(&three.servers[0]));
    let caller = three.caller();
    let browser = Browser::new(&caller);
    let all_answer = async |token: &str, status: StatusCode| {
        for _ in 0..ROUNDS {
            assert_eq!(browser.open("/").await.status, StatusCode::OK);
            assert_eq!(caller.send_text(use_of(token)).await.status, status);
        }
    };

    browser.sign_in_at_home(&member).await;
    let mut asked = caller.send_text(authorize(&application, &browser.cookies())).await;
    if asked.status == StatusCode::OK {
        asked = caller.send_text(allow(&asked, &browser.cookies())).await;
    }
    let code = asked.returned("code").unwrap();
    let tokens = caller.send_text(exchange(&application, &code)).await;
    all_answer(&token(&tokens, "access_token"), StatusCode::OK).await;

    // The process is gone at once, as with `kill -9`.
    drop(three.servers.pop());
    let fetched = caller.send_text(refresh(&application, &token(&tokens, "refresh_token"))).await;
    let access_token = token(&fetched, "access_token");
    all_answer(&access_token, StatusCode::OK).await;

    let ended = revoke(&application, &token(&tokens, "refresh_token"));
    assert_eq!(caller.send_text(ended).await.status, StatusCode::OK);
    let answered = Instant::now();
    let mut asked = Instant::now();
    while caller.send_text(use_of(&access_token)).await.status == StatusCode::OK {
        assert!(asked - answered < A_SECOND, "too late");
        asked = Instant::now();
    }
    while answered.elapsed() < A_SECOND {
        let _whatever = caller.send_text(use_of(&access_token)).await;
    }
    all_answer(&access_token, StatusCode::UNAUTHORIZED).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_one_process_publishes_is_delivered_by_all_within_a_second() {
    let mut three = Three::start("three_processes_publishing").await;
    three.all_deliver("").await;

    for headline in ["Ship faster", "Ship sooner", "Ship now"] {
        let document = shop("running").replace("Ship faster", headline);
        three.folders[1].write("shop.yaml", &document);
        three.servers[1].log_until("published");

        let published = Instant::now();
        let last_without = three.all_deliver(headline).await;
        assert!(last_without - published < A_SECOND, "{:?}", last_without - published);
    }
}

/// The same again, but for a word, and with a moment.
fn scheduled(live: Revision, moment: ScheduledMoment) -> Publication {
    let revision = NewRevision {
        project_id: live.project_id,
        document: live.document.replace("Hero text", "Hero"),
        document_hash: String::new(),
        snippet_hash: live.snippet_hash,
        javascript: live.javascript,
        brotli: live.brotli,
        gzip: live.gzip,
        author: "Ann".to_owned(),
        message: String::new(),
        restored_from: None,
        created_at: now(),
        moments: vec![moment],
    };
    let entry = NewAuditEntry {
        event: AuditEvent::RevisionPublished,
        act: Act { by: ActorKind::Command, member: None, address: None, at: now() },
        member: None,
        client_id: None,
        detail: String::new(),
        project: None,
    };
    let (precondition, managed_by) = (Precondition::default(), ManagedBy::File);
    Publication {
        revision,
        precondition,
        settled: vec![],
        draft: DraftUpdate::Keep,
        managed_by,
        announcements: vec![],
        entry,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_three_processes_one_runs_a_schedule() {
    let three = Three::start("three_processes_schedule").await;
    let store = three.store().await;
    let (project, campaign) = ("2000".parse().unwrap(), "3001".parse().unwrap());
    let live = store.live_revision(project).await.unwrap().unwrap();
    // Late enough that all three know of it, and wake at one moment.
    let due_at = now() + oauth::Lifetime::from_seconds(3);
    let moment = ScheduledMoment { project, campaign, action: ScheduledAction::Start, due_at };
    let outcome = store.publish_revision(scheduled(live, moment)).await.unwrap();
    let PublishOutcome::Published(scheduled) = outcome else { panic!("{outcome:?}") };

    while now() < due_at {
        assert_eq!(store.live_revision(project).await.unwrap().unwrap().number, scheduled.number);
    }
    three.all_deliver("Ship faster").await;

    let live = store.live_revision(project).await.unwrap().unwrap();
    assert_eq!((live.number, live.author.as_str()), (scheduled.number + 1, "schedule"));
    let log = store.list_audit_entries(ListRange { page: 1, per_page: 100 }).await.unwrap();
    assert_eq!(log.iter().filter(|entry| entry.by == ActorKind::Schedule).count(), 1);
    let known = store.list_moments(project).await.unwrap();
    assert_eq!(known.iter().filter(|known| known.outcome == MomentOutcome::Done).count(), 1);
}
