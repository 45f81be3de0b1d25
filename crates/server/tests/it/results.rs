//! Results over the life of a campaign.

use serde_json::{Value, json};

use crate::events::{batch, bought, exposure, let_visitors_come, now, publish_text, send};
use crate::oauth::token_call::fetch_tokens;
use crate::projects::SHOP;
use crate::site::Site;

/// Makes the campaign have this status.
async fn publish_as(site: &Site, status: &str) {
    let shop = SHOP.replace("project: {", "project: {results: on, ");
    publish_text(site, &shop.replace("status: not_started", status)).await;
}

/// What programs read of the experiment.
async fn read(site: &Site, token: &str) -> Value {
    let answer = site.get_as("/v1/projects/1000/campaigns/3001/results", token).await;
    answer.json()["experiments"][0]["results"].clone()
}

#[tokio::test]
async fn results_stay_those_of_the_conclusion_whatever_visitors_do_later() {
    let site = Site::start();
    let application = site.application().await;
    let token = fetch_tokens(&site, &application, "results:read").await.access;
    publish_as(&site, "status: running").await;
    let_visitors_come(&site).await;
    site.advance_seconds(3_600);
    let by_then = read(&site, &token).await;
    publish_as(&site, "status: concluded").await;
    let concluded_at = now(&site);
    site.advance_seconds(3_600);

    // A visitor of the original buys, a page that stayed open shows a variation, and one event was on its way.
    for (visitor, event) in [
        ("5001-100", bought("later", now(&site))),
        ("newcomer", exposure("open", now(&site), "5002")),
    ] {
        assert_eq!(send(&site, &batch(visitor, &[event])).await.status.as_u16(), 202);
    }
    let found = read(&site, &token).await;
    let late = bought("late", concluded_at - 1);
    send(&site, &batch("5002-120", &[late])).await;
    let with_late = read(&site, &token).await;

    assert_eq!(by_then["ended_at"], Value::Null);
    assert_eq!(found["ended_at"], "2027-01-15T09:00:00Z");
    assert_eq!(found["metrics"], by_then["metrics"]);
    assert_eq!(found["variations"], by_then["variations"]);
    let buyers = |found: &Value| found["metrics"][0]["variations"][1]["total"].clone();
    assert_eq!([&found, &with_late].map(buyers), [json!(100.0), json!(101.0)]);
}
