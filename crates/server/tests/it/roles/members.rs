//! `/v1/members`.

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};
use storage::{Role, RoleGrant};

use super::{Call, assert_problem, grant, member_with, shops, token_of, token_with};
use crate::browser::Browser;
use crate::site::{Application, Member, Site};

async fn owner(site: &Site, application: &Application) -> String {
    token_with(site, application, RoleGrant::OWNER).await
}

#[tokio::test]
async fn an_owner_adds_a_member_who_chooses_a_password_at_the_first_sign_in() {
    let (site, application) = shops().await;
    let token = owner(&site, &application).await;
    let call = Call { site: &site, token: &token };
    let bob =
        json!({"email": " Bob@example.com", "role": "editor", "project": "1000", "code": true});

    let added = call.post("/v1/members", &bob).await;

    assert_eq!((added.status.as_u16(), added.header("cache-control")), (201, "no-store"));
    let shown = added.json();
    let path = call.path_of("bob@example.com").await;
    assert_eq!(added.header("location"), format!("https://assay.example{path}"));
    let role = json!({"role": "editor", "project": "1000", "code": true});
    assert_eq!((&shown["email"], &shown["grants"]), (&json!("bob@example.com"), &json!([role])));
    let password = shown["password"].as_str().unwrap().to_owned();
    let bob = Member { email: "bob@example.com".to_owned(), password };
    let bob = Browser::new(&site).sign_in_first(&bob).await;
    assert!(!token_of(&site, &application, &bob).await.is_empty());
    let listed = call.get("/v1/members?per_page=1").await;
    assert!(listed.header("link").contains("rel=\"next\""), "{listed:?}");
    let again =
        call.post("/v1/members", &json!({"email": "bob@example.com", "role": "viewer"})).await;
    assert_problem(&again, 409, "email_taken");
}

#[tokio::test]
async fn what_is_wrong_with_a_body_has_a_pointer() {
    let (site, application) = shops().await;
    let token = owner(&site, &application).await;
    let call = Call { site: &site, token: &token };
    let path = call.path_of("owner@example.com").await;
    let told = async |answer: crate::site::Answer| -> Vec<String> {
        assert_eq!(answer.status.as_u16(), 422, "{answer:?}");
        let body = answer.json();
        let errors = body["errors"].as_array().unwrap().iter();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        errors.map(|error| text(&error["pointer"]) + " " + &text(&error["detail"])).collect()
    };

    let typo = call.post("/v1/members", &json!({"email": "b", "role": "editr", "rolle": 1})).await;
    let unknown =
        call.post("/v1/members", &json!({"email": "b@c", "role": "viewer", "project": "9"})).await;
    let grants = json!([{"role": "owner"}, {"role": "viewer", "project": "9"}]);
    let patched = call.patch(&path, Some("*"), &json!({"grants": grants})).await;

    assert_eq!(
        told(typo).await,
        [
            "#/rolle unknown field `rolle`, expected one of `email`, `role`, `project`, `code`; did you mean `role`?",
            "#/role `editr` is not known here, expected one of `viewer`, `analyst`, `editor`, `publisher`, `admin`, `owner`; did you mean `editor`?",
        ]
    );
    let missing = "there is no project 9 on this server; publish it once, or give the role for the whole server";
    assert_eq!(told(unknown).await, [format!("#/project {missing}")]);
    assert_eq!(told(patched).await, [format!("#/grants/1/project {missing}")]);
}

#[tokio::test]
async fn roles_change_from_the_state_that_was_read() {
    let (site, application) = shops().await;
    let token = owner(&site, &application).await;
    let call = Call { site: &site, token: &token };
    let bob = member_with(&site, "bob@example.com", grant(Role::Viewer, None)).await;
    let path = call.path_of("bob@example.com").await;
    let first = call.get(&path).await.header("etag").to_owned();
    let publisher = json!({"grants": [{"role": "publisher", "project": "1000"}]});

    let without = call.patch(&path, None, &publisher).await;
    let changed = call.patch(&path, Some(&first), &publisher).await;
    let stale = call.patch(&path, Some(&first), &json!({"grants": []})).await;

    assert_problem(&without, 428, "precondition_required");
    assert_eq!(changed.status.as_u16(), 200, "{changed:?}");
    assert_problem(&stale, 412, "etag_mismatch");
    assert_eq!(stale.json()["current"], changed.json());
    assert_eq!(stale.header("etag"), changed.header("etag"));
    let bobs_token = token_of(&site, &application, &bob).await;
    let bobs = Call { site: &site, token: &bobs_token };
    let link = json!({"url": "https://shop.example/", "variations": ["a"]});
    let here = bobs.post("/v1/projects/1000/preview-links", &link).await;
    let there = bobs.post("/v1/projects/2000/preview-links", &link).await;
    assert_eq!((here.status.as_u16(), there.status.as_u16()), (201, 403));
}

#[tokio::test]
async fn an_admin_of_one_project_ends_no_session_token_or_consent_of_a_member() {
    let (site, application) = shops().await;
    let admin = token_with(&site, &application, grant(Role::Admin, Some("1000"))).await;
    let bob = member_with(&site, "bob@example.com", grant(Role::Editor, Some("2000"))).await;
    let browser = Browser::new(&site);
    browser.sign_in_at_home(&bob).await;
    let consented = token_of(&site, &application, &bob).await;
    let wanted = json!({"name": "laptop", "scopes": ["config:read"]});
    let made = Call { site: &site, token: &consented }.post("/v1/tokens", &wanted).await.json();
    let personal = made["token"].as_str().unwrap();
    let owner = owner(&site, &application).await;
    let path = Call { site: &site, token: &owner }.path_of("bob@example.com").await;
    let (here, there) = (
        json!({"role": "viewer", "project": "1000"}),
        json!({"role": "editor", "project": "2000"}),
    );
    let both = json!({"grants": [here, there]});
    let given = Call { site: &site, token: &owner }.patch(&path, Some("*"), &both).await;

    let raised = json!({"grants": [{"role": "admin", "project": "1000"}]});
    let raised = Call { site: &site, token: &admin }.patch(&path, Some("*"), &raised).await;

    assert_eq!((given.status.as_u16(), raised.status.as_u16()), (200, 200), "{raised:?}");
    assert_eq!(browser.open("/account").await.status.as_u16(), 200);
    for token in [&consented, personal] {
        let call = Call { site: &site, token };
        assert_eq!(call.get("/v1/projects/2000").await.status.as_u16(), 200);
        assert_eq!(call.get("/v1/projects/1000").await.status.as_u16(), 200);
    }
}

#[tokio::test]
async fn an_admin_of_one_project_sees_nothing_of_the_others() {
    let (site, application) = shops().await;
    let owner = owner(&site, &application).await;
    let owner = Call { site: &site, token: &owner };
    let admin = token_with(&site, &application, grant(Role::Admin, Some("1000"))).await;
    let admin = Call { site: &site, token: &admin };
    member_with(&site, "bob@example.com", grant(Role::Viewer, Some("1000"))).await;
    member_with(&site, "cem@example.com", grant(Role::Viewer, Some("2000"))).await;
    let [bob, cem] = ["bob@example.com", "cem@example.com"];
    let (bob, cem) = (owner.path_of(bob).await, owner.path_of(cem).await);
    let (here, there) = (
        json!({"role": "viewer", "project": "1000"}),
        json!({"role": "editor", "project": "2000"}),
    );
    owner.patch(&bob, Some("*"), &json!({"grants": [here, there]})).await;

    let listed = admin.get("/v1/members").await;
    let shown = admin.get(&bob).await;
    let hidden = admin.get(&cem).await;
    let none = json!({"grants": []});
    let withdrawn = admin.patch(&bob, Some(shown.header("etag")), &none).await;

    assert_eq!(listed.header("x-total-count"), "3");
    let members = listed.json();
    let emails: Vec<_> = members.as_array().unwrap().iter().map(|one| &one["email"]).collect();
    assert_eq!(emails, ["admin1000@example.com", "bob@example.com", "owner@example.com"]);
    assert!(!listed.body.contains("2000"), "{}", listed.body);
    let viewer = json!({"role": "viewer", "project": "1000", "code": false});
    assert_eq!(shown.json()["grants"], json!([viewer]));
    assert_problem(&hidden, 404, "not_found");
    assert_eq!((withdrawn.status.as_u16(), &withdrawn.json()["grants"]), (200, &json!([])));
    assert_problem(&admin.get(&bob).await, 404, "not_found");
    let editor = json!({"role": "editor", "project": "2000", "code": false});
    assert_eq!(owner.get(&bob).await.json()["grants"], json!([editor]));
    let wanted = json!({"email": "new@example.com", "role": "viewer", "project": "1000"});
    assert_problem(&admin.post("/v1/members", &wanted).await, 403, "role_required");
}

#[tokio::test]
async fn the_last_owner_is_neither_lowered_nor_removed() {
    let (site, application) = shops().await;
    let token = owner(&site, &application).await;
    let call = Call { site: &site, token: &token };
    let path = call.path_of("owner@example.com").await;

    let lowered = call.patch(&path, Some("*"), &json!({"grants": [{"role": "admin"}]})).await;
    let removed = call.delete(&path).await;

    assert_problem(&lowered, 409, "last_owner");
    assert_problem(&removed, 409, "last_owner");
    assert_eq!(call.get("/v1/members").await.status.as_u16(), 200);
}

#[tokio::test]
async fn a_lost_password_is_replaced_and_every_browser_signed_out() {
    let (site, application) = shops().await;
    let token = owner(&site, &application).await;
    let call = Call { site: &site, token: &token };
    let bob = member_with(&site, "bob@example.com", grant(Role::Viewer, None)).await;
    let browser = Browser::new(&site);
    browser.sign_in_at_home(&bob).await;
    assert_eq!(browser.open("/").await.status.as_u16(), 200);
    let path = call.path_of("bob@example.com").await + "/actions";

    let reset = call.post(&path, &json!({"action": "reset_password"})).await;
    let passkeys = call.post(&path, &json!({"action": "remove_passkeys"})).await;

    assert_eq!(reset.header("cache-control"), "no-store");
    assert_eq!(browser.open("/").await.location(), "/sign-in");
    let password = reset.json()["password"].as_str().unwrap().to_owned();
    Browser::new(&site).sign_in_first(&Member { password, ..bob }).await;
    assert_eq!(passkeys.json(), json!({"passkeys_removed": 0}));
    let log = call.get("/v1/audit?per_page=10").await.json();
    let changed =
        log.as_array().unwrap().iter().filter(|entry| entry["event"] == "password.changed");
    let [chosen, reset] = changed.collect::<Vec<_>>()[..] else { panic!("{log}") };
    assert_eq!(chosen["member"]["email"], "bob@example.com");
    assert_eq!(reset["member"]["email"], "owner@example.com");
    assert!(reset["detail"].as_str().unwrap().starts_with("member "), "{log}");
}

#[tokio::test]
async fn an_admin_sees_and_ends_the_applications_of_a_member() {
    let (site, application) = shops().await;
    let token = owner(&site, &application).await;
    let call = Call { site: &site, token: &token };
    let bob = member_with(&site, "bob@example.com", grant(Role::Viewer, None)).await;
    let of_bob = token_of(&site, &application, &bob).await;
    let path = call.path_of("bob@example.com").await + "/applications";
    let one = format!("{path}/{}", application.client_id);

    let listed = call.get(&path).await;
    let of_bob_before = site.get_as("/v1/projects", &of_bob).await;
    let ended = call.delete(&one).await;
    let again = call.delete(&one).await;

    assert_eq!(listed.json()[0]["client_id"], application.client_id, "{listed:?}");
    assert_eq!(listed.json()[0]["name"], "Reports");
    assert!(listed.header("link").contains("rel=\"last\""), "{listed:?}");
    assert_eq!(of_bob_before.status.as_u16(), 200);
    assert_eq!((ended.status.as_u16(), again.status.as_u16()), (204, 404));
    assert_eq!(site.get_as("/v1/projects", &of_bob).await.status.as_u16(), 401);
    assert_eq!(call.get(&path).await.json(), json!([]));
    let log = call.get("/v1/audit?per_page=1").await.json();
    assert_eq!(log[0]["event"], "application.disconnected");
    assert_eq!(log[0]["member"]["email"], "owner@example.com");
}

#[tokio::test]
async fn a_member_who_lost_their_role_is_not_given_an_earlier_answer_again() {
    let (site, application) = shops().await;
    let owner = owner(&site, &application).await;
    let owner = Call { site: &site, token: &owner };
    let editor = token_with(&site, &application, grant(Role::Editor, Some("1000"))).await;
    let mut answers = Vec::new();
    let path = owner.path_of("editor1000@example.com").await;
    let viewer = json!([{"role": "viewer", "project": "1000"}]);
    for grants in [None, Some(viewer), Some(json!([]))] {
        if let Some(grants) = grants {
            owner.patch(&path, Some("*"), &json!({"grants": grants})).await;
        }
        for project in ["1000", "key:shop"] {
            let request = Request::post(format!("/v1/projects/{project}/attributes"))
                .header("authorization", format!("Bearer {editor}"))
                .header("content-type", "application/json")
                .header("idempotency-key", project);
            let body = json!({"key": format!("of_{}", project.replace(':', "_"))}).to_string();
            let answer = site.send(request.body(Body::from(body)).unwrap()).await;
            answers.push((answer.status.as_u16(), answer.header("idempotent-replayed").to_owned()));
        }
    }

    let expected = [(201, ""), (201, ""), (201, "true"), (201, "true"), (403, ""), (404, "")];
    let answers: Vec<_> = answers.iter().map(|(status, again)| (*status, &**again)).collect();
    assert_eq!(answers, expected);
}
