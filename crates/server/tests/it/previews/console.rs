//! `GET /projects/{id}/preview`: a member makes a link in the console.

use super::{SHOP, publish, shop};
use crate::browser::Browser;
use crate::site::{Site, encode};

const PATH: &str = "/projects/1000/preview";

fn address(fields: &[(&str, &str)]) -> String {
    format!("{PATH}?{}", encode(fields))
}

async fn signed_in(site: &Site) -> Browser<'_> {
    let member = site.member().await;
    let browser = Browser::new(site);
    let form = browser.open("/sign-in").await;
    browser.sign_in(&form, &member).await;
    browser
}

#[tokio::test]
async fn a_member_chooses_what_a_link_shows_and_gets_it() {
    let site = shop().await;
    let browser = signed_in(&site).await;

    let home = browser.open("/").await;
    let blank = browser.open(PATH).await;
    let fields = [("url", "https://shop.example/"), ("variations", ""), ("variations", "5002")];
    let made = browser.open(&address(&fields)).await;

    assert!(home.body.contains(&format!("<a href=\"{PATH}\">Preview</a>")), "{}", home.body);
    assert_eq!((blank.status.as_u16(), made.status.as_u16()), (200, 200));
    assert!(!blank.body.contains("experimentation_preview"), "{}", blank.body);
    for shown in ["Secret sale", "<option value=\"5003\">Half price</option>", "not started"] {
        assert!(blank.body.contains(shown), "{shown} in {}", blank.body);
    }
    assert!(made.body.contains("<option value=\"5002\" selected>Short</option>"));
    assert!(made.body.contains("22 January 2027, 08:00 UTC"), "{}", made.body);
    let (_, rest) = made.body.split_once("experimentation_preview=").unwrap();
    let token = rest.split('<').next().unwrap();
    let preview = site.get(&format!("/js/1000.js?preview={token}")).await;
    assert!(preview.body.contains("Ship faster"), "{token}");
}

#[tokio::test]
async fn what_is_wrong_is_told_and_what_was_written_stays() {
    let site = shop().await;
    let browser = signed_in(&site).await;

    let nothing = browser.open(&address(&[("url", "https://shop.example/a")])).await;
    let wrong =
        browser.open(&address(&[("url", "ftp://shop.example/"), ("variations", "5002")])).await;

    assert_eq!((nothing.status.as_u16(), wrong.status.as_u16()), (422, 422));
    assert!(nothing.body.contains("At least one variation has to be shown."), "{}", nothing.body);
    assert!(nothing.body.contains("value=\"https://shop.example/a\""));
    assert!(wrong.body.contains("This is no address of a page"), "{}", wrong.body);
    assert!(wrong.body.contains("aria-invalid=\"true\""));
}

#[tokio::test]
async fn a_project_that_takes_no_previews_says_how_it_would() {
    let site = Site::start();
    publish(&site, &SHOP.replace("preview: true", "preview: false")).await;
    let browser = signed_in(&site).await;

    let page = browser.open(PATH).await;

    assert!(page.body.contains("Previews are switched off"), "{}", page.body);
    assert!(!page.body.contains("<select"));
}

#[tokio::test]
async fn a_browser_without_a_session_is_asked_to_sign_in() {
    let site = shop().await;

    let page =
        site.get(&address(&[("url", "https://shop.example/"), ("variations", "5002")])).await;

    assert!(page.body.contains("name=\"password\"") && !page.body.contains("assay_pv"));
    assert_eq!(signed_in(&site).await.open("/projects/1001/preview").await.status.as_u16(), 404);
}
