//! The form of a campaign: whom its experiments are for, which comes first, and what all of its variations share.

use app::documents::ResourceKind;
use serde_json::{Value, json};
use storage::Role;

use super::campaigns::HERO;
use super::filled_form::FilledForm;
use super::{browser_of, resource, shop};
use crate::browser::Browser;

async fn edited(browser: &Browser<'_>, form: &FilledForm, act: &str) -> FilledForm {
    FilledForm::of(&form.press(browser, act).await)
}

#[tokio::test]
async fn an_experiment_is_for_a_combination_of_audiences() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;
    let new = browser.open("/projects/1000/audiences/new?/name=New").await;
    let new = FilledForm::of(&new).save(&browser).await;
    let other = new.location().rsplit('/').next().unwrap().split('?').next().unwrap().to_owned();
    let whom = "/experiments/0/audiences";
    let audiences = async || {
        resource(&site, ResourceKind::Campaign, "3001").await["experiments"][0]["audiences"].clone()
    };

    let mut form = FilledForm::of(&browser.open(&format!("{HERO}/edit")).await);
    form.fields.push((whom.to_owned(), "7001".to_owned()));
    form = edited(&browser, &form, &format!("nest {whom}")).await;
    form = edited(&browser, &form, &format!("add {whom} audience")).await;
    form = edited(&browser, &form, &format!("negate {whom}/2")).await;
    let form = form.with(&format!("{whom}/0"), "and").with(&format!("{whom}/2/1/audience"), &other);
    let saved = form.save(&browser).await;

    assert_eq!(saved.location(), format!("{HERO}?done=saved"), "{}", saved.body);
    assert_eq!(audiences().await, json!(["and", "7001", ["not", other]]));

    let form = FilledForm::of(&browser.open(&format!("{HERO}/edit")).await);
    let unchanged = form.save(&browser).await;
    let form = edited(&browser, &form, &format!("remove {whom}/2")).await;
    let form = edited(&browser, &form, &format!("remove {whom}/1")).await;
    form.save(&browser).await;

    assert_eq!(unchanged.location(), format!("{HERO}/edit?done=unchanged"));
    assert_eq!(audiences().await, "everyone");
}

#[tokio::test]
async fn a_condition_without_an_audience_is_not_saved() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;
    let whom = "/experiments/0/audiences";
    let form = FilledForm::of(&browser.open(&format!("{HERO}/edit")).await);

    let form = edited(&browser, &form, &format!("nest {whom}")).await;
    let form = edited(&browser, &form, &format!("add {whom} audience")).await;
    let refused = form.save(&browser).await;

    assert_eq!(refused.status.as_u16(), 422);
    assert!(
        refused.body.contains(&format!("href=\"#{whom}/1\">Member of an audience</a>")),
        "{}",
        refused.body
    );
}

#[tokio::test]
async fn experiences_have_priorities_by_number() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;
    let new =
        browser.open("/projects/1000/campaigns/new?/type=personalization&/name=Welcome").await;
    let mut form = FilledForm::of(&new);
    form.fields.push(("/pages".to_owned(), "2001".to_owned()));

    form = form.with("/experiments/0/name", "Everyone else");
    form = edited(&browser, &form, "even /experiments/0/variations").await;
    for name in ["Gold", "Silver"] {
        form = edited(&browser, &form, "add /experiments experiment").await;
        let last = if name == "Gold" { 1 } else { 2 };
        form = form.with(&format!("/experiments/{last}/name"), name);
    }
    form = edited(&browser, &form, "show").await.with("/experiments/0/priority", "3");
    let added = form.with("/experiments/2/priority", "2").save(&browser).await;

    let id = added.location().rsplit('/').next().unwrap().split('?').next().unwrap();
    let keys_by_priority = |campaign: &Value| -> Vec<Vec<Value>> {
        let key = |id: &Value| {
            let experiments = campaign["experiments"].as_array().unwrap().iter();
            experiments
                .filter(|one| one["id"] == *id)
                .map(|one| one["key"].clone())
                .collect::<Vec<_>>()
        };
        let groups = campaign["priorities"].as_array().unwrap().iter();
        groups.map(|group| group.as_array().unwrap().iter().flat_map(key).collect()).collect()
    };
    let stored = resource(&site, ResourceKind::Campaign, id).await;
    assert_eq!(
        keys_by_priority(&stored),
        [[json!("gold")], [json!("silver")], [json!("everyone_else")]]
    );

    let path = format!("/projects/1000/campaigns/{id}/edit");
    let form = FilledForm::of(&browser.open(&path).await);
    let unchanged = form.save(&browser).await;
    let fewer = edited(&browser, &form, "remove /experiments/1").await.save(&browser).await;

    assert_eq!(unchanged.location(), format!("{path}?done=unchanged"));
    assert!(fewer.location().ends_with("?done=saved"), "{}", fewer.body);
    let stored = resource(&site, ResourceKind::Campaign, id).await;
    assert_eq!(keys_by_priority(&stored), [[json!("silver")], [json!("everyone_else")]]);
}

#[tokio::test]
async fn a_campaign_has_changes_that_all_its_variations_make() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;

    let form = FilledForm::of(&browser.open(&format!("{HERO}/edit")).await);
    let form = edited(&browser, &form, "add /changes css").await;
    let form =
        form.with("/changes/0/value", "h1 { color: teal }").with("/experiments/0/key", "hero_test");
    let saved = form.save(&browser).await;

    assert_eq!(saved.location(), format!("{HERO}?done=saved"), "{}", saved.body);
    let campaign = resource(&site, ResourceKind::Campaign, "3001").await;
    assert_eq!(campaign["changes"][0]["value"], "h1 { color: teal }");
    assert_eq!(campaign["experiments"][0]["key"], "hero_test");
    let page = browser.open(&format!("{HERO}/edit")).await.body;
    let opened = page.split("<details class=\"more\" open>").nth(1).unwrap();
    assert!(opened.starts_with("\n  <summary>Changes of all variations"), "{opened}");
}

/// The name of the field, or the act of the button, that has the focus.
fn focused(page: &str) -> &str {
    let main = page.split_once("<form").unwrap().1;
    let (before, behind) = main.split_once(" autofocus").expect(page);
    let tag = before.rsplit_once('<').unwrap().1;
    let (_, value) = if tag.starts_with("button") {
        behind.split_once("value=\"").unwrap()
    } else {
        tag.split_once("name=\"").unwrap()
    };
    value.split('"').next().unwrap()
}

#[tokio::test]
async fn a_button_leaves_the_focus_where_the_member_goes_on() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;
    let form = FilledForm::of(&browser.open("/projects/1000/campaigns/new").await);
    let variations = "/experiments/0/variations";
    let form = edited(&browser, &form, &format!("add {variations} variation")).await;
    let form = edited(&browser, &form, "add /changes css").await;
    for (act, place) in [
        (format!("up {variations}/0"), format!("up {variations}/0")),
        (format!("down {variations}/0"), format!("{variations}/1/name")),
        (format!("remove {variations}/1"), format!("{variations}/1/name")),
        (format!("remove {variations}/2"), format!("{variations}/1/name")),
        (format!("even {variations}"), format!("{variations}/0/weight")),
        ("show /experiments/0".to_owned(), "show /experiments/0".to_owned()),
        ("remove /changes/0".to_owned(), "add /changes text".to_owned()),
    ] {
        let page = form.press(&browser, &act).await.body;

        assert_eq!(focused(&page), place, "{act}");
    }
}

#[tokio::test]
async fn a_second_click_adds_no_second_campaign_however_large_it_is() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;
    let new = FilledForm::of(&browser.open("/projects/1000/campaigns/new").await);
    let mut form = edited(&browser, &new, "add /changes css").await;
    form.fields.push(("/pages".to_owned(), "2001".to_owned()));
    let form = form.with("/name", "Large").with("/changes/0/value", &"a{}".repeat(40_000));

    let first = form.save(&browser).await;
    let second = form.save(&browser).await;

    assert!(first.location().ends_with("?done=added"), "{}", first.body);
    assert_eq!(second.location(), first.location(), "{}", second.body);
}

#[tokio::test]
async fn a_name_that_another_campaign_has_is_told_once_and_at_the_name() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;
    let name =
        resource(&site, ResourceKind::Campaign, "3001").await["key"].as_str().unwrap().to_owned();
    let mut new = FilledForm::of(&browser.open("/projects/1000/campaigns/new").await);
    new.fields.push(("/pages".to_owned(), "2001".to_owned()));

    let refused = new.with("/name", &name).save(&browser).await;

    assert_eq!(refused.status.as_u16(), 422);
    let summary =
        refused.body.split("id=\"not-saved\"").nth(1).unwrap().split("</ul>").next().unwrap();
    assert_eq!(summary.matches("<li>").count(), 1, "{summary}");
    assert!(
        summary.contains("<a href=\"#/name\">Name</a>: Another campaign has the key"),
        "{summary}"
    );
}

#[tokio::test]
async fn a_campaign_with_a_name_in_another_alphabet_needs_no_key() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;
    let mut new =
        FilledForm::of(&browser.open("/projects/1000/campaigns/new?/name=春のセール").await);
    new.fields.push(("/pages".to_owned(), "2001".to_owned()));

    let added = new.with("/experiments/0/variations/0/name", "元の").save(&browser).await;

    assert!(added.location().ends_with("?done=added"), "{}", added.body);
    let id = added.location().rsplit('/').next().unwrap().split('?').next().unwrap();
    let campaign = resource(&site, ResourceKind::Campaign, id).await;
    assert_eq!(campaign["key"], "campaign_1");
    assert_eq!(campaign["experiments"][0]["key"], "experiment_1");
    assert_eq!(campaign["experiments"][0]["variations"][0]["key"], "variation_1");
}

#[tokio::test]
async fn a_form_tells_its_own_faults_and_those_of_the_document_at_once() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;
    let variations = "/experiments/0/variations";
    let form = FilledForm::of(&browser.open("/projects/1000/campaigns/new").await);

    // The form wants the weights to be everyone, the document wants names, and shares that are some.
    let form =
        form.with(&format!("{variations}/0/name"), "").with(&format!("{variations}/1/name"), "");
    let form = form.with(&format!("{variations}/1/weight"), "40");
    let refused = form.with("/holdback", "110").save(&browser).await;

    assert_eq!(refused.status.as_u16(), 422);
    let line = |target: &str, label: &str| format!("<a href=\"#{target}\">{label}</a>");
    for line in [
        line("/experiments/0", "Experiment"),
        line("/name", "Name"),
        line("/holdback", "Held back in percent"),
        line(&format!("{variations}/0/name"), "Variation 1, Name"),
        line(&format!("{variations}/1/name"), "Variation 2, Name"),
    ] {
        assert_eq!(refused.body.matches(&line).count(), 1, "{line} in {}", refused.body);
    }
    assert!(refused.body.contains("The variations get 90 % of the visitors together"));
    assert!(!refused.body.contains("basis points"), "{}", refused.body);
}

#[tokio::test]
async fn the_pages_below_a_campaign_lead_back_to_all_campaigns() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Admin).await;

    for page in ["results", "share"] {
        let body = browser.open(&format!("{HERO}/{page}")).await.body;

        let trail = body.split("aria-label=\"Breadcrumb\">").nth(1).unwrap();
        let trail = trail.split("</nav>").next().unwrap();
        assert!(
            trail.contains("<a href=\"/projects/1000/campaigns\">Campaigns</a> / "),
            "{page}: {trail}"
        );
    }
}
