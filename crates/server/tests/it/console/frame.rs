//! What surrounds pages: who uses a keyboard goes past it, and paper has none of it.

use storage::Role;

use super::{browser_of, shop};
use crate::browser::Browser;

#[tokio::test]
async fn a_keyboard_skips_to_the_content() {
    let site = shop().await;
    let browser = browser_of(&site, "vic", Role::Viewer).await;

    for path in ["/", "/projects/1000", "/docs"] {
        let page = browser.open(path).await.body;

        let place = |part: &str| page.find(part).unwrap_or_else(|| panic!("no {part}: {page}"));
        let main = place("<main id=\"content\" tabindex=\"-1\">");
        assert!(place("href=\"#content\">Skip to the content</a>") < place("<header"), "{path}");
        assert_eq!(page.matches("<main").count(), 1, "{path}");
        assert!(
            !page[main..].contains("aria-label=\"Project\""),
            "the sidebar is beside it: {path}"
        );
    }
}

#[tokio::test]
async fn members_keep_the_navigation_on_error_pages_and_others_have_none() {
    let site = shop().await;
    let browser = browser_of(&site, "vic", Role::Viewer).await;
    for (path, status) in [("/projects/1000/preview", 403), ("/nothing", 404)] {
        let page = browser.open(path).await;

        assert_eq!(page.status.as_u16(), status);
        assert!(page.body.contains("<nav aria-label=\"Console\">"), "{path}: {}", page.body);
        assert!(page.body.contains("action=\"/sign-out\""), "{path}: {}", page.body);
    }
    let signed_out = Browser::new(&site).open("/nothing").await;
    assert_eq!(signed_out.status.as_u16(), 404);
    assert!(!signed_out.body.contains("<nav"), "{}", signed_out.body);
}

#[tokio::test]
async fn the_address_of_a_form_leads_to_its_page() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Publisher).await;
    for (form, page) in [
        ("/projects/1000/publish", "/projects/1000"),
        ("/projects/1000/campaigns/3001/act", "/projects/1000/campaigns/3001"),
        ("/account/tokens/make", "/account/tokens"),
        ("/sign-out", "/"),
    ] {
        let answer = browser.open(form).await;

        assert_eq!((answer.status.as_u16(), answer.location()), (303, page));
    }
}

#[tokio::test]
async fn paper_has_the_content_alone() {
    let site = shop().await;

    let css = site.get("/assets/console.css").await.body;

    let (_, print) = css.split_once("@media print").expect(&css);
    for part in ["header.bar", ".side", ".actions", "::details-content"] {
        assert!(print.contains(part), "{part}");
    }
}

#[tokio::test]
async fn an_address_whose_names_cannot_be_read_is_that_of_no_page() {
    let site = shop().await;
    let browser = browser_of(&site, "olga", Role::Owner).await;
    for path in [
        "/projects/shop/preview",
        "/projects/+1000/preview",
        "/projects/%00/preview",
        "/projects/%FF/preview",
        "/projects/1000/campaigns/%FF",
        "/projects/1000/history/last",
        "/projects/1000/variations/original/visual",
        "/members/olga",
        "/applications/%20",
        "/docs/%FF",
    ] {
        let page = browser.open(path).await;

        assert_eq!(page.status.as_u16(), 404, "{path}: {}", page.body);
        assert!(page.body.contains("There is no such page"), "{path}: {}", page.body);
    }
}
