//! A member tries conditions before they are stored.

use app::documents::ResourceKind;
use storage::Role;

use super::filled_form::FilledForm;
use super::{browser_of, resource, shop};

#[tokio::test]
async fn a_member_sees_which_addresses_match_and_why() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;
    let form = FilledForm::of(&browser.open("/projects/1000/pages/2001").await);

    let form = form.with("/conditions/1/value", "https://shop.example/cart");
    let addresses = "https://shop.example/\r\n https://www.shop.example/cart?x=1 \r\nnowhere";
    let tried = form.with("addresses", addresses).press(&browser, "try").await;

    assert_eq!(tried.status.as_u16(), 200, "{}", tried.body);
    for shown in [
        "<span class=\"pill\">no</span> <strong>https://shop.example/</strong>",
        "<span class=\"pill good\">yes</span> <strong>https://www.shop.example/cart?x=1</strong>",
        "<span class=\"pill held\">not known</span> <strong>nowhere</strong>",
    ] {
        assert!(tried.body.contains(shown), "{shown} in {}", tried.body);
    }
    assert_eq!(FilledForm::of(&tried).value("/conditions/1/value"), "https://shop.example/cart");
    let page = resource(&site, ResourceKind::Page, "2001").await;
    assert_eq!(page["conditions"][1]["value"], "https://shop.example/");
}

#[tokio::test]
async fn a_member_sees_whether_a_visitor_is_in_a_new_audience_and_why() {
    let site = shop().await;
    let browser = browser_of(&site, "ann", Role::Editor).await;
    let form = FilledForm::of(&browser.open("/projects/1000/audiences/new").await);
    let form = FilledForm::of(
        &form.with("kind /conditions", "audience").press(&browser, "add /conditions").await,
    );
    let form = FilledForm::of(
        &form
            .with("/conditions/1/audience", "7001")
            .with("kind /conditions", "language")
            .press(&browser, "add /conditions")
            .await,
    );
    let form = form.with("/conditions/2/value", "de");

    let without = form.clone().with("attributes", "plan=gold").press(&browser, "try").await;
    let with = form
        .clone()
        .with("attributes", "plan=gold")
        .with("language", "de-AT")
        .press(&browser, "try")
        .await;
    let unknown = form.clone().with("attributes", "paln=gold").press(&browser, "try").await;
    let wrong = form
        .with("/conditions/2/value", "")
        .with("/conditions/1/audience", "9")
        .press(&browser, "try")
        .await;

    assert!(
        without.body.contains("<span class=\"pill held\">not known</span> <strong>This visitor"),
        "{}",
        without.body
    );
    assert!(
        with.body.contains("<span class=\"pill good\">yes</span> <strong>This visitor"),
        "{}",
        with.body
    );
    assert!(
        unknown.body.contains("attributes: ") && unknown.body.contains("plan"),
        "{}",
        unknown.body
    );
    assert!(
        wrong.body.contains(
            "<a href=\"#/conditions/1/audience\">Member of an audience 1, Audience</a>: "
        ),
        "{}",
        wrong.body
    );
}
