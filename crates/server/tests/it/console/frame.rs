//! What surrounds pages: who uses a keyboard goes past it, and paper has none of it.

use storage::Role;

use super::{browser_of, shop};

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
async fn paper_has_the_content_alone() {
    let site = shop().await;

    let css = site.get("/assets/console.css").await.body;

    let (_, print) = css.split_once("@media print").expect(&css);
    for part in ["header.bar", ".side", ".actions", "::details-content"] {
        assert!(print.contains(part), "{part}");
    }
}
