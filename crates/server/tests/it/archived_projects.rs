//! An archived project collects no events.

use app::events::renew_events_key;
use app::roles::Actor;
use serde_json::{Value, json};

use crate::event_files::token;
use crate::event_imports::import;
use crate::events::{batch, bought, now, publish, publish_with, send, send_as};
use crate::site::{Answer, Site};

async fn kept(site: &Site) -> u64 {
    site.app.store().weigh_events("1000".parse().unwrap()).await.unwrap().events
}

fn problem(answer: &Answer) -> (u16, Value) {
    (answer.status.as_u16(), answer.json()["code"].clone())
}

#[tokio::test]
async fn an_archived_project_takes_no_events_from_anybody_and_keeps_what_it_has() {
    let site = Site::start();
    publish(&site, "on").await;
    let token = token(&site).await;
    let at = now(&site);
    let body = batch("ada", &[bought("o1", at)]);
    let id = "1000".parse().unwrap();
    let key = renew_events_key(&site.app, &Actor::Command, id).await.unwrap().unwrap().key;
    send(&site, &body).await;

    publish_with(&site, "results: on, archived: true").await;

    let refused = (409, json!("project_archived"));
    assert_eq!(problem(&send(&site, &body).await), refused, "a page");
    assert_eq!(problem(&send_as(&site, &key, &body).await), refused, "a server with the key");
    assert_eq!(problem(&send_as(&site, &token, &body).await), refused, "a program");
    let rows = format!("visitor,time,name\nada,{at},purchase\n");
    assert_eq!(problem(&import(&site, &token, "events", &rows).await), refused, "a file");
    assert_eq!(kept(&site).await, 1);
    let told = site.get_as("/v1/projects/1000/campaigns/3001/results", &token).await.json();
    assert_eq!((&told["is_collecting"], &told["events"]), (&json!(false), &json!(1)));
    publish(&site, "on").await;
    assert_eq!(send(&site, &body).await.status.as_u16(), 202, "it is restored");
}
