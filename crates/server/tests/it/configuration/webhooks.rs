//! Programs add webhooks, try them, and read what was delivered. That something is delivered is told in `crates/app/tests/it/webhooks.rs`, and by
//! the binary in `crate::webhooks`.

use axum::body::Body;
use axum::http::{Method, StatusCode};
use oauth::Lifetime;
use serde_json::{Value, json};
use storage::{FurthestWaits, Lease};

use super::{Program, SHOP, pointers};
use crate::site::Answer;

/// A webhook, with the path of it.
async fn added(program: &Program, body: Value) -> (Value, String) {
    let answer = program.post(&format!("{SHOP}/webhooks"), body).await;
    assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.body);
    let webhook = answer.json();
    let path = format!("{SHOP}/webhooks/{}", webhook["id"].as_str().unwrap());
    assert_eq!(answer.header("location"), format!("https://assay.example{path}"));
    (webhook, path)
}

async fn do_it(program: &Program, path: &str) -> Answer {
    program.send(Method::POST, path, &[], Body::empty()).await
}

#[tokio::test]
async fn a_webhook_is_added_changed_and_removed_and_shows_its_secret_once() {
    let program = Program::with_shop().await;
    let sent =
        json!({"url": "https://hooks.example", "events": ["results.decided", "campaign.started"]});

    let (made, path) = added(&program, sent).await;
    let listed = program.get(&format!("{SHOP}/webhooks")).await;
    let change = json!({"description": "Slack", "events": [], "enabled": false});
    let changed = program.patch(&path, change).await;
    let renewed = do_it(&program, &format!("{path}/secret")).await;
    let removed = program.send(Method::DELETE, &path, &[], Body::empty()).await;

    let secret = made["secret"].as_str().unwrap().to_owned();
    assert!(secret.starts_with("whsec_"), "{secret}");
    let expected = json!([{
        "id": made["id"], "url": "https://hooks.example/", "description": "", "events": ["campaign.started", "results.decided"],
        "enabled": true, "switched_off_because": null, "former_secret_until": null, "made_by": "ann@example.com",
        "made_at": "2027-01-15T08:00:00Z",
    }]);
    assert_eq!(listed.json(), expected);
    let changed = changed.json();
    assert_eq!(
        (&changed["description"], &changed["events"], &changed["enabled"]),
        (&json!("Slack"), &json!([]), &json!(false))
    );
    assert_eq!(renewed.status, StatusCode::CREATED, "{}", renewed.body);
    assert_ne!(renewed.json()["secret"], json!(secret));
    assert_eq!(renewed.json()["former_secret_until"], "2027-01-16T08:00:00Z");
    assert_eq!(removed.status, StatusCode::NO_CONTENT);
    assert_eq!(program.get(&path).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn what_is_wrong_with_a_webhook_is_told_with_its_place() {
    let program = Program::with_shop().await;
    let path = format!("{SHOP}/webhooks");

    for (sent, place) in [
        (json!({}), "#"),
        (json!({"url": "http://hooks.example/"}), "#/url"),
        (json!({"url": "https://169.254.169.254/latest/meta-data/"}), "#/url"),
        (json!({"url": "https://hooks.example/", "events": ["campaign.start"]}), "#/events/0"),
        (json!({"url": "https://hooks.example/", "description": "a\nb"}), "#/description"),
        (json!({"url": "https://hooks.example/", "secret": "x"}), "#/secret"),
    ] {
        let answer = program.post(&path, sent).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", answer.body);
        assert_eq!(pointers(&answer), [place], "{}", answer.body);
    }
    for number in 0..20 {
        added(&program, json!({"url": format!("https://hooks.example/{number}")})).await;
    }
    let more = program.post(&path, json!({"url": "https://hooks.example/"})).await;
    assert_eq!(
        (more.status, &more.json()["code"]),
        (StatusCode::CONFLICT, &json!("too_many_webhooks"))
    );
    let second = program.get(&format!("{path}?page=2&per_page=15")).await;
    assert_eq!(second.json().as_array().unwrap().len(), 5);
}

#[tokio::test]
async fn a_change_of_what_has_changed_meanwhile_shows_how_it_is_now() {
    let program = Program::with_shop().await;
    let (_, path) = added(&program, json!({"url": "https://hooks.example/"})).await;
    let tag = program.get(&path).await.header("etag").to_owned();
    let known = [("if-none-match", tag.as_str())];
    let same = program.send(Method::GET, &path, &known, Body::empty()).await;
    assert_eq!(same.status, StatusCode::NOT_MODIFIED, "{}", same.body);
    program.patch_if(&path, &tag, json!({"description": "first"})).await;

    let second = program.patch_if(&path, &tag, json!({"description": "second"})).await;

    assert_eq!(second.status, StatusCode::PRECONDITION_FAILED);
    assert_eq!(second.json()["current"]["description"], "first");
    let without = program.send(Method::PATCH, &path, &[], Body::from("{}")).await;
    assert_eq!(without.status, StatusCode::PRECONDITION_REQUIRED);
}

#[tokio::test]
async fn the_log_has_a_test_and_what_was_published_and_each_can_be_sent_again() {
    let program = Program::with_hero().await;
    let (_, path) = added(&program, json!({"url": "https://hooks.example/"})).await;
    assert_eq!(program.act("start").await.status, StatusCode::OK);
    program.site.advance_seconds(1);

    let test = do_it(&program, &format!("{path}/test")).await;

    assert_eq!((test.status, &test.json()["outcome"]), (StatusCode::ACCEPTED, &json!("due")));
    let log = program.get(&format!("{path}/deliveries?per_page=2")).await;
    assert_eq!(log.header("x-total-count"), "3");
    let events: Vec<_> =
        log.json().as_array().unwrap().iter().map(|one| one["event"].clone()).collect();
    assert_eq!(events, ["webhook.test", "revision.published"]);
    let delivery = log.json()[0].clone();
    let one = format!("{path}/deliveries/{}", delivery["id"].as_str().unwrap());
    assert_eq!(program.get(&one).await.json(), delivery);
    let body: Value = serde_json::from_str(delivery["body"].as_str().unwrap()).unwrap();
    assert_eq!(body["type"], "webhook.test");
    let again = do_it(&program, &format!("{one}/redeliver")).await;
    assert_eq!(again.status, StatusCode::ACCEPTED, "{}", again.body);
    assert_eq!(
        do_it(&program, &format!("{path}/deliveries/msg_0/redeliver")).await.status,
        StatusCode::NOT_FOUND
    );

    program.site.advance_seconds(1);
    let at = program.site.app.now();
    let lease = Lease { at, until: at + Lifetime::from_seconds(60) };
    let day = at + Lifetime::from_seconds(86_400);
    let furthest = FurthestWaits { leased_until: day, due_at: day };
    program.site.app.store().claim_webhook_deliveries(lease, furthest, 9).await.unwrap();
    let first = log.json()[1]["id"].clone();
    let first = format!("{path}/deliveries/{}", first.as_str().unwrap());
    let under_way = do_it(&program, &format!("{first}/redeliver")).await;
    assert_eq!(
        (under_way.status, &under_way.json()["code"]),
        (StatusCode::CONFLICT, &json!("delivery_under_way"))
    );

    program.patch(&path, json!({"enabled": false})).await;
    for act in [format!("{path}/test"), format!("{one}/redeliver")] {
        let refused = do_it(&program, &act).await;
        assert_eq!(
            (refused.status, &refused.json()["code"]),
            (StatusCode::CONFLICT, &json!("webhook_off"))
        );
    }
}

#[tokio::test]
async fn no_secret_is_kept_for_a_repeated_request() {
    let program = Program::with_shop().await;
    let add = async || {
        let (path, body) = (format!("{SHOP}/webhooks"), json!({"url": "https://hooks.example/"}));
        let headers = [("idempotency-key", "k1")];
        program.send(Method::POST, &path, &headers, Body::from(body.to_string())).await
    };

    let (first, again) = (add().await, add().await);

    assert_eq!(first.status, StatusCode::CREATED, "{}", first.body);
    assert_eq!(
        (again.status, &again.json()["code"]),
        (StatusCode::CONFLICT, &json!("already_done"))
    );
    assert!(!again.body.contains("whsec_"));
}

#[tokio::test]
async fn a_token_that_may_only_read_sees_no_webhook() {
    let mut program = Program::with_shop().await;
    let (_, path) = added(&program, json!({"url": "https://hooks.example/s3cret"})).await;
    program.token = program.token_for("config:read results:read").await;

    for path in [format!("{SHOP}/webhooks"), path.clone(), format!("{path}/deliveries")] {
        let answer = program.get(&path).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{}", answer.body);
        assert!(!answer.body.contains("s3cret"));
    }
}
