//! A server that is killed while it delivers: the next one sends the same message again, and then what waited behind it.

use std::io::Write as _;
use std::net::TcpListener;

use oauth::{Lifetime, Timestamp};
use serde_json::{Value, json};
use storage::{
    Act, ActorKind, AuditEvent, DeliveryOutcome, ListRange, NewAuditEntry, Store, WebhookDelivery,
};

use super::events::now;
use super::life::Database;
use super::publishing::left_behind;
use crate::command_line::binary::{Folder, Server};
use crate::webhooks::{TAKEN, read};

/// No other server delivers what a dead one was at before that is over.
const LEASED_FOR: Lifetime = Lifetime::from_seconds(60);

const WEBHOOKS: &str = "/v1/projects/1000/webhooks";

/// A program with a token, which outlives the server.
struct Program(String);

impl Program {
    fn of(folder: &Folder, place: &[&str]) -> Self {
        let add =
            ["token", "add", "ci", "--scope", "config:read,config:write,publish,results:read"];
        let more = ["--service", "--role", "publisher", "--project", "1000", "--json"];
        let output = folder.assay(&[&add[..], &more, place].concat());
        let added: Value = serde_json::from_slice(&output.stdout).unwrap();
        Self(added["token"].as_str().unwrap_or_else(|| panic!("{output:?}")).to_owned())
    }

    async fn ask(&self, request: reqwest::RequestBuilder) -> Value {
        let answer = request.bearer_auth(&self.0).send().await.unwrap();
        assert!(answer.status().is_success(), "{}", answer.status());
        answer.json().await.unwrap()
    }

    /// Adds a webhook, and pauses a campaign, which it is to hear of. Returns the webhook's id.
    async fn have_something_told(&self, server: &Server, url: &str) -> String {
        let programs = reqwest::Client::new();
        let webhook = programs.post(server.url(WEBHOOKS)).json(&json!({"url": url}));
        let webhook = self.ask(webhook).await;
        let campaigns = programs.get(server.url("/v1/projects/1000/campaigns?per_page=1"));
        let campaign = self.ask(campaigns).await[0]["id"].as_str().unwrap().to_owned();
        let actions = server.url(&format!("/v1/projects/1000/campaigns/{campaign}/actions"));
        self.ask(programs.post(actions).json(&json!({"action": "pause"}))).await;
        webhook["id"].as_str().unwrap().to_owned()
    }
}

async fn log(store: &dyn Store, webhook: &str) -> Vec<WebhookDelivery> {
    let all = ListRange { page: 1, per_page: 9 };
    store.list_webhook_deliveries(webhook, all).await.unwrap().0
}

/// Time goes on from the newest moment in the store: the next server starts when the lease is over.
async fn let_the_lease_end(store: &dyn Store) {
    let at = Timestamp::from_milliseconds(i64::try_from(now()).unwrap()) + LEASED_FOR;
    let entry = NewAuditEntry {
        event: AuditEvent::SignedOut,
        act: Act { by: ActorKind::Command, member: None, address: None, at },
        member: None,
        client_id: None,
        detail: String::new(),
        project: None,
    };
    store.add_audit_entry(entry).await.unwrap();
}

async fn deliver_and_die(database: Database) {
    let folder = Folder::new();
    let [flag, place] = database.fresh("crash_webhooks");
    let networks = ["--webhook-network", "127.0.0.0/8"];
    let serve =
        || folder.serve_logging("warn", &["--demo", &flag, &place, networks[0], networks[1]]);
    let receiver = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", receiver.local_addr().unwrap());
    let next = || read(receiver.accept().unwrap().0);
    let server = serve();
    let program = Program::of(&folder, &[&flag, &place]);
    let webhook = program.have_something_told(&server, &url).await;

    let (interrupted, unanswered) = next();
    drop(server);
    let store = left_behind(database, &folder, &place).await;
    let left: Vec<_> = log(&*store, &webhook).await.iter().map(|it| it.outcome).collect();
    let_the_lease_end(&*store).await;
    drop((store, unanswered));
    let server = serve();
    let told = [(); 2].map(|()| {
        let (got, mut stream) = next();
        stream.write_all(TAKEN.as_bytes()).unwrap();
        got
    });

    assert_eq!(left, [DeliveryOutcome::Due; 2]);
    assert_eq!(told[0].headers["webhook-id"], interrupted.headers["webhook-id"]);
    assert_eq!(told[0].body, interrupted.body);
    let events = told.each_ref().map(|got| got.event()["type"].clone());
    assert_eq!(events, ["revision.published", "campaign.paused"]);
    drop(server);
    let log = log(&*left_behind(database, &folder, &place).await, &webhook).await;
    let again = log.iter().find(|it| it.message == interrupted.headers["webhook-id"]).unwrap();
    assert_eq!((again.attempts, again.outcome), (2, DeliveryOutcome::Delivered));
}

#[tokio::test(flavor = "multi_thread")]
async fn deliveries_of_a_killed_server_are_sent_again() {
    deliver_and_die(Database::File).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn deliveries_of_a_killed_server_are_sent_again_on_postgres() {
    deliver_and_die(Database::Postgres).await;
}
