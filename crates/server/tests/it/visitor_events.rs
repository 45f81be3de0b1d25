//! What is kept of a visitor is told and forgotten, wherever it is.

use std::os::unix::fs::PermissionsExt as _;

use app::events::{ExportFormat, VisitorName, export_visitor};
use axum::http::Request;
use lake::{Wanted, read_file};
use serde_json::{Value, json};

use crate::event_files::{DAY, ask, damage, files, path, results, seal, token};
use crate::event_imports::import;
use crate::events::{batch, bought, exposure, now, publish, send};
use crate::oauth::token_call::fetch_tokens;
use crate::site::{Answer, Site};

async fn forget(site: &Site, token: &str, visitor: &str) -> Answer {
    let path = format!("/v1/projects/1000/visitors/{visitor}");
    ask(site, token, Request::delete(path), "").await
}

#[tokio::test]
async fn a_visitor_is_forgotten_wherever_their_events_are() {
    let site = Site::start();
    publish(&site, "on").await;
    let token = token(&site).await;
    let at = now(&site);
    let of = |visitor: &str| batch(visitor, &[exposure("e", at, "5001"), bought("o", at)]);
    for visitor in ["ada", "bob"] {
        send(&site, &of(visitor)).await;
    }
    seal(&site).await;
    let yesterday = batch("ada", &[bought("y", at - DAY * 1_000)]);
    send(&site, &yesterday).await;
    seal(&site).await;
    for visitor in ["ada", "bob"] {
        send(&site, &batch(visitor, &[bought("later", at)])).await;
    }
    let before = files(&site).await;

    let forgotten = forget(&site, &token, "ada").await;

    assert_eq!(forgotten.status.as_u16(), 200, "{}", forgotten.body);
    assert_eq!(forgotten.json()["events"], 4, "two and one in files, one in the log");
    let after = files(&site).await;
    assert_eq!((before.len(), after.len(), after[0].events), (2, 1, 2));
    assert!(before.iter().all(|file| !path(&site, file).exists()));
    let found = results(&site, &token).await;
    assert_eq!(found[0]["results"]["variations"][0]["visitors"], 1);
    assert_eq!(site.app.store().weigh_events("1000".parse().unwrap()).await.unwrap().events, 3);
    let audit = site.get_as("/v1/audit", &token).await.json();
    let entry = audit.as_array().unwrap().iter().find(|one| one["event"] == "visitor.forgotten");
    let number = forgotten.json()["visitor"].as_str().unwrap().to_owned();
    assert_eq!(entry.unwrap()["detail"], format!("{number}, 4 events"));
    assert_eq!(entry.unwrap()["project"]["entity"], format!("visitor {number}"));
    assert_eq!(forget(&site, &token, "ada").await.json()["events"], 0);
}

#[tokio::test]
async fn all_events_of_a_visitor_are_told_wherever_they_are() {
    let site = Site::start();
    publish(&site, "on").await;
    let token = token(&site).await;
    let at = now(&site);
    let of = |visitor: &str| batch(visitor, &[exposure("e", at - 2, "5001"), bought("o", at - 1)]);
    for visitor in ["ada", "bob"] {
        send(&site, &of(visitor)).await;
    }
    seal(&site).await;
    for visitor in ["ada", "bob"] {
        send(&site, &batch(visitor, &[bought("later", at - 3)])).await;
    }

    let answer = site.get_as("/v1/projects/1000/visitors/ada", &token).await;

    assert_eq!(answer.status.as_u16(), 200, "{}", answer.body);
    let told = answer.json();
    let events = told["events"].as_array().unwrap();
    let kinds: Vec<_> = events.iter().map(|one| one["kind"].as_str().unwrap()).collect();
    assert_eq!((kinds, &told["total"]), (vec!["event", "exposure", "event"], &json!(3)));
    assert_eq!(told["events"][1]["variation_id"], 5001);
    let unknown = site.get_as("/v1/projects/1000/visitors/eve", &token).await.json();
    assert_eq!((&unknown["total"], &unknown["events"]), (&json!(0), &json!([])));
    let audit = site.get_as("/v1/audit?event=visitor.exported", &token).await.json();
    assert_eq!((audit.as_array().unwrap().len(), &audit[1]["detail"]), (2, &told["visitor"]));
    let forgotten = forget(&site, &token, "ada").await.json();
    assert_eq!(forgotten["visitor"], told["visitor"], "the number is the same");
}

#[tokio::test]
async fn events_of_a_visitor_are_told_to_admins_with_the_scope_alone() {
    let site = Site::start();
    publish(&site, "on").await;
    let application = site.application().await;
    let writes = fetch_tokens(&site, &application, "events:write").await.access;
    let path = "/v1/projects/1000/visitors/ada";

    let refused = site.get_as(path, &writes).await;

    assert_eq!(refused.status.as_u16(), 403, "{}", refused.body);
}

#[tokio::test]
async fn events_of_a_visitor_go_into_a_folder() {
    let site = Site::start();
    publish(&site, "on").await;
    let at = now(&site);
    for visitor in ["ada", "bob"] {
        send(&site, &batch(visitor, &[exposure("e", at, "5001"), bought("o", at)])).await;
    }
    seal(&site).await;
    send(&site, &batch("ada", &[bought("later", at)])).await;
    let [parquet, lines] = ["parquet", "lines"].map(|name| site.folder.path().join(name));
    let project = "1000".parse().unwrap();
    let export = async |to| {
        let actor = app::roles::Actor::Command;
        export_visitor(&site.app, &actor, project, &VisitorName::Id("ada".to_owned()), to).await
    };

    let one = export((parquet.clone(), ExportFormat::Parquet)).await.unwrap();
    let other = export((lines.clone(), ExportFormat::Ndjson)).await.unwrap();

    assert_eq!((one.events, other), (3, one));
    let day = std::fs::read_dir(parquet.join("project=1000")).unwrap().next().unwrap().unwrap();
    let files = std::fs::read_dir(day.path()).unwrap();
    let read = files.flat_map(|file| read_file(&file.unwrap().path(), &Wanted::all()).unwrap());
    assert_eq!(read.map(|group| group.unwrap().len()).sum::<usize>(), 3);
    let mode = |path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let modes = [lines.clone(), lines.join("events.ndjson")].map(mode);
    assert_eq!(modes, [0o750, 0o640], "other users of the machine do not read it");
    let text = std::fs::read_to_string(lines.join("events.ndjson")).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 3);
    assert!(lines.iter().all(|line| line["visitor"] == one.visitor), "{text}");
    let again = export((parquet, ExportFormat::Parquet)).await.unwrap_err();
    assert!(again.to_string().contains("not empty"), "{again}");
}

/// How many files of the database have this text.
pub(crate) fn db_files_with(site: &Site, text: &str) -> usize {
    let files = std::fs::read_dir(site.folder.path()).unwrap().map(|file| file.unwrap());
    let files = files.filter(|file| file.file_name().to_string_lossy().starts_with("assay.db"));
    let bytes = files.map(|file| std::fs::read(file.path()).unwrap());
    bytes.filter(|bytes| bytes.windows(text.len()).any(|part| part == text.as_bytes())).count()
}

#[tokio::test]
async fn the_files_of_the_database_have_nothing_of_a_forgotten_visitor() {
    let site = Site::start();
    publish(&site, "on").await;
    let token = token(&site).await;
    let at = now(&site);
    let told = |id: &str, secret: &str| {
        let mut event = bought(id, at);
        event["properties"] = json!({"mail": secret, "note": secret.repeat(90)});
        event
    };
    // One event is in a file by the time that the visitor is forgotten, one shares a row of the log with nothing else.
    send(&site, &batch("ada", &[told("o1", "secret-that-was-moved")])).await;
    seal(&site).await;
    send(&site, &batch("ada", &[told("o2", "secret-of-the-log")])).await;
    for visitor in 0..40 {
        send(&site, &batch(&format!("v{visitor}"), &[told("o3", "kept-of-others")])).await;
    }
    assert_ne!(db_files_with(&site, "secret-of-the-log"), 0);

    let forgotten = forget(&site, &token, "ada").await;

    assert_eq!(forgotten.json()["events"], 2, "{}", forgotten.body);
    for secret in ["secret-that-was-moved", "secret-of-the-log"] {
        assert_eq!(db_files_with(&site, secret), 0, "{secret}");
    }
    assert_ne!(db_files_with(&site, "kept-of-others"), 0);
}

#[tokio::test]
async fn a_visitor_is_forgotten_by_the_number_that_the_audit_log_has() {
    let site = Site::start();
    publish(&site, "on").await;
    let token = token(&site).await;
    let at = now(&site);
    send(&site, &batch("ada", &[bought("o1", at)])).await;
    let number = forget(&site, &token, "ada").await.json()["visitor"].as_str().unwrap().to_owned();
    // As a restore brings it back.
    send(&site, &batch("ada", &[bought("o1", at)])).await;
    send(&site, &batch("bob", &[bought("o1", at)])).await;

    let read = site.get_as(&format!("/v1/projects/1000/visitors/{number}?by=number"), &token).await;
    let again = forget(&site, &token, &format!("{number}?by=number")).await;

    assert_eq!(read.json()["total"], 1, "{}", read.body);
    assert_eq!(again.json(), json!({"visitor": number, "events": 1}));
    assert_eq!(forget(&site, &token, &number).await.json()["events"], 0, "no id is a number");
    assert_eq!(forget(&site, &token, "ada?by=number").await.status.as_u16(), 404);
    assert_eq!(site.app.store().weigh_events("1000".parse().unwrap()).await.unwrap().events, 1);
}

#[tokio::test]
async fn spaces_around_an_id_make_no_other_visitor() {
    let site = Site::start();
    publish(&site, "on").await;
    let token = token(&site).await;
    let at = now(&site);
    send(&site, &batch("Tail ", &[bought("o1", at)])).await;
    import(&site, &token, "events", &format!("visitor,time,name\nTail ,{at},purchase\n")).await;

    let forgotten = forget(&site, &token, "Tail%20").await;

    assert_eq!(forgotten.json()["events"], 2, "{}", forgotten.body);
}

#[tokio::test]
async fn a_damaged_file_keeps_no_other_event_of_a_visitor() {
    let site = Site::start();
    publish(&site, "on").await;
    let token = token(&site).await;
    let at = now(&site);
    for days in 0..2 {
        send(&site, &batch("ada", &[bought("o", at - days * DAY * 1_000)])).await;
        seal(&site).await;
    }
    send(&site, &batch("ada", &[bought("later", at)])).await;
    let damaged = files(&site).await.remove(0);
    damage(&path(&site, &damaged));

    let refused = forget(&site, &token, "ada").await;

    assert_eq!(refused.status.as_u16(), 503, "{}", refused.body);
    assert_eq!(files(&site).await, std::slice::from_ref(&damaged));
    assert_eq!(site.app.store().list_event_logs().await.unwrap(), []);
    damage(&path(&site, &damaged));
    assert_eq!(forget(&site, &token, "ada").await.json()["events"], 1, "it is whole again");
}
