//! What security people read afterwards: who did what to whom, when and from where.

use serde_json::{Value, json};

use super::token_call::{Tokens, about, by_form, exchange, fetch_tokens, form_to, refresh, with};
use crate::browser::{Browser, authorize_path, form_token};
use crate::site::{Member, Site};

/// The events of the log, the first one first.
async fn events(site: &Site, token: &str) -> Vec<Value> {
    site.settle().await;
    let answer = site.get_as("/v1/audit?per_page=100", token).await;
    assert_eq!(answer.status.as_u16(), 200, "{answer:?}");
    answer.json().as_array().unwrap().iter().rev().cloned().collect()
}

fn names(events: &[Value]) -> Vec<&str> {
    events.iter().map(|event| event["event"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn the_log_tells_the_whole_story() {
    let site = Site::start();
    let (member, application) = (site.member().await, site.application().await);
    let browser = Browser::new(&site);
    let consent = browser.go_to_consent(&member, &application, &[]).await;
    browser.submit(&consent, &[("decision", "deny")]).await;
    let consent = browser.open(&authorize_path(&application, &[])).await;
    let allowed = browser.submit(&consent, &[("decision", "allow")]).await;
    let code = allowed.returned("code").unwrap();
    let tokens = Tokens::of(&by_form(&site, &exchange(&application, &code)).await);
    by_form(&site, &refresh(&application, &tokens.refresh)).await;
    form_to(&site, "/oauth2/revoke", &about(&application, &tokens.refresh)).await;
    let again = browser.open(&authorize_path(&application, &[])).await.returned("code").unwrap();
    let tokens = Tokens::of(&by_form(&site, &exchange(&application, &again)).await);

    let events = events(&site, &tokens.access).await;

    assert_eq!(
        names(&events),
        [
            "member.added",
            "application.added",
            "session.started",
            "consent.denied",
            "consent.allowed",
            "code.exchanged",
            "grant.revoked",
            "code.exchanged",
        ]
    );
    let id = application.client_id.as_str();
    assert_eq!(
        events[4],
        json!({
            "id": "5",
            "at": "2027-01-15T08:00:00Z",
            "event": "consent.allowed",
            "by": "member",
            "member": {"id": "1", "email": "ann@example.com"},
            "client_id": id,
            "address": "192.0.2.7",
            "detail": "config:read config:write publish results:read events:write members:write audit:read",
            "count": 1,
            "project": null,
            "seal": null,
            "prev_hash": null,
            "hash": null,
        })
    );
    assert_eq!((&events[1]["by"], &events[1]["detail"]), (&json!("command"), &json!("Reports")));
    assert_eq!((&events[5]["by"], &events[5]["address"]), (&json!("client"), &json!("192.0.2.7")));
}

#[tokio::test]
async fn refusals_are_counted_by_minute_and_name_only_existing_clients_and_members() {
    let site = Site::start();
    let application = site.application().await;
    let tokens = fetch_tokens(&site, &application, "audit:read").await;
    let before = events(&site, &tokens.access).await.len();
    let right = refresh(&application, &tokens.refresh);

    for _ in 0..3 {
        by_form(&site, &with(&right, "client_secret", "wrong")).await;
    }
    for nobody in ["nobody", "somebody"] {
        by_form(&site, &with(&right, "client_id", nobody)).await;
    }
    site.advance_seconds(60);
    by_form(&site, &with(&right, "client_secret", "wrong")).await;
    for email in ["ann@example.com", "ANN@example.com ", "a-password-typed-here"] {
        let browser = Browser::new(&site);
        let form = browser.open("/sign-in").await;
        let attempt = Member { email: email.to_owned(), password: "wrong".to_owned() };
        browser.sign_in(&form, &attempt).await;
    }

    let events = events(&site, &tokens.access).await;
    let told: Vec<Value> = events[before..]
        .iter()
        .map(|event| {
            let [name, client, member, count] =
                ["event", "client_id", "member", "count"].map(|name| &event[name]);
            json!([name, client, member["email"], count])
        })
        .collect();
    let id = application.client_id.as_str();
    assert_eq!(
        told,
        [
            json!(["client.refused", id, null, 3]),
            json!(["client.refused", null, null, 2]),
            json!(["client.refused", id, null, 1]),
            json!(["sign_in.refused", null, "ann@example.com", 2]),
            json!(["sign_in.refused", null, null, 1]),
        ]
    );
    assert!(!Value::from(events).to_string().contains("a-password-typed-here"));
}

#[tokio::test]
async fn throttled_attempts_have_an_event_of_their_own() {
    let site = Site::start();
    let application = site.application().await;
    let tokens = fetch_tokens(&site, &application, "audit:read").await;
    let wrong = refresh(&application, &tokens.refresh);
    let wrong = with(&wrong, "client_secret", "wrong");
    while by_form(&site, &wrong).await.status.as_u16() != 429 {}
    let form = Browser::new(&site);
    let page = form.open("/sign-in").await;
    let attempt = Member { email: "ann@example.com".to_owned(), password: "wrong".to_owned() };
    while form.sign_in(&page, &attempt).await.status.as_u16() != 429 {}

    let events = events(&site, &tokens.access).await;

    let names = names(&events);
    assert_eq!(
        names[names.len() - 4..],
        ["client.refused", "client.throttled", "sign_in.refused", "sign_in.throttled"]
    );
}

#[tokio::test]
async fn replay_and_reuse_are_in_the_log() {
    let site = Site::start();
    let (member, application) = (site.member().await, site.application().await);
    let browser = Browser::new(&site);
    let code = browser.fetch_code(&member, &application, &[]).await;
    for _ in 0..3 {
        by_form(&site, &exchange(&application, &code)).await;
    }
    let again = browser.open(&authorize_path(&application, &[])).await.returned("code").unwrap();
    let tokens = Tokens::of(&by_form(&site, &exchange(&application, &again)).await);

    let events = events(&site, &tokens.access).await;

    let names = names(&events);
    assert_eq!(names[names.len() - 3..], ["code.exchanged", "code.replayed", "code.exchanged"]);
}

#[tokio::test]
async fn only_members_with_the_right_read_the_log() {
    let site = Site::start();
    let application = site.application().await;
    let tokens = fetch_tokens(&site, &application, "config:read publish").await;

    let refused = site.get_as("/v1/audit", &tokens.access).await;

    assert_eq!(refused.status.as_u16(), 403);
    assert!(refused.header("www-authenticate").contains("audit:read"), "{refused:?}");
    assert_eq!(site.get("/v1/audit").await.status.as_u16(), 401);
    let refused = site.get_as("/v1/audit/export", &tokens.access).await;
    assert_eq!(refused.status.as_u16(), 403);
}

#[tokio::test]
async fn the_log_comes_in_pages() {
    let site = Site::start();
    let application = site.application().await;
    let tokens = fetch_tokens(&site, &application, "audit:read").await;
    let page = async |query: &str| site.get_as(&format!("/v1/audit?{query}"), &tokens.access).await;

    let (first, second) = (page("per_page=2").await, page("per_page=2&page=2").await);

    let ids = |answer: &crate::site::Answer| -> Vec<String> {
        let body = answer.json();
        body.as_array().unwrap().iter().map(|entry| entry["id"].as_str().unwrap().into()).collect()
    };
    assert_eq!(
        (ids(&first), ids(&second)),
        (vec!["5".into(), "4".into()], vec!["3".into(), "2".into()])
    );
    let next = "<https://assay.example/v1/audit?page=2&per_page=2>; rel=\"next\"";
    assert!(first.header("link").contains(next), "{}", first.header("link"));
    assert_eq!(first.header("cache-control"), "no-store");
    assert_eq!(page("per_page=1000").await.status.as_u16(), 400);
}

#[tokio::test]
async fn the_log_is_searched_by_person_event_and_time() {
    let site = Site::start();
    let application = site.application().await;
    let tokens = fetch_tokens(&site, &application, "audit:read").await;
    let page = async |query: &str| site.get_as(&format!("/v1/audit?{query}"), &tokens.access).await;
    let found = async |query: &str| {
        let answer = page(query).await;
        assert_eq!(answer.status.as_u16(), 200, "{query}: {}", answer.body);
        let body = answer.json();
        assert_eq!(answer.header("x-total-count"), body.as_array().unwrap().len().to_string());
        let entries = body.as_array().unwrap().iter();
        entries.map(|entry| entry["event"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };

    let by_ann = ["code.exchanged", "consent.allowed", "session.started", "member.added"];
    assert_eq!(found("member=ANN%40example.com&per_page=100").await, by_ann);
    assert_eq!(found("member=1&per_page=100").await, by_ann);
    assert_eq!(found("member=1&event=consent.allowed").await, ["consent.allowed"]);
    assert_eq!(found("member=bob@example.com").await, [""; 0]);
    assert_eq!(found("member=&per_page=100").await.len(), 5);
    assert_eq!(found("project=1000").await, [""; 0]);
    assert_eq!(found("since=2027-01-15T08:00:01Z").await, [""; 0]);
    assert_eq!(found("until=2027-01-15T09:00:00%2B01:00&per_page=100").await, [""; 0]);
    assert_eq!(found("until=2027-01-15T08:00:01Z&per_page=100").await.len(), 5);
    let first = page("member=1&per_page=1").await;
    let next = "</v1/audit?page=2&per_page=1&member=1>; rel=\"next\""
        .replace('<', "<https://assay.example");
    assert!(first.header("link").contains(&next), "{}", first.header("link"));
    for (query, told) in [
        ("event=consent.alowed", "did you mean `consent.allowed`"),
        ("since=yesterday", "a moment as RFC 3339 writes it"),
        ("project=key:none", ""),
        ("person=1", "unknown query parameter `person`"),
    ] {
        let refused = page(query).await;
        assert!([400, 404].contains(&refused.status.as_u16()), "{query}: {}", refused.body);
        assert!(refused.body.contains(told), "{query}: {}", refused.body);
    }
}

#[tokio::test]
async fn the_command_reads_the_same_log() {
    let site = Site::start();
    let application = site.application().await;
    let tokens = fetch_tokens(&site, &application, "audit:read").await;
    app::audit::seal_audit(&site.app).await.unwrap();
    let by_http = events(&site, &tokens.access).await;

    let output = site.command(&["audit", "--json"]);
    let text = site.command(&["audit", "--limit", "1"]);

    let lines = String::from_utf8(output.stdout).unwrap();
    let mut by_command: Vec<Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    by_command.reverse();
    assert_eq!(by_command, by_http);
    let id = &application.client_id;
    assert_eq!(
        String::from_utf8(text.stdout).unwrap(),
        format!(
            "2027-01-15T08:00:00Z  code.exchanged           by client       {id}  ann@example.com  192.0.2.7  audit:read\n"
        )
    );
}

#[tokio::test]
async fn no_secret_is_in_the_log() {
    let site = Site::start();
    let (member, application) = (site.member().await, site.application().await);
    let browser = Browser::new(&site);
    let code = browser.fetch_code(&member, &application, &[("state", "a-state")]).await;
    let tokens = Tokens::of(&by_form(&site, &exchange(&application, &code)).await);
    let wrong = refresh(&application, "wrong-token");
    by_form(&site, &with(&wrong, "client_secret", "wrong-secret")).await;
    let added = site.command_json(&["application", "add-secret", &application.client_id]);
    let account = browser.open("/account").await;
    browser.post("/account/end-other-sessions", &[("csrf", form_token(&account))]).await;
    by_form(&site, &refresh(&application, &tokens.refresh)).await;

    let log = Value::from(events(&site, &tokens.access).await).to_string();

    let new_secret = added["client_secret"].as_str().unwrap().to_owned();
    let mut secrets = vec![code, tokens.access, tokens.refresh, new_secret];
    secrets.extend([application.client_secret, member.password]);
    secrets.extend(["wrong-token", "wrong-secret", "a-state"].map(str::to_owned));
    secrets.extend(browser.cookie_values());
    for secret in secrets {
        assert!(!log.contains(&secret), "{secret} in {log}");
    }
}

#[tokio::test]
async fn the_log_is_taken_along_and_checked_elsewhere() {
    let site = Site::start();
    let application = site.application().await;
    let tokens = fetch_tokens(&site, &application, "audit:read").await;

    let export = site.get_as("/v1/audit/export", &tokens.access).await;

    assert_eq!(export.header("content-type"), "application/x-ndjson");
    let verified = app::audit::verify_export(export.body.as_bytes(), None).unwrap();
    let events = events(&site, &tokens.access).await;
    assert_eq!(usize::try_from(verified.entries), Ok(events.len()));
    let (head, last) = (verified.head.unwrap(), events.last().unwrap());
    assert_eq!((&json!(head.seal), &json!(head.hash)), (&last["seal"], &last["hash"]));
}
