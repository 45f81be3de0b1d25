//! Events that were moved from the log into files: results are the same, files are few, and old ones go.

use std::collections::BTreeMap;
use std::path::Path;

use app::events::{
    ExportFormat, VisitorName, compact_event_files, delete_old_events, events_kept_since,
    export_events, export_visitor, seal_events, tidy_event_folder,
};
use app::tokens::{DatabaseIs, end_everything};
use axum::body::Body;
use axum::http::Request;
use lake::{Wanted, read_file};
use serde_json::{Value, json};
use storage::EventFile;

use crate::events::{batch, bought, exposure, let_visitors_come, now, publish, publish_text, send};
use crate::oauth::token_call::fetch_tokens;
use crate::projects::SHOP;
use crate::site::{Answer, Site};

const DAY: i64 = 86_400;

/// As long as events wait for.
pub(crate) const WAIT: i64 = 300;

pub(crate) async fn token(site: &Site) -> String {
    let application = site.application().await;
    fetch_tokens(site, &application, "results:read events:write audit:read").await.access
}

/// The results, without how many events these were made of.
pub(crate) async fn results(site: &Site, token: &str) -> Value {
    let results = site.get_as("/v1/projects/1000/campaigns/3001/results", token).await.json();
    results["experiments"].clone()
}

pub(crate) async fn files(site: &Site) -> Vec<EventFile> {
    site.app.store().list_event_files("1000".parse().unwrap()).await.unwrap()
}

pub(crate) fn path(site: &Site, file: &EventFile) -> std::path::PathBuf {
    site.folder.path().join("events").join(&file.name)
}

/// Waits and moves all events into files.
pub(crate) async fn seal(site: &Site) {
    site.advance_seconds(WAIT);
    assert!(seal_events(&site.app).await.unwrap().events > 0);
    assert_eq!(site.app.store().list_event_logs().await.unwrap(), []);
}

/// Has a visitor do something, and moves that into a file.
pub(crate) async fn seal_one(site: &Site, visitor: &str, at: i64) {
    send(site, &batch(visitor, &[bought(visitor, at)])).await;
    seal(site).await;
}

/// Changes a byte of a file, as a disk may.
/// Twice, it is whole again.
pub(crate) fn damage(path: &Path) {
    let mut bytes = std::fs::read(path).unwrap();
    bytes[900] ^= 1;
    std::fs::write(path, bytes).unwrap();
}

#[tokio::test]
async fn results_are_the_same_wherever_events_are() {
    let site = Site::start();
    publish(&site, "on").await;
    let token = token(&site).await;
    let_visitors_come(&site).await;
    let from_log = results(&site, &token).await;

    assert_eq!(seal_events(&site.app).await.unwrap().events, 0, "they are not old enough");
    seal(&site).await;
    let from_files = results(&site, &token).await;
    let_visitors_come(&site).await;
    let from_both = results(&site, &token).await;

    assert_eq!(from_log[0]["results"]["variations"][1]["visitors"], 140);
    assert_eq!(from_files, from_log);
    let totals = |results: &Value| results[0]["results"]["metrics"].clone();
    assert_eq!(totals(&from_both), totals(&from_log), "sent again with the same ids");
    assert_eq!(files(&site).await.iter().map(|file| file.events).sum::<u64>(), 410);
}

/// How many buyers each variation has.
async fn buyers(site: &Site, token: &str) -> Vec<Value> {
    let results = results(site, token).await;
    let variations = results[0]["results"]["metrics"][0]["variations"].as_array().unwrap().clone();
    variations.into_iter().map(|one| one["total"].clone()).collect()
}

#[tokio::test]
async fn what_was_told_before_the_first_exposure_does_not_count_when_it_is_told_again() {
    let site = Site::start();
    publish(&site, "on").await;
    let token = token(&site).await;
    let (two_days_ago, at) = (now(&site) - 2 * DAY * 1_000, now(&site));
    let given = exposure("e", at, "5002");
    send(&site, &batch("ada", &[bought("o1", two_days_ago)])).await;
    send(&site, &batch("bob", &[bought("o2", at - 60_000)])).await;
    seal_one(&site, "cyd", two_days_ago - 1).await;

    // The first telling is in a file of another day, in one of the same day, and in the log.
    send(&site, &batch("dan", &[bought("o4", at - 1)])).await;
    for (visitor, id) in [("ada", "o1"), ("bob", "o2"), ("cyd", "cyd"), ("dan", "o4")] {
        send(&site, &batch(visitor, &[given.clone(), bought(id, at + 1)])).await;
    }
    send(&site, &batch("eve", &[given, bought("o1", at + 1)])).await;
    let while_in_the_log = buyers(&site, &token).await;
    seal(&site).await;

    assert_eq!(while_in_the_log, [json!(0.0), json!(1.0)], "eve has no earlier order");
    assert_eq!(buyers(&site, &token).await, while_in_the_log);
}

#[tokio::test]
async fn visitors_are_the_same_after_everything_has_ended() {
    let site = Site::start();
    publish(&site, "on").await;
    let_visitors_come(&site).await;
    seal(&site).await;

    end_everything(&site.app, DatabaseIs::TheOriginal).await.unwrap();
    let site = site.restarted();
    let_visitors_come(&site).await;

    let after = results(&site, &token(&site).await).await;
    assert_eq!(after[0]["results"]["variations"][1]["visitors"], 140, "the same came again");
    assert_eq!(tidy_event_folder(&site.app).await.unwrap(), 0, "the folder is its own");
}

#[tokio::test]
async fn results_are_the_same_while_events_move() {
    let site = Site::start();
    publish(&site, "on").await;
    let token = token(&site).await;
    let_visitors_come(&site).await;
    let expected = results(&site, &token).await;
    for visitor in 0..9 {
        // Of a visitor without exposure, so that results are computed anew and stay the same.
        let id = format!("late{visitor}");
        send(&site, &batch(&id, &[bought(&id, now(&site))])).await;
        site.advance_seconds(WAIT);

        let (sealed, seen) = tokio::join!(seal_events(&site.app), results(&site, &token));

        sealed.unwrap();
        assert_eq!(seen, expected);
        assert_eq!(results(&site, &token).await, expected);
    }
}

#[tokio::test]
async fn many_small_files_of_a_day_become_one() {
    let site = Site::start();
    publish(&site, "on").await;
    let token = token(&site).await;
    let at = now(&site);
    for visitor in 0..8 {
        let id = format!("v{visitor}");
        send(&site, &batch(&id, &[exposure(&id, at, "5001"), bought("o", at)])).await;
        send(&site, &batch("twice", &[exposure("e", at, "5002"), bought("o", at)])).await;
        compact_event_files(&site.app).await.unwrap();
        assert_eq!(files(&site).await.len(), visitor, "too few to become one");
        seal(&site).await;
    }

    compact_event_files(&site.app).await.unwrap();

    let left = files(&site).await;

    assert_eq!((left.len(), left[0].events), (1, 18), "{left:?}");
    let folder = path(&site, &left[0]);
    assert_eq!(folder.parent().unwrap().read_dir().unwrap().count(), 1);
    let found = results(&site, &token).await;
    assert_eq!(found[0]["results"]["variations"][0]["visitors"], 8);
    assert_eq!(found[0]["results"]["variations"][1]["visitors"], 1);
}

#[tokio::test]
async fn few_files_are_left_however_many_came_at_once() {
    let site = Site::start();
    publish(&site, "on").await;
    for visitor in 0..40 {
        seal_one(&site, &format!("v{visitor}"), now(&site)).await;
    }
    assert_eq!(files(&site).await.len(), 40);

    compact_event_files(&site.app).await.unwrap();

    let left = files(&site).await;
    let events: u64 = left.iter().map(|file| file.events).sum();
    assert!(left.len() < 8 && events == 40, "{left:?}");
}

#[tokio::test]
async fn a_late_event_joins_its_day_when_that_is_quiet() {
    let site = Site::start();
    publish(&site, "on").await;
    let at = now(&site);
    for id in ["a", "b"] {
        seal_one(&site, id, at).await;
    }
    compact_event_files(&site.app).await.unwrap();
    assert_eq!(files(&site).await.len(), 2);

    site.advance_seconds(DAY);
    compact_event_files(&site.app).await.unwrap();

    let left = files(&site).await;
    assert_eq!((left.len(), left[0].events), (1, 2));
}

#[tokio::test]
async fn a_damaged_file_is_named_and_keeps_no_others_from_becoming_one() {
    let site = Site::start();
    publish(&site, "on").await;
    let today = now(&site);
    for (day, visitors) in [(today - DAY * 1_000, &["a", "b", "c"][..]), (today, &["d", "e"])] {
        for visitor in visitors {
            seal_one(&site, visitor, day).await;
        }
    }
    let five = files(&site).await;
    let damaged = five.iter().min_by_key(|file| file.day).unwrap();
    damage(&path(&site, damaged));
    site.advance_seconds(DAY);

    let error = compact_event_files(&site.app).await.unwrap_err().to_string();

    assert!(error.contains(&damaged.name), "{error}");
    let mut of_day = BTreeMap::new();
    for file in files(&site).await {
        *of_day.entry(file.day).or_insert(0) += 1;
    }
    assert_eq!(of_day.into_values().collect::<Vec<_>>(), [2, 1], "of yesterday and of today");
    damage(&path(&site, damaged));
    compact_event_files(&site.app).await.unwrap();
    assert_eq!(files(&site).await.len(), 3, "it is left alone for a while");
    site.advance_seconds(3_600);
    compact_event_files(&site.app).await.unwrap();
    assert_eq!(files(&site).await.len(), 2, "it is whole again");
}

#[tokio::test]
async fn results_of_half_of_the_events_are_not_told() {
    let site = Site::start();
    publish(&site, "on").await;
    let token = token(&site).await;
    let_visitors_come(&site).await;
    seal(&site).await;
    let file = files(&site).await.remove(0);
    damage(&path(&site, &file));

    let damaged = site.get_as("/v1/projects/1000/campaigns/3001/results", &token).await;
    std::fs::remove_file(path(&site, &file)).unwrap();
    let missing = site.get_as("/v1/projects/1000/campaigns/3001/results", &token).await;

    for refused in [damaged, missing] {
        assert_eq!(refused.status.as_u16(), 503, "{}", refused.body);
        assert_eq!(refused.json()["code"], "event_files_unusable", "{}", refused.body);
        assert_eq!(refused.header("retry-after"), "", "no waiting cures it");
    }
}

#[tokio::test]
async fn days_are_deleted_when_they_are_too_old() {
    let site = Site::start();
    publish(&site, "on").await;
    send(&site, &batch("ada", &[bought("o", now(&site))])).await;
    seal(&site).await;
    send(&site, &batch("bob", &[bought("o", now(&site))])).await;
    let old = files(&site).await.remove(0);
    site.advance_seconds(400 * DAY - WAIT);
    let delete = async || {
        let kept_since = events_kept_since(&site.app).unwrap();
        delete_old_events(&site.app, kept_since).await.unwrap()
    };
    assert_eq!(delete().await, 0);
    site.advance_seconds(DAY + WAIT);

    let deleted = delete().await;

    assert_eq!((deleted, files(&site).await.len()), (2, 0));
    assert_eq!(site.app.store().list_event_logs().await.unwrap(), []);
    assert!(!path(&site, &old).parent().unwrap().exists());
}

pub(crate) async fn ask(
    site: &Site,
    token: &str,
    request: axum::http::request::Builder,
    body: &str,
) -> Answer {
    let request = request.header("authorization", format!("Bearer {token}"));
    site.send(request.body(Body::from(body.to_owned())).unwrap()).await
}

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
    let text = std::fs::read_to_string(lines.join("events.ndjson")).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 3);
    assert!(lines.iter().all(|line| line["visitor"] == one.visitor), "{text}");
    let again = export((parquet, ExportFormat::Parquet)).await.unwrap_err();
    assert!(again.to_string().contains("not empty"), "{again}");
}

/// How many files of the database have this text.
fn db_files_with(site: &Site, text: &str) -> usize {
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

async fn import(site: &Site, token: &str, kind: &str, body: &str) -> Answer {
    let request = Request::post(format!("/v1/projects/1000/imports/{kind}"));
    ask(site, token, request.header("content-type", "text/csv; charset=utf-8"), body).await
}

#[tokio::test]
async fn what_was_measured_elsewhere_counts_once_however_often_it_is_imported() {
    let site = Site::start();
    publish(&site, "on").await;
    let token = token(&site).await;
    let at = now(&site);
    let old = at - 100 * DAY * 1_000;
    let exposures =
        format!("visitor,time,variation\nada,{old},5001\nbob,{old},5002\neve,{old},5009\n");
    let events = format!(
        "visitor,time,name,value\nbob,{at},purchase,19.99\nbob,{at},purchase,5\nbob,0,purchase,1\nbob,never,purchase,1\n"
    );

    let imported = import(&site, &token, "exposures", &exposures).await;
    let first = import(&site, &token, "events", &events).await.json();
    seal(&site).await;
    import(&site, &token, "exposures", &exposures).await;
    let again = import(&site, &token, "events", &events).await.json();

    assert_eq!(imported.status.as_u16(), 202, "{}", imported.body);
    let fault = json!([{"line": 4, "detail": "the live project has no `variation` called `5009`"}]);
    assert_eq!(imported.json(), json!({"accepted": 2, "rejected": 1, "faults": fault}));
    assert_eq!((&first["accepted"], &first["rejected"]), (&json!(2), &json!(2)), "{first}");
    assert_eq!(again, first);
    let found = results(&site, &token).await;
    let arms = &found[0]["results"]["metrics"][1]["variations"];
    assert_eq!((&arms[0]["total"], &arms[1]["total"]), (&json!(0.0), &json!(24.99)), "{found}");
    assert_eq!(found[0]["results"]["variations"][0]["visitors"], 1);
    let audit = site.get_as("/v1/audit?event=events.imported", &token).await.json();
    let said: Vec<_> = audit.as_array().unwrap().iter().map(|one| &one["detail"]).collect();
    let (exposures, events) = ("exposures: 2 rows", "events: 2 rows");
    assert_eq!(said, [events, exposures, events, exposures]);
}

#[tokio::test]
async fn what_metrics_ask_for_is_imported_and_alike_rows_are_each_counted() {
    let site = Site::start();
    let metrics = "events: [{key: purchase}]
metrics:
  - {key: income, type: sum, event: purchase, value: revenue}
  - {key: gold, type: count, event: purchase, where: {plan: gold}}
";
    let text = SHOP.replace("project: {", "project: {results: on, ");
    publish_text(&site, &format!("{text}{metrics}")).await;
    let token = token(&site).await;
    let at = now(&site);
    import(
        &site,
        &token,
        "exposures",
        &format!("visitor,time,variation\nada,{at},5001\nbob,{at},5002\n"),
    )
    .await;
    let order = format!("ada,{at},purchase");
    let rows = format!(
        "visitor,time,name,revenue,plan\n{order},500,gold\n{order},700,gold\n{order},700,silver\n"
    );

    for _ in 0..2 {
        let told = import(&site, &token, "events", &rows).await;
        assert_eq!(told.json()["accepted"], 3, "{}", told.body);
    }

    let found = results(&site, &token).await;
    let total =
        |metric: usize| found[0]["results"]["metrics"][metric]["variations"][0]["total"].clone();
    assert_eq!((total(0), total(1)), (json!(1900.0), json!(2.0)), "{found}");
}

#[tokio::test]
async fn a_column_that_is_there_twice_is_refused() {
    let site = Site::start();
    publish(&site, "on").await;
    let token = token(&site).await;

    let refused = import(&site, &token, "events", "visitor,time,name,time\nada,1,buy,2\n").await;

    assert_eq!(refused.status.as_u16(), 422);
    assert!(refused.body.contains("two columns `time`"), "{}", refused.body);
}

#[tokio::test]
async fn a_file_that_is_none_is_refused() {
    let site = Site::start();
    publish(&site, "on").await;
    let token = token(&site).await;
    let request = |kind: &'static str| {
        Request::post("/v1/projects/1000/imports/events").header("content-type", kind)
    };

    let no_column = import(&site, &token, "events", "who,when\nada,1\n").await;
    let no_parquet = ask(&site, &token, request("application/vnd.apache.parquet"), "PAR1").await;
    let octets = ask(&site, &token, request("application/octet-stream"), "PAR1").await;
    let other = ask(&site, &token, request("application/pdf"), "%PDF").await;

    let all = [&no_column, &no_parquet, &octets, &other];
    let statuses = all.map(|answer| answer.status.as_u16());
    assert_eq!(statuses, [422, 422, 422, 415], "{} {}", no_column.body, no_parquet.body);
}

#[tokio::test]
async fn all_events_of_a_project_go_into_a_folder() {
    let site = Site::start();
    publish(&site, "on").await;
    let at = now(&site);
    send(&site, &batch("ada", &[exposure("e", at, "5001"), bought("o", at)])).await;
    seal(&site).await;
    send(&site, &batch("bob", &[bought("o", at)])).await;
    let [parquet, lines] = ["parquet", "lines"].map(|name| site.folder.path().join(name));
    let project = "1000".parse().unwrap();
    let export =
        async |to| export_events(&site.app, &app::roles::Actor::Command, project, to).await;

    let rows = export((parquet.clone(), ExportFormat::Parquet)).await.unwrap();
    let told = export((lines.clone(), ExportFormat::Ndjson)).await.unwrap();

    let day = std::fs::read_dir(parquet.join("project=1000")).unwrap().next().unwrap().unwrap();
    let read = |file: std::fs::DirEntry| {
        let groups = read_file(&file.path(), &Wanted::all()).unwrap();
        groups.map(|group| group.unwrap().len()).sum::<usize>()
    };
    let files = std::fs::read_dir(day.path()).unwrap().map(|file| read(file.unwrap()));
    assert_eq!((rows, files.sum::<usize>()), (3, 3));
    let text = std::fs::read_to_string(lines.join("events.ndjson")).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((told, lines.len()), (3, 3));
    let kinds: Vec<_> = lines.iter().map(|line| (&line["kind"], &line["revenue"])).collect();
    let (event, exposure) = (json!("event"), json!("exposure"));
    let revenue = json!(1999);
    assert_eq!(kinds, [(&event, &revenue), (&exposure, &Value::Null), (&event, &revenue)]);
    let again = export((parquet, ExportFormat::Parquet)).await.unwrap_err();
    assert!(again.to_string().contains("not empty"), "{again}");
    let audit = site.get_as("/v1/audit?event=events.exported", &token(&site).await).await.json();
    let said: Vec<_> = audit.as_array().unwrap().iter().map(|one| &one["detail"]).collect();
    assert_eq!(said, ["ndjson", "parquet"], "nothing was written the third time");
}
