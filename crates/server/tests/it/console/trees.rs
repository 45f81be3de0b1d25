//! Trees of conditions, and what else has a structure: built with buttons alone, and stored as a whole.

use app::documents::ResourceKind;
use serde_json::json;
use storage::Role;

use super::filled_form::FilledForm;
use super::{browser_of, resource, shop};

const GOLD: &str = "/projects/1000/audiences/7001";
const HOME: &str = "/projects/1000/pages/2001";

#[tokio::test]
async fn a_member_builds_a_tree_of_conditions_with_buttons() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;
    let form = FilledForm::of(&browser.open(GOLD).await);
    let before = resource(&site, ResourceKind::Audience, "7001").await;

    let form = FilledForm::of(&form.press(&browser, "add /conditions group").await);
    let form = FilledForm::of(
        &form.with("kind /conditions/2", "query").press(&browser, "add /conditions/2").await,
    );
    let form = form.with("/conditions/2/1/name", "plan").with("/conditions/2/1/value", " pro ");
    let form = FilledForm::of(&form.press(&browser, "negate /conditions/2").await);
    let form = FilledForm::of(&form.press(&browser, "up /conditions/2").await);
    assert_eq!(resource(&site, ResourceKind::Audience, "7001").await, before);
    let saved = form.save(&browser).await;

    assert_eq!(saved.location(), format!("{GOLD}?done=saved"), "{}", saved.body);
    let query = json!({"type": "query", "match": "exact", "name": "plan", "value": "pro"});
    let gold =
        json!({"type": "custom_attribute", "name": "6001", "match": "exact", "value": "gold"});
    let conditions = json!(["and", ["not", ["or", query]], gold]);
    assert_eq!(resource(&site, ResourceKind::Audience, "7001").await["conditions"], conditions);
}

#[tokio::test]
async fn a_condition_that_was_added_and_not_answered_is_refused() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;
    let form = FilledForm::of(&browser.open(GOLD).await);

    let form = form.with("kind /conditions", "device").press(&browser, "add /conditions").await;
    let refused = FilledForm::of(&form).save(&browser).await;

    assert_eq!(refused.status.as_u16(), 422);
    let told = "<a href=\"#/conditions/2/value\">";
    assert!(
        refused.body.contains(told) && refused.body.contains("Nothing is chosen."),
        "{}",
        refused.body
    );
}

#[tokio::test]
async fn each_kind_of_condition_has_a_form_that_can_be_sent() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Owner).await;
    let kinds = [
        ("query", &[("name", "plan"), ("value", "pro")][..]),
        ("cookies", &[("name", "seen"), ("match", "exists")]),
        ("custom_attribute", &[("name", "6001"), ("value", "gold")]),
        ("campaign", &[("value", "summer")]),
        ("referrer", &[("value", "https://search.example/")]),
        ("source_type", &[("value", "search")]),
        ("device", &[("value", "ipad")]),
        ("device_type", &[("value", "phone")]),
        ("browser_version", &[("value", "gc120")]),
        ("platform", &[("value", "ios_17")]),
        ("language", &[("value", "de")]),
        ("time_and_day", &[("value", "09:00_17:00_monday")]),
        ("first_session", &[]),
        ("location", &[("value", "DE")]),
        ("behavior", &[("value/page", "2001"), ("value/at_least", "2")]),
        ("custom_code", &[("value", "return\r\ntrue")]),
        ("audience", &[("audience", "7001")]),
    ];
    let new = browser.open("/projects/1000/audiences/new?/name=All&/conditions/0=or").await;
    let mut form = FilledForm::of(&new);

    for (index, (kind, fields)) in kinds.iter().enumerate() {
        form = FilledForm::of(
            &form.with("kind /conditions", kind).press(&browser, "add /conditions").await,
        );
        for (name, value) in *fields {
            form = form.with(&format!("/conditions/{}/{name}", index + 1), value);
        }
    }
    let added = form.save(&browser).await;

    assert!(added.location().ends_with("?done=added"), "{}", added.body);
    let id = added.location().rsplit('/').next().unwrap().split('?').next().unwrap();
    let conditions = &resource(&site, ResourceKind::Audience, id).await["conditions"];
    assert_eq!(conditions[0], "or");
    let words: Vec<_> = kinds
        .iter()
        .map(|(kind, _)| if *kind == "audience" { json!(null) } else { json!(kind) })
        .collect();
    let stored: Vec<_> =
        conditions.as_array().unwrap()[1..].iter().map(|one| one["type"].clone()).collect();
    assert_eq!(stored, words);
    assert_eq!(conditions[16]["value"], "return\ntrue");
    let again = FilledForm::of(&browser.open(added.location()).await).save(&browser).await;
    assert!(again.location().ends_with("?done=unchanged"), "{}", again.location());
}

#[tokio::test]
async fn what_is_wrong_with_a_condition_is_shown_there() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;
    let form = FilledForm::of(&browser.open(GOLD).await);

    let form = FilledForm::of(
        &form.with("kind /conditions", "cookies").press(&browser, "add /conditions").await,
    );
    let refused = form.save(&browser).await;

    assert_eq!(refused.status.as_u16(), 422);
    assert!(
        refused.body.contains("<a href=\"#/conditions/2/name\">Cookie 2, Cookie</a>: "),
        "{}",
        refused.body
    );
    assert!(refused.body.contains("A name is needed."), "{}", refused.body);
}

#[tokio::test]
async fn the_form_of_a_page_keeps_what_it_does_not_change() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Owner).await;
    let form = FilledForm::of(&browser.open(HOME).await);

    let unchanged = form.save(&browser).await;
    let form = FilledForm::of(&form.press(&browser, "add /metadata value").await);
    let form = form.with("/metadata/2/key", "season").with("/metadata/2/value", "winter");
    let form = form.with("/activation/type", "polling").with("/undo_changes", "true");
    let form = FilledForm::of(&form.press(&browser, "show").await);
    let saved = form.with("/activation/code", "return window.ready").save(&browser).await;

    assert_eq!(unchanged.location(), format!("{HOME}?done=unchanged"));
    assert_eq!(saved.location(), format!("{HOME}?done=saved"), "{}", saved.body);
    let page = resource(&site, ResourceKind::Page, "2001").await;
    assert_eq!(page["metadata"], json!({"shelf": 3, "open": true, "season": "winter"}));
    assert_eq!(page["activation"], json!({"type": "polling", "code": "return window.ready"}));
    assert_eq!((&page["deactivation"], &page["undo_changes"]), (&json!(false), &json!(true)));
}

#[tokio::test]
async fn an_editor_without_the_right_to_write_code_learns_who_has_it() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;
    let form = FilledForm::of(&browser.open(HOME).await).with("/activation/type", "polling");
    let form = FilledForm::of(&form.press(&browser, "show").await);

    let refused = form.with("/activation/code", "return 1").save(&browser).await;

    assert_eq!(refused.status.as_u16(), 403);
    assert!(refused.body.contains("An admin can give you a higher one."), "{}", refused.body);
    assert_eq!(FilledForm::of(&refused).value("/activation/code"), "return 1");
}

#[tokio::test]
async fn groups_and_events_have_the_fields_of_their_kind() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;

    let group = FilledForm::of(&browser.open("/projects/1000/groups/new?/name=Header").await);
    let group = group.with("/members/0/campaign", "3001").with("/members/1/campaign", "3002");
    let counted = group.clone().with("/members/1/weight", "60 %").press(&browser, "show").await;
    let refused = FilledForm::of(&counted).save(&browser).await;
    let added = group.with("/members/1/weight", "33,3").save(&browser).await;
    let event = FilledForm::of(&browser.open("/projects/1000/events/new?/name=Buy").await);
    let event = FilledForm::of(&event.with("/type", "click").press(&browser, "show").await);
    let event = event.with("/selector", "#buy").with("/page", "2001").save(&browser).await;

    assert!(counted.body.contains("Together <strong>110 %</strong>"), "{}", counted.body);
    assert_eq!(refused.status.as_u16(), 422);
    assert!(added.location().ends_with("?done=added"), "{}", added.body);
    assert!(event.location().ends_with("?done=added"), "{}", event.body);
    let list = browser.open("/projects/1000/groups").await.body;
    assert!(list.contains("hero 50 %, cart 33.3 %"), "{list}");
    let list = browser.open("/projects/1000/events").await.body;
    assert!(list.contains("A click on #buy on Home."), "{list}");
}

#[tokio::test]
async fn metadata_without_a_name_of_its_own_or_a_value_is_refused_at_its_row() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;
    let form = FilledForm::of(&browser.open("/projects/1000/pages/2001").await);
    let form = FilledForm::of(&form.press(&browser, "add /metadata value").await);

    for (key, value, wrong, told) in [
        ("", "winter", "key", "The entry has no name"),
        ("shelf", "winter", "key", "<code>shelf</code> is there already"),
        ("season", "", "value", "<code>season</code> has no value"),
    ] {
        let form = form.clone().with("/metadata/2/key", key).with("/metadata/2/value", value);
        let refused = form.save(&browser).await;

        assert_eq!(refused.status.as_u16(), 422, "{key}={value}");
        let target = format!("<a href=\"#/metadata/2/{wrong}\">");
        assert!(refused.body.contains(&target), "{target} in {}", refused.body);
        assert!(refused.body.contains(told), "{told} in {}", refused.body);
        let again = FilledForm::of(&refused);
        assert_eq!(
            (again.value("/metadata/2/key"), again.value("/metadata/2/value")),
            (key, value)
        );
    }
    let page = resource(&site, ResourceKind::Page, "2001").await;
    assert_eq!(page["metadata"], json!({"shelf": 3, "open": true}));
}
