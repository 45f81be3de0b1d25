//! `/v1/invitations`, and invitations at the terminal.

use serde_json::json;
use storage::{INVITATIONS_TO_PROJECT_AT_MOST, Role, RoleGrant};

use super::{Call, assert_problem, grant, shops, token_with};
use crate::browser::Browser;

#[tokio::test]
async fn an_admin_invites_lists_and_revokes_over_rest() {
    let (site, application) = shops().await;
    let token = token_with(&site, &application, grant(Role::Admin, Some("1000"))).await;
    let call = Call { site: &site, token: &token };
    let cleo = json!({"email": "cleo@example.com", "role": "editor", "project": "1000"});

    let made = call.post("/v1/invitations", &cleo).await;
    let listed = call.get("/v1/invitations").await.json();
    let owner = json!({"email": "cleo@example.com", "role": "owner", "project": "1000"});
    let too_high = call.post("/v1/invitations", &owner).await;
    let known = json!({"email": "admin1000@example.com", "role": "viewer", "project": "1000"});
    let known = call.post("/v1/invitations", &known).await;

    assert_eq!((made.status.as_u16(), made.header("cache-control")), (201, "no-store"));
    let made = made.json();
    let link = made["link"].as_str().unwrap().to_owned();
    assert!(link.starts_with("https://assay.example/invitation?token=assay_in_"), "{link}");
    let mut kept = made.clone();
    kept.as_object_mut().unwrap().remove("link");
    assert_eq!(kept.as_object_mut().unwrap().remove("mailed"), Some(json!(false)));
    assert_eq!(listed, json!([kept]));
    assert_eq!((&kept["state"], &kept["code"]), (&json!("open"), &json!(false)));
    assert_problem(&too_high, 403, "role_required");
    assert_problem(&known, 409, "email_taken");
    let path = format!("/v1/invitations/{}", kept["id"].as_str().unwrap());
    assert_eq!(call.delete(&path).await.status.as_u16(), 204);
    assert_problem(&call.delete(&path).await, 404, "not_found");
    let page = Browser::new(&site).open(link.strip_prefix("https://assay.example").unwrap()).await;
    assert_eq!(page.status.as_u16(), 410);
}

#[tokio::test]
async fn a_publisher_or_project_admin_cannot_see_or_end_server_invitations() {
    let (site, application) = shops().await;
    let owner = token_with(&site, &application, RoleGrant::OWNER).await;
    let publisher = token_with(&site, &application, grant(Role::Publisher, None)).await;
    let admin = token_with(&site, &application, grant(Role::Admin, Some("1000"))).await;
    let wanted = json!({"email": "cleo@example.com", "role": "viewer"});
    let made = Call { site: &site, token: &owner }.post("/v1/invitations", &wanted).await.json();
    let path = format!("/v1/invitations/{}", made["id"].as_str().unwrap());

    let publisher = Call { site: &site, token: &publisher };
    assert_problem(&publisher.get("/v1/invitations").await, 403, "role_required");
    assert_problem(&publisher.delete(&path).await, 403, "role_required");
    assert_problem(&publisher.post("/v1/invitations", &wanted).await, 403, "role_required");
    let admin = Call { site: &site, token: &admin };
    assert_eq!(admin.get("/v1/invitations").await.json(), json!([]));
    assert_problem(&admin.delete(&path).await, 404, "not_found");
    assert_problem(&admin.post("/v1/invitations", &wanted).await, 403, "role_required");
}

#[tokio::test]
async fn an_admin_of_one_project_sees_who_is_invited_there_and_nowhere_else() {
    let (site, application) = shops().await;
    let owner = token_with(&site, &application, RoleGrant::OWNER).await;
    let admin = token_with(&site, &application, grant(Role::Admin, Some("1000"))).await;
    let (owner, admin) = (Call { site: &site, token: &owner }, Call { site: &site, token: &admin });
    let invite = async |email: &str, project: &str| {
        let wanted = json!({"email": email, "role": "viewer", "project": project});
        owner.post("/v1/invitations", &wanted).await.json()
    };
    invite("cleo@example.com", "1000").await;
    let foreign = invite("dora@example.com", "2000").await;

    let (seen, all) = (admin.get("/v1/invitations").await, owner.get("/v1/invitations").await);

    assert_eq!((seen.header("x-total-count"), all.header("x-total-count")), ("1", "2"));
    assert_eq!(seen.json()[0]["email"], "cleo@example.com");
    let path = format!("/v1/invitations/{}", foreign["id"].as_str().unwrap());
    assert_problem(&admin.delete(&path).await, 404, "not_found");
}

#[tokio::test]
async fn an_operator_invites_at_the_terminal() {
    let (site, _) = shops().await;
    let invite = ["member", "invite", "cleo@example.com", "--role", "editor", "--project", "1000"];
    let address = ["--public-url", "https://assay.example"];

    let made = site.command_json(&[&invite[..], &address].concat());
    let listed = site.command_json(&["member", "invitations"]);
    let id = made["id"].as_str().unwrap();
    let revoked = site.command_json(&["member", "revoke-invitation", id]);
    let again = site.command(&["member", "revoke-invitation", id]);

    let link = made["link"].as_str().unwrap();
    assert!(link.starts_with("https://assay.example/invitation?token=assay_in_"), "{link}");
    assert_eq!((&listed[0]["id"], &listed[0]["state"]), (&made["id"], &json!("open")));
    assert_eq!(listed[0]["made_by"], "command line");
    assert_eq!(revoked, json!({"id": id, "state": "revoked"}));
    assert_eq!(again.status.code(), Some(1), "{again:?}");
    assert_eq!(site.command_json(&["member", "invitations"]), json!([]));
}

#[tokio::test]
async fn no_new_address_looks_like_that_of_another_member() {
    let (site, application) = shops().await;
    let owner = token_with(&site, &application, RoleGrant::OWNER).await;
    let owner = Call { site: &site, token: &owner };

    for email in [
        "owner\u{200b}@example.com",
        "\u{202e}owner@example.com",
        "owner@exa\u{ad}mple.com",
        "owner@example\u{2024}com",
    ] {
        for path in ["/v1/invitations", "/v1/members"] {
            let refused = owner.post(path, &json!({"email": email, "role": "viewer"})).await;
            assert_problem(&refused, 422, "invalid");
            assert_eq!(refused.json()["errors"][0]["pointer"], "#/email", "{refused:?}");
        }
    }
    let wanted = json!({"email": "andré@bücher.example", "role": "viewer"});
    assert_eq!(owner.post("/v1/members", &wanted).await.status.as_u16(), 201);
}

#[tokio::test]
async fn an_admin_of_one_project_leaves_room_for_the_invitations_of_others() {
    let (site, application) = shops().await;
    let owner = token_with(&site, &application, RoleGrant::OWNER).await;
    let admin = token_with(&site, &application, grant(Role::Admin, Some("1000"))).await;
    let (owner, admin) = (Call { site: &site, token: &owner }, Call { site: &site, token: &admin });
    let invite = async |call: &Call<'_>, number: i64| {
        let email = format!("person{number}@example.com");
        let wanted = json!({"email": email, "role": "viewer", "project": "1000"});
        call.post("/v1/invitations", &wanted).await
    };
    for number in 0..INVITATIONS_TO_PROJECT_AT_MOST {
        assert_eq!(invite(&admin, number).await.status.as_u16(), 201);
    }

    let refused = invite(&admin, 99).await;

    assert_problem(&refused, 409, "too_many_invitations");
    assert!(refused.body.contains("50 people are invited to this project already"), "{refused:?}");
    assert_eq!(invite(&owner, 99).await.status.as_u16(), 201);
}
