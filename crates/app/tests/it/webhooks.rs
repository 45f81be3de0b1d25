//! Other systems hear of what happens in a project, once it has happened, and until they have heard of it.

use std::collections::BTreeSet;
use std::time::Duration;

use app::campaigns::CampaignAction;
use app::documents::{ResourceKind, WebhookEvent};
use app::request::Request as _;
use app::results::{MakeResultsLinkError, ResultsLinkRequest, make_results_link};
use app::roles::RoleError;
use app::schedules::{SteadyTime, run_due};
use app::webhooks::{
    AddWebhookError, ChangeWebhookError, ChangedWebhook, MadeWebhook, NewWebhook, RedeliverError,
    SwitchedOff, WebhookMessage, WebhookRequest, add_webhook, change_webhook, claim_due, deliver,
    find_webhook, list_deliveries, list_holds, list_webhooks, redeliver, remove_webhook,
    renew_webhook_secret, send_test, webhook_json,
};
use oauth::{Lifetime, Scope};
use secrecy::ExposeSecret as _;
use serde_json::json;
use storage::{DeliveryOutcome, OffBecause, Role, Webhook, WebhookDelivery};

use crate::receiver::body;
use crate::server::{ALL, grant, through_program};
use crate::shop::{HERO, Shop};

const URL: &str = "https://hooks.example/T0/s3cret-path";

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;

fn new(url: &str, events: &[WebhookEvent]) -> NewWebhook {
    NewWebhook { url: url.to_owned(), description: "Slack".to_owned(), events: events.to_vec() }
}

async fn add(shop: &Shop, events: &[WebhookEvent]) -> MadeWebhook {
    add_webhook(shop.app(), &shop.actor, shop.id, new(URL, events)).await.unwrap()
}

/// A shop whose campaign does not run yet, and a webhook that hears of everything.
async fn with_webhook() -> (Shop, Webhook) {
    let shop = Shop::with_hero().await;
    let webhook = add(&shop, &[]).await.webhook;
    (shop, webhook)
}

/// Delivers what is due, until nothing is.
async fn deliver_all(shop: &Shop) {
    loop {
        let claimed = claim_due(shop.app(), 9).await.unwrap();
        if claimed.is_empty() {
            return;
        }
        for one in claimed {
            deliver(shop.app(), one).await.unwrap();
        }
    }
}

async fn log(shop: &Shop, webhook: &Webhook) -> Vec<WebhookDelivery> {
    list_deliveries(shop.app(), &shop.actor, webhook, ALL).await.unwrap().0
}

async fn present(shop: &Shop, webhook: &Webhook) -> Webhook {
    find_webhook(shop.app(), &shop.actor, shop.id, &webhook.id).await.unwrap().unwrap()
}

async fn switch_on(shop: &Shop, webhook: &Webhook) -> Webhook {
    let change = ChangedWebhook { is_enabled: Some(true), ..ChangedWebhook::default() };
    let seen = present(shop, webhook).await;
    change_webhook(shop.app(), &shop.actor, seen, change).await.unwrap()
}

fn header<'m>(message: &'m WebhookMessage, name: &str) -> &'m str {
    message.headers.iter().find(|(known, _)| *known == name).map(|(_, value)| &**value).unwrap()
}

#[tokio::test]
async fn events_are_delivered_in_order_with_the_revision_that_caused_them() {
    let (shop, _) = with_webhook().await;

    shop.start(HERO).await.unwrap();
    for action in [CampaignAction::Pause, CampaignAction::Resume] {
        shop.server.advance_seconds(1);
        shop.act(HERO, action).await.unwrap();
    }
    shop.server.advance_seconds(1);
    shop.conclude(None, None).await.unwrap();
    deliver_all(&shop).await;

    let got = shop.server.receiver.got();
    let told: Vec<_> = got
        .iter()
        .map(body)
        .map(|body| format!("{} {}", body["type"].as_str().unwrap(), body["data"]["revision"]))
        .collect();
    let expected = ["started 1", "paused 2", "resumed 3", "concluded 4"];
    let expected: Vec<_> = (1..)
        .zip(expected)
        .flat_map(|(number, one)| {
            [format!("revision.published {number}"), format!("campaign.{one}")]
        })
        .collect();
    assert_eq!(told, expected);
    let started = &body(&got[1])["data"];
    assert_eq!(started["campaign"]["key"], "hero");
    assert_eq!(started["by"], "ann@example.com");
    assert_eq!(got[0].url.expose_secret(), URL);
    let ids: BTreeSet<_> = got.iter().map(|message| header(message, "webhook-id")).collect();
    assert_eq!(ids.len(), got.len());
}

#[tokio::test]
async fn a_webhook_hears_of_what_it_wants_and_of_nothing_that_was_before_it() {
    let shop = Shop::running().await;
    add(&shop, &[WebhookEvent::CampaignConcluded, WebhookEvent::CampaignPaused]).await;

    shop.act(HERO, CampaignAction::Pause).await.unwrap();
    shop.act(HERO, CampaignAction::Resume).await.unwrap();
    deliver_all(&shop).await;

    assert_eq!(shop.server.receiver.events(), ["campaign.paused"]);
}

#[tokio::test]
async fn a_webhook_hears_of_a_start_that_was_missed() {
    let shop = Shop::with_hero().await;
    let schedule = json!({"start": "2027-01-15T09:00", "time_zone": "UTC"});
    shop.change(ResourceKind::Campaign, HERO, json!({"schedule": schedule})).await.unwrap();
    shop.publish("planned").await.unwrap();
    add(&shop, &[]).await;
    shop.server.advance_seconds(48 * HOUR);
    let time = SteadyTime { now: shop.app().wall_time(), steady_for: Duration::MAX };

    run_due(shop.app(), time).await.unwrap();
    run_due(shop.app(), time).await.unwrap();
    deliver_all(&shop).await;

    let got = shop.server.receiver.got();
    assert_eq!(got.len(), 1);
    let told = body(&got[0]);
    assert_eq!(
        (&told["type"], &told["data"]["due_at"]),
        (&json!("campaign.start_missed"), &json!("2027-01-15T09:00:00Z"))
    );
    assert_eq!(told["data"]["campaign"]["key"], "hero");
    let text = told["text"].as_str().unwrap();
    assert!(
        text.contains("Hero was to start on 15 January 2027, 09:00 UTC, and did not"),
        "{text}"
    );
}

#[tokio::test]
async fn what_was_committed_is_delivered_by_the_next_server_if_this_one_dies() {
    let (shop, _) = with_webhook().await;
    shop.start(HERO).await.unwrap();
    let shop = shop.restarted();

    let claimed = claim_due(shop.app(), 9).await.unwrap();
    assert_eq!(claimed.len(), 1);
    drop(claimed);
    let shop = shop.restarted();
    shop.server.advance_seconds(59);
    deliver_all(&shop).await;
    assert_eq!(shop.server.receiver.events(), [""; 0], "the one that died may be at it yet");
    shop.server.advance_seconds(1);
    deliver_all(&shop).await;

    assert_eq!(shop.server.receiver.events(), ["revision.published", "campaign.started"]);
}

#[tokio::test]
async fn what_is_not_taken_is_tried_again_with_the_same_id_ten_times_in_three_days() {
    let (shop, webhook) = with_webhook().await;
    send_test(shop.app(), &shop.actor, &webhook).await.unwrap();
    let answers = [500, 0, 404, 301, 429, 503, 400, 500, 500, 500];
    shop.server.receiver.will_answer(&answers);

    deliver_all(&shop).await;
    let mut got = shop.server.receiver.got();
    assert_eq!(got.len(), 1);
    let pauses = [
        5,
        5 * MINUTE,
        30 * MINUTE,
        2 * HOUR,
        5 * HOUR,
        10 * HOUR,
        14 * HOUR,
        20 * HOUR,
        24 * HOUR,
    ];
    for pause in pauses {
        shop.server.advance_seconds(pause - pause / 10 - 1);
        deliver_all(&shop).await;
        assert_eq!(shop.server.receiver.got().len(), 0, "too early: {pause}");
        shop.server.advance_seconds(pause / 5 + 2);
        deliver_all(&shop).await;
        got.extend(shop.server.receiver.got());
    }
    shop.server.advance_seconds(30 * 24 * HOUR);
    deliver_all(&shop).await;

    assert_eq!((got.len(), shop.server.receiver.got().len()), (10, 0));
    let distinct = |name| got.iter().map(|one| header(one, name)).collect::<BTreeSet<_>>().len();
    assert_eq!((distinct("webhook-id"), distinct("webhook-timestamp")), (1, 10));
    assert_eq!(distinct("webhook-signature"), 10);
    let failed = log(&shop, &webhook).await.remove(0);
    assert_eq!((failed.outcome, failed.attempts), (DeliveryOutcome::Failed, 10));
    let last = failed.last.unwrap();
    assert_eq!((last.status, &*last.answer), (Some(500), "so it is"));
    assert!(present(&shop, &webhook).await.is_enabled);
}

#[tokio::test]
async fn a_receiver_that_asks_for_time_gets_nothing_before_and_everything_after() {
    let (shop, webhook) = with_webhook().await;
    shop.start(HERO).await.unwrap();
    shop.server.receiver.will_ask_for_time(429, 120);

    deliver_all(&shop).await;
    assert_eq!(shop.server.receiver.events(), ["revision.published"]);
    let held = list_holds(shop.app(), &shop.actor, shop.id).await.unwrap();
    let until = shop.app().now() + Lifetime::from_seconds(120);
    assert_eq!(held, [(webhook.id.clone(), until)].into());
    shop.server.advance_seconds(119);
    send_test(shop.app(), &shop.actor, &webhook).await.unwrap();
    deliver_all(&shop).await;
    assert_eq!(shop.server.receiver.events(), [""; 0], "what happens meanwhile waits, too");
    shop.server.advance_seconds(1);
    assert_eq!(list_holds(shop.app(), &shop.actor, shop.id).await.unwrap(), [].into());
    deliver_all(&shop).await;

    let expected = ["campaign.started", "revision.published", "webhook.test"];
    let mut got = shop.server.receiver.events();
    got.sort();
    assert_eq!(got, expected);
    let delivered = log(&shop, &webhook).await;
    assert!(delivered.iter().all(|one| one.outcome == DeliveryOutcome::Delivered));
}

#[tokio::test]
async fn asking_for_time_ends_after_an_hour_and_saves_no_attempts() {
    let (shop, webhook) = with_webhook().await;
    send_test(shop.app(), &shop.actor, &webhook).await.unwrap();
    shop.server.receiver.will_ask_for_time(503, i64::MAX);

    deliver_all(&shop).await;
    shop.server.advance_seconds(HOUR - 1);
    deliver_all(&shop).await;
    assert_eq!(shop.server.receiver.got().len(), 1);
    shop.server.receiver.will_ask_for_time(503, 1);
    shop.server.advance_seconds(1);
    deliver_all(&shop).await;
    assert_eq!(shop.server.receiver.got().len(), 1, "an hour is the most");
    shop.server.advance_seconds(4 * MINUTE);
    deliver_all(&shop).await;
    assert_eq!(shop.server.receiver.got().len(), 0, "it comes back no sooner than without");
    shop.server.advance_seconds(2 * MINUTE);
    deliver_all(&shop).await;

    assert_eq!(shop.server.receiver.events(), ["webhook.test"]);
    let delivery = log(&shop, &webhook).await.remove(0);
    let earlier: Vec<_> = delivery.earlier.iter().map(|attempt| attempt.status).collect();
    assert_eq!((delivery.attempts, earlier), (3, vec![Some(503); 2]));
}

#[tokio::test]
async fn a_failed_delivery_can_be_tried_again() {
    let (shop, webhook) = with_webhook().await;
    send_test(shop.app(), &shop.actor, &webhook).await.unwrap();
    shop.server.receiver.will_answer(&[500]);
    deliver_all(&shop).await;
    let message = log(&shop, &webhook).await.remove(0).message;

    let unknown = redeliver(shop.app(), &shop.actor, &webhook, "msg_0").await.unwrap();
    assert_eq!(unknown, None);
    redeliver(shop.app(), &shop.actor, &webhook, &message).await.unwrap().unwrap();
    deliver_all(&shop).await;

    let got = shop.server.receiver.got();
    assert_eq!(header(&got[0], "webhook-id"), header(&got[1], "webhook-id"));
    let delivered = log(&shop, &webhook).await.remove(0);
    assert_eq!((delivered.outcome, delivered.attempts), (DeliveryOutcome::Delivered, 1));
}

#[tokio::test]
async fn what_is_being_sent_is_not_sent_a_second_time_beside_it() {
    let (shop, webhook) = with_webhook().await;
    let message = send_test(shop.app(), &shop.actor, &webhook).await.unwrap().message;
    let again = async || redeliver(shop.app(), &shop.actor, &webhook, &message).await;
    let at_work = claim_due(shop.app(), 9).await.unwrap();

    let refused = again().await;

    assert!(matches!(refused, Err(RedeliverError::UnderWay)), "{refused:?}");
    deliver_all(&shop).await;
    assert_eq!(shop.server.receiver.got().len(), 0, "the first is at work yet");
    for one in at_work {
        deliver(shop.app(), one).await.unwrap();
    }
    again().await.unwrap().unwrap();
    deliver_all(&shop).await;
    assert_eq!(shop.server.receiver.got().len(), 2);
    assert_eq!(log(&shop, &webhook).await.remove(0).earlier.len(), 1, "no attempt is lost");
}

#[tokio::test]
async fn a_receiver_that_is_gone_gets_nothing_more_until_a_member_switches_it_on() {
    let (shop, webhook) = with_webhook().await;
    shop.start(HERO).await.unwrap();
    shop.server.receiver.will_answer(&[410]);

    deliver_all(&shop).await;

    assert_eq!(shop.server.receiver.events(), ["revision.published"]);
    let off = present(&shop, &webhook).await;
    assert_eq!((off.is_enabled, off.off_because), (false, Some(OffBecause::Gone)));
    let refused = send_test(shop.app(), &shop.actor, &webhook).await;
    assert!(matches!(refused, Err(SwitchedOff::Off)));
    shop.act(HERO, CampaignAction::Pause).await.unwrap();
    let on = switch_on(&shop, &webhook).await;
    assert_eq!(on.off_because, None);
    deliver_all(&shop).await;
    assert_eq!(shop.server.receiver.events(), ["campaign.started"], "what waited goes on");
}

#[tokio::test]
async fn after_a_clock_that_was_ahead_a_request_has_the_time_of_its_receivers() {
    let (shop, webhook) = with_webhook().await;
    shop.server.set_clock_back_seconds(HOUR);
    shop.start(HERO).await.unwrap();

    deliver_all(&shop).await;

    let seconds = shop.app().wall_time().as_milliseconds() / 1_000;
    let got = shop.server.receiver.got();
    assert_eq!(header(&got[0], "webhook-timestamp"), seconds.to_string());
    assert_eq!(body(&got[0])["timestamp"], "2027-01-15T07:00:00Z");
    let tried = log(&shop, &webhook).await.remove(0).last.unwrap();
    assert_eq!(tried.at, shop.app().wall_time());
}

#[tokio::test]
async fn a_new_secret_signs_beside_the_old_one_for_a_day() {
    let (shop, webhook) = with_webhook().await;
    let signatures = async || {
        let present = present(&shop, &webhook).await;
        send_test(shop.app(), &shop.actor, &present).await.unwrap();
        deliver_all(&shop).await;
        let got = shop.server.receiver.got();
        header(&got[0], "webhook-signature").split(' ').count()
    };
    assert_eq!(signatures().await, 1);

    let seen = present(&shop, &webhook).await;
    let (_, first) = renew_webhook_secret(shop.app(), &shop.actor, seen.clone()).await.unwrap();

    let late = renew_webhook_secret(shop.app(), &shop.actor, seen).await;
    assert!(late.is_err(), "another member was faster");
    assert_eq!(signatures().await, 2);
    shop.server.advance_seconds(24 * HOUR);
    assert_eq!(signatures().await, 1);
    assert!(first.expose_secret().starts_with("whsec_"));
}

#[tokio::test]
async fn no_list_and_no_log_tells_a_secret_or_more_of_an_address_than_its_host() {
    let shop = Shop::with_hero().await;
    let made = add(&shop, &[]).await;
    let change = ChangedWebhook {
        url: Some("https://other.example/s3cret-path".to_owned()),
        ..ChangedWebhook::default()
    };
    let changed = change_webhook(shop.app(), &shop.actor, made.webhook, change).await.unwrap();
    let (_, renewed) = renew_webhook_secret(shop.app(), &shop.actor, changed).await.unwrap();
    let listed = list_webhooks(shop.app(), &shop.actor, shop.id).await.unwrap().unwrap();

    let audit = format!("{:?}", shop.server.audit().await);
    let listed = listed.iter().map(|webhook| webhook_json(webhook).to_string()).collect::<String>();

    for secret in [&made.secret, &renewed] {
        let secret = secret.expose_secret().strip_prefix("whsec_").unwrap();
        assert!(!audit.contains(secret) && !listed.contains(secret));
    }
    assert!(!audit.contains("s3cret-path"), "{audit}");
    for told in ["webhook.added", "hooks.example", "other.example"] {
        let audit = audit.replace("WebhookAdded", "webhook.added");
        assert!(audit.contains(told), "{told} in {audit}");
    }
    assert_ne!(made.secret.expose_secret(), renewed.expose_secret());
}

#[tokio::test]
async fn editors_have_webhooks_and_others_do_not_see_them() {
    let shop = Shop::with_hero().await;
    let here = Some("1000");
    let editor = shop.seen_by_new("ed", grant(Role::Editor, here)).await;
    let webhook = add(&editor, &[]).await.webhook;

    for (name, role) in [("vic", Role::Viewer), ("ana", Role::Analyst)] {
        let other = shop.seen_by_new(name, grant(role, here)).await;
        assert!(list_webhooks(other.app(), &other.actor, other.id).await.is_err());
        assert!(send_test(other.app(), &other.actor, &webhook).await.is_err());
        let added = add_webhook(other.app(), &other.actor, other.id, new(URL, &[])).await;
        assert!(matches!(added, Err(AddWebhookError::Role(_))));
    }
    let reading = shop.seen_by(&through_program(&editor.actor, "config:read results:read"));
    assert!(list_webhooks(reading.app(), &reading.actor, reading.id).await.is_err());
    let elsewhere = shop.begin("2000", "other").await.unwrap();
    let found = find_webhook(shop.app(), &shop.actor, elsewhere.id, &webhook.id).await.unwrap();
    assert_eq!(found, None);
    assert!(!remove_webhook(shop.app(), &shop.actor, elsewhere.id, &webhook.id).await.unwrap());
    assert!(remove_webhook(shop.app(), &shop.actor, shop.id, &webhook.id).await.unwrap());
}

/// Whether a token was refused because it lacks `results:read`.
fn lacks_results<T>(refused: &Result<T, RoleError>) -> bool {
    matches!(refused, Err(RoleError::Scope(Scope::ResultsRead)))
}

#[tokio::test]
async fn a_token_that_may_not_read_results_has_no_webhook_tell_them() {
    let (shop, everything) = with_webhook().await;
    let writer = shop.seen_by(&through_program(&shop.actor, "config:write"));
    let add = async |events: &[WebhookEvent]| {
        add_webhook(writer.app(), &writer.actor, writer.id, new(URL, events)).await
    };

    let hears_all = add(&[]).await;
    let hears_results = add(&[WebhookEvent::ResultsAlarm]).await;
    let hears_others = add(&[WebhookEvent::CampaignStarted]).await.unwrap().webhook;
    let moved = ChangedWebhook { url: Some(format!("{URL}/2")), ..ChangedWebhook::default() };
    let change = change_webhook(writer.app(), &writer.actor, everything.clone(), moved).await;
    let more = ChangedWebhook { events: Some(Vec::new()), ..ChangedWebhook::default() };
    let widened = change_webhook(writer.app(), &writer.actor, hears_others, more).await;
    let delivered = list_deliveries(writer.app(), &writer.actor, &everything, ALL).await;

    for added in [hears_all, hears_results] {
        let Err(AddWebhookError::Role(error)) = added else { panic!("{added:?}") };
        assert!(lacks_results::<()>(&Err(error)));
    }
    for changed in [change, widened] {
        let Err(ChangeWebhookError::Role(error)) = changed else { panic!("{changed:?}") };
        assert!(lacks_results::<()>(&Err(error)));
    }
    assert!(lacks_results(&delivered));
}

#[tokio::test]
async fn a_token_that_may_not_read_results_makes_no_link_to_them() {
    let shop = Shop::with_hero().await;
    shop.start(HERO).await.unwrap();
    let request = ResultsLinkRequest { campaign: "hero".to_owned(), expires_in: None };
    let link_by = async |scope| {
        let writer = shop.seen_by(&through_program(&shop.actor, scope));
        make_results_link(writer.app(), &writer.actor, writer.id, &request).await
    };

    let refused = link_by("config:write").await;
    let made = link_by("config:write results:read").await;

    let Err(MakeResultsLinkError::Role(error)) = refused else { panic!("{refused:?}") };
    assert!(lacks_results::<()>(&Err(error)));
    assert!(made.is_ok(), "{made:?}");
}

#[tokio::test]
async fn addresses_where_no_request_may_go_and_unknown_events_are_refused() {
    let shop = Shop::with_hero().await;

    for url in ["http://hooks.example/", "https://10.0.0.1/", "https://localhost:8443/", "hooks"] {
        let added = add_webhook(shop.app(), &shop.actor, shop.id, new(url, &[])).await;
        let Err(AddWebhookError::Fault(fault)) = added else { panic!("{url}: {added:?}") };
        assert_eq!(fault.pointer.to_string(), "/url");
    }
    let sent = r#"{"url": "https://hooks.example/", "events": ["campaign.start"]}"#;
    let faults = WebhookRequest::parse(sent).unwrap_err();
    assert_eq!(faults[0].pointer.to_string(), "/events/0");
    assert!(faults[0].hint.as_ref().unwrap().contains("campaign.started"), "{faults:?}");
}
