//! Webhooks, and what is announced and delivered to them.

use domain::ProjectId;
use oauth::Timestamp;
use serde_json::json;
use storage::{
    Announcement, AuditEvent, Authority, DeliveryAttempt, DeliveryOutcome,
    EARLIER_ATTEMPTS_AT_MOST, FurthestWaits, Lease, ListRange, OF_PROJECT_AT_ONCE, OffBecause,
    Precondition, PublishOutcome, SettledAttempt, Store, SwitchOff, WEBHOOKS_AT_MOST, Webhook,
    WebhookDelivery,
};

use crate::given::{all_at_once, at};
use crate::revisions::{entry, project, publication, publish, with_project};

const PAGE: ListRange = ListRange { page: 1, per_page: 100 };

/// A webhook of project 1 that wants all events.
pub(crate) fn webhook(id: &str) -> Webhook {
    Webhook {
        id: id.to_owned(),
        project: project(1),
        url: format!("https://hooks.example/{id}"),
        description: "Slack".to_owned(),
        events: Vec::new(),
        is_enabled: true,
        off_because: None,
        nonce: "first".to_owned(),
        former_nonce: None,
        member: None,
        made_by: "ann@example.com".to_owned(),
        made_at: at(0),
        version: 1,
    }
}

fn wanting(id: &str, events: &[&str]) -> Webhook {
    Webhook { events: events.iter().map(|event| (*event).to_owned()).collect(), ..webhook(id) }
}

async fn add(store: &dyn Store, webhook: Webhook) -> bool {
    with_project(store, webhook.project).await;
    let entry = entry(AuditEvent::WebhookAdded, 1);
    store.add_webhook((Authority::Operator, webhook), entry).await.unwrap()
}

async fn change(store: &dyn Store, webhook: Webhook) -> bool {
    let entry = entry(AuditEvent::WebhookChanged, 1);
    store.change_webhook((Authority::Operator, webhook), entry).await.unwrap()
}

fn announcement(message: &str, event: &str, seconds: i64) -> Announcement {
    let body = json!({"type": event, "data": {}});
    Announcement { message: message.to_owned(), event: event.to_owned(), at: at(seconds), body }
}

/// Announces to one webhook, at the beginning of the story and later.
async fn announce(store: &dyn Store, webhook: &str, message: &str, seconds: i64) -> bool {
    let announcement = announcement(message, "webhook.test", seconds);
    let entry = entry(AuditEvent::WebhookTested, 1);
    store.announce_to_webhook(webhook, announcement, entry).await.unwrap()
}

const fn lease(at: Timestamp, until: Timestamp) -> Lease {
    Lease { at, until }
}

/// Nothing waits for longer than two hours.
fn furthest(seconds: i64) -> FurthestWaits {
    FurthestWaits { leased_until: at(seconds + 7_200), due_at: at(seconds + 7_200) }
}

async fn next(store: &dyn Store, seconds: i64) -> Option<Timestamp> {
    store.next_webhook_delivery(furthest(seconds)).await.unwrap()
}

/// Claims for a minute; tells which messages.
async fn claim(store: &dyn Store, seconds: i64) -> Vec<String> {
    let lease = lease(at(seconds), at(seconds + 60));
    let mut claimed = store.claim_webhook_deliveries(lease, furthest(seconds), 9).await.unwrap();
    claimed.sort_by(|one, other| one.message.cmp(&other.message));
    claimed.into_iter().map(|delivery| delivery.message).collect()
}

/// What came of the attempt that was claimed for a minute at `claimed_at`.
fn settled(message: &str, claimed_at: i64, due_at: Option<i64>) -> SettledAttempt {
    SettledAttempt {
        webhook: "one".to_owned(),
        message: message.to_owned(),
        leased_until: at(claimed_at + 60),
        attempt: DeliveryAttempt {
            at: at(claimed_at + 1),
            status: Some(500),
            took_ms: 12,
            answer: "busy".to_owned(),
        },
        outcome: if due_at.is_some() { DeliveryOutcome::Due } else { DeliveryOutcome::Failed },
        due_at: due_at.map(at),
        held_until: None,
    }
}

async fn found(store: &dyn Store, message: &str) -> WebhookDelivery {
    store.find_webhook_delivery("one", message).await.unwrap().unwrap()
}

async fn messages(store: &dyn Store, webhook: &str) -> Vec<String> {
    let (deliveries, total) = store.list_webhook_deliveries(webhook, PAGE).await.unwrap();
    assert_eq!(deliveries.len() as u64, total);
    deliveries.into_iter().map(|delivery| delivery.message).collect()
}

pub(crate) async fn a_webhook_comes_back_as_it_was_made_and_changes_from_its_present_version(
    store: &dyn Store,
) {
    let made = Webhook {
        former_nonce: Some(("before".to_owned(), at(9))),
        ..wanting("one", &["campaign.started", "campaign.paused"])
    };
    assert!(add(store, made.clone()).await);
    assert_eq!(store.find_webhook("one").await, Ok(Some(made.clone())));
    assert_eq!(store.find_webhook("o\0ne").await, Ok(None));

    let off = Webhook {
        url: "https://other.example/".to_owned(),
        is_enabled: false,
        off_because: Some(OffBecause::Gone),
        nonce: "second".to_owned(),
        former_nonce: None,
        events: Vec::new(),
        ..made.clone()
    };
    let foreign = Webhook { project: project(2), ..off.clone() };
    assert!(!change(store, foreign).await);
    assert!(change(store, off.clone()).await);
    assert!(!change(store, off.clone()).await, "another change was faster");

    let off = Webhook { version: 2, ..off };
    assert_eq!(store.list_webhooks(project(1)).await, Ok(vec![off]));
    assert_eq!(store.list_webhooks(project(2)).await, Ok(vec![]));
    let log = store.list_audit_entries(PAGE).await.unwrap();
    let told: Vec<_> = log.iter().map(|entry| entry.event).collect();
    assert_eq!(told[..2], [AuditEvent::WebhookChanged, AuditEvent::WebhookAdded]);
}

pub(crate) async fn a_project_has_so_many_webhooks_and_a_removed_one_takes_its_deliveries_along(
    store: &dyn Store,
) {
    for number in 0..WEBHOOKS_AT_MOST {
        assert!(add(store, webhook(&number.to_string())).await);
    }
    assert!(!add(store, webhook("more")).await);
    assert!(add(store, Webhook { project: project(2), ..webhook("other") }).await);
    assert!(announce(store, "0", "msg_1", 0).await);

    let remove = async |of, id: &str| {
        store.remove_webhook(project(of), id, entry(AuditEvent::WebhookRemoved, of)).await.unwrap()
    };
    assert!(!remove(2, "0").await && !remove(1, "o\0").await);
    assert!(remove(1, "0").await && !remove(1, "0").await);

    assert_eq!(messages(store, "0").await, [""; 0]);
    assert_eq!(next(store, 0).await, None);
    assert!(add(store, webhook("more")).await);
    let projects: [ProjectId; 2] = [project(1), project(2)];
    assert_eq!(store.list_announcing_projects().await, Ok(projects.to_vec()));
}

pub(crate) async fn a_publication_is_announced_with_its_number_to_the_webhooks_that_want_it(
    store: &dyn Store,
) {
    for webhook in [
        webhook("all"),
        wanting("some", &["campaign.paused", "campaign.started"]),
        wanting("others", &["campaign.started_late"]),
        Webhook { project: project(2), ..webhook("foreign") },
        Webhook { is_enabled: false, ..webhook("off") },
    ] {
        assert!(add(store, webhook).await);
    }
    let announcements =
        || vec![announcement("msg_1", "campaign.started", 5), announcement("msg_2", "b", 5)];

    let mut first = publication(1, "a", "a");
    first.announcements = announcements();
    publish(store, first).await;
    let mut again = publication(1, "a", "a");
    again.announcements = announcements();
    let outcome = store.publish_revision(again).await.unwrap();
    assert!(matches!(outcome, PublishOutcome::Unchanged(_)));
    let mut late = publication(1, "b", "b");
    late.precondition = Precondition { live: Some(0), draft: None };
    late.announcements = vec![announcement("msg_3", "campaign.started", 6)];
    assert_eq!(store.publish_revision(late).await, Ok(PublishOutcome::LiveChanged));

    assert_eq!(messages(store, "all").await, ["msg_1", "msg_2"]);
    assert_eq!(messages(store, "some").await, ["msg_1"]);
    for webhook in ["others", "foreign", "off"] {
        assert_eq!(messages(store, webhook).await, [""; 0], "{webhook}");
    }
    let delivery = store.find_webhook_delivery("some", "msg_1").await.unwrap().unwrap();
    assert_eq!(delivery.body, r#"{"type":"campaign.started","data":{"revision":1}}"#);
    assert_eq!((delivery.made_at, delivery.due_at), (at(5), Some(at(5))));
    assert_eq!((delivery.attempts, delivery.outcome), (0, DeliveryOutcome::Due));
}

pub(crate) async fn a_delivery_is_claimed_once_until_its_lease_is_over(store: &dyn Store) {
    add(store, webhook("one")).await;
    assert_eq!(next(store, 0).await, None);
    announce(store, "one", "msg_1", 10).await;
    assert_eq!(next(store, 0).await, Some(at(10)));
    assert_eq!(claim(store, 9).await, [""; 0]);

    let claims = (0..12).map(|_| claim(store, 10));
    let claimed = all_at_once(claims).await.concat();

    assert_eq!(claimed, ["msg_1"]);
    assert_eq!(next(store, 0).await, Some(at(70)));
    assert_eq!(claim(store, 69).await, [""; 0]);
    assert_eq!(claim(store, 70).await, ["msg_1"], "the server that had claimed it has died");
    assert_eq!(found(store, "msg_1").await.attempts, 2);
}

pub(crate) async fn a_project_with_slow_receivers_keeps_no_other_waiting(store: &dyn Store) {
    for number in 0..OF_PROJECT_AT_ONCE + 2 {
        let id = format!("slow_{number}");
        add(store, webhook(&id)).await;
        announce(store, &id, &format!("slow_{number}"), number).await;
    }
    assert!(add(store, Webhook { project: project(2), ..webhook("other") }).await);
    assert!(announce(store, "other", "other", 20).await);

    let claimed = claim(store, 20).await;

    assert_eq!(claimed.len(), 1 + usize::try_from(OF_PROJECT_AT_ONCE).unwrap(), "{claimed:?}");
    assert!(claimed.contains(&"other".to_owned()), "{claimed:?}");
    assert_eq!(claim(store, 21).await, [""; 0], "the project's receivers have not answered");
    let done = settled("slow_0", 20, None);
    let done = SettledAttempt { webhook: "slow_0".to_owned(), ..done };
    assert_eq!(store.settle_webhook_delivery(done, None).await, Ok(true));
    assert_eq!(claim(store, 22).await, [format!("slow_{OF_PROJECT_AT_ONCE}")]);
}

pub(crate) async fn a_webhook_gets_one_request_at_a_time_and_keeps_no_other_waiting(
    store: &dyn Store,
) {
    for (webhook_id, messages) in [("one", ["msg_1", "msg_2", "msg_3"]), ("two", ["a", "b", "c"])] {
        add(store, webhook(webhook_id)).await;
        for (seconds, message) in (0..).zip(messages) {
            announce(store, webhook_id, message, seconds).await;
        }
    }

    assert_eq!(claim(store, 5).await, ["a", "msg_1"]);
    assert_eq!(claim(store, 6).await, [""; 0]);
    let done = SettledAttempt { outcome: DeliveryOutcome::Delivered, ..settled("msg_1", 5, None) };
    assert_eq!(store.settle_webhook_delivery(done, None).await, Ok(true));

    assert_eq!(claim(store, 6).await, ["msg_2"]);
    let off = Webhook { is_enabled: false, ..webhook("two") };
    assert!(change(store, off).await);
    assert_eq!(claim(store, 70).await, ["msg_2"], "one that is switched off gets nothing");
}

pub(crate) async fn an_attempt_is_kept_with_what_came_of_it_and_the_next_one_waits_its_time(
    store: &dyn Store,
) {
    add(store, webhook("one")).await;
    announce(store, "one", "msg_1", 0).await;
    claim(store, 0).await;

    assert_eq!(store.settle_webhook_delivery(settled("msg_1", 0, Some(300)), None).await, Ok(true));
    let tried = found(store, "msg_1").await;
    assert_eq!((tried.outcome, tried.due_at), (DeliveryOutcome::Due, Some(at(300))));
    assert_eq!(tried.last, Some(settled("msg_1", 0, None).attempt));
    assert_eq!(claim(store, 299).await, [""; 0]);
    assert_eq!(claim(store, 300).await, ["msg_1"]);
    assert_eq!(store.settle_webhook_delivery(settled("msg_1", 0, None), None).await, Ok(false));
    assert_eq!(store.settle_webhook_delivery(settled("msg_1", 300, None), None).await, Ok(true));

    let failed = found(store, "msg_1").await;
    assert_eq!((failed.outcome, failed.due_at), (DeliveryOutcome::Failed, None));
    assert_eq!((failed.attempts, next(store, 0).await), (2, None));
    let attempt = |claimed_at| settled("msg_1", claimed_at, None).attempt;
    assert_eq!((failed.last.clone(), &failed.earlier), (Some(attempt(300)), &vec![attempt(0)]));
    announce(store, "one", "msg_2", 1).await;
    let (log, _) = store.list_webhook_deliveries("one", PAGE).await.unwrap();
    assert_eq!(log[1], failed);
    assert_eq!((&*log[0].message, &log[0].earlier), ("msg_2", &vec![]));
}

pub(crate) async fn of_a_delivery_that_is_sent_again_and_again_the_last_attempts_are_listed(
    store: &dyn Store,
) {
    add(store, webhook("one")).await;
    announce(store, "one", "msg_1", 0).await;
    for round in 0..i64::from(EARLIER_ATTEMPTS_AT_MOST) + 3 {
        claim(store, 10 * round).await;
        assert_eq!(
            store.settle_webhook_delivery(settled("msg_1", 10 * round, None), None).await,
            Ok(true)
        );
        let entry = entry(AuditEvent::WebhookRedelivered, 1);
        assert_eq!(store.redeliver_to_webhook("one", "msg_1", entry).await, Ok(true));
    }

    let delivery = found(store, "msg_1").await;
    assert_eq!(delivery.earlier.len(), EARLIER_ATTEMPTS_AT_MOST as usize);
    let times: Vec<_> = delivery.earlier.iter().map(|attempt| attempt.at).collect();
    assert!(times.is_sorted_by(|one, next| one > next), "{times:?}");
    assert!(times[0] < delivery.last.unwrap().at);
}

pub(crate) async fn a_held_webhook_gets_nothing_until_its_time_unless_a_member_sends_again(
    store: &dyn Store,
) {
    for webhook_id in ["one", "two"] {
        add(store, webhook(webhook_id)).await;
    }
    announce(store, "one", "msg_1", 0).await;
    claim(store, 0).await;
    let busy = SettledAttempt { held_until: Some(at(90)), ..settled("msg_1", 0, Some(300)) };
    assert_eq!(store.settle_webhook_delivery(busy.clone(), None).await, Ok(true));
    assert_eq!(store.settle_webhook_delivery(busy, None).await, Ok(false), "it was settled");
    announce(store, "one", "msg_2", 1).await;
    announce(store, "two", "other", 1).await;

    let held = async |seconds| store.list_webhook_holds(project(1), at(seconds)).await.unwrap();
    assert_eq!(claim(store, 89).await, ["other"]);
    assert_eq!(held(89).await, [("one".to_owned(), at(90))], "a server that is at it holds none");
    assert_eq!((held(90).await, found(store, "msg_1").await.held_until), (vec![], Some(at(90))));
    assert_eq!(store.list_webhook_holds(project(2), at(89)).await, Ok(vec![]));
    assert_eq!(claim(store, 90).await, ["msg_2"]);
    let busy = SettledAttempt { held_until: Some(at(900)), ..settled("msg_2", 90, None) };
    assert_eq!(store.settle_webhook_delivery(busy, None).await, Ok(true));
    assert_eq!(claim(store, 899).await, ["other"], "a failed one holds it as well");
    assert_eq!(held(899).await, [("one".to_owned(), at(900))]);
    let entry = entry(AuditEvent::WebhookRedelivered, 1);
    assert_eq!(store.redeliver_to_webhook("one", "msg_2", entry).await, Ok(true));
    assert_eq!(held(899).await, []);
    assert_eq!(claim(store, 899).await, ["msg_2"]);
}

pub(crate) async fn a_clock_that_was_weeks_ahead_keeps_no_webhook_silent(store: &dyn Store) {
    const AHEAD: i64 = 49 * 86_400;
    for webhook_id in ["one", "two", "three"] {
        add(store, webhook(webhook_id)).await;
        announce(store, webhook_id, &format!("msg_{webhook_id}"), AHEAD).await;
    }
    assert_eq!(claim(store, AHEAD).await.len(), 3);
    let held =
        SettledAttempt { held_until: Some(at(AHEAD + 90)), ..settled("msg_one", AHEAD, None) };
    assert_eq!(store.settle_webhook_delivery(held, None).await, Ok(true));
    let again = SettledAttempt {
        webhook: "two".to_owned(),
        ..settled("msg_two", AHEAD, Some(AHEAD + 300))
    };
    assert_eq!(store.settle_webhook_delivery(again, None).await, Ok(true));
    let now = next(store, 10).await;
    assert!(now.is_some_and(|next| next <= at(10)), "{now:?}");

    announce(store, "one", "msg_later", 10).await;

    let expected = ["msg_later", "msg_three", "msg_two"];
    assert_eq!(claim(store, 10).await, expected, "held, of a server that died, and tried again");
}

/// The receiver at the webhook's first address has answered that it is gone.
fn gone() -> SwitchOff {
    let entry = entry(AuditEvent::WebhookSwitchedOff, 1);
    SwitchOff { because: OffBecause::Gone, url: webhook("one").url, entry }
}

pub(crate) async fn a_receiver_that_is_gone_switches_its_webhook_off_once(store: &dyn Store) {
    add(store, webhook("one")).await;
    announce(store, "one", "msg_1", 0).await;
    announce(store, "one", "msg_2", 1).await;
    claim(store, 5).await;
    assert_eq!(
        store.settle_webhook_delivery(settled("msg_1", 5, None), Some(gone())).await,
        Ok(true)
    );
    assert_eq!(
        store.settle_webhook_delivery(settled("msg_1", 5, None), Some(gone())).await,
        Ok(false)
    );

    let off = store.find_webhook("one").await.unwrap().unwrap();
    assert_eq!((off.is_enabled, off.off_because), (false, Some(OffBecause::Gone)));
    assert_eq!((claim(store, 5).await, next(store, 5).await), (vec![], None));
    assert!(!announce(store, "one", "msg_3", 2).await);
    let log = store.list_audit_entries(PAGE).await.unwrap();
    let is_off = |event: &&AuditEvent| **event == AuditEvent::WebhookSwitchedOff;
    let events: Vec<AuditEvent> = log.iter().map(|entry| entry.event).collect();
    assert_eq!(events.iter().filter(is_off).count(), 1);
}

pub(crate) async fn a_webhook_whose_address_has_changed_since_stays_on(store: &dyn Store) {
    add(store, webhook("one")).await;
    announce(store, "one", "msg_1", 0).await;
    claim(store, 5).await;
    let moved = Webhook { url: "https://new.example/".to_owned(), ..webhook("one") };
    assert!(change(store, moved).await);

    assert_eq!(
        store.settle_webhook_delivery(settled("msg_1", 5, None), Some(gone())).await,
        Ok(true)
    );

    let found = store.find_webhook("one").await.unwrap().unwrap();
    assert_eq!((found.is_enabled, found.off_because), (true, None));
    let log = store.list_audit_entries(PAGE).await.unwrap();
    assert!(log.iter().all(|entry| entry.event != AuditEvent::WebhookSwitchedOff));
}

pub(crate) async fn a_redelivery_begins_anew_once_no_server_is_at_it(store: &dyn Store) {
    add(store, webhook("one")).await;
    announce(store, "one", "msg_1", 0).await;
    claim(store, 0).await;
    let again = async |message: &str| {
        let entry = entry(AuditEvent::WebhookRedelivered, 1);
        store.redeliver_to_webhook("one", message, entry).await.unwrap()
    };

    assert!(!again("msg_2").await);
    assert!(!again("msg_1").await, "its receiver would get two requests at a time");
    assert_eq!(claim(store, 20).await, [""; 0]);
    assert_eq!(store.settle_webhook_delivery(settled("msg_1", 0, None), None).await, Ok(true));
    assert!(again("msg_1").await);

    let delivery = found(store, "msg_1").await;
    assert_eq!((delivery.attempts, delivery.outcome), (0, DeliveryOutcome::Due));
    assert_eq!(claim(store, 20).await, ["msg_1"]);
    assert!(change(store, Webhook { is_enabled: false, ..webhook("one") }).await);
    assert!(!again("msg_1").await);
}

pub(crate) async fn a_redelivery_does_not_wait_for_a_server_that_died(store: &dyn Store) {
    add(store, webhook("one")).await;
    announce(store, "one", "msg_1", -60).await;
    claim(store, -60).await;

    let entry = entry(AuditEvent::WebhookRedelivered, 1);
    assert_eq!(store.redeliver_to_webhook("one", "msg_1", entry).await, Ok(true));

    let late = store.settle_webhook_delivery(settled("msg_1", -60, None), None).await;
    assert_eq!(late, Ok(false), "what the first attempt came to after all counts no more");
    assert_eq!(claim(store, 6).await, ["msg_1"]);
}

pub(crate) async fn a_result_is_announced_once_for_each_experiment_and_mark(store: &dyn Store) {
    add(store, wanting("one", &["results.decided"])).await;
    let announce = async |experiment: &str, mark: &str, (message, event): (&str, &str)| {
        let experiment = (experiment.parse().unwrap(), mark);
        let announcement = announcement(message, event, 0);
        store.announce_result(project(1), experiment, announcement).await.unwrap()
    };

    assert!(announce("4001", "low_risk", ("msg_1", "results.decided")).await);
    assert!(!announce("4001", "low_risk", ("msg_2", "results.decided")).await);
    assert!(announce("4001", "results.decided", ("msg_3", "results.decided")).await);
    assert!(announce("4001", "results.alarm", ("msg_4", "results.alarm")).await);
    assert!(announce("4002", "low_risk", ("msg_5", "results.decided")).await);

    assert_eq!(messages(store, "one").await, ["msg_1", "msg_3", "msg_5"]);
}
