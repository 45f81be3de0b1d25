//! Forms in general, on attributes, which have the fewest fields.

use app::documents::ResourceKind;
use storage::Role;

use super::campaigns::{HERO, act};
use super::filled_form::FilledForm;
use super::{browser_of, resource, shop};
use crate::browser::{Browser, form_token};

const PLAN: &str = "/projects/1000/attributes/6001";

async fn form_at(browser: &Browser<'_>, path: &str) -> FilledForm {
    let page = browser.open(path).await;
    assert_eq!(page.status.as_u16(), 200, "{}", page.body);
    FilledForm::of(&page)
}

#[tokio::test]
async fn a_member_changes_a_resource_and_adds_one() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;

    let saved = form_at(&browser, PLAN).await.with("/name", "  Tariff ").save(&browser).await;
    let new = form_at(&browser, "/projects/1000/attributes/new").await;
    let added = new.with("/name", "Shoe size").save(&browser).await;

    assert_eq!(saved.location(), format!("{PLAN}?done=saved"));
    assert!(browser.open(saved.location()).await.body.contains("Saved in the draft."));
    assert_eq!(resource(&site, ResourceKind::Attribute, "6001").await["name"], "Tariff");
    assert!(added.location().ends_with("?done=added"), "{}", added.location());
    let page = browser.open(added.location()).await;
    assert_eq!(FilledForm::of(&page).value("/key"), "shoe_size");
    let list = browser.open("/projects/1000/attributes").await.body;
    assert!(
        list.contains("<bdi>Tariff</bdi></a> <code>plan</code>") && list.contains("Used by Gold"),
        "{list}"
    );
}

#[tokio::test]
async fn a_form_that_is_sent_as_it_was_shown_stores_nothing() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;
    let before = resource(&site, ResourceKind::Attribute, "6001").await;

    let saved = form_at(&browser, PLAN).await.save(&browser).await;

    assert_eq!(saved.location(), format!("{PLAN}?done=unchanged"));
    assert_eq!(resource(&site, ResourceKind::Attribute, "6001").await, before);
}

#[tokio::test]
async fn what_is_wrong_is_shown_at_its_field_and_what_was_typed_stays() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;

    let form = form_at(&browser, PLAN).await.with("/name", "Tariff").with("/key", "a \"b\"");
    let refused = form.save(&browser).await;

    assert_eq!(refused.status.as_u16(), 422);
    let body = &refused.body;
    assert!(body.contains("<a href=\"#/key\">Key</a>: "), "{body}");
    assert!(
        body.contains(
            "id=\"/key\" name=\"/key\" aria-invalid=\"true\" aria-describedby=\"/key-about\""
        ),
        "{body}"
    );
    let again = FilledForm::of(&refused);
    assert_eq!((again.value("/name"), again.value("/key")), ("Tariff", "a \"b\""));
    let saved = again.with("/key", "tariff").save(&browser).await;
    assert_eq!(saved.location(), format!("{PLAN}?done=saved"));
}

#[tokio::test]
async fn the_address_of_a_form_that_was_refused_leads_back_to_the_form() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;

    for form in [
        PLAN,
        "/projects/1000/campaigns/new",
        "/projects/1000/campaigns/3001/edit",
        "/projects/1000/settings",
    ] {
        let opened = browser.open(&format!("{form}/save")).await;

        assert_eq!(opened.location(), form);
    }
}

#[tokio::test]
async fn a_form_of_an_earlier_session_leads_to_the_form_again() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;

    let stale = form_at(&browser, "/projects/1000/campaigns/new").await.with("csrf", "earlier");
    let refused = stale.save(&browser).await;
    let elsewhere = browser.post("/sign-out", &[("csrf", "earlier")]).await;

    assert_eq!((refused.status.as_u16(), elsewhere.status.as_u16()), (403, 403));
    let link = "<a href=\"/projects/1000/campaigns/new\">open the form again</a>";
    assert!(refused.body.contains("keeps what you typed") && refused.body.contains(link));
    assert!(!elsewhere.body.contains("keeps what you typed"), "{}", elsewhere.body);
}

#[tokio::test]
async fn a_member_whose_session_ended_reads_so_where_they_sign_in() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;
    let form = form_at(&browser, PLAN).await.with("/name", "Tariff");
    let signed_out = Browser::new(&site);

    let sent = form.save(&signed_out).await;
    let page = signed_out.open(sent.location()).await;

    assert_eq!(sent.location(), format!("{PLAN}?problem=form-kept"));
    assert!(page.body.contains("Your session has ended, so nothing was changed."), "{page:?}");
    let back = format!("name=\"return_to\" value=\"{PLAN}\"");
    assert!(page.body.contains(&back), "{}", page.body);
}

#[tokio::test]
async fn two_members_who_edit_the_same_thing_get_both_versions() {
    let site = shop().await;
    let (ann, bob) = (
        browser_of(&site, "ann", Role::Editor).await,
        browser_of(&site, "bob", Role::Editor).await,
    );
    let (of_ann, of_bob) = (form_at(&ann, PLAN).await, form_at(&bob, PLAN).await);
    of_ann.with("/name", "Tariff").save(&ann).await;

    let refused = of_bob.with("/key", "tariff").save(&bob).await;
    let merged = FilledForm::of(&refused).save(&bob).await;

    assert_eq!(refused.status.as_u16(), 409);
    for shown in
        ["ann@example.com", "<h3>name</h3>", "<h3>key</h3>", ">Tariff</pre>", ">tariff</pre>"]
    {
        assert!(refused.body.contains(shown), "{shown} in {}", refused.body);
    }
    assert_eq!(merged.location(), format!("{PLAN}?done=saved"));
    let plan = resource(&site, ResourceKind::Attribute, "6001").await;
    assert_eq!((&plan["name"], &plan["key"]), (&"Tariff".into(), &"tariff".into()));
}

#[tokio::test]
async fn a_pause_that_another_member_makes_meanwhile_stays() {
    let site = shop().await;
    let (ann, pia) = (
        browser_of(&site, "ann", Role::Editor).await,
        browser_of(&site, "pia", Role::Publisher).await,
    );
    act(&pia, &pia.open(HERO).await, &[("action", "start")]).await;
    let of_ann = form_at(&ann, &format!("{HERO}/edit")).await;
    let page = pia.open(HERO).await;
    let pause = [("csrf", form_token(&page)), ("variation", "5001"), ("action", "pause")];
    pia.post(&format!("{HERO}/act-on-variation"), &pause).await;

    let refused = of_ann.with("/experiments/0/variations/0/name", "Short").save(&ann).await;
    FilledForm::of(&refused).save(&ann).await;

    for shown in ["experiments › hero › variations › ", " › name</h3>", " › paused</h3>"]
    {
        assert!(refused.body.contains(shown), "{shown} in {}", refused.body);
    }
    let campaign = resource(&site, ResourceKind::Campaign, "3001").await;
    let variation = &campaign["experiments"][0]["variations"][0];
    assert_eq!((&variation["name"], &variation["paused"]), (&"Short".into(), &true.into()));
}

#[tokio::test]
async fn a_viewer_reads_the_form_and_learns_who_may_change_it() {
    let site = shop().await;
    let (viewer, editor) = (
        browser_of(&site, "vic", Role::Viewer).await,
        browser_of(&site, "ann", Role::Editor).await,
    );
    let page = viewer.open(PLAN).await;
    let list = viewer.open("/projects/1000/attributes").await;

    let form = form_at(&editor, PLAN).await.with("/name", "Mine");
    let csrf = crate::browser::form_token(&page).to_owned();
    let forged = form.clone().with("csrf", &csrf).save(&viewer).await;

    assert!(page.body.contains("Your role lets you read this project."), "{}", page.body);
    assert!(
        page.body.contains("<fieldset class=\"inset\" disabled>")
            && !page.body.contains("Save in the draft")
    );
    assert!(!list.body.contains("New attribute"), "{}", list.body);
    assert_eq!(forged.status.as_u16(), 403);
    assert_eq!(form.save(&viewer).await.status.as_u16(), 403);
    assert_eq!(resource(&site, ResourceKind::Attribute, "6001").await["name"], "Plan <b>");
}

#[tokio::test]
async fn a_forged_form_changes_nothing_that_the_form_does_not_have() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;
    let form = form_at(&browser, PLAN).await;
    let mut forged = form.clone();
    for (name, value) in
        [("/id", "1"), ("/archived", "true"), ("/name/x", "1"), ("/../key", "x"), ("/0", "x")]
    {
        forged.fields.push((name.to_owned(), value.to_owned()));
    }
    let another =
        form.clone().with("now", r#"{"id":"9","key":"plan","name":"x","project_id":"1000"}"#);

    assert_eq!(forged.save(&browser).await.location(), format!("{PLAN}?done=unchanged"));
    assert_eq!(another.save(&browser).await.status.as_u16(), 422);
    for (name, value) in [("was", "{"), ("now", "[]"), ("was", "{}"), ("csrf", "x")] {
        let refused = form.clone().with(name, value).save(&browser).await;
        assert!(matches!(refused.status.as_u16(), 400 | 403), "{name}={value}: {}", refused.status);
    }
    for path in
        ["/projects/1000/attributes/7", "/projects/9/attributes/6001", "/projects/x/attributes/new"]
    {
        assert!(matches!(browser.open(path).await.status.as_u16(), 403 | 404), "{path}");
    }
    assert_eq!(resource(&site, ResourceKind::Attribute, "6001").await["name"], "Plan <b>");
}

#[tokio::test]
async fn a_resource_is_archived_restored_and_copied() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;
    let new = form_at(&browser, "/projects/1000/attributes/new").await;
    let path = new
        .with("/name", "Size")
        .save(&browser)
        .await
        .location()
        .split_once('?')
        .unwrap()
        .0
        .to_owned();

    let archive = async |restore: &str| {
        let form = form_at(&browser, &path).await;
        let fields = [("csrf", form.value("csrf")), ("etag", form.value("etag")), (restore, "yes")];
        browser.post(&format!("{path}/archive"), &fields).await.location().to_owned()
    };
    let archived = archive("x").await;
    let listed = browser.open("/projects/1000/attributes?archived=yes").await.body;
    let restored = archive("restore").await;
    let copy = form_at(&browser, "/projects/1000/attributes/new?copy=6001").await;

    assert_eq!(
        (archived, restored),
        (format!("{path}?done=archived"), format!("{path}?done=restored"))
    );
    assert!(listed.contains(&path), "{listed}");
    assert_eq!((copy.value("/name"), copy.value("/key")), ("Plan <b> (copy)", ""));
}

#[tokio::test]
async fn a_copied_campaign_shares_no_id_with_its_original_and_can_be_copied_again() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;
    let copy = "/projects/1000/campaigns/new?copy=3001";

    let first = form_at(&browser, copy).await;
    let saved = first.clone().save(&browser).await;
    let second = form_at(&browser, copy).await;

    assert!(saved.location().ends_with("?done=added"), "{}", saved.body);
    for id in ["3001", "4001", "5001"] {
        assert!(!first.value("now").contains(&format!("\"id\":\"{id}\"")), "{id}");
    }
    let name = first.value("/name").replace("(copy)", "(copy 2)");
    assert_eq!(second.value("/name"), name);
}

#[tokio::test]
async fn a_form_that_says_nonsense_is_refused_as_such() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;
    let pages = ["campaigns/3001/edit", "pages/2001", "audiences/7001", "attributes/6001"];
    let nonsense = [
        r#"{"experiments": [1, null, "x", []], "schedule": 7, "priorities": "x", "changes": 1}"#,
        r#"{"experiments": {"a": 1}, "priorities": [1, [{}]], "conditions": {}, "metadata": [7]}"#,
        r#"{"experiments": [{"audiences": 1, "variations": 2, "priority": "x"}], "changes": [[]]}"#,
        r#"{"activation": 1, "tags": [1, {}], "metadata": {"a": []}, "conditions": [["not"], []]}"#,
        r#"{"activation": [], "tags": "x", "metadata": 3, "conditions": "or"}"#,
    ];

    let acts = ["save", "show", "try", "nest /conditions", "copy /experiments/0"];
    let cases: Vec<_> = nonsense.iter().flat_map(|now| acts.map(|act| (now, act))).collect();

    for page in pages {
        let form = FilledForm::of(&browser.open(&format!("/projects/1000/{page}")).await);
        for (now, act) in &cases {
            let answer = form.clone().with("now", now).press(&browser, act).await;
            let is_told = matches!(answer.status.as_u16(), 200 | 303 | 422);
            assert!(is_told, "{page} {now} {act}: {} {}", answer.status, answer.body);
        }
    }
}
