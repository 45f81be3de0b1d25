//! Events that were moved from the log into files: results are the same, files are few, and old ones go.

use app::events::{delete_old_events, seal_events, tidy_event_folder};
use serde_json::Value;
use storage::EventFile;

use crate::events::{batch, bought, exposure, let_visitors_come, now, publish, send};
use crate::oauth::token_call::fetch_tokens;
use crate::site::Site;

const DAY: i64 = 86_400;

/// As long as events wait for.
const WAIT: i64 = 300;

async fn token(site: &Site) -> String {
    let application = site.application().await;
    fetch_tokens(site, &application, "results:read").await.access
}

/// The results, without how many events these were made of.
async fn results(site: &Site, token: &str) -> Value {
    let results = site.get_as("/v1/projects/1000/campaigns/3001/results", token).await.json();
    results["experiments"].clone()
}

async fn files(site: &Site) -> Vec<EventFile> {
    site.app.store().list_event_files("1000".parse().unwrap()).await.unwrap()
}

fn path(site: &Site, file: &EventFile) -> std::path::PathBuf {
    site.folder.path().join("events").join(&file.name)
}

/// Waits and moves all events into files.
async fn seal(site: &Site) {
    site.advance_seconds(WAIT);
    assert!(seal_events(&site.app).await.unwrap().events > 0);
    assert_eq!(site.app.store().list_event_logs().await.unwrap(), []);
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
        if visitor == 7 {
            assert_eq!(files(&site).await.len(), 7);
        }
        seal(&site).await;
    }

    let left = files(&site).await;

    assert_eq!((left.len(), left[0].events), (1, 18), "{left:?}");
    let folder = path(&site, &left[0]);
    assert_eq!(folder.parent().unwrap().read_dir().unwrap().count(), 1);
    let found = results(&site, &token).await;
    assert_eq!(found[0]["results"]["variations"][0]["visitors"], 8);
    assert_eq!(found[0]["results"]["variations"][1]["visitors"], 1);
}

#[tokio::test]
async fn a_late_event_joins_its_day_when_that_is_quiet() {
    let site = Site::start();
    publish(&site, "on").await;
    let at = now(&site);
    for id in ["a", "b"] {
        send(&site, &batch(id, &[bought(id, at)])).await;
        seal(&site).await;
    }
    assert_eq!(files(&site).await.len(), 2);

    site.advance_seconds(DAY);
    seal_events(&site.app).await.unwrap();

    let left = files(&site).await;
    assert_eq!((left.len(), left[0].events), (1, 2));
}

#[tokio::test]
async fn what_a_crash_left_is_gone_and_what_is_missing_is_told() {
    let site = Site::start();
    publish(&site, "on").await;
    send(&site, &batch("ada", &[bought("o", now(&site))])).await;
    seal(&site).await;
    let file = files(&site).await.remove(0);
    let left_over = path(&site, &file).with_file_name("00.parquet");
    std::fs::write(&left_over, "PAR1").unwrap();

    let removed = tidy_event_folder(&site.app).await.unwrap();

    assert_eq!((removed, left_over.exists(), path(&site, &file).exists()), (1, false, true));
    std::fs::remove_file(path(&site, &file)).unwrap();
    let error = tidy_event_folder(&site.app).await.unwrap_err().to_string();
    assert!(error.ends_with(&format!("`{}` is not in it", file.name)), "{error}");
}

#[tokio::test]
async fn results_of_half_of_the_events_are_not_told() {
    let site = Site::start();
    publish(&site, "on").await;
    let token = token(&site).await;
    let_visitors_come(&site).await;
    seal(&site).await;
    let file = files(&site).await.remove(0);
    let mut bytes = std::fs::read(path(&site, &file)).unwrap();
    bytes[900] ^= 1;
    std::fs::write(path(&site, &file), bytes).unwrap();

    let damaged = site.get_as("/v1/projects/1000/campaigns/3001/results", &token).await;
    std::fs::remove_file(path(&site, &file)).unwrap();
    let missing = site.get_as("/v1/projects/1000/campaigns/3001/results", &token).await;

    assert_eq!((damaged.status.as_u16(), missing.status.as_u16()), (503, 503), "{}", damaged.body);
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
    assert_eq!(delete_old_events(&site.app).await.unwrap(), 0);
    site.advance_seconds(DAY + WAIT);

    let deleted = delete_old_events(&site.app).await.unwrap();

    assert_eq!((deleted, files(&site).await.len()), (2, 0));
    assert_eq!(site.app.store().list_event_logs().await.unwrap(), []);
    assert!(!path(&site, &old).parent().unwrap().exists());
}
