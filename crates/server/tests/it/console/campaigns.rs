//! Campaigns: made and edited in a form, started and stopped by buttons.

use app::documents::ResourceKind;
use serde_json::Value;
use storage::Role;

use super::filled_form::FilledForm;
use super::{browser_of, resource, shop};
use crate::browser::{Browser, form_token};
use crate::site::{Answer, Site};

pub(super) const HERO: &str = "/projects/1000/campaigns/3001";

/// Presses a button of a campaign's page.
pub(super) async fn act(browser: &Browser<'_>, page: &Answer, fields: &[(&str, &str)]) -> Answer {
    let hidden = |name: &str| {
        let (_, after) = page.body.split_once(&format!("name=\"{name}\" value=\"")).unwrap();
        after.split_once('"').unwrap().0.replace("&#34;", "\"")
    };
    let (token, etag) = (hidden("csrf"), hidden("etag"));
    let own = [("csrf", token.as_str()), ("etag", etag.as_str())];
    browser.post(&format!("{HERO}/act"), &[&own, fields].concat()).await
}

async fn status(site: &Site) -> String {
    let campaign = resource(site, ResourceKind::Campaign, "3001").await;
    campaign["status"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn an_editor_makes_a_test_with_its_first_change() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;

    let blank = FilledForm::of(&browser.open("/projects/1000/campaigns/new").await);
    let list = "/experiments/0/variations/1/changes";
    let with_change = FilledForm::of(&blank.press(&browser, &format!("add {list} text")).await);
    let mut form = with_change
        .with("/name", "Shorter hero")
        .with(&format!("{list}/0/selector"), "h1")
        .with(&format!("{list}/0/value"), "Ship <faster>");
    form.fields.push(("/pages".to_owned(), "2001".to_owned()));
    let added = form.save(&browser).await;

    assert!(added.location().ends_with("?done=added"), "{} {}", added.location(), added.body);
    let page = browser.open(added.location()).await.body;
    assert!(page.contains("Sets the text of <code>h1</code> to “Ship &#60;faster&#62;”"), "{page}");
    assert!(page.contains("not started") && page.contains("50 %"), "{page}");
}

#[tokio::test]
async fn a_campaign_whose_form_is_sent_as_it_was_shown_stays_as_it_is() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;
    let before = resource(&site, ResourceKind::Campaign, "3001").await;

    let form = FilledForm::of(&browser.open(&format!("{HERO}/edit")).await);
    let saved = form.save(&browser).await;

    assert_eq!(saved.location(), format!("{HERO}/edit?done=unchanged"));
    assert_eq!(resource(&site, ResourceKind::Campaign, "3001").await, before);
}

#[tokio::test]
async fn the_page_after_a_save_has_the_browser_forget_what_was_typed() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;
    let new = "/projects/1000/campaigns/new";

    let form = FilledForm::of(&browser.open(&format!("{HERO}/edit")).await);
    let saved = form.with("/name", "Hero").save(&browser).await;
    let saved = browser.open(saved.location()).await;
    let form = FilledForm::of(&browser.open(new).await).with("/name", "Basket");
    let added = form.save(&browser).await;
    let added = browser.open(added.location()).await;
    let later = browser.open(HERO).await.body;

    for (page, forgotten) in [(saved, format!("{HERO}/edit")), (added, new.to_owned())] {
        let (_, mark) = page.body.split_once("<span hidden data-unsaved=").expect(&page.body);
        let mark = mark.split_once('>').unwrap().0;
        assert!(mark.contains(&format!("data-forget=\"{forgotten}\"")), "{mark}");
        assert!(page.body.contains("src=\"/assets/unsaved.js\""), "{}", page.body);
        let policy = page.header("content-security-policy");
        assert!(policy.contains("/assets/unsaved.js"), "{policy}");
    }
    assert!(!later.contains("data-unsaved"), "{later}");
}

#[tokio::test]
async fn variations_share_all_visitors_at_one_button() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;
    let list = "/experiments/0/variations";

    let form = FilledForm::of(&browser.open(&format!("{HERO}/edit")).await);
    let two = FilledForm::of(&form.press(&browser, &format!("add {list} variation")).await);
    let refused = two.clone().with(&format!("{list}/1/weight"), "10").save(&browser).await;
    let short =
        two.clone().with(&format!("{list}/0/weight"), "80").with(&format!("{list}/1/weight"), "10");
    let short = short.save(&browser).await;
    let even = FilledForm::of(&two.press(&browser, &format!("even {list}")).await);
    let saved = even.save(&browser).await;

    assert_eq!(refused.status.as_u16(), 422);
    assert!(refused.body.contains("it must be 100 %"), "{}", refused.body);
    assert_eq!(short.status.as_u16(), 422);
    assert!(short.body.contains("90 % of the visitors together, expected 100 %"), "{}", short.body);
    assert_eq!(saved.location(), format!("{HERO}?done=saved"));
    let campaign = resource(&site, ResourceKind::Campaign, "3001").await;
    let weights = campaign["experiments"][0]["variations"].as_array().unwrap();
    assert_eq!(weights.iter().map(|one| one["weight"].clone()).collect::<Vec<_>>(), [5_000, 5_000]);
}

#[tokio::test]
async fn a_member_adds_variations_without_naming_them() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;
    let list = "/experiments/0/variations";

    let mut form = FilledForm::of(&browser.open("/projects/1000/campaigns/new").await);
    for _ in 0..2 {
        form = FilledForm::of(&form.press(&browser, &format!("add {list} variation")).await);
    }
    let form = FilledForm::of(&form.press(&browser, &format!("even {list}")).await);
    let added = form.with("/name", "Colors").save(&browser).await;

    assert!(added.location().ends_with("?done=added"), "{}", added.body);
    let page = browser.open(added.location()).await.body;
    assert!(page.contains("<bdi>Variation 2</bdi>") && page.contains("<bdi>Variation 3</bdi>"));
}

#[tokio::test]
async fn a_schedule_that_is_past_is_refused_unless_it_was_there() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;
    let (start, zone) = ("/schedule/start", "/schedule/time_zone");
    let form = FilledForm::of(&browser.open(&format!("{HERO}/edit")).await);

    // The clock of a site begins on 15 January 2027, at 8:00 UTC.
    let past = form.clone().with(start, "2027-01-15 08:59").with(zone, "Europe/Berlin");
    let refused = past.save(&browser).await;
    let later = form.with(start, "2027-01-16").with(zone, "UTC").save(&browser).await;
    let campaign = resource(&site, ResourceKind::Campaign, "3001").await;
    site.advance_seconds(86_400 * 2);
    let bob = browser_of(&site, "bob", Role::Editor).await;
    let form = FilledForm::of(&bob.open(&format!("{HERO}/edit")).await);
    let renamed = form.with("/name", "Hero").save(&bob).await;

    assert_eq!(refused.status.as_u16(), 422);
    let told = "This moment is past.";
    assert!(refused.body.contains(told), "{}", refused.body);
    assert_eq!(later.location(), format!("{HERO}?done=saved"), "{}", later.body);
    assert_eq!(campaign["schedule"]["start"], "2027-01-16T00:00");
    assert_eq!(renamed.location(), format!("{HERO}?done=saved"), "{}", renamed.body);
}

#[tokio::test]
async fn a_publisher_starts_pauses_and_concludes_a_campaign() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Publisher).await;

    let started = act(&browser, &browser.open(HERO).await, &[("action", "start")]).await;
    let running = browser.open(started.location()).await;
    let paused = act(&browser, &running, &[("action", "pause")]).await;
    let page = browser.open(&format!("{HERO}/conclude")).await;
    let shipping = [("action", "conclude"), ("winner", "5001"), ("ship", "yes")];
    let concluded = act(&browser, &page, &shipping).await;

    assert_eq!(started.location(), format!("{HERO}?done=start"));
    assert!(running.body.contains("The campaign runs") && running.body.contains(">running<"));
    assert_eq!(paused.location(), format!("{HERO}?done=pause"));
    assert_eq!(concluded.location(), format!("{HERO}?done=conclude"));
    let campaign = resource(&site, ResourceKind::Campaign, "3001").await;
    assert_eq!((&campaign["status"], &campaign["shipped"]), (&"concluded".into(), &true.into()));
    let page = browser.open(HERO).await.body;
    assert!(page.contains("winner shipped"), "{page}");
}

#[tokio::test]
async fn the_named_winner_can_be_changed_after_the_conclusion() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Publisher).await;
    running(&browser).await;
    let form = format!("{HERO}/conclude");
    let conclude = [("action", "conclude"), ("winner", "5001"), ("ship", "yes")];
    act(&browser, &browser.open(&form).await, &conclude).await;

    let again = browser.open(&form).await;
    let both = [("action", "conclude"), ("winner", ""), ("ship", "yes")];
    let contradiction = act(&browser, &again, &both).await;
    let campaign = resource(&site, ResourceKind::Campaign, "3001").await;
    act(&browser, &again, &[("action", "conclude"), ("winner", "")]).await;

    for chosen in ["value=\"5001\" checked", "value=\"yes\" checked"] {
        assert!(again.body.contains(chosen), "{}", again.body);
    }
    assert_eq!(contradiction.status.as_u16(), 422);
    assert!(contradiction.body.contains("or ship none"), "{}", contradiction.body);
    for chosen in ["value=\"\" checked", "value=\"yes\" checked"] {
        assert!(contradiction.body.contains(chosen), "what was chosen: {}", contradiction.body);
    }
    assert_eq!(
        (&campaign["shipped"], &campaign["experiments"][0]["winner"]),
        (&true.into(), &"5001".into())
    );
    let campaign = resource(&site, ResourceKind::Campaign, "3001").await;
    assert_eq!(
        (&campaign["shipped"], &campaign["experiments"][0]["winner"]),
        (&false.into(), &Value::Null)
    );
    assert!(browser.open(HERO).await.body.contains("Change the winner…"));
}

/// The campaign's page, once the campaign runs.
pub(super) async fn running(browser: &Browser<'_>) -> Answer {
    let started = act(browser, &browser.open(HERO).await, &[("action", "start")]).await;
    browser.open(started.location()).await
}

#[tokio::test]
async fn a_publisher_pauses_one_variation_and_nothing_else_changes() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Publisher).await;
    let before = browser.open(HERO).await;
    let page = running(&browser).await;
    let other_tab = browser.open(HERO).await;
    let path = format!("{HERO}/act-on-variation");
    let act_on = async |page: &Answer, action| {
        let fields = [("csrf", form_token(page)), ("variation", "5001"), ("action", action)];
        browser.post(&path, &fields).await
    };
    let act = async |action| act_on(&page, action).await;
    let is_paused = async || {
        let campaign = resource(&site, ResourceKind::Campaign, "3001").await;
        campaign["experiments"][0]["variations"][0]["paused"] == true
    };

    let paused = act("pause").await;
    assert_eq!(paused.location(), format!("{HERO}?done=pause-variation"));
    assert!(is_paused().await);
    let (seen, snippet) =
        (browser.open(paused.location()).await.body, site.get("/js/1000.js").await.body);
    let double_click = act("pause").await;
    let twice = act_on(&other_tab, "pause").await;
    let resumed = act("resume").await;

    assert!(!before.body.contains("/act-on-variation"), "{}", before.body);
    assert!(seen.contains("<span class=\"pill paused\">paused</span>"), "{seen}");
    assert_eq!(double_click.location(), paused.location());
    assert_eq!(twice.status.as_u16(), 409, "{}", twice.body);
    assert!(twice.body.contains("Perhaps it was done already."), "{}", twice.body);
    assert_eq!(resumed.location(), format!("{HERO}?done=resume-variation"));
    assert!(!is_paused().await);
    assert_ne!(site.get("/js/1000.js").await.body, snippet, "both go live at once");
    assert_eq!(act("stop").await.status.as_u16(), 400);
}

#[tokio::test]
async fn a_new_phase_stands_in_the_draft_until_it_is_published() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Publisher).await;
    let page = running(&browser).await;
    let path = format!("{HERO}/new-phase");
    let fields = [("csrf", form_token(&page)), ("experiment", "4001")];
    let live = site.get("/js/1000.js").await.body;

    let begun = browser.post(&path, &fields).await;
    let twice = browser.post(&path, &fields).await;

    assert_eq!(begun.location(), format!("{HERO}?done=new-phase"));
    let experiment =
        resource(&site, ResourceKind::Campaign, "3001").await["experiments"][0].clone();
    assert_eq!(experiment["key"], "hero-2");
    assert_ne!(experiment["id"], "4001");
    assert_eq!(site.get("/js/1000.js").await.body, live);
    assert_eq!(twice.location(), begun.location(), "a double click");
}

#[tokio::test]
async fn a_double_click_starts_a_campaign_once_and_makes_one_copy() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Publisher).await;
    let page = browser.open(HERO).await;
    let start = async || act(&browser, &page, &[("action", "start")]).await;
    let copy =
        async || browser.post(&format!("{HERO}/duplicate"), &[("csrf", form_token(&page))]).await;

    let (first, second) = tokio::join!(start(), start());
    let (one, same) = (copy().await, copy().await);
    let list = browser.open("/projects/1000/campaigns").await.body;

    assert_eq!(first.location(), format!("{HERO}?done=start"));
    assert_eq!(second.location(), first.location());
    assert_eq!(same.location(), one.location());
    assert!(list.contains("3 in all"), "{list}");
}

#[tokio::test]
async fn an_editor_pauses_no_variation_that_visitors_see() {
    let site = shop().await;
    let publisher = browser_of(&site, "pia", Role::Publisher).await;
    running(&publisher).await;
    let editor = browser_of(&site, "ann", Role::Editor).await;
    let page = editor.open(HERO).await;

    let fields = [("csrf", form_token(&page)), ("variation", "5001"), ("action", "pause")];
    let refused = editor.post(&format!("{HERO}/act-on-variation"), &fields).await;

    assert!(page.body.contains("value=\"pause\" disabled>Pause<"), "{}", page.body);
    assert_eq!(refused.status.as_u16(), 403, "{}", refused.body);
}

#[tokio::test]
async fn a_page_that_is_out_of_date_starts_nothing() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Publisher).await;
    let page = browser.open(HERO).await;
    let form = FilledForm::of(&browser.open(&format!("{HERO}/edit")).await);
    form.with("/name", "Renamed").save(&browser).await;

    let refused = act(&browser, &page, &[("action", "start")]).await;

    assert_eq!(refused.status.as_u16(), 409);
    assert!(refused.body.contains("so nothing was done") && refused.body.contains("Renamed"));
    assert_eq!(status(&site).await, "not_started");
}

#[tokio::test]
async fn only_publishers_and_only_our_own_pages_start_a_campaign() {
    let site = shop().await;
    let viewer = browser_of(&site, "ann", Role::Viewer).await;
    let publisher = browser_of(&site, "bob", Role::Publisher).await;

    let page = viewer.open(HERO).await;
    let by_viewer = act(&viewer, &page, &[("action", "start")]).await;
    let forged = [("csrf", "made-up"), ("etag", "*"), ("action", "start")];
    let forged = publisher.post(&format!("{HERO}/act"), &forged).await;
    let unknown = act(&publisher, &publisher.open(HERO).await, &[("action", "explode")]).await;

    assert!(
        page.body.contains("disabled>Start<") && page.body.contains("An admin can give it to you")
    );
    assert_eq!(by_viewer.status.as_u16(), 403);
    assert_eq!((forged.status.as_u16(), unknown.status.as_u16()), (403, 400));
    assert_eq!(status(&site).await, "not_started");
}

#[tokio::test]
async fn a_copy_is_another_campaign() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;
    let page = browser.open(HERO).await;
    let (_, token) = page.body.split_once("name=\"csrf\" value=\"").unwrap();
    let token = token.split_once('"').unwrap().0;

    let copied = browser.post(&format!("{HERO}/duplicate"), &[("csrf", token)]).await;

    assert!(copied.location().ends_with("?done=duplicated"), "{}", copied.location());
    assert!(!copied.location().starts_with(&format!("{HERO}?")));
    assert!(browser.open(copied.location()).await.body.contains("This is the copy"));
}
