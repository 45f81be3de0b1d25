//! Members say what results compare, and what a campaign is measured by.

use app::documents::ResourceKind;
use serde_json::{Value, json};
use storage::Role;

use super::campaigns::HERO;
use super::filled_form::FilledForm;
use super::{browser_of, resource, shop};
use crate::browser::{Browser, form_token};

/// The id at the end of the address of a resource that was added.
fn id_in(location: &str) -> String {
    location.rsplit('/').next().unwrap().split('?').next().unwrap().to_owned()
}

async fn added_event(browser: &Browser<'_>, name: &str) -> String {
    let new = browser.open(&format!("/projects/1000/events/new?/name={name}")).await;
    id_in(FilledForm::of(&new).save(browser).await.location())
}

async fn shown_with(browser: &Browser<'_>, form: FilledForm, act: &str) -> FilledForm {
    FilledForm::of(&form.press(browser, act).await)
}

#[tokio::test]
async fn only_kinds_that_count_events_without_a_value_say_so() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;
    added_event(&browser, "Purchase").await;

    for (kind, counts_one) in [("sum", false), ("mean", false), ("ratio", true), ("quantile", true)]
    {
        let new = browser.open("/projects/1000/metrics/new").await;
        let form = FilledForm::of(&new).with("/type", kind).press(&browser, "show").await;

        assert!(form.body.contains("What an event is worth"), "{kind}: {}", form.body);
        assert_eq!(form.body.contains("each event counts one"), counts_one, "{kind}");
    }
}

#[tokio::test]
async fn an_event_that_a_metric_uses_is_not_archived() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;
    let event = added_event(&browser, "Purchase").await;
    let new = browser.open("/projects/1000/metrics/new?/name=Buyers").await;
    let added = FilledForm::of(&new).with("/event", &event).save(&browser).await;
    let metric = id_in(added.location());
    let path = format!("/projects/1000/events/{event}");
    let page = browser.open(&path).await;
    let etag = FilledForm::of(&page).value("etag").to_owned();

    let fields = [("csrf", form_token(&page)), ("etag", etag.as_str())];
    let refused = browser.post(&format!("{path}/archive"), &fields).await;

    assert_eq!(refused.status.as_u16(), 409, "{}", refused.body);
    let told = format!(
        "It is used by the metric <a href=\"/projects/1000/metrics/{metric}\"><bdi>Buyers</bdi></a>."
    );
    assert!(refused.body.contains(&told), "{}", refused.body);
    for riddle in ["is archived", "metrics[", "estore it"] {
        assert!(!refused.body.contains(riddle), "{riddle}: {}", refused.body);
    }
}

/// Names of fields, and what is typed there.
type Typed<'a> = &'a [(&'a str, &'a str)];

#[tokio::test]
async fn a_member_adds_each_kind_of_metric() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;
    let event = added_event(&browser, "Purchase").await;
    let kinds: [(&str, Typed<'_>, Value); 6] = [
        ("conversion", &[("/window", "72h")], json!({"window": "3d"})),
        ("count", &[("/cap", "20"), ("/good", "down")], json!({"cap": 20, "good": "down"})),
        (
            "sum",
            &[("/value", "revenue"), ("/covariate", "14d")],
            json!({"value": "revenue", "covariate": "14d"}),
        ),
        ("mean", &[("/value", "items")], json!({"value": "items"})),
        (
            "ratio",
            &[("/value", "revenue"), ("/per/event", &event)],
            json!({"per": {"event": event, "where": {}, "value": null}}),
        ),
        ("quantile", &[("/value", "items"), ("/quantile", "95")], json!({"quantile": 9_500})),
    ];
    for (kind, fields, expected) in kinds {
        let new = browser.open(&format!("/projects/1000/metrics/new?/name={kind}")).await;
        let form = shown_with(&browser, FilledForm::of(&new).with("/type", kind), "show").await;
        let form = fields
            .iter()
            .fold(form.with("/event", &event), |form, (name, value)| form.with(name, value));

        let added = form.save(&browser).await;

        assert!(added.location().ends_with("?done=added"), "{kind}: {}", added.body);
        let metric = resource(&site, ResourceKind::Metric, &id_in(added.location())).await;
        assert_eq!((&metric["type"], &metric["event"]), (&json!(kind), &json!(event)));
        for (name, value) in expected.as_object().unwrap() {
            assert_eq!(&metric[name], value, "{kind}");
        }
        let again = FilledForm::of(&browser.open(added.location()).await).save(&browser).await;
        assert!(again.location().ends_with("?done=unchanged"), "{kind}: {}", again.body);
    }
    let list = browser.open("/projects/1000/metrics").await.body;
    assert!(list.contains("The 95 % quantile of the items of Purchase."), "{list}");
    let events = browser.open("/projects/1000/events").await.body;
    assert!(events.contains("Used by conversion, count and 4 more"), "{events}");
}

#[tokio::test]
async fn a_cap_is_read_as_people_write_numbers_and_asked_for_where_it_may_be_two() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;
    let event = added_event(&browser, "Purchase").await;
    let new = browser.open("/projects/1000/metrics/new?/name=Spent").await;
    let form = shown_with(&browser, FilledForm::of(&new).with("/type", "sum"), "show").await;
    let form = form.with("/event", &event).with("/value", "value");

    let doubtful = form.with("/cap", "5.000").save(&browser).await;
    let sure = FilledForm::of(&doubtful).with("/cap", "5.000,50").save(&browser).await;

    let told = "<code>5.000</code> may be 5000 or 5.0: write one of these";
    assert!(doubtful.body.contains(told), "{}", doubtful.body);
    let metric = resource(&site, ResourceKind::Metric, &id_in(sure.location())).await;
    assert_eq!(metric["cap"], 5000.5, "{}", sure.body);
}

#[tokio::test]
async fn events_are_narrowed_by_properties_that_have_values() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;
    let event = added_event(&browser, "Purchase").await;
    let new = browser.open("/projects/1000/metrics/new?/name=Buyers").await;
    let mut form = FilledForm::of(&new).with("/event", &event);
    for (place, (key, kind, value)) in
        [("plan", "text", "pro"), ("size", "number", "large"), ("gift", "false", "")]
            .iter()
            .enumerate()
    {
        form = shown_with(&browser, form, "add /where property").await;
        let at = format!("/where/{place}");
        form = form.with(&format!("{at}/key"), key).with(&format!("{at}/kind"), kind);
        form = form.with(&format!("{at}/value"), value);
    }

    let refused = form.save(&browser).await;
    let added = FilledForm::of(&refused).with("/where/1/value", "2.5").save(&browser).await;

    assert_eq!(refused.status.as_u16(), 422);
    assert!(refused.body.contains("<code>large</code> is not a number"), "{}", refused.body);
    let id = id_in(added.location());
    let metric = resource(&site, ResourceKind::Metric, &id).await;
    assert_eq!(metric["where"], json!({"plan": "pro", "size": 2.5, "gift": false}));
    let form = FilledForm::of(&browser.open(added.location()).await);
    let form = shown_with(&browser, form, "remove /where/0").await;
    form.save(&browser).await;
    let metric = resource(&site, ResourceKind::Metric, &id).await;
    assert_eq!(metric["where"], json!({"size": 2.5, "gift": false}));
}

#[tokio::test]
async fn a_property_without_a_name_of_its_own_is_refused_at_its_row() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;
    let event = added_event(&browser, "Purchase").await;
    let new = browser.open("/projects/1000/metrics/new?/name=Buyers").await;
    let mut form = FilledForm::of(&new).with("/event", &event);
    for (at, value) in [("/where/0", "pro"), ("/where/1", "gold")] {
        form = shown_with(&browser, form, "add /where property").await;
        form = form.with(&format!("{at}/value"), value);
    }

    let nameless = form.with("/where/0/key", "plan").save(&browser).await;
    let twice = FilledForm::of(&nameless).with("/where/1/key", "plan").save(&browser).await;
    let added = FilledForm::of(&twice).with("/where/1/key", "tier").save(&browser).await;

    for (refused, told) in [(&nameless, "The property has no name"), (&twice, "is there already")] {
        assert_eq!(refused.status.as_u16(), 422);
        assert!(refused.body.contains("<a href=\"#/where/1/key\">"), "{}", refused.body);
        assert!(refused.body.contains(told), "{told} in {}", refused.body);
        assert_eq!(FilledForm::of(refused).value("/where/1/value"), "gold");
    }
    let metric = resource(&site, ResourceKind::Metric, &id_in(added.location())).await;
    assert_eq!(metric["where"], json!({"plan": "pro", "tier": "gold"}));
}

#[tokio::test]
async fn a_campaign_has_metrics_in_roles_and_a_plan() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;
    let event = added_event(&browser, "Purchase").await;
    let mut metrics = Vec::new();
    for name in ["Buyers", "Visits"] {
        let new = browser.open(&format!("/projects/1000/metrics/new?/name={name}")).await;
        let added = FilledForm::of(&new).with("/event", &event).save(&browser).await;
        metrics.push(id_in(added.location()));
    }
    let edit = format!("{HERO}/edit");

    let mut form = FilledForm::of(&browser.open(&edit).await);
    form.fields.push(("/metrics/primary".to_owned(), metrics[0].clone()));
    form = shown_with(&browser, form, "add /metrics/guardrails guardrail").await;
    form = form.with("/metrics/guardrails/0/metric", &metrics[0]);
    form = form.with("/metrics/guardrails/0/margin", "1.5").with("/plan/effect", "5");
    let refused = form.save(&browser).await;
    let form = FilledForm::of(&refused).with("/metrics/guardrails/0/metric", &metrics[1]);
    let saved = form.with("/plan/until", "2027-12-24").save(&browser).await;

    assert!(refused.body.contains("The metric is a primary metric already"), "{}", refused.body);
    assert_eq!(saved.location(), format!("{HERO}?done=saved"), "{}", saved.body);
    let hero = resource(&site, ResourceKind::Campaign, "3001").await;
    let guardrail = json!({"metric": metrics[1], "margin": 150});
    let roles = json!({"primary": [metrics[0]], "secondary": [], "guardrails": [guardrail]});
    assert_eq!(hero["metrics"], roles);
    let page = browser.open(HERO).await.body;
    for shown in [
        "<dd>Buyers</dd>",
        "<dd>Visits, worse by 1.5 % at most</dd>",
        "find an effect of 5 %, until 2027-12-24",
    ] {
        assert!(page.contains(shown), "{shown} in {page}");
    }
    let plan = json!({"effect": 500, "power": 8_000, "confidence": 9_500, "until": "2027-12-24", "method": "hybrid", "max_loss": null});
    assert_eq!(hero["plan"], plan);
    let unchanged = FilledForm::of(&browser.open(&edit).await).save(&browser).await;
    assert_eq!(unchanged.location(), format!("{edit}?done=unchanged"));
    let form = FilledForm::of(&browser.open(&edit).await).with("/plan/max_loss", "0.5");
    let refused = form.save(&browser).await;
    let why = "decides by error rates, not by the expected loss";
    assert!(refused.body.contains(why), "{}", refused.body);
    let bayesian = FilledForm::of(&refused).with("/plan/method", "bayesian");
    bayesian.with("/plan/until", "2026-12-24").save(&browser).await;
    let page = browser.open(HERO).await.body;
    let plan = "until 2026-12-24 (over: visitors who come later do not count), Bayesian, expected loss of 0.5 % at most";
    assert!(page.contains(plan), "{page}");
    let form = FilledForm::of(&browser.open(&edit).await);
    let form = form.with("/plan/method", "hybrid").with("/plan/max_loss", "");
    form.with("/plan/effect", "").with("/plan/until", "").save(&browser).await;
    assert_eq!(resource(&site, ResourceKind::Campaign, "3001").await["plan"], Value::Null);
    let changes = browser.open("/projects/1000").await.body;
    assert!(changes.contains("Buyers") && !changes.contains(&format!("<td>{}", metrics[0])));
}
