//! The binary delivers to real receivers, which check its signatures by themselves; and results are announced when they have come to something.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use app::documents::WebhookEvent;
use app::roles::Actor;
use app::webhooks::{NewWebhook, add_webhook, announce_results};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::hmac;
use serde_json::{Value, json};
use storage::ListRange;

use crate::command_line::binary::{Folder, Server};
use crate::events::{let_these_come, let_visitors_come};
use crate::shop::{publish_text, shop_with};
use crate::site::Site;

/// A request that a receiver got.
pub(crate) struct Got {
    pub(crate) path: String,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: String,
}

impl Got {
    /// Whether one of the signatures is right, by the words of the standard alone.
    fn is_signed_with(&self, secret: &str) -> bool {
        let key = STANDARD.decode(secret.strip_prefix("whsec_").unwrap()).unwrap();
        let key = hmac::Key::new(hmac::HMAC_SHA256, &key);
        let text = format!(
            "{}.{}.{}",
            self.headers["webhook-id"], self.headers["webhook-timestamp"], self.body
        );
        self.headers["webhook-signature"].split(' ').any(|signature| {
            let signature = STANDARD.decode(signature.strip_prefix("v1,").unwrap()).unwrap();
            hmac::verify(&key, text.as_bytes(), &signature).is_ok()
        })
    }

    pub(crate) fn event(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

/// A receiver on this machine that answers each request so; what it got comes out of the channel.
fn receiver(answer: &'static str) -> (u16, Receiver<Got>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (sender, got) = channel();
    thread::spawn(move || {
        for stream in listener.incoming() {
            take(stream.unwrap(), answer, &sender);
        }
    });
    (port, got)
}

fn take(stream: TcpStream, answer: &str, sender: &Sender<Got>) {
    let (got, mut stream) = read(stream);
    stream.write_all(answer.as_bytes()).unwrap();
    // The story may be over.
    let _told = sender.send(got);
}

/// The request that comes, and where its answer goes.
pub(crate) fn read(stream: TcpStream) -> (Got, TcpStream) {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).unwrap();
    let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
    let mut headers = BTreeMap::new();
    loop {
        line.clear();
        reader.read_line(&mut line).unwrap();
        let Some((name, value)) = line.split_once(':') else { break };
        headers.insert(name.to_lowercase(), value.trim().to_owned());
    }
    let length = headers.get("content-length").map_or(0, |length| length.parse().unwrap());
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    let got = Got { path, headers, body: String::from_utf8(body).unwrap() };
    (got, reader.into_inner())
}

pub(crate) const TAKEN: &str = "HTTP/1.1 204 No Content\r\n\r\n";

/// A delivery begins within half a second.
const SOON: Duration = Duration::from_secs(30);

/// The demo with a token for programs.
struct Demo {
    server: Server,
    folder: Folder,
    token: String,
}

impl Demo {
    fn start(arguments: &[&str]) -> Self {
        let folder = Folder::new();
        let arguments = [&["--demo", "--data", "data"], arguments].concat();
        let server = folder.serve_logging("trace", &arguments);
        let token = Self::new_token(&folder);
        Self { server, folder, token }
    }

    fn new_token(folder: &Folder) -> String {
        let add = [
            "token",
            "add",
            "ci",
            "--scope",
            "config:read,config:write,publish,results:read",
            "--service",
        ];
        let more = ["--role", "publisher", "--project", "1000", "--data", "data", "--json"];
        let output = folder.assay(&[&add[..], &more].concat());
        let added: Value = serde_json::from_slice(&output.stdout).unwrap();
        added["token"].as_str().unwrap_or_else(|| panic!("{output:?}")).to_owned()
    }

    async fn post(&self, path: &str, body: Value) -> (u16, Value) {
        let request = reqwest::Client::new().post(self.server.url(path)).bearer_auth(&self.token);
        let answer = request.json(&body).send().await.unwrap();
        (answer.status().as_u16(), answer.json().await.unwrap())
    }

    async fn get(&self, path: &str) -> Value {
        let request = reqwest::Client::new().get(self.server.url(path)).bearer_auth(&self.token);
        request.send().await.unwrap().json().await.unwrap()
    }
}

const WEBHOOKS: &str = "/v1/projects/1000/webhooks";

#[tokio::test]
async fn a_receiver_hears_of_what_happens_and_can_check_who_says_so() {
    let (port, got) = receiver(TAKEN);
    let demo = Demo::start(&["--webhook-network", "127.0.0.0/8"]);
    let url = format!("http://127.0.0.1:{port}/s3cret-path");
    let (status, webhook) = demo.post(WEBHOOKS, json!({"url": url})).await;
    assert_eq!(status, 201, "{webhook}");
    let campaign = demo.get("/v1/projects/1000/campaigns?per_page=1").await[0]["id"].clone();
    let path = format!("/v1/projects/1000/campaigns/{}/actions", campaign.as_str().unwrap());

    let (status, acted) = demo.post(&path, json!({"action": "pause"})).await;

    assert_eq!(status, 200, "{acted}");
    let secret = webhook["secret"].as_str().unwrap();
    let told = ["revision.published", "campaign.paused"].map(|expected| {
        let got = got.recv_timeout(SOON).unwrap();
        assert_eq!((&*got.path, &got.event()["type"]), ("/s3cret-path", &json!(expected)));
        assert!(got.is_signed_with(secret), "{:?}", got.headers);
        assert!(!got.is_signed_with(&format!("whsec_{}", STANDARD.encode([7; 32]))));
        got
    });
    assert_eq!(told[1].event()["data"]["campaign"]["id"], campaign);
    let log = demo.folder.log_of(demo.server);
    assert!(log.contains("campaigns/{name}") || log.contains("/actions"), "the log is there");
    for secret in ["s3cret-path", secret.strip_prefix("whsec_").unwrap()] {
        assert!(!log.contains(secret), "the log tells {secret}");
    }
}

#[tokio::test]
async fn a_receiver_knows_requests_after_everything_has_ended() {
    let (port, got) = receiver(TAKEN);
    let mut demo = Demo::start(&["--webhook-network", "127.0.0.0/8"]);
    let url = format!("http://127.0.0.1:{port}/");
    let (_, webhook) = demo.post(WEBHOOKS, json!({"url": url})).await;
    let campaign = demo.get("/v1/projects/1000/campaigns?per_page=1").await[0]["id"].clone();
    let path = format!("/v1/projects/1000/campaigns/{}/actions", campaign.as_str().unwrap());

    let ended = demo.folder.assay(&["tokens", "end-all", "--data", "data"]);
    demo.token = Demo::new_token(&demo.folder);
    demo.post(&path, json!({"action": "pause"})).await;

    assert_eq!(ended.status.code(), Some(0), "{ended:?}");
    assert!(got.recv_timeout(SOON).unwrap().is_signed_with(webhook["secret"].as_str().unwrap()));
}

#[tokio::test]
async fn without_the_operators_word_nothing_on_this_machine_is_asked() {
    let (port, got) = receiver(TAKEN);
    let demo = Demo::start(&[]);

    for host in ["127.0.0.1", "localhost"] {
        let url = format!("https://{host}:{port}/");
        let (status, refused) = demo.post(WEBHOOKS, json!({"url": url})).await;
        assert_eq!((status, &refused["code"]), (422, &json!("invalid")), "{refused}");
    }
    assert!(got.try_recv().is_err());
}

#[tokio::test]
async fn a_copy_of_a_server_with_webhooks_off_notifies_none() {
    let (port, got) = receiver(TAKEN);
    let mut demo = Demo::start(&["--webhook-network", "127.0.0.0/8"]);
    let url = format!("http://127.0.0.1:{port}/");
    let (status, webhook) = demo.post(WEBHOOKS, json!({"url": url})).await;
    assert_eq!(status, 201, "{webhook}");
    let webhook = format!("{WEBHOOKS}/{}", webhook["id"].as_str().unwrap());
    let campaign = demo.get("/v1/projects/1000/campaigns?per_page=1").await[0]["id"].clone();
    let actions = format!("/v1/projects/1000/campaigns/{}/actions", campaign.as_str().unwrap());
    demo.folder.assay(&["backup", "a.backup", "--data", "data"]);
    demo.folder.assay(&["restore", "a.backup", "--keep-tokens", "--data", "copy"]);
    let allowed = ["--webhook-network", "127.0.0.0/8"];
    let copy = [&["--data", "copy", "--webhooks", "off"][..], &allowed].concat();
    let copy = demo.folder.serve(&copy);

    let original = std::mem::replace(&mut demo.server, copy);
    let (status, acted) = demo.post(&actions, json!({"action": "pause"})).await;
    let (refused, problem) = demo.post(&format!("{webhook}/test"), json!({})).await;
    let log = demo.get(&format!("{webhook}/deliveries")).await;
    demo.server = original;
    let (sent, _) = demo.post(&format!("{webhook}/test"), json!({})).await;

    assert_eq!((status, sent), (200, 202), "{acted}");
    assert_eq!((refused, &problem["code"]), (409, &json!("webhook_off")));
    assert!(problem["detail"].as_str().unwrap().contains("--webhooks off"), "{problem}");
    assert_eq!(log, json!([]), "nothing is announced");
    let first = got.recv_timeout(SOON).unwrap();
    assert_eq!(first.event()["type"], "webhook.test", "the copy has sent nothing before");
}

/// How many results are announced now.
async fn announced(site: &Site) -> usize {
    let found = announce_results(&site.app).await.unwrap();
    assert!(found.failed.is_empty(), "{:?}", found.failed);
    found.announced
}

#[tokio::test]
async fn verdicts_of_running_campaigns_are_announced_once() {
    announce_once(&Site::start()).await;
}

#[tokio::test]
async fn verdicts_of_running_campaigns_are_announced_once_on_postgres() {
    announce_once(&Site::start_on_postgres("verdicts").await).await;
}

async fn announce_once(site: &Site) {
    publish_text(site, &shop_with("results: on").replace("not_started", "running")).await;
    let id = "1000".parse().unwrap();
    let add = async |events: &[WebhookEvent]| {
        let url = "https://hooks.example/".to_owned();
        let new = NewWebhook { url, description: String::new(), events: events.to_vec() };
        add_webhook(&site.app, &Actor::Command, id, new).await.unwrap().webhook
    };
    let other = add(&[WebhookEvent::CampaignStarted]).await;
    let_visitors_come(site).await;
    assert_eq!(announced(site).await, 0, "no webhook wants it");
    let webhook = add(&[WebhookEvent::ResultsDecided]).await;

    assert_eq!(announced(site).await, 1);
    site.advance_seconds(600);
    let_visitors_come(site).await;
    assert_eq!(announced(site).await, 0);

    let log = async |webhook: &str| {
        let all = ListRange { page: 1, per_page: 9 };
        site.app.store().list_webhook_deliveries(webhook, all).await.unwrap().0
    };
    assert_eq!(log(&other.id).await.len(), 0);
    let log = log(&webhook.id).await;
    assert_eq!(log.len(), 1);
    let body: Value = serde_json::from_str(&log[0].body).unwrap();
    assert_eq!(body["type"], "results.decided");
    let data = &body["data"];
    assert_eq!(
        (&data["verdict"]["code"], &data["verdict"]["variation"]),
        (&json!("better"), &json!("5002"))
    );
    assert_eq!(
        (&data["campaign"]["id"], &data["experiment"]["id"]),
        (&json!("3001"), &json!("4001"))
    );
    assert_eq!(data["variations"][1]["visitors"], 140);
    assert!(body["text"].as_str().unwrap().starts_with("Tools & ‹more›: Hero text: "), "{body}");
    assert_eq!(form(&body), form(&documented_verdict()));
}

#[tokio::test]
async fn a_verdict_that_follows_one_of_low_risk_is_announced_too() {
    let site = Site::start();
    let running = shop_with("results: on").replace("not_started", "running");
    let plan = "name: Hero text\n    plan: {method: bayesian, max_loss: 10 %}";
    publish_text(&site, &running.replace("name: Hero text", plan)).await;
    let id = "1000".parse().unwrap();
    let url = "https://hooks.example/".to_owned();
    let new = NewWebhook { url, description: String::new(), events: vec![] };
    let webhook = add_webhook(&site.app, &Actor::Command, id, new).await.unwrap().webhook;

    let_these_come(&site, ("early", 140), [100, 101]).await;
    assert_eq!((announced(&site).await, announced(&site).await), (1, 0));
    site.advance_seconds(600);
    let_visitors_come(&site).await;
    assert_eq!((announced(&site).await, announced(&site).await), (1, 0));

    let all = ListRange { page: 1, per_page: 9 };
    let (log, _) = site.app.store().list_webhook_deliveries(&webhook.id, all).await.unwrap();
    let codes = log.iter().map(|delivery| {
        let body: Value = serde_json::from_str(&delivery.body).unwrap();
        body["data"]["verdict"]["code"].clone()
    });
    assert_eq!(codes.collect::<Vec<_>>(), ["better", "low_risk"]);
}

/// The example of a verdict that receivers are written by.
fn documented_verdict() -> Value {
    let page = include_str!("../../../../docs/webhooks.md");
    let mut examples =
        page.split("```json\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let example = examples.find(|example| example.contains("results.decided")).unwrap();
    serde_json::from_str(example).unwrap()
}

/// The names of all fields, and of those of the first element of lists.
fn form(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            fields.iter().map(|(name, field)| (name.clone(), form(field))).collect()
        }
        Value::Array(elements) => elements.iter().take(1).map(form).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Value::Null,
    }
}
