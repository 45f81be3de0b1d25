//! Every role, in one project and on the whole server, against every operation.

use serde_json::{Value, json};
use storage::Role;

use super::{Call, assert_problem, grant, shops, token_with};

/// The least role that may do something in project 1000, if a role there is enough, and for the whole server.
struct Row {
    what: &'static str,
    path: &'static str,
    body: Option<Value>,
    in_project: Option<Role>,
    on_server: Role,
}

fn rows() -> Vec<Row> {
    let visit = || Some(json!({"visitor_id": "v", "url": "https://shop.example/"}));
    let link = || Some(json!({"url": "https://shop.example/", "variations": ["a"]}));
    let row =
        |what, path, body, in_project, on_server| Row { what, path, body, in_project, on_server };
    let (viewer, editor, admin) = (Role::Viewer, Role::Editor, Role::Admin);
    vec![
        row("explain", "/v1/projects/1000/decide", visit(), Some(viewer), viewer),
        row("explain another", "/v1/projects/2000/decide", visit(), None, viewer),
        row("preview", "/v1/projects/1000/preview-links", link(), Some(editor), editor),
        row("preview another", "/v1/projects/2000/preview-links", link(), None, editor),
        row("read the audit log", "/v1/audit", None, None, admin),
        row("list members", "/v1/members", None, Some(admin), admin),
        row("list applications", "/v1/applications", None, None, admin),
    ]
}

/// Tries one operation with a role.
async fn try_one(call: &Call<'_>, row: &Row, role: Role, project: Option<&str>) {
    let answer = match &row.body {
        Some(body) => call.post(row.path, body).await,
        None => call.get(row.path).await,
    };

    let needed = if project.is_some() { row.in_project } else { Some(row.on_server) };
    let is_allowed = needed.is_some_and(|needed| role >= needed);
    let told = format!("{} as {} in {project:?}: {answer:?}", row.what, role.as_str());
    assert_eq!(answer.status.is_success(), is_allowed, "{told}");
    if !is_allowed {
        assert_problem(&answer, 403, "role_required");
    }
}

#[tokio::test]
async fn each_role_opens_what_it_says_and_nothing_else() {
    let (site, application) = shops().await;
    let places = [(None, vec!["1000", "2000"]), (Some("1000"), vec!["1000"])];
    for (role, (project, readable)) in
        Role::ALL.into_iter().flat_map(|role| places.clone().map(|place| (role, place)))
    {
        let token = token_with(&site, &application, grant(role, project)).await;
        let call = Call { site: &site, token: &token };
        for row in rows() {
            try_one(&call, &row, role, project).await;
        }
        let listed = call.get("/v1/projects").await.json();
        let ids: Vec<_> =
            listed.as_array().unwrap().iter().map(|project| project["id"].clone()).collect();
        assert_eq!(ids, readable, "{}", role.as_str());
    }
}

#[tokio::test]
async fn a_refusal_says_what_it_takes_and_what_the_member_has() {
    let (site, application) = shops().await;
    let token = token_with(&site, &application, grant(Role::Viewer, Some("1000"))).await;
    let call = Call { site: &site, token: &token };

    let link = json!({"url": "https://shop.example/", "variations": ["a"]});
    let refused = call.post("/v1/projects/1000/preview-links", &link).await.json();
    let elsewhere = call.get("/v1/audit").await.json();

    assert_eq!(
        refused,
        json!({
            "type": "about:blank", "title": "Forbidden", "status": 403,
            "detail": "this needs the role `editor` or a higher one; the member is `viewer`",
            "code": "role_required",
            "needed": {"role": "editor", "code": false, "whole_server": false},
            "role": "viewer",
        })
    );
    assert_eq!(
        elsewhere["detail"],
        "this needs the role `admin` for the whole server or a higher one; the member has none"
    );
    assert_eq!(elsewhere["role"], Value::Null);
}

#[tokio::test]
async fn a_role_does_not_widen_a_token() {
    let (site, application) = shops().await;
    let tokens = crate::oauth::token_call::fetch_tokens(&site, &application, "config:read").await;
    let call = Call { site: &site, token: &tokens.access };

    for path in ["/v1/members", "/v1/applications", "/v1/audit"] {
        let answer = call.get(path).await;
        assert_eq!(answer.status.as_u16(), 403, "{path}");
        assert!(answer.header("www-authenticate").contains("insufficient_scope"), "{answer:?}");
    }
}
