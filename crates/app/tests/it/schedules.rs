//! Campaigns that start and stop by themselves.

use std::time::Duration;

use app::documents::ResourceKind::Campaign;
use app::drafts::Removal;
use app::projects::{Origin, publish_project};
use app::schedules::{Ran, SteadyTime, next_moment, run_due};
use domain::Project;
use serde_json::{Value, json};
use storage::{
    Act, ActorKind, AuditEvent, DraftUpdate, ManagedBy, NewAuditEntry, NewRevision, Precondition,
    Publication, ScheduledMoment,
};

use crate::drafts::written;
use crate::shop::{HERO, Shop};

/// The server's clock begins at eight o'clock, in Berlin at nine.
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

async fn publish(shop: &Shop, document: &str) {
    let project: Project = written(document);
    publish_project(shop.app(), project, Origin::Handed { by: "Ann" }).await.unwrap();
}

async fn with_schedule() -> Shop {
    let shop = Shop::open().await;
    publish(&shop, SHOP).await;
    shop
}

/// Looks what is due by a clock that has been steady for so long.
async fn run_after(shop: &Shop, steady_for: Duration) -> Ran {
    run_due(shop.app(), SteadyTime { now: shop.app().wall_time(), steady_for }).await.unwrap()
}

/// Looks what is due by a clock that has been right for ever; tells what was done, and what was missed.
async fn look(shop: &Shop) -> [Vec<&'static str>; 2] {
    look_after(shop, Duration::MAX).await
}

async fn look_after(shop: &Shop, steady_for: Duration) -> [Vec<&'static str>; 2] {
    let ran = run_after(shop, steady_for).await;
    assert!(ran.failed.is_empty(), "{:?}", ran.failed);
    let word = |moment: &ScheduledMoment| moment.action.as_str();
    let done = ran.done.iter().map(|(moment, _)| word(moment)).collect();
    [done, ran.missed.iter().map(word).collect()]
}

const NOTHING: [Vec<&str>; 2] = [vec![], vec![]];

async fn is_running(shop: &Shop) -> bool {
    shop.shows("Ship faster").await
}

/// The live revision's number, author and message.
async fn live(shop: &Shop) -> (u32, String, String) {
    let live = shop.app().store().live_revision(shop.id).await.unwrap().unwrap();
    (live.number, live.author, live.message)
}

#[tokio::test]
async fn a_campaign_starts_and_stops_when_its_schedule_says() {
    let shop = with_schedule().await;
    shop.server.advance_seconds(30 * MINUTE - 1);
    assert_eq!(look(&shop).await, NOTHING);
    assert!(!is_running(&shop).await);

    shop.server.advance_seconds(1);
    assert_eq!(look(&shop).await, [vec!["start"], vec![]]);
    assert!(is_running(&shop).await);
    assert_eq!(live(&shop).await, (2, "schedule".to_owned(), "start hero".to_owned()));

    shop.server.advance_seconds(HOUR - 1);
    assert_eq!(look(&shop).await, NOTHING);
    shop.server.advance_seconds(1);
    assert_eq!(look(&shop).await, [vec!["stop"], vec![]]);
    assert!(!is_running(&shop).await);
    assert_eq!(live(&shop).await, (3, "schedule".to_owned(), "stop hero".to_owned()));
    assert_eq!(look(&shop).await, NOTHING);
    let log = shop.server.audit().await;
    assert_eq!((log[0].event, log[0].by), (AuditEvent::RevisionPublished, ActorKind::Schedule));
}

#[tokio::test]
async fn after_a_clock_that_was_ahead_no_campaign_starts_early() {
    let shop = with_schedule().await;

    shop.server.set_clock_back_seconds(HOUR);
    shop.server.advance_seconds(90 * MINUTE - 1);
    assert_eq!(look(&shop).await, NOTHING);

    shop.server.advance_seconds(1);
    assert_eq!(look(&shop).await, [vec!["start"], vec![]]);
}

/// What is live has code that an earlier version took: it is nested deeper than is allowed.
async fn db_has_deep_code_live(shop: &Shop) {
    let deep = format!("return {}1{}", "(".repeat(3_000), ")".repeat(3_000));
    let mut document = serde_json::to_value(written(SHOP)).unwrap();
    document["campaigns"][0]["experiments"][0]["variations"][1]["changes"] =
        json!([{"type": "javascript", "value": deep}]);
    let at = shop.app().now();
    let act = Act { by: ActorKind::Command, member: None, address: None, at };
    let revision = NewRevision {
        project_id: shop.id,
        document: document.to_string(),
        document_hash: "0".repeat(64),
        snippet_hash: "0".repeat(32),
        javascript: String::new(),
        brotli: Vec::new(),
        gzip: Vec::new(),
        author: "Ann".to_owned(),
        message: String::new(),
        restored_from: None,
        created_at: at,
        moments: vec![next_moment(shop.app()).await.unwrap().unwrap()],
    };
    let entry = NewAuditEntry {
        event: AuditEvent::RevisionPublished,
        act,
        member: None,
        client_id: None,
        detail: String::new(),
        project: None,
    };
    let publication = Publication {
        revision,
        precondition: Precondition::default(),
        settled: Vec::new(),
        draft: DraftUpdate::Keep,
        managed_by: ManagedBy::Store,
        announcements: Vec::new(),
        entry,
    };
    shop.app().store().publish_revision(publication).await.unwrap();
}

#[tokio::test]
async fn a_schedule_with_code_that_is_not_taken_any_more_fails_and_ends_no_server() {
    let shop = with_schedule().await;
    db_has_deep_code_live(&shop).await;
    let shop = shop.restarted();
    shop.server.advance_seconds(30 * MINUTE);

    let ran = run_after(&shop, Duration::MAX).await;

    let [(project, error)] = &ran.failed[..] else { panic!("{ran:?}") };
    assert_eq!(*project, shop.id);
    assert!(error.to_string().contains("code"), "{error}");
    assert_eq!(live(&shop).await.0, 2);
    publish(&shop, SHOP).await;
    assert_eq!(look(&shop).await, [vec!["start"], vec![]]);
}

#[tokio::test]
async fn what_was_due_while_no_server_ran_is_done_within_a_day() {
    let shop = with_schedule().await;
    shop.server.advance_seconds(30 * MINUTE + DAY);
    let shop = shop.restarted();

    assert_eq!(look(&shop).await, [vec!["start", "stop"], vec![]]);

    assert!(!is_running(&shop).await);
    let message = "start hero (24 hours late), stop hero (23 hours late)";
    assert_eq!(live(&shop).await, (2, "schedule".to_owned(), message.to_owned()));
}

#[tokio::test]
async fn a_start_that_is_more_than_a_day_late_is_missed_and_written_down() {
    let shop = with_schedule().await;
    shop.server.advance_seconds(30 * MINUTE + DAY + 1);

    assert_eq!(look(&shop).await, [vec![], vec!["start", "stop"]]);

    assert!(!is_running(&shop).await);
    assert_eq!(live(&shop).await.0, 1);
    let log = shop.server.audit().await;
    assert_eq!([log[0].event, log[1].event], [AuditEvent::ScheduleMissed; 2]);
    publish(&shop, &SHOP.replace("Hero text", "Hero")).await;
    assert_eq!(look(&shop).await, NOTHING, "it stays missed");
}

#[tokio::test]
async fn a_stop_is_carried_out_however_late_and_what_it_is_late_is_written_down() {
    let shop = with_schedule().await;
    shop.server.advance_seconds(30 * MINUTE);
    look(&shop).await;
    shop.server.advance_seconds(HOUR + 300 * DAY);
    let shop = shop.restarted();

    assert_eq!(look(&shop).await, [vec!["stop"], vec![]]);

    assert!(!is_running(&shop).await);
    let entry = &shop.server.audit().await[0];
    assert_eq!(entry.event, AuditEvent::RevisionPublished);
    assert_eq!(entry.detail.as_deref(), Some("stop hero (300 days late)"));
}

#[tokio::test]
async fn a_clock_that_is_weeks_ahead_for_a_moment_starts_stops_and_misses_nothing() {
    const WEEKS: i64 = 49 * DAY;
    let shop = with_schedule().await;
    for ahead in [WEEKS, 12 * HOUR] {
        shop.server.advance_seconds(ahead);
        assert_eq!(look_after(&shop, Duration::from_secs(59)).await, NOTHING);
        shop.server.advance_seconds(-ahead);
    }

    shop.server.advance_seconds(30 * MINUTE);
    assert_eq!(look_after(&shop, Duration::ZERO).await, [vec!["start"], vec![]], "it is on time");
    assert!(is_running(&shop).await);
}

#[tokio::test]
async fn a_late_action_waits_for_a_steady_clock_and_is_missed_a_day_later() {
    let shop = with_schedule().await;
    shop.server.advance_seconds(30 * MINUTE + DAY + 1);
    assert_eq!(look_after(&shop, Duration::from_mins(59)).await, NOTHING);
    assert_eq!(look_after(&shop, Duration::from_hours(1)).await, [vec![], vec!["start", "stop"]]);

    let shop = with_schedule().await;
    shop.server.advance_seconds(32 * MINUTE);
    assert_eq!(look_after(&shop, Duration::from_secs(59)).await, NOTHING);
    assert_eq!(look_after(&shop, Duration::from_mins(1)).await, [vec!["start"], vec![]]);
}

#[tokio::test]
async fn a_stop_on_time_comes_after_the_late_start_that_it_ends() {
    let shop = with_schedule().await;
    shop.server.advance_seconds(HOUR + 30 * MINUTE + 10);

    assert_eq!(look_after(&shop, Duration::ZERO).await, NOTHING);
    assert_eq!(look_after(&shop, Duration::from_mins(1)).await, [vec!["start", "stop"], vec![]]);

    assert!(!is_running(&shop).await);
}

#[tokio::test]
async fn a_document_of_before_is_published_with_what_its_schedule_has_done() {
    let shop = with_schedule().await;
    shop.server.advance_seconds(30 * MINUTE);
    look(&shop).await;

    publish(&shop, SHOP).await;
    assert_eq!(live(&shop).await.0, 2, "it is what is live already");
    publish(&shop, &SHOP.replace("Ship faster", "Ship faster!")).await;
    assert!(is_running(&shop).await);

    publish(&shop, &SHOP.replace("status: not_started", "status: paused")).await;
    assert!(!is_running(&shop).await);
    shop.server.advance_seconds(HOUR);
    assert_eq!(look(&shop).await, [vec!["stop"], vec![]]);
    publish(&shop, &SHOP.replace("status: not_started", "status: running")).await;
    assert!(!is_running(&shop).await);
}

#[tokio::test]
async fn a_document_of_before_is_applied_with_what_its_schedule_has_done() {
    let shop = with_schedule().await;
    let document = shop.document().await;
    assert_eq!(document["campaigns"][0]["status"], "not_started");
    shop.server.advance_seconds(30 * MINUTE);
    look(&shop).await;

    let plan = shop.replace(document, Removal::Refused).await.unwrap();

    assert_eq!(plan.differences, []);
    assert_eq!(shop.get(Campaign, HERO).await["status"], "running");
}

#[tokio::test]
async fn a_schedule_counts_as_it_was_published_last() {
    let shop = with_schedule().await;
    let due = async || next_moment(shop.app()).await.unwrap().map(|next| next.due_at);
    let first = due().await.unwrap().as_milliseconds();
    let minutes_later = async || (due().await.unwrap().as_milliseconds() - first) / 60_000;

    publish(&shop, &SHOP.replace("T09:30", "T09:45")).await;
    assert_eq!(minutes_later().await, 15);
    publish(&shop, &SHOP.replace("name: Shop", "archived: true")).await;
    assert_eq!(due().await, None);
    publish(&shop, &SHOP.replace("not_started", "concluded")).await;
    assert_eq!(due().await, None);
    publish(&shop, &SHOP.replace("not_started", "running")).await;
    assert_eq!(minutes_later().await, 60, "only its end is to come");
}

#[tokio::test]
async fn a_schedule_of_a_draft_counts_once_it_is_published() {
    let shop = Shop::with_hero().await;
    let schedule = json!({"start": "2027-01-15T09:00", "time_zone": "UTC"});
    shop.change(Campaign, HERO, json!({"schedule": schedule})).await.unwrap();
    assert_eq!(next_moment(shop.app()).await.unwrap(), None);

    shop.publish("planned").await.unwrap();
    shop.server.advance_seconds(HOUR);

    assert_eq!(look(&shop).await, [vec!["start"], vec![]]);
    assert_eq!(shop.get(Campaign, HERO).await["status"], "running");
    assert_eq!(shop.unpublished().await.differences, []);
}

#[tokio::test]
async fn what_a_schedule_does_is_done_in_the_draft_as_well_and_nothing_else_of_the_draft_goes_live()
{
    let shop = with_schedule().await;
    shop.change(Campaign, HERO, json!({"name": "Edited"})).await.unwrap();

    shop.server.advance_seconds(30 * MINUTE);
    look(&shop).await;

    let draft = shop.get(Campaign, HERO).await;
    assert_eq!((&draft["status"], &draft["name"]), (&json!("running"), &json!("Edited")));
    assert_eq!(draft["updated_by"], "schedule");
    assert_eq!(shop.revision(2).await["campaigns"][0]["name"], "Hero text");
}

#[tokio::test]
async fn what_a_member_has_done_meanwhile_is_not_done_again() {
    let shop = with_schedule().await;
    shop.start(HERO).await.unwrap();
    shop.server.advance_seconds(30 * MINUTE);

    let [done, _] = look(&shop).await;

    assert_eq!(done, [""; 0]);
    assert!(is_running(&shop).await);
    assert_eq!(live(&shop).await.0, 2);
    assert_eq!(
        shop.revision(2).await["campaigns"][0]["schedule"]["stop"],
        json!("2027-01-15T10:30")
    );
    let due: Option<Value> =
        next_moment(shop.app()).await.unwrap().map(|next| json!(next.action.as_str()));
    assert_eq!(due, Some(json!("stop")));
}
