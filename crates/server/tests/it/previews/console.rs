//! `/projects/{id}/preview`: a member makes links in the console, and revokes them.

use app::documents::check_document;
use app::projects::{Origin, publish_project};
use domain::{NoFiles, Source};

use super::{SHOP, shop};
use crate::browser::{Browser, form_token};
use crate::site::{Answer, Site};

const PATH: &str = "/projects/1000/preview";

async fn signed_in(site: &Site) -> Browser<'_> {
    let member = site.member().await;
    let browser = Browser::new(site);
    let form = browser.open("/sign-in").await;
    browser.sign_in(&form, &member).await;
    browser
}

/// Sends a form of the page; `act` is its address within that.
async fn send(browser: &Browser<'_>, act: &str, fields: &[(&str, &str)]) -> Answer {
    let page = browser.open(PATH).await;
    let fields = [&[("csrf", form_token(&page))], fields].concat();
    browser.post(&format!("{PATH}/{act}"), &fields).await
}

const SHORT: [(&str, &str); 3] =
    [("url", " https://shop.example/ "), ("variations", ""), ("variations", "5002")];

/// The page of a new link.
async fn made(browser: &Browser<'_>) -> String {
    let made = send(browser, "make", &SHORT).await;
    assert_eq!(made.status.as_u16(), 303, "{}", made.body);
    browser.open(made.location()).await.body
}

fn token(page: &str) -> &str {
    let (_, rest) = page.split_once("experimentation_preview=").unwrap();
    rest.split('<').next().unwrap()
}

#[tokio::test]
async fn a_member_chooses_what_a_link_shows_and_gets_it() {
    let site = shop().await;
    let browser = signed_in(&site).await;

    let blank = browser.open(PATH).await;
    let filled_in = browser.open(&format!("{PATH}?variations=5002")).await;
    let made = made(&browser).await;

    for page in [&blank, &filled_in] {
        assert!(!page.body.contains("experimentation_preview"), "{}", page.body);
    }
    for shown in ["Secret sale", "<option value=\"5003\">Half price</option>", "not started"] {
        assert!(blank.body.contains(shown), "{shown} in {}", blank.body);
    }
    assert!(filled_in.body.contains("<option value=\"5002\" selected>Short</option>"));
    for shown in ["Hero text: Short", "22 January 2027, 08:00 UTC", "<svg class=\"code\""] {
        assert!(made.contains(shown), "{shown} in {made}");
    }
    let preview = site.get(&format!("/js/1000.js?preview={}", token(&made))).await;
    assert!(preview.body.contains("Ship faster"), "{}", preview.body);
}

#[tokio::test]
async fn a_member_sees_the_links_and_revokes_one() {
    let site = shop().await;
    let browser = signed_in(&site).await;
    let made = made(&browser).await;
    let (_, rest) = made.split_once("?link=").unwrap();
    let id = rest.split('"').next().unwrap();
    assert!(made.contains("never opened"), "{made}");
    let preview = format!("/js/1000.js?preview={}", token(&made));
    site.get(&preview).await;
    assert!(browser.open(PATH).await.body.contains("opened <time"));

    let revoked = send(&browser, "revoke", &[("link", id)]).await;
    let unknown = send(&browser, "revoke", &[("link", "77")]).await;

    let page = browser.open(revoked.location()).await.body;
    assert!(page.contains("The link is revoked.") && page.contains(">revoked<"), "{page}");
    assert!(!page.contains("experimentation_preview"), "{page}");
    assert_eq!(unknown.location(), format!("{PATH}?problem=unknown-link"));
    assert!(site.get(&preview).await.body.contains("this link was revoked"));
    let ended = browser.open(&format!("{PATH}?link={id}")).await.body;
    assert!(ended.contains("This link has ended"), "{ended}");
}

#[tokio::test]
async fn a_fault_in_a_preview_form_is_shown_and_the_input_stays() {
    let site = shop().await;
    let browser = signed_in(&site).await;

    let nothing = send(&browser, "make", &[("url", "https://shop.example/a")]).await;
    let wrong =
        send(&browser, "make", &[("url", "ftp://shop.example/"), ("variations", "5002")]).await;

    assert_eq!((nothing.status.as_u16(), wrong.status.as_u16()), (422, 422));
    assert!(nothing.body.contains("At least one variation has to be shown."), "{}", nothing.body);
    assert!(nothing.body.contains("value=\"https://shop.example/a\""));
    assert!(wrong.body.contains("This is not the address of a page"), "{}", wrong.body);
    assert!(wrong.body.contains("aria-invalid=\"true\""));
    assert!(wrong.body.contains("<option value=\"5002\" selected>Short</option>"));
    assert!(!browser.open(PATH).await.body.contains("never opened"), "no link was made");
}

#[tokio::test]
async fn a_project_of_a_file_says_where_previews_are_switched_on() {
    let site = Site::start();
    let off = SHOP.replace("preview: true", "preview: false");
    let source = Source { name: "shop.yaml", text: &off, files: &NoFiles };
    let project = check_document(&source).unwrap().project;
    publish_project(&site.app, project, Origin::ProjectFile).await.unwrap();
    let browser = signed_in(&site).await;

    let refused = send(&browser, "switch-on", &[]).await;

    let page = browser.open(refused.location()).await.body;
    assert!(page.contains("A project file manages this project."), "{page}");
}

#[tokio::test]
async fn a_browser_without_a_session_is_asked_to_sign_in() {
    let site = shop().await;

    let member = signed_in(&site).await;

    let page = site.get(&format!("{PATH}?link=1")).await;

    assert!(page.body.contains("name=\"password\"") && !page.body.contains("assay_pv"));
    assert_eq!(member.open("/projects/1001/preview").await.status.as_u16(), 404);
}

#[tokio::test]
async fn a_form_from_elsewhere_makes_and_revokes_nothing() {
    let site = shop().await;
    let browser = signed_in(&site).await;

    for act in ["make", "revoke", "switch-on"] {
        let refused = browser.post(&format!("{PATH}/{act}"), &SHORT).await;
        assert_eq!(refused.status.as_u16(), 403, "{act}");
    }
}
