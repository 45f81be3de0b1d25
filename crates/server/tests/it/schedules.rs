//! Campaigns that start and stop by themselves.

use app::documents::check_document;
use app::projects::{Origin, publish_project};
use app::schedules::{next_moment, run_due};
use axum::body::Body;
use axum::http::{Request, StatusCode};
use domain::{NoFiles, Source};
use serde_json::json;
use storage::{
    Act, ActorKind, AuditEvent, ChangeDraft, DraftChanges, DraftDocument, NewAuditEntry, Page,
    StoredDraft,
};

use crate::oauth::token_call::fetch_tokens;
use crate::site::Site;

/// The site's clock begins at eight o'clock, in Berlin at nine.
const SHOP: &str = r#"
version: 1
project: {id: "1000", key: shop, name: Shop}
pages:
  - {id: "2001", key: home, conditions: ["or", {type: url, match: simple, value: "https://shop.example/"}]}
campaigns:
  - id: "3001"
    key: hero
    name: Hero text
    type: ab_test
    status: not_started
    schedule: {start: "2027-01-15T09:30", stop: "2027-01-15T10:30", time_zone: Europe/Berlin}
    pages: [home]
    experiments:
      - id: "4001"
        key: hero
        variations:
          - {id: "5001", key: original, weight: 5000}
          - {id: "5002", key: short, weight: 5000, changes: [{type: text, selector: h1, value: Ship faster}]}
"#;

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

async fn publish(site: &Site, document: &str) {
    let source = Source { name: "shop.yaml", text: document, files: &NoFiles };
    let project = check_document(&source).unwrap().project;
    publish_project(&site.app, project, Origin::Handed { by: "Ann" }).await.unwrap();
}

async fn shop() -> Site {
    let site = Site::start();
    publish(&site, SHOP).await;
    site
}

/// Looks what is due; tells what was done, and what was missed.
async fn look(site: &Site) -> (Vec<String>, Vec<String>) {
    let ran = run_due(&site.app).await.unwrap();
    assert!(ran.failed.is_empty(), "{:?}", ran.failed);
    let words = |moments: Vec<storage::ScheduledMoment>| {
        moments.iter().map(|moment| moment.action.as_str().to_owned()).collect()
    };
    (words(ran.done), words(ran.missed))
}

async fn is_running(site: &Site) -> bool {
    site.get("/js/1000.js").await.body.contains("Ship faster")
}

/// The live revision's number, author and message.
async fn live(site: &Site) -> (u32, String, String) {
    let live = site.app.store().live_revision("1000".parse().unwrap()).await.unwrap().unwrap();
    (live.number, live.author, live.message)
}

async fn events(site: &Site) -> Vec<AuditEvent> {
    let page = Page { page: 1, per_page: 100 };
    let log = site.app.store().list_audit_entries(page).await.unwrap();
    log.into_iter().rev().map(|entry| entry.event).collect()
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

#[tokio::test]
async fn a_campaign_starts_and_stops_when_its_schedule_says() {
    let site = shop().await;
    site.advance_seconds(30 * MINUTE - 1);
    assert_eq!(look(&site).await, (vec![], vec![]));
    assert!(!is_running(&site).await);

    site.advance_seconds(1);
    assert_eq!(look(&site).await, (words(&["start"]), vec![]));
    assert!(is_running(&site).await);
    assert_eq!(live(&site).await, (2, "schedule".to_owned(), "start hero".to_owned()));

    site.advance_seconds(HOUR - 1);
    assert_eq!(look(&site).await, (vec![], vec![]));
    site.advance_seconds(1);
    assert_eq!(look(&site).await, (words(&["stop"]), vec![]));
    assert!(!is_running(&site).await);
    assert_eq!(live(&site).await, (3, "schedule".to_owned(), "stop hero".to_owned()));
    assert_eq!(look(&site).await, (vec![], vec![]));
    assert_eq!(events(&site).await, [AuditEvent::RevisionPublished; 3]);
}

#[tokio::test]
async fn what_was_due_while_no_server_ran_is_done_within_a_day() {
    let site = shop().await;
    site.advance_seconds(30 * MINUTE + DAY);

    assert_eq!(look(&site).await, (words(&["start", "stop"]), vec![]));

    assert!(!is_running(&site).await);
    assert_eq!(live(&site).await, (2, "schedule".to_owned(), "start hero, stop hero".to_owned()));
}

#[tokio::test]
async fn what_is_more_than_a_day_late_is_missed_and_written_down() {
    let site = shop().await;
    site.advance_seconds(30 * MINUTE + DAY + 1);

    assert_eq!(look(&site).await, (vec![], words(&["start", "stop"])));

    assert!(!is_running(&site).await);
    assert_eq!(live(&site).await.0, 1);
    let (published, missed) = (AuditEvent::RevisionPublished, AuditEvent::ScheduleMissed);
    assert_eq!(events(&site).await, [published, missed, missed]);
    publish(&site, &SHOP.replace("Hero text", "Hero")).await;
    assert_eq!(look(&site).await, (vec![], vec![]), "it stays missed");
}

#[tokio::test]
async fn a_document_of_before_is_published_with_what_its_schedule_has_done() {
    let site = shop().await;
    site.advance_seconds(30 * MINUTE);
    look(&site).await;

    publish(&site, SHOP).await;
    assert_eq!(live(&site).await.0, 2, "it is what is live already");
    publish(&site, &SHOP.replace("Ship faster", "Ship faster!")).await;
    assert!(is_running(&site).await);

    let paused = SHOP.replace("status: not_started", "status: paused");
    publish(&site, &paused).await;
    assert!(!is_running(&site).await);
    site.advance_seconds(HOUR);
    assert_eq!(look(&site).await, (words(&["stop"]), vec![]));
    publish(&site, &SHOP.replace("status: not_started", "status: running")).await;
    assert!(!is_running(&site).await);
}

#[tokio::test]
async fn a_schedule_counts_as_it_was_published_last() {
    let site = shop().await;
    let due = async || next_moment(&site.app).await.unwrap().map(|next| next.due_at);
    let first = due().await.unwrap();

    publish(&site, &SHOP.replace("T09:30", "T09:45")).await;
    assert_eq!(due().await.unwrap().as_milliseconds() - first.as_milliseconds(), 15 * 60_000);
    publish(&site, &SHOP.replace("name: Shop", "archived: true")).await;
    assert_eq!(due().await, None);
    publish(&site, &SHOP.replace("not_started", "concluded")).await;
    assert_eq!(due().await, None);
    let by_hand = SHOP.replace("not_started", "running");
    publish(&site, &by_hand).await;
    assert_eq!(due().await.unwrap().as_milliseconds() - first.as_milliseconds(), 60 * 60_000);
}

#[tokio::test]
async fn what_a_schedule_does_is_done_in_the_draft_as_well() {
    let site = shop().await;
    let project = "1000".parse().unwrap();
    let store = site.app.store();
    let StoredDraft { head, document, .. } = store.find_draft(project).await.unwrap().unwrap();
    let draft = DraftDocument {
        key: "shop".to_owned(),
        name: None,
        is_archived: false,
        document: document.replace("Ship faster", "Ship later"),
        changes: DraftChanges { at: site.app.now(), by: String::new(), changes: Vec::new() },
    };
    let entry = NewAuditEntry {
        event: AuditEvent::DraftChanged,
        act: Act { by: ActorKind::Command, member: None, address: None, at: site.app.now() },
        member: None,
        client_id: None,
        detail: String::new(),
        project: None,
    };
    let version = head.draft_version;
    let change = ChangeDraft { project_id: project, version, draft, entry };
    store.change_draft(change).await.unwrap().unwrap();

    site.advance_seconds(30 * MINUTE);
    look(&site).await;

    let draft = store.find_draft(project).await.unwrap().unwrap().document;
    assert!(draft.contains("\"running\"") && draft.contains("Ship later"), "{draft}");
    assert!(is_running(&site).await, "nothing else of the draft goes live");
}

#[tokio::test]
async fn a_document_of_before_is_applied_with_what_its_schedule_has_done() {
    let site = shop().await;
    let application = site.application().await;
    let token = fetch_tokens(&site, &application, "all").await.access;
    site.advance_seconds(30 * MINUTE);
    look(&site).await;
    let source = Source { name: "shop.yaml", text: SHOP, files: &NoFiles };
    let document = serde_json::to_string(&check_document(&source).unwrap().project).unwrap();
    assert!(document.contains("not_started"));
    let request = Request::put("/v1/projects/1000/document")
        .header("authorization", format!("Bearer {token}"))
        .header("content-type", "application/json")
        .header("if-match", "*");

    let applied = site.send(request.body(Body::from(document)).unwrap()).await;

    assert_eq!(applied.status, StatusCode::OK, "{}", applied.body);
    assert_eq!(applied.json()["changes"], json!([]));
}
