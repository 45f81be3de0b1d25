//! Events that were moved from the log into files: results are the same, files are few, and old ones go.

use std::collections::BTreeMap;
use std::path::Path;

use app::events::{
    ExportFormat, compact_event_files, delete_old_events, events_kept_since, export_events,
    seal_events, tidy_event_folder,
};
use app::tokens::{DatabaseIs, end_everything};
use axum::body::Body;
use lake::{Wanted, read_file};
use serde_json::{Value, json};
use storage::EventFile;

use crate::events::{batch, bought, exposure, let_visitors_come, now, publish, send};
use crate::oauth::token_call::fetch_tokens;
use crate::site::{Answer, Site};

pub(crate) const DAY: i64 = 86_400;

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
async fn an_event_from_before_the_exposure_does_not_count_when_sent_again() {
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

    for (refused, code) in [(damaged, "event_files_unusable"), (missing, "events_lost")] {
        assert_eq!(refused.status.as_u16(), 503, "{}", refused.body);
        assert_eq!(refused.json()["code"], code, "{}", refused.body);
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
        let kept_since = events_kept_since(&site.app, site.app.wall_time()).unwrap();
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

#[tokio::test]
async fn an_export_that_breaks_off_is_no_export() {
    let site = Site::start();
    publish(&site, "on").await;
    for visitor in ["ada", "bob"] {
        send(&site, &batch(visitor, &[bought("o", now(&site))])).await;
        seal(&site).await;
    }
    let kept = files(&site).await;
    assert_eq!(kept.len(), 2);
    std::fs::write(path(&site, &kept[1]), "damaged").unwrap();
    let out = site.folder.path().join("lines");

    let project = "1000".parse().unwrap();
    let to = (out.clone(), ExportFormat::Ndjson);
    export_events(&site.app, &app::roles::Actor::Command, project, to).await.unwrap_err();

    let names = std::fs::read_dir(out).unwrap().map(|file| file.unwrap().file_name());
    assert_eq!(names.collect::<Vec<_>>(), ["events.ndjson.unfinished"]);
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
