//! What the console shows to whom.

use storage::Role;

use super::{grant, member_with, shops};
use crate::browser::Browser;
use crate::site::Site;

#[tokio::test]
async fn a_member_sees_the_projects_of_their_role_and_what_they_may_do_there() {
    let (site, _) = shops().await;
    for (role, may_preview) in [(Role::Viewer, false), (Role::Editor, true)] {
        let email = format!("{}@example.com", role.as_str());
        let member = member_with(&site, &email, grant(role, Some("1000"))).await;
        let browser = Browser::new(&site);
        browser.sign_in_at_home(&member).await;

        let home = browser.open("/").await.body;
        let preview = browser.open("/projects/1000/preview").await;

        assert!(
            home.contains("/projects/1000/decide") && !home.contains("/projects/2000"),
            "{home}"
        );
        assert_eq!(home.contains("/projects/1000/preview"), may_preview);
        assert_eq!(preview.status.as_u16(), if may_preview { 200 } else { 403 });
        assert_eq!(browser.open("/projects/1000/decide").await.status.as_u16(), 200);
        assert_eq!(browser.open("/projects/2000/decide").await.status.as_u16(), 403);
        assert_eq!(browser.open("/account").await.status.as_u16(), 200);
    }
}

#[tokio::test]
async fn a_member_without_a_role_sees_a_page_that_says_so() {
    let (site, _) = shops().await;
    let member = member_with(&site, "bob@example.com", grant(Role::Viewer, Some("1000"))).await;
    site.command_that_ends(&["member", "remove-role", "bob@example.com", "--project", "1000"]);
    let browser = Browser::new(&site);
    browser.sign_in_at_home(&member).await;

    let home = browser.open("/").await.body;

    assert!(home.contains("No project for you yet"), "{home}");
}

async fn consent(site: &Site, role: Role, project: Option<&str>) -> String {
    let application = site.application().await;
    let email = format!("{}@example.com", role.as_str());
    let member = member_with(site, &email, grant(role, project)).await;
    let scope = [("scope", "config:read config:write audit:read")];
    Browser::new(site).go_to_consent(&member, &application, &scope).await.body
}

#[tokio::test]
async fn consent_promises_no_more_than_the_member_may_do() {
    let (site, _) = shops().await;

    let of_editor = consent(&site, Role::Editor, Some("1000")).await;
    let of_admin = consent(&site, Role::Admin, None).await;

    let (can, cannot) = of_editor.split_once("more than your role allows").unwrap();
    assert!(can.contains("config:read") && can.contains("config:write"), "{can}");
    assert!(cannot.contains("audit:read") && !can.contains("audit:read"), "{cannot}");
    assert!(!of_admin.contains("more than your role allows"), "{of_admin}");
}
