//! What cannot be carried over is told, and makes nothing wider.

use domain::{Campaign, CampaignStatus, ConditionTree};
use serde_json::{Value, json};

use crate::shop::{import_text, imported, shop};

/// The notes about what stands at `pointer`, in short.
fn notes(export: &Value, pointer: &str) -> Vec<String> {
    let report = imported(export).report;
    let about = report.notes.iter().filter(|note| note.location.pointer.as_str() == pointer);
    about.map(|note| format!("{}: {}", note.outcome, note.message)).collect()
}

fn status(export: &Value, key: &str) -> CampaignStatus {
    let project = imported(export).project;
    let campaign = project.campaigns.iter().find(|campaign| campaign.key.as_str() == key);
    campaign.expect("the campaign is carried over").status
}

#[test]
fn a_running_experiment_goes_on() {
    assert_eq!(status(&shop(), "hero_text"), CampaignStatus::Running);
}

#[test]
fn an_experiment_for_an_audience_that_cannot_be_carried_over_is_not_started() {
    let shop = shop();
    let project = imported(&shop).project;

    let office = project.audiences.iter().find(|audience| audience.key.as_str() == "our_office");
    assert_eq!(office.unwrap().conditions.tree, ConditionTree::Empty);
    assert_eq!(status(&shop, "office_banner"), CampaignStatus::NotStarted);
}

/// The first page of this export is never active, and the experiment on it is not started.
fn is_never_active(export: &Value) -> bool {
    let first = &imported(export).project.pages[0].conditions.written;
    *first == json!(["not", ["and"]]) && status(export, "hero_text") == CampaignStatus::NotStarted
}

#[test]
fn a_page_with_conditions_that_cannot_be_carried_over_is_never_active() {
    let mut shop = shop();
    shop["pages"][0]["conditions"] = json!([{"type": "element_present", "value": ".x"}]);

    assert!(is_never_active(&shop));
    assert_eq!(
        notes(&shop, "/pages/0/conditions"),
        ["left out: conditions of type `element_present` are unknown to Assay"]
    );
}

#[test]
fn a_page_whose_conditions_are_not_in_the_export_is_never_active() {
    let mut shop = shop();
    shop["pages"][0].as_object_mut().unwrap().remove("conditions");

    assert!(is_never_active(&shop));
    assert_eq!(
        notes(&shop, "/pages/0"),
        ["left out: the page has no `conditions`, as lists of pages may leave them out"]
    );
    let page = shop["pages"][0]["id"].clone();
    assert!(is_never_active(&on_its_addresses(shop, json!({"page_id": page}))));
}

/// The export with its first experiment on these addresses alone, and without changes that name a page.
fn on_its_addresses(mut export: Value, addresses: Value) -> Value {
    let experiment = &mut export["experiments"][0];
    experiment.as_object_mut().map(|fields| fields.remove("page_ids"));
    for variation in experiment["variations"].as_array_mut().into_iter().flatten() {
        variation["actions"] = json!([]);
    }
    experiment["url_targeting"] = addresses;
    export
}

#[test]
fn an_experiment_whose_own_addresses_are_not_in_the_export_is_not_started() {
    let known = json!({"conditions": "[]"});

    assert_eq!(status(&on_its_addresses(shop(), known), "hero_text"), CampaignStatus::Running);
    assert_eq!(
        status(&on_its_addresses(shop(), json!({})), "hero_text"),
        CampaignStatus::NotStarted
    );
}

#[test]
fn an_experiment_without_one_of_its_changes_is_not_started() {
    let mut shop = shop();
    let change = "/experiments/0/variations/1/actions/0/changes/0";
    shop.pointer_mut(change).unwrap()["type"] = json!("widget");

    assert_eq!(status(&shop, "hero_text"), CampaignStatus::NotStarted);
    assert_eq!(notes(&shop, change), ["left out: changes of type `widget` are unknown to Assay"]);
}

/// The first change of the export, with another selector.
fn selected(selector: &str) -> Value {
    let mut shop = shop();
    shop["experiments"][0]["variations"][1]["actions"][0]["changes"][0]["selector"] =
        json!(selector);
    shop
}

const CHANGE: &str = "/experiments/0/variations/1/actions/0/changes/0";

#[test]
fn a_selector_of_jquery_is_written_as_browsers_read_it() {
    let shop = selected("form :checkbox[data-kind!=sale]");

    let standard = "form [type=checkbox]:not([data-kind=sale])";
    assert_eq!(
        notes(&shop, &format!("{CHANGE}/selector")),
        [format!(
            "changed: the selector `form :checkbox[data-kind!=sale]` is `{standard}` in Assay"
        )]
    );
    assert!(imported(&shop).project.to_yaml().contains(standard));
    assert_eq!(status(&shop, "hero_text"), CampaignStatus::Running);
}

#[test]
fn a_selector_of_jquery_alone_is_told_and_its_experiment_is_not_started() {
    let shop = selected("h1:contains('Mugs')");

    assert!(imported(&shop).project.to_yaml().contains("h1:contains('Mugs')"));
    assert_eq!(status(&shop, "hero_text"), CampaignStatus::NotStarted);
    assert_eq!(
        notes(&shop, CHANGE),
        ["check: `selector`: no browser reads this selector: only jQuery knows `:contains`"]
    );
}

#[test]
fn a_click_on_a_selector_of_jquery_counts_as_before() {
    let mut shop = shop();
    shop["events"][1]["config"]["selector"] = json!("#2nd:button");

    let told = imported(&shop);

    let event = told.project.events.iter().find_map(|event| event.selector.as_deref());
    assert_eq!(event, Some("[id=\"2nd\"]:is(button,input[type=button])"));
}

#[test]
fn code_that_the_campaign_around_an_experiment_has_comes_first() {
    let mut shop = shop();
    shop["campaigns"][1]["changes"] = json!([{"type": "custom_css", "value": "h1 { color: red }"}]);
    let project = imported(&shop).project;

    let changes = &project.campaigns[1].changes;
    let first = domain::ChangeKind::Css { value: "h1 { color: red }".to_owned() };
    assert_eq!((changes.len(), &changes[0].kind), (2, &first));
    assert_eq!(status(&shop, "hero_text"), CampaignStatus::Running);
}

#[test]
fn addresses_beside_named_pages_are_told() {
    let mut shop = shop();
    shop["experiments"][0]["url_targeting"] = json!({"conditions": "[]"});

    assert_eq!(
        notes(&shop, "/experiments/0/url_targeting"),
        ["left out: its addresses are those of the pages that it names"]
    );
}

#[test]
fn a_large_id_cannot_be_kept_and_its_experiment_is_not_started() {
    let mut shop = shop();
    shop["experiments"][0]["id"] = json!(9_007_199_254_740_993_u64);

    assert_eq!(status(&shop, "hero_text"), CampaignStatus::NotStarted);
    assert_eq!(
        notes(&shop, "/experiments/0/id"),
        ["changed: the experiment gets another id: ids are whole numbers below 2^53"]
    );
}

#[test]
fn a_campaign_that_may_not_run_does_not_start_by_itself() {
    let mut shop = shop();
    shop["pages"][0]["conditions"] = json!("no JSON");
    let project = imported(&shop).project;

    assert_eq!(project.campaigns[1].schedule, None);
}

#[test]
fn weights_of_variations_that_are_not_shown_must_not_shift_others() {
    let mut shop = shop();
    shop["experiments"][0]["variations"][0]["status"] = json!("archived");
    assert_eq!(status(&shop, "hero_text"), CampaignStatus::NotStarted);

    shop["experiments"][0]["variations"][0]["status"] = json!("active");
    shop["experiments"][0]["variations"][1]["status"] = json!("archived");
    assert_eq!(status(&shop, "hero_text"), CampaignStatus::Running);
}

#[test]
fn a_paused_variation_keeps_its_visitors_and_stays_paused() {
    let mut shop = shop();
    let before = imported(&shop).project;
    shop["experiments"][0]["variations"][0]["status"] = json!("paused");

    let project = imported(&shop).project;

    let id = shop["experiments"][0]["variations"][0]["variation_id"].to_string();
    let find = |project: &domain::Project| {
        let experiments = project.campaigns.iter().flat_map(|campaign| &campaign.experiments);
        let mut variations = experiments.flat_map(|experiment| experiment.variations.clone());
        variations.find(|variation| variation.id.to_string() == id).unwrap()
    };
    assert!(find(&project).paused && !find(&before).paused);
    assert_eq!(find(&project).weight, find(&before).weight);
    assert_eq!(status(&shop, "hero_text"), CampaignStatus::Running);
}

#[test]
fn a_group_without_one_of_its_campaigns_stops_the_others() {
    let mut shop = shop();
    shop["groups"][0]["entities"][0]["id"] = json!(1);

    assert_eq!(status(&shop, "hero_text"), CampaignStatus::NotStarted);
}

#[test]
fn one_of_several_projects_has_to_be_chosen() {
    let refusal = |project| import_text(crate::shop::SHOP, project).unwrap_err().to_string();

    assert_eq!(
        refusal(None),
        "the export has several projects: `1000`, `1001`\n  hint: choose one with `--project ID`"
    );
    assert_eq!(refusal(Some("7")), "the export has no project `7`, only `1000`, `1001`");
}

#[test]
fn an_export_without_the_project_itself_is_imported_with_our_settings() {
    let export = json!({"pages": [{"id": 1, "project_id": 5, "name": "Home", "conditions": "[]"}]});
    let imported = import_text(&export.to_string(), None).unwrap();

    assert_eq!(imported.project.key.as_str(), "project_5");
    assert_eq!(imported.project.snippet.global_aliases, ["optimizely"]);
}

#[test]
fn a_project_that_is_not_for_web_pages_is_refused() {
    let export = json!({"project": {"id": 5, "platform": "ios"}});

    assert_eq!(
        import_text(&export.to_string(), None).unwrap_err().to_string(),
        "the project `5` is for `ios`, not for web pages"
    );
}

#[test]
fn an_experiment_without_variations_is_left_out_alone() {
    for nothing in [json!([]), Value::Null, json!([7])] {
        let mut shop = shop();
        shop["experiments"][0]["variations"] = nothing;

        let project = imported(&shop).project;

        let keys: Vec<&str> =
            project.campaigns.iter().map(|campaign| campaign.key.as_str()).collect();
        assert!(!keys.contains(&"hero_text") && keys.len() > 1, "{keys:?}");
        assert_eq!(notes(&shop, "/experiments/0"), ["left out: the experiment has no variations"]);
    }
}

#[test]
fn an_experience_without_variations_stops_its_campaign() {
    let mut shop = shop();
    let experiments = shop["experiments"].as_array().unwrap();
    let place = experiments.iter().position(|one| one["type"] == "personalization").unwrap();
    let campaign = experiments[place]["campaign_id"].clone();
    shop["experiments"][place]["variations"] = json!([]);

    let project = imported(&shop).project;

    let id = campaign.as_u64().unwrap();
    let campaign = project.campaigns.iter().find(|campaign| campaign.id.get() == id);
    assert!(campaign.is_none_or(|one| one.status == CampaignStatus::NotStarted));
    let place = format!("/experiments/{place}");
    assert_eq!(notes(&shop, &place)[0], "left out: the experiment has no variations");
}

#[test]
fn a_schedule_without_times_keeps_no_campaign_from_running() {
    let mut shop = shop();
    let experiments = shop["experiments"].as_array().unwrap();
    let place = experiments.iter().position(|one| one["type"] == "personalization").unwrap();
    let campaign = experiments[place]["campaign_id"].clone();
    let status = |shop: &Value| {
        let project = imported(shop).project;
        let is_this = |one: &&Campaign| Some(one.id.get()) == campaign.as_u64();
        project.campaigns.iter().map(|one| &**one).find(is_this).unwrap().status
    };
    let before = status(&shop);

    shop["experiments"][place]["schedule"] =
        json!({"start_time": null, "stop_time": null, "time_zone": "Europe/Oslo"});

    assert_eq!(status(&shop), before);
    let place = format!("/experiments/{place}/schedule");
    assert_eq!(notes(&shop, &place), [""; 0]);
    assert_eq!(notes(&shop, &format!("{place}/time_zone")), [""; 0]);
}

#[test]
fn weights_of_more_than_all_visitors_are_told_as_such() {
    let mut shop = shop();
    shop["experiments"][0]["variations"][0]["weight"] = json!(9000);

    let project = imported(&shop).project;

    let told = &notes(&shop, "/experiments/0/variations")[0];
    assert!(told.starts_with("left out: the weights add up to 1"), "{told}");
    assert!(told.ends_with("expected 10000 at most: all become 0"), "{told}");
    assert_eq!(status(&shop, "hero_text"), CampaignStatus::NotStarted);
    let hero = project.campaigns.iter().find(|one| one.key.as_str() == "hero_text").unwrap();
    assert!(hero.experiments[0].variations.iter().all(|one| one.weight.get() == 0));
}

/// The export with another location in the place of the one that an audience asks for.
fn located(value: &str) -> (Value, String) {
    let text = crate::shop::SHOP.replace("US|CA|SANFRANCISCO", value);
    assert_ne!(text, crate::shop::SHOP);
    let shop: Value = serde_json::from_str(&text).expect("the export is JSON");
    let audiences = shop["audiences"].as_array().expect("the export has audiences");
    let place = audiences.iter().position(|one| one["conditions"].to_string().contains(value));
    (shop, format!("/audiences/{}/conditions", place.expect("an audience asks for it")))
}

#[test]
fn locations_are_carried_over_as_they_are_written_here() {
    for value in ["US-CA-SANFRANCISCO", "US|CA|SAN FRANCISCO", "us|ca|San Francisco"] {
        let (shop, place) = located(value);

        assert!(imported(&shop).project.to_yaml().contains("US|CA|SANFRANCISCO"), "{value}");
        let told = format!("changed: the location `{value}` is `US|CA|SANFRANCISCO` in Assay");
        assert!(notes(&shop, &place).contains(&told), "{:?}", notes(&shop, &place));
    }
}

#[test]
fn an_unreadable_location_is_reported() {
    let (shop, place) = located("Golden State");

    let told = "left out: the location `Golden State` is unknown to Assay".to_owned();
    assert!(notes(&shop, &place).contains(&told), "{:?}", notes(&shop, &place));
}

/// The export with another condition in the place of the one on returning visitors, and where it stands.
fn with_condition(condition: &Value) -> (Value, String) {
    let returning = r#"{"type": "visitor", "value": "returning"}"#;
    let text = crate::shop::SHOP.replace(returning, &condition.to_string());
    assert_ne!(text, crate::shop::SHOP);
    let shop: Value = serde_json::from_str(&text).expect("the export is JSON");
    let own: Value = serde_json::from_str(crate::shop::SHOP).expect("the export is JSON");
    let of = |export: &Value| export["audiences"].as_array().cloned().unwrap_or_default();
    let place = of(&shop).iter().zip(of(&own)).position(|(one, own)| *one != own);
    (shop, format!("/audiences/{}/conditions", place.expect("an audience asks for it")))
}

#[test]
fn a_condition_on_the_first_session_keeps_what_it_asks_for() {
    let asked = |value: Value| {
        let (shop, place) = with_condition(&json!({"type": "first_session", "value": value}));
        let is_negated = imported(&shop).project.to_yaml().contains("[not, {type: first_session}]");
        (is_negated, notes(&shop, &place))
    };
    let (_, before) = asked(json!("true"));

    for (value, is_negated) in [
        (json!("true"), false),
        (json!(true), false),
        (json!(null), false),
        (json!("false"), true),
        (json!(false), true),
    ] {
        assert_eq!(asked(value.clone()), (is_negated, before.clone()), "{value}");
    }
    for value in ["no", "False", "0", ""] {
        let told = format!(
            "left out: a condition on the first session asks for `{value}`, neither `true` nor `false`"
        );
        assert!(asked(json!(value)).1.contains(&told), "{:?}", asked(json!(value)));
    }
}
