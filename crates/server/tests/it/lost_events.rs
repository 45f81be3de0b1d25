//! Files of events are lost: campaigns that need them say so, and all others go on.

use app::events::{ImportedRows, give_up_events, import_rows, seal_events};
use app::results::{ResultsLinkRequest, make_results_link};
use app::roles::Actor;
use events::{ExposureRow, Millis, UserAgent};
use secrecy::ExposeSecret as _;
use serde_json::json;

use crate::browser::Browser;
use crate::event_files::{DAY, WAIT, files, path, seal, token};
use crate::events::{batch, bought, exposure, let_visitors_come, now, send};
use crate::shop::{publish_text, shop_with};
use crate::site::{Answer, Site};

/// A shop with this campaign as well.
const SECOND: &str = r#"
  - id: "3002"
    key: second
    name: Second
    type: ab_test
    status: running
    pages: [home]
    experiments:
      - {id: "4002", key: second, variations: [{id: "5003", key: a, weight: 5000}, {id: "5004", key: b, weight: 5000}]}
"#;

async fn publish_running(site: &Site, more: &str) {
    let shop = shop_with("results: on").replace("not_started", "running");
    publish_text(site, &(shop + more.trim_start_matches('\n'))).await;
}

async fn ask(site: &Site, token: &str, campaign: &str, format: &str) -> Answer {
    let path = format!("/v1/projects/1000/campaigns/{campaign}/results?format={format}");
    site.get_as(&path, token).await
}

/// Visitors of the first campaign on one day and of both on the third, when the second one has begun. The files of the first day are lost.
async fn with_a_lost_day() -> Site {
    let site = Site::start();
    publish_running(&site, "").await;
    let_visitors_come(&site).await;
    seal(&site).await;
    let lost = files(&site).await;
    site.advance_seconds(2 * DAY);
    publish_running(&site, SECOND).await;
    let at = now(&site);
    for (visitor, variation) in [("ada", "5003"), ("bob", "5004")] {
        let second = json!({"id": "e", "time": at, "type": "exposure", "campaign": "3002", "experiment": "4002", "variation": variation});
        let first = exposure("f", at, "5001");
        send(&site, &batch(visitor, &[first, second, bought("o", at + 1)])).await;
    }
    seal(&site).await;
    for file in lost {
        std::fs::remove_file(path(&site, &file)).unwrap();
    }
    site
}

#[tokio::test]
async fn results_that_need_a_lost_file_say_so_and_others_are_there() {
    let site = with_a_lost_day().await;
    let token = token(&site).await;

    let refused = ask(&site, &token, "3001", "json").await;
    let as_text = ask(&site, &token, "3001", "text").await;
    let other = ask(&site, &token, "3002", "json").await;

    assert_eq!(refused.status.as_u16(), 503, "{}", refused.body);
    let refused = refused.json();
    assert_eq!(refused["code"], "events_lost");
    assert_eq!(refused["days"], json!([{"day": "2027-01-15", "events": 410}]));
    let told = "410 events of 2027-01-15, which results of this campaign need, are in files that are lost; the server's operator puts the files back, or gives them up with `assay events give-up`: then results count what is left";
    assert_eq!(refused["detail"], told);
    assert_eq!(as_text.json()["detail"], told);
    let experiment = &other.json()["experiments"][0];
    assert_eq!(experiment["results"]["variations"][0]["visitors"], 1, "{}", other.body);
    assert_eq!(
        experiment["results"]["metrics"][0]["variations"][0]["total"], 1.0,
        "{}",
        other.body
    );
}

#[tokio::test]
async fn results_count_what_is_left_once_lost_files_are_given_up_and_name_the_days() {
    let site = with_a_lost_day().await;
    let token = token(&site).await;
    let project = "1000".parse().unwrap();

    let given_up = give_up_events(&site.app, &Actor::Command, project, &[]).await.unwrap();

    assert!(!given_up.are_all);
    let results = ask(&site, &token, "3001", "json").await.json();
    let found = &results["experiments"][0]["results"];
    assert_eq!(found["variations"][0]["visitors"], 2);
    let lost = json!([{"day": "2027-01-15", "events": 410}]);
    assert_eq!(found["health"]["lost_days"], lost);
    let text = ask(&site, &token, "3001", "text").await.body;
    let sentence =
        "410 events of 2027-01-15 are lost, so these figures are not of all that visitors did.";
    assert!(text.contains(sentence), "{text}");
    let other = ask(&site, &token, "3002", "json").await.json();
    assert_eq!(other["experiments"][0]["results"]["health"]["lost_days"], json!([]));
    let audit = site.get_as("/v1/audit?event=events.deleted", &token).await.json();
    assert_eq!(audit[0]["detail"], "410 events of 2027-01-15 that were lost with their files");
}

#[tokio::test]
async fn an_experiment_of_which_all_is_given_up_had_visitors_all_the_same() {
    let site = with_a_lost_day().await;
    let token = token(&site).await;
    for file in files(&site).await {
        std::fs::remove_file(path(&site, &file)).unwrap_or_default();
    }
    let project = "1000".parse().unwrap();

    let given_up = give_up_events(&site.app, &Actor::Command, project, &[]).await.unwrap();

    assert!(given_up.are_all);
    let results = ask(&site, &token, "3001", "json").await.json();
    assert_eq!(results["experiments"][0]["reason"], "events_lost");
    let text = ask(&site, &token, "3001", "text").await.body;
    assert!(text.contains("no visitor is in what is left of its events"), "{text}");
}

#[tokio::test]
async fn events_come_and_move_while_files_are_lost() {
    let site = with_a_lost_day().await;

    let sent = send(&site, &batch("cyd", &[bought("o", now(&site))])).await;
    site.advance_seconds(WAIT);

    assert_eq!(sent.status.as_u16(), 202);
    assert_eq!(seal_events(&site.app).await.unwrap().events, 1);
}

#[tokio::test]
async fn a_member_reads_in_the_console_what_results_lack() {
    let site = with_a_lost_day().await;
    let member = site.member().await;
    let browser = Browser::new(&site);
    let form = browser.open("/sign-in").await;
    browser.sign_in(&form, &member).await;
    let page = "/projects/1000/campaigns/3001/results";

    let refused = browser.open(page).await;
    give_up_events(&site.app, &Actor::Command, "1000".parse().unwrap(), &[]).await.unwrap();
    let left = browser.open(page).await;

    assert_eq!(refused.status.as_u16(), 503);
    assert!(refused.body.contains("Events of this campaign are lost"), "{}", refused.body);
    assert!(refused.body.contains("410 events of 2027-01-15"), "{}", refused.body);
    assert!(left.body.contains("410 events of 2027-01-15 are lost"), "{}", left.body);
}

#[tokio::test]
async fn a_shared_results_page_says_that_events_are_lost() {
    let site = with_a_lost_day().await;
    let request = ResultsLinkRequest { campaign: "hero".to_owned(), expires_in: None };
    let id = "1000".parse().unwrap();
    let made = make_results_link(&site.app, &Actor::Command, id, &request).await.unwrap();
    let (_, query) = made.address.expose_secret().split_once('?').unwrap();

    let page = Browser::new(&site).open(&format!("/shared-results?{query}")).await;

    assert_eq!(page.status.as_u16(), 503);
    assert!(page.body.contains("This link shows nothing at the moment"), "{}", page.body);
    assert!(page.body.contains("Events of 2027-01-15 are lost"), "{}", page.body);
}

#[tokio::test]
async fn a_folder_that_cannot_be_used_keeps_no_results_that_need_nothing_of_it() {
    let site = with_a_lost_day().await;
    for file in files(&site).await {
        std::fs::remove_file(path(&site, &file)).unwrap_or_default();
    }
    give_up_events(&site.app, &Actor::Command, "1000".parse().unwrap(), &[]).await.unwrap();
    let_visitors_come(&site).await;
    seal(&site).await;
    site.advance_seconds(2 * DAY);
    let third = SECOND.replace("\"300", "\"309").replace("\"400", "\"409");
    publish_running(&site, &third.replace("\"500", "\"509")).await;
    let site = site.restarted();
    let token = token(&site).await;
    let folder = site.folder.path().join("events");
    std::fs::remove_dir_all(&folder).unwrap();
    std::fs::write(&folder, "no folder").unwrap();

    let first = ask(&site, &token, "3001", "json").await;
    let new = ask(&site, &token, "3092", "json").await;

    assert_eq!(first.json()["code"], "events_lost", "{}", first.body);
    assert_eq!(new.json()["experiments"][0]["reason"], "no_visitor", "{}", new.body);
}

#[tokio::test]
async fn imported_visitors_of_before_the_campaign_are_missed_as_well() {
    let site = Site::start();
    publish_running(&site, "").await;
    let project = "1000".parse().unwrap();
    let long_ago = Millis(now(&site) - 60 * DAY * 1_000);
    let row = |variation: &str| ExposureRow {
        visitor: variation.to_owned(),
        at: long_ago,
        experiment: None,
        variation: variation.to_owned(),
        agent: UserAgent::default(),
        page: None,
        is_held_back: false,
    };
    let rows = ImportedRows::Exposures(vec![row("5001"), row("5002")]);
    import_rows(&site.app, &Actor::Command, project, rows).await.unwrap();
    seal(&site).await;
    std::fs::remove_file(path(&site, &files(&site).await[0])).unwrap();
    let token = token(&site).await;
    let_visitors_come(&site).await;

    let lost = ask(&site, &token, "3001", "json").await;
    give_up_events(&site.app, &Actor::Command, project, &[]).await.unwrap();
    let left = ask(&site, &token, "3001", "json").await.json();

    let days = json!([{"day": "2026-11-16", "events": 2}]);
    assert_eq!(lost.json()["days"], days, "{}", lost.body);
    assert_eq!(left["experiments"][0]["results"]["health"]["lost_days"], days);
}
