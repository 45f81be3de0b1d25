//! How long an experiment has to run: in the console, and over REST.

use serde_json::json;
use storage::Role;

use super::{browser_of, shop};
use crate::oauth::token_call::fetch_tokens;
use crate::site::Site;

const LENGTH: &str = "/projects/1000/length";

#[tokio::test]
async fn a_member_reads_the_days_until_an_effect_shows() {
    let site = shop().await;
    let browser = browser_of(&site, "vic", Role::Viewer).await;
    let blank = browser.open(LENGTH).await;
    assert!(
        blank.body.contains("value=\"95\"") && !blank.body.contains("<table"),
        "{}",
        blank.body
    );

    // As people write numbers, and programs.
    for query in [
        "baseline=5&effect=10&visitors=4000",
        "baseline=5,0%25&effect=10%20%25&visitors=4+000",
        "baseline=5.0&effect=10&visitors=4,000",
        "baseline=5&effect=10&visitors=4.000",
    ] {
        let answer = browser.open(&format!("{LENGTH}?{query}")).await;

        assert_eq!(answer.status.as_u16(), 200);
        assert!(answer.body.contains("To find 5.50 % instead of 5.00 %"), "{}", answer.body);
        for days in ["34", "17", "16"] {
            assert!(answer.body.contains(&format!("<td class=\"number\">{days}</td>")), "{days}");
        }
    }
}

#[tokio::test]
async fn a_member_plans_a_test_of_revenue_with_a_small_variation() {
    let site = shop().await;
    let browser = browser_of(&site, "vic", Role::Viewer).await;

    let asked = "baseline=12,40&deviation=31&effect=5&visitors=4000&variations=80/10/10";
    let answer = browser.open(&format!("{LENGTH}?{asked}")).await;

    assert_eq!(answer.status.as_u16(), 200);
    assert!(answer.body.contains("To find a mean of 13.02 instead of 12.40"), "{}", answer.body);
    assert!(answer.body.contains("value=\"80/10/10\""), "{}", answer.body);
    assert!(answer.body.matches("<td class=\"number\">").count() == 6, "{}", answer.body);
}

#[tokio::test]
async fn a_question_without_an_answer_says_which_number_is_wrong() {
    let site = shop().await;
    let browser = browser_of(&site, "vic", Role::Viewer).await;

    for (query, wrong) in [
        ("baseline=0&effect=10", 1),
        ("baseline=five&effect=0&visitors=-1&variations=1&power=100&confidence=", 6),
        ("baseline=0&deviation=-1&effect=10", 2),
        ("baseline=5&effect=10&variations=50/0", 1),
        ("baseline=5&effect=10&visitors=4,5", 1),
        ("baseline=5&effect=10&power=49.9&confidence=99.91", 2),
        ("baseline=60&effect=70", 0),
    ] {
        let answer = browser.open(&format!("{LENGTH}?{query}")).await;

        assert_eq!(answer.status.as_u16(), 422, "{query}");
        assert_eq!(answer.body.matches("aria-invalid").count(), wrong, "{query}");
        assert!(answer.body.contains("No number of visitors") && !answer.body.contains("<table"));
        let blames_the_rate = answer.body.contains("With the effect, a share must stay");
        assert_eq!(blames_the_rate, wrong == 0, "{query}");
    }
    let answer =
        browser.open(&format!("{LENGTH}?baseline=5&effect=10&variations=1&power=100")).await;
    for told in [
        "<a href=\"#variations\">Variations, with the control</a>: A whole number from 2 to 100, or as many weights above 0.",
        "<a href=\"#power\">Power, in percent</a>: A number from 50 to 99.",
    ] {
        assert!(answer.body.contains(told), "{}", answer.body);
    }
}

#[tokio::test]
async fn a_program_asks_the_same() {
    let site = Site::start();
    let application = site.application().await;
    let token = fetch_tokens(&site, &application, "config:read").await.access;
    let ask =
        async |query: &str| site.get_as(&format!("/v1/experiment-length?{query}"), &token).await;

    let length = ask("baseline=0.05&minimum_effect=0.1&visitors_per_day=4000").await.json();

    assert_eq!(length["always_valid"], json!({"visitors": 135_375, "days": 34}));
    assert_eq!(length["fixed_horizon"], json!({"visitors": 62_462, "days": 16}));
    let mean =
        ask("baseline=12.4&deviation=31&minimum_effect=0.1&visitors_per_day=4000").await.json();
    assert_eq!(mean["fixed_horizon"], json!({"visitors": 19_623, "days": 5}));
    let small = ask("baseline=0.05&minimum_effect=0.1&weights=90/10").await.json();
    assert_eq!(small["fixed_horizon"], json!({"visitors": 179_749, "days": null}));
    assert_eq!(ask("").await.json()["hybrid"]["days"], json!(null));
    for (query, status, named) in [
        ("baseline=5%25", 400, "`baseline`"),
        ("baseline=2", 400, "`baseline`"),
        ("power=0", 400, "`power`"),
        ("confidence=95", 400, "`confidence`"),
        ("minimum_effect=0", 422, "`minimum_effect`"),
        ("baseline=0.5&minimum_effect=1", 422, "`baseline` and `minimum_effect`"),
        ("deviation=31", 400, "`baseline`"),
        ("baseline=12&deviation=0", 400, "`deviation`"),
        ("weights=1", 400, "`weights`"),
        ("weights=1/1&variations=2", 400, "`variations`"),
        ("days=3", 400, "`days`"),
    ] {
        let refused = ask(query).await;

        assert_eq!(refused.status.as_u16(), status, "{query}");
        let detail = refused.json()["detail"].as_str().unwrap().to_owned();
        assert!(detail.contains(named), "{query}: {detail}");
    }
}
