//! `GET /projects/{id}/decide`: the console explains a decision.

use super::{SHOP, signed_in};
use crate::browser::Browser;
use crate::shop::publish_text;
use crate::site::{Site, encode};

const PATH: &str = "/projects/1000/decide";

fn address(fields: &[(&str, &str)]) -> String {
    format!("{PATH}?{}", encode(fields))
}

#[tokio::test]
async fn a_member_finds_the_page_beside_the_project() {
    let site = Site::start();
    let browser = signed_in(&site).await;

    let home = browser.open("/").await;
    let page = browser.open(PATH).await;

    assert!(
        home.body.contains(&format!("<a href=\"{PATH}\">Explain a decision</a>")),
        "{}",
        home.body
    );
    assert_eq!(page.status.as_u16(), 200);
    for shown in [
        "<strong>Tools &#38; &#60;more&#62;</strong>",
        "<label for=\"visitor_id\">Visitor id</label>",
        "<code>plan</code>",
        "name=\"pages\" value=\"checkout\"> Checkout",
    ] {
        assert!(page.body.contains(shown), "{shown} in {}", page.body);
    }
    assert!(!page.body.contains("value=\"home\""), "the address activates that page");
    assert!(!page.body.contains("role=\"alert\""), "nothing is wrong with an empty form");
}

#[tokio::test]
async fn the_answer_says_what_the_visitor_sees_and_why() {
    let site = Site::start();
    let browser = signed_in(&site).await;

    let visit = [("visitor_id", "ada"), ("url", "https://shop.example/"), ("user_agent", "")];
    let page = browser.open(&address(&visit)).await;

    assert_eq!(page.status.as_u16(), 200);
    for shown in [
        "<h2 id=\"answer\">What ada gets</h2>",
        "<p class=\"outcome\">Sees <code>Original</code> of experiment <code>Hero text</code>.</p>",
        "<span class=\"pill good\">shown</span>",
        "<code>Hero text(4001):Original(5001)</code>",
        "of 10000",
        "<summary>One page checkout</summary>",
    ] {
        assert!(page.body.contains(shown), "{shown} in {}", page.body);
    }
}

#[tokio::test]
async fn the_fields_of_the_form_decide_what_the_visitor_sees() {
    let site = Site::start();
    let browser = signed_in(&site).await;

    let visit = [
        ("visitor_id", "ada"),
        ("url", "https://shop.example/"),
        ("variations", "hero=short\r\n"),
        ("attributes", "plan=pro"),
        ("pages", "checkout"),
    ];
    let page = browser.open(&address(&visit)).await;

    for shown in [
        "Sees <code>Short</code> of experiment <code>Hero text</code>.",
        "Sees <code>one</code> of experiment <code>pay</code>.",
        "name=\"pages\" value=\"checkout\" checked>",
        "hero=short</textarea>",
        "plan=pro</textarea>",
    ] {
        assert!(page.body.contains(shown), "{shown} in {}", page.body);
    }
}

#[tokio::test]
async fn a_fault_in_the_form_is_shown_beside_its_field() {
    let site = Site::start();
    let browser = signed_in(&site).await;

    let visit =
        [("visitor_id", "<ada>"), ("url", "https://shop.example/"), ("variations", "heor=short")];
    let page = browser.open(&address(&visit)).await;

    assert_eq!(page.status.as_u16(), 422);
    assert!(page.body.contains("role=\"alert\""), "{}", page.body);
    assert!(page.body.contains("value=\"&#60;ada&#62;\""), "what was typed stays");
    let field = page.body.split("id=\"variations\"").nth(1).unwrap();
    let field = field.split("id=\"referrer\"").next().unwrap();
    for shown in [
        "aria-invalid=\"true\"",
        "There is no experiment <code>heor</code>. Did you mean <code>hero</code>?",
    ] {
        assert!(field.contains(shown), "{shown} in {field}");
    }
}

#[tokio::test]
async fn a_signed_out_member_signs_in_first_and_comes_back_to_the_question() {
    let site = Site::start();
    let member = site.member().await;
    publish_text(&site, SHOP).await;
    let browser = Browser::new(&site);
    let asked = address(&[("visitor_id", "ada"), ("url", "https://shop.example/?a=b&c=d")]);

    let form = browser.open(&asked).await;
    let back = browser.sign_in(&form, &member).await;

    assert!(!form.body.contains("Original"), "{}", form.body);
    assert_eq!(back.location(), asked);
}

#[tokio::test]
async fn a_project_that_is_not_live_has_no_such_page() {
    let site = Site::start();
    let browser = signed_in(&site).await;

    for path in ["/projects/1001/decide", "/projects/shop/decide"] {
        assert_eq!(browser.open(path).await.status.as_u16(), 404, "{path}");
    }
}
