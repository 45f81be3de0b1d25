//! `assay member`, beside a site that runs on the same data.

use serde_json::json;
use storage::{Role, RoleGrant};

use super::{Call, grant, member_with, shops, token_of, token_with};

#[tokio::test]
async fn roles_are_given_shown_and_taken_by_command() {
    let (site, application) = shops().await;
    let added =
        ["member", "add", "bob@example.com", "--role", "editor", "--project", "1000", "--code"];
    site.command_json(&added);
    let role = |role: &str, project: Option<&str>, code| json!({"role": role, "project": project, "code": code});

    let shown = site.command_json(&["member", "show", "bob@example.com"]);
    assert_eq!(shown["grants"], json!([role("editor", Some("1000"), true)]));
    let set = site.command_that_ends(&["member", "set-role", "bob@example.com", "viewer"]);
    assert_eq!(
        set["grants"],
        json!([role("viewer", None, false), role("editor", Some("1000"), true)])
    );
    let raised = site.command_that_ends(&[
        "member",
        "set-role",
        "bob@example.com",
        "admin",
        "--project",
        "1000",
    ]);
    assert_eq!(raised["grants"][1], role("admin", Some("1000"), true));
    let taken =
        site.command_that_ends(&["member", "remove-role", "bob@example.com", "--project", "1000"]);
    assert_eq!(taken["grants"], json!([role("viewer", None, false)]));

    let owner = token_with(&site, &application, RoleGrant::OWNER).await;
    let listed = Call { site: &site, token: &owner }.get("/v1/members").await.json();
    assert_eq!(site.command_json(&["member", "list"]), listed);
    site.command_that_ends(&["member", "remove", "bob@example.com"]);
    assert_eq!(site.command_json(&["member", "list"]).as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_role_that_a_command_takes_is_gone_half_a_second_later() {
    let (site, application) = shops().await;
    member_with(&site, "ann@example.com", RoleGrant::OWNER).await;
    let bob = member_with(&site, "bob@example.com", grant(Role::Admin, None)).await;
    let token = token_of(&site, &application, &bob).await;
    assert_eq!(site.get_as("/v1/members", &token).await.status.as_u16(), 200);

    site.command_that_ends(&["member", "set-role", "bob@example.com", "viewer"]);

    assert_eq!(site.get_as("/v1/members", &token).await.status.as_u16(), 403);
    assert_eq!(site.get_as("/v1/projects", &token).await.status.as_u16(), 200);
}

#[tokio::test]
async fn a_faulty_member_command_is_refused_and_changes_nothing() {
    let (site, _) = shops().await;
    member_with(&site, "ann@example.com", RoleGrant::OWNER).await;
    let before = site.command_json(&["member", "list"]);
    for (arguments, told) in [
        (&["add", "bob@example.com", "--role", "editr"][..], "did you mean `editor`?"),
        (
            &["add", "bob@example.com", "--role", "editor", "--project", "1001"],
            "there is no project 1001",
        ),
        (&["add", "bob@example.com", "--project", "shop"], "an id is a decimal number"),
        (&["set-role", "bob@example.com", "editor"], "no member with this e-mail address"),
        (&["set-role", "ann@example.com", "admin"], "the last owner"),
        (&["remove", "ann@example.com"], "the last owner"),
        (&["remove-role", "ann@example.com", "--project", "1000"], "has no role in 1000"),
    ] {
        let output = site.command(&[&["member"], arguments].concat());
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{complaint}");
        assert!(complaint.contains(told), "{arguments:?}: {complaint}");
    }
    assert_eq!(site.command_json(&["member", "list"]), before);
}
