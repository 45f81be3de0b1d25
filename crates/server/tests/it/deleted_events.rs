//! The events of a project are deleted, all of them or the old ones, wherever they are.

use app::deleted_projects::delete_project;
use app::drafts::ExpectedVersion;
use app::events::{DeletedEvents, delete_events, list_all_event_files, seal_events};
use app::roles::Actor;
use axum::http::Request;
use serde_json::json;

use crate::event_files::{DAY, WAIT, ask, damage, files, path, results, seal, token};
use crate::events::{batch, bought, exposure, let_visitors_come, now, publish, send};
use crate::oauth::token_call::fetch_tokens;
use crate::shop::{publish_text, shop_with};
use crate::site::{Answer, Site};
use crate::visitor_events::db_files_with;

async fn delete(site: &Site, token: &str, query: &str) -> Answer {
    let path = format!("/v1/projects/1000/collected-events{query}");
    ask(site, token, Request::delete(path), "").await
}

async fn kept(site: &Site, project: &str) -> u64 {
    site.app.store().weigh_events(project.parse().unwrap()).await.unwrap().events
}

#[tokio::test]
async fn all_events_of_a_project_are_deleted_wherever_they_are_and_no_other_projects() {
    let site = Site::start();
    let other = shop_with("results: on").replace("\"1000\"", "\"1001\"");
    publish_text(&site, &other.replace("key: shop", "key: other")).await;
    publish(&site, "on").await;
    let token = token(&site).await;
    let at = now(&site);
    let of_ada = batch("ada", &[exposure("e", at, "5001"), bought("o", at)]);
    send(&site, &of_ada).await;
    send(&site, &of_ada.replace("\"1000\"", "\"1001\"")).await;
    seal(&site).await;
    let in_file = files(&site).await.remove(0);
    for project in ["1000", "1001"] {
        let later = batch("ada", &[bought("later", at)]);
        send(&site, &later.replace("\"1000\"", &format!("\"{project}\""))).await;
    }
    assert_eq!((kept(&site, "1000").await, kept(&site, "1001").await), (3, 3));

    let deleted = delete(&site, &token, "?all=true").await;

    assert_eq!((deleted.status.as_u16(), deleted.json()), (200, json!({"events": 3})));
    assert_eq!((kept(&site, "1000").await, kept(&site, "1001").await), (0, 3));
    assert!(!path(&site, &in_file).exists());
    assert_eq!(results(&site, &token).await[0]["reason"], "no_visitor");
    let audit = site.get_as("/v1/audit?event=events.deleted", &token).await.json();
    assert_eq!(audit[0]["detail"], "3 events");
    assert_eq!(delete(&site, &token, "?all=true").await.json()["events"], 0);
    send(&site, &of_ada).await;
    let found = results(&site, &token).await;
    assert_eq!(found[0]["results"]["variations"][0]["visitors"], 1, "what comes now counts");
}

#[tokio::test]
async fn events_that_happened_before_a_day_are_deleted_and_later_ones_stay() {
    let site = Site::start();
    publish(&site, "on").await;
    let token = token(&site).await;
    // The site's clock says 15 January 2027, 08:00 UTC.
    let midnight = now(&site) - 8 * 3_600_000;
    let around = |visitor: &str| {
        let given = exposure("e", midnight - 2, "5001");
        batch(visitor, &[given, bought("o1", midnight - 1), bought("o2", midnight)])
    };
    send(&site, &around("ada")).await;
    send(&site, &batch("eve", &[exposure("e", midnight + 1, "5002")])).await;
    seal(&site).await;
    send(&site, &around("bob")).await;
    send(&site, &batch("cyd", &[bought("o", midnight - 3 * DAY * 1_000)])).await;

    let deleted = delete(&site, &token, "?before=2027-01-15").await;

    assert_eq!(deleted.json(), json!({"events": 5}), "{}", deleted.body);
    assert_eq!(kept(&site, "1000").await, 3, "an order of ada and of bob each, and eve");
    assert_eq!(files(&site).await.len(), 1, "that of the day that stays");
    let found = results(&site, &token).await;
    let visitors = &found[0]["results"]["variations"];
    assert_eq!((&visitors[0]["visitors"], &visitors[1]["visitors"]), (&json!(0), &json!(1)));
    let audit = site.get_as("/v1/audit?event=events.deleted", &token).await.json();
    assert_eq!(audit[0]["detail"], "5 events before 2027-01-15");
}

#[tokio::test]
async fn a_damaged_file_goes_like_all_others() {
    let site = Site::start();
    publish(&site, "on").await;
    let token = token(&site).await;
    send(&site, &batch("ada", &[bought("o", now(&site))])).await;
    seal(&site).await;
    let damaged = files(&site).await.remove(0);
    damage(&path(&site, &damaged));

    let deleted = delete(&site, &token, "?all=true").await;

    assert_eq!((deleted.status.as_u16(), deleted.json()), (200, json!({"events": 1})));
    assert_eq!(files(&site).await, []);
    assert!(!path(&site, &damaged).exists());
}

#[tokio::test]
async fn nothing_is_deleted_unless_the_request_says_what() {
    let site = Site::start();
    publish(&site, "on").await;
    let token = token(&site).await;
    send(&site, &batch("ada", &[bought("o", now(&site))])).await;

    for query in ["", "?all=false", "?before=2027-02-01&all=true", "?before=soon", "?all=yes"] {
        let refused = delete(&site, &token, query).await;
        let problem = (refused.status.as_u16(), refused.json()["code"].clone());
        assert_eq!(problem, (400, json!("invalid_parameter")), "{query}");
    }
    assert_eq!(kept(&site, "1000").await, 1);
}

#[tokio::test]
async fn a_token_without_the_scope_deletes_nothing() {
    let site = Site::start();
    publish(&site, "on").await;
    send(&site, &batch("ada", &[bought("o", now(&site))])).await;
    let application = site.application().await;
    let reads = fetch_tokens(&site, &application, "results:read config:write").await.access;

    let refused = delete(&site, &reads, "?all=true").await;

    assert_eq!(refused.json()["code"], "insufficient_scope", "{}", refused.body);
    assert_eq!(kept(&site, "1000").await, 1);
}

#[tokio::test]
async fn each_event_is_deleted_or_kept_whole_while_events_move() {
    let site = Site::start();
    publish(&site, "on").await;
    let_visitors_come(&site).await;
    let before = kept(&site, "1000").await;
    site.advance_seconds(WAIT);
    let project = "1000".parse().unwrap();

    let (sealed, deleted) = tokio::join!(
        seal_events(&site.app),
        delete_events(&site.app, &Actor::Command, project, DeletedEvents::All)
    );

    sealed.unwrap();
    assert_eq!((deleted.unwrap(), kept(&site, "1000").await), (before, 0));
    assert_eq!(files(&site).await, []);
}

#[tokio::test]
async fn the_files_of_the_database_have_nothing_of_deleted_events() {
    let site = Site::start();
    publish(&site, "on").await;
    let token = token(&site).await;
    let mut event = bought("o", now(&site));
    event["properties"] =
        json!({"mail": "secret-of-the-log", "note": "secret-of-the-log".repeat(90)});
    send(&site, &batch("ada", &[event])).await;
    assert_ne!(db_files_with(&site, "secret-of-the-log"), 0);

    delete(&site, &token, "?all=true").await;

    assert_eq!(db_files_with(&site, "secret-of-the-log"), 0);
}

#[tokio::test]
async fn the_events_of_a_deleted_project_are_gone_with_it_and_the_files_of_the_database_have_none_of_its_names()
 {
    let site = Site::start();
    let in_use = |fields: &str| shop_with(fields).replace("Hero text", "Campaign of a client");
    publish_text(&site, &in_use("results: on")).await;
    let mut event = bought("o", now(&site));
    event["properties"] = json!({"note": "Order of a client"});
    send(&site, &batch("ada", &[event.clone()])).await;
    seal(&site).await;
    let in_file = files(&site).await.remove(0);
    event["id"] = json!("later");
    send(&site, &batch("ada", &[event])).await;
    publish_text(&site, &in_use("results: on, archived: true")).await;
    for text in ["Campaign of a client", "Order of a client"] {
        assert_ne!(db_files_with(&site, text), 0, "{text}");
    }
    let (id, key) = ("1000".parse().unwrap(), ("shop", ExpectedVersion::any()));

    delete_project(&site.app, &Actor::Command, id, key).await.unwrap();

    for text in ["Campaign of a client", "Order of a client"] {
        assert_eq!(db_files_with(&site, text), 0, "{text}");
    }
    assert!(!path(&site, &in_file).exists());
    assert_eq!(list_all_event_files(&site.app).await.unwrap().len(), 0, "copies follow this list");
    let late = send(&site, &batch("ada", &[bought("o2", now(&site))])).await;
    assert_eq!(late.status.as_u16(), 404, "{}", late.body);
}
