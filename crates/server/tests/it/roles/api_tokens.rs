//! API tokens over HTTP: what they open, who may make and remove them, and what ends them.

use app::roles::{ActingMember, Actor};
use app::tokens::{AddApiTokenError, Expiry, NewToken, TokenFor, add_api_token};
use oauth::ScopeSet;
use serde_json::{Value, json};
use storage::{ActingCredential, Role, RoleGrant, StorageError};

use super::{Call, assert_problem, grant, member_with, shops, token_of, token_with};
use crate::browser::Browser;
use crate::oauth::token_call::{Tokens, by_form, exchange, fetch_tokens};

fn personal(scopes: &[&str]) -> Value {
    json!({"name": "laptop", "scopes": scopes})
}

fn service(role: &str, scopes: &[&str]) -> Value {
    json!({"name": "deploy", "scopes": scopes, "service": {"roles": [{"role": role, "project": "1000"}]}})
}

/// The text and the id of a token that is made.
async fn made(call: &Call<'_>, body: &Value) -> (String, String) {
    let answer = call.post("/v1/tokens", body).await;
    assert_eq!(answer.status.as_u16(), 201, "{answer:?}");
    let text = |field: &str| answer.json()[field].as_str().unwrap().to_owned();
    (text("token"), text("id"))
}

async fn status(call: &Call<'_>, path: &str) -> u16 {
    call.get(path).await.status.as_u16()
}

#[tokio::test]
async fn a_personal_token_acts_for_its_member_within_its_scopes() {
    let (site, application) = shops().await;
    let editor = token_with(&site, &application, grant(Role::Editor, Some("1000"))).await;
    let call = Call { site: &site, token: &editor };

    let (token, id) = made(&call, &personal(&["config:read"])).await;

    assert!(token.starts_with("assay_pat_"));
    let by_token = Call { site: &site, token: &token };
    let me = by_token.get("/v1/me").await.json();
    assert_eq!(
        (&me["email"], &me["scopes"]),
        (&json!("editor1000@example.com"), &json!(["config:read"]))
    );
    assert_eq!(me["client_id"], format!("token.{id}"));
    assert_eq!(status(&by_token, "/v1/projects/1000").await, 200);
    assert_eq!(status(&by_token, "/v1/projects/2000").await, 403);
    let change = by_token.patch("/v1/projects/1000", None, &json!({"name": "X"})).await;
    assert_eq!(change.status.as_u16(), 403);
    let listed = call.get("/v1/tokens").await.json();
    assert_eq!((listed.as_array().unwrap().len(), &listed[0]["id"]), (1, &json!(id)));
    assert!(listed[0]["last_used_at"].is_string() && listed[0].get("token").is_none());

    assert_eq!(call.delete(&format!("/v1/tokens/{id}")).await.status.as_u16(), 204);
    assert_eq!(status(&by_token, "/v1/me").await, 401);
}

#[tokio::test]
async fn a_service_acts_with_its_own_roles() {
    let (site, application) = shops().await;
    let owner = token_with(&site, &application, RoleGrant::OWNER).await;
    let call = Call { site: &site, token: &owner };

    let (token, _) = made(&call, &service("admin", &["config:read", "members:write"])).await;

    assert!(token.starts_with("assay_svc_"));
    let by_token = Call { site: &site, token: &token };
    assert_eq!(by_token.get("/v1/me").await.json()["email"], "deploy in 1000");
    assert_eq!(status(&by_token, "/v1/projects/1000").await, 200);
    assert_eq!(status(&by_token, "/v1/projects/2000").await, 403);
    let same_name = call.post("/v1/tokens", &service("viewer", &["config:read"])).await;
    assert_eq!(
        (same_name.status.as_u16(), same_name.json()["code"].clone()),
        (409, json!("name_taken"))
    );
    for own in ["seed", "Project file", "SCHEDULE", "demo", "command line"] {
        let mut body = service("viewer", &["config:read"]);
        body["name"] = own.into();
        let refused = call.post("/v1/tokens", &body).await;
        assert_eq!(refused.json()["errors"][0]["pointer"], "#/name", "{own}: {refused:?}");
        body.as_object_mut().unwrap().remove("service");
        assert_eq!(call.post("/v1/tokens", &body).await.status.as_u16(), 201, "a member's own");
    }
    let members = call.get("/v1/members").await.json();
    assert!(members.as_array().unwrap().iter().all(|one| one["email"] != "deploy in 1000"));
}

#[tokio::test]
async fn a_token_makes_none_that_may_do_more_than_itself() {
    let (site, application) = shops().await;
    let admin = token_with(&site, &application, grant(Role::Admin, Some("1000"))).await;
    let call = Call { site: &site, token: &admin };
    let scopes = "members:write config:read";
    let narrow = fetch_tokens(&site, &application, scopes).await;
    let by_narrow = Call { site: &site, token: &narrow.access };
    let on_the_server =
        json!({"name": "x", "scopes": ["config:read"], "service": {"roles": [{"role": "viewer"}]}});

    for (call, body, code) in [
        (&by_narrow, personal(&["config:write"]), "insufficient_scope"),
        (&by_narrow, service("viewer", &["publish"]), "insufficient_scope"),
        (&call, service("owner", &["config:read"]), "role_required"),
        (&call, on_the_server, "role_required"),
    ] {
        let refused = call.post("/v1/tokens", &body).await;
        assert_problem(&refused, 403, code);
    }
    made(&call, &service("viewer", &["config:read"])).await;
    made(&by_narrow, &personal(&["config:read"])).await;
}

#[tokio::test]
async fn an_api_token_makes_none_that_would_outlive_it() {
    let (site, application) = shops().await;
    let owner = token_with(&site, &application, RoleGrant::OWNER).await;
    let call = Call { site: &site, token: &owner };
    let (of_member, _) = made(&call, &personal(&["members:write", "config:read"])).await;
    let (of_service, _) = made(&call, &service("admin", &["members:write", "config:read"])).await;

    for token in [of_member, of_service] {
        let by_token = Call { site: &site, token: &token };
        let refused = by_token.post("/v1/tokens", &personal(&["config:read"])).await;
        assert_problem(&refused, 403, "members_only");
    }
}

#[tokio::test]
async fn a_member_neither_sees_nor_removes_tokens_of_others_and_an_admin_does() {
    let (site, application) = shops().await;
    let owner = token_with(&site, &application, RoleGrant::OWNER).await;
    let viewer = token_with(&site, &application, grant(Role::Viewer, None)).await;
    let (owner, viewer) =
        (Call { site: &site, token: &owner }, Call { site: &site, token: &viewer });
    let (_, of_owner) = made(&owner, &personal(&["config:read"])).await;
    let (_, of_viewer) = made(&viewer, &personal(&["config:read"])).await;

    assert_eq!(viewer.get("/v1/tokens").await.json().as_array().unwrap().len(), 1);
    let refused = viewer.delete(&format!("/v1/tokens/{of_owner}")).await;

    assert_eq!(refused.status.as_u16(), 404);
    assert_eq!(owner.get("/v1/tokens").await.json().as_array().unwrap().len(), 2);
    let removed = owner.delete(&format!("/v1/tokens/{of_viewer}")).await;
    assert_eq!(removed.status.as_u16(), 204);
}

#[tokio::test]
async fn an_application_makes_tokens_only_if_it_may_manage_members_and_ends_none_that_may_more() {
    let (site, application) = shops().await;
    let viewer = member_with(&site, "ann@example.com", grant(Role::Viewer, None)).await;
    let through = async |scope| {
        let code = Browser::new(&site).fetch_code(&viewer, &application, &[("scope", scope)]).await;
        Tokens::of(&by_form(&site, &exchange(&application, &code)).await).access
    };
    let (reading, managing) =
        (through("config:read").await, through("config:read members:write").await);
    let everything = through("all").await;
    let reading = Call { site: &site, token: &reading };
    let call = Call { site: &site, token: &managing };
    let (narrow, id) = made(&call, &personal(&["config:read"])).await;
    let by_everything = Call { site: &site, token: &everything };
    let (_, wide) = made(&by_everything, &personal(&["publish"])).await;
    let by_narrow = Call { site: &site, token: &narrow };

    for refused in [
        reading.post("/v1/tokens", &personal(&["config:read"])).await,
        call.post("/v1/tokens", &personal(&["publish"])).await,
        reading.post("/v1/tokens", &service("viewer", &["config:read"])).await,
        by_narrow.delete(&format!("/v1/tokens/{wide}")).await,
    ] {
        assert_problem(&refused, 403, "insufficient_scope");
    }

    assert_eq!(by_narrow.get("/v1/tokens").await.json().as_array().unwrap().len(), 2);
    assert_eq!(by_narrow.delete(&format!("/v1/tokens/{id}")).await.status.as_u16(), 204);
    assert_eq!(status(&by_narrow, "/v1/me").await, 401);
    assert_eq!(by_everything.delete(&format!("/v1/tokens/{wide}")).await.status.as_u16(), 204);
}

#[tokio::test]
async fn a_token_expires_at_the_moment_that_its_maker_names() {
    let (site, application) = shops().await;
    let owner = token_with(&site, &application, RoleGrant::OWNER).await;
    let call = Call { site: &site, token: &owner };
    let until = |moment| json!({"name": "a", "scopes": ["publish"], "expires_at": moment});

    let made = call.post("/v1/tokens", &until("2027-01-31T12:00:00+01:00")).await;
    let too_late = call.post("/v1/tokens", &until("2028-02-01T00:00:00Z")).await;

    assert_eq!(made.json()["expires_at"], "2027-01-31T11:00:00Z", "{made:?}");
    assert_eq!(
        too_late.json()["errors"][0]["detail"],
        "a token expires between `2027-01-15T08:01:00Z` and `2028-01-16T08:00:00Z`"
    );
}

#[tokio::test]
async fn the_tokens_of_a_removed_member_open_nothing_from_the_next_request_on() {
    let (site, application) = shops().await;
    let owner = token_with(&site, &application, RoleGrant::OWNER).await;
    let admin = token_with(&site, &application, grant(Role::Admin, None)).await;
    let by_owner = Call { site: &site, token: &owner };
    let by_admin = Call { site: &site, token: &admin };
    let (of_member, _) = made(&by_admin, &personal(&["config:read"])).await;
    let (of_service, _) = made(&by_admin, &service("viewer", &["config:read"])).await;
    let tokens = [&admin, &of_member, &of_service];
    let calls = tokens.map(|token| Call { site: &site, token });
    for call in &calls {
        assert_eq!(status(call, "/v1/projects").await, 200);
    }

    let path = by_owner.path_of("admin@example.com").await;
    assert_eq!(by_owner.delete(&path).await.status.as_u16(), 204);

    for (call, expected) in calls.iter().zip([401, 401, 200]) {
        assert_eq!(status(call, "/v1/projects").await, expected);
    }
}

#[tokio::test]
async fn a_request_that_was_overtaken_by_the_end_of_its_token_makes_none() {
    let (site, application) = shops().await;
    let owner = token_with(&site, &application, RoleGrant::OWNER).await;
    let call = Call { site: &site, token: &owner };
    let me = call.get("/v1/me").await.json();
    let checked = Actor::Member(ActingMember {
        id: me["id"].as_str().unwrap().parse().unwrap(),
        through: None,
        credential: oauth::hash(&owner).map(ActingCredential::AccessToken),
        address: None,
        request_id: String::new(),
    });
    let scope = ScopeSet::parse("config:read").ok();
    let new = || NewToken {
        name: "late".to_owned(),
        scope,
        expiry: Expiry::Usual,
        holder: TokenFor::Actor,
    };
    let in_time = add_api_token(&site.app, &checked, new()).await;

    let path = format!("{}/actions", call.path_of("owner@example.com").await);
    assert_eq!(call.post(&path, &json!({"action": "reset_password"})).await.status.as_u16(), 200);
    let too_late = add_api_token(&site.app, &checked, new()).await;

    assert!(in_time.is_ok());
    assert!(
        matches!(too_late, Err(AddApiTokenError::Storage(StorageError::SignedOut))),
        "{too_late:?}"
    );
}

#[tokio::test]
async fn the_list_tells_what_a_service_may_do_and_where() {
    let (site, application) = shops().await;
    let owner = token_with(&site, &application, RoleGrant::OWNER).await;
    let call = Call { site: &site, token: &owner };
    let roles = json!([{"role": "viewer"}, {"role": "editor", "project": "1000", "code": true}]);
    let wanted = json!({"name": "ci", "scopes": ["publish"], "service": {"roles": roles}});

    let added = call.post("/v1/tokens", &wanted).await.json();
    made(&call, &personal(&["config:read"])).await;
    let listed = call.get("/v1/tokens").await.json();

    let expected = json!({"roles": [
        {"role": "viewer", "project": null, "code": false},
        {"role": "editor", "project": "1000", "code": true},
    ]});
    assert_eq!(added["service"], expected);
    let of = |kind: &str| {
        let listed = listed.as_array().unwrap().iter();
        listed
            .filter(|one| one["kind"] == kind)
            .map(|one| one["service"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!((of("service"), of("personal")), (vec![expected], vec![Value::Null]));
}

/// The names and roles of the services in a list, as the caller sees them.
async fn services(call: &Call<'_>) -> Vec<(String, Value)> {
    let listed = call.get("/v1/tokens").await.json();
    let services = listed.as_array().unwrap().iter().filter(|one| one["kind"] == "service");
    services
        .map(|one| (one["name"].as_str().unwrap().to_owned(), one["service"]["roles"].clone()))
        .collect()
}

#[tokio::test]
async fn a_service_of_a_removed_admin_is_seen_and_ended_by_the_other_admins_of_its_project() {
    let (site, application) = shops().await;
    let owner = token_with(&site, &application, RoleGrant::OWNER).await;
    let eve = token_with(&site, &application, grant(Role::Admin, Some("1000"))).await;
    let ada = member_with(&site, "ada@example.com", grant(Role::Admin, Some("1000"))).await;
    let ada = token_of(&site, &application, &ada).await;
    let editor = token_with(&site, &application, grant(Role::Editor, Some("1000"))).await;
    let elsewhere = token_with(&site, &application, grant(Role::Admin, Some("2000"))).await;
    let [owner, eve, ada, editor, elsewhere] =
        [&owner, &eve, &ada, &editor, &elsewhere].map(|token| Call { site: &site, token });
    let (left_behind, id) = made(&eve, &service("admin", &["members:write"])).await;
    let left_behind = Call { site: &site, token: &left_behind };
    let gone = owner.delete(&owner.path_of("admin1000@example.com").await).await;
    assert_eq!((gone.status.as_u16(), status(&left_behind, "/v1/members").await), (204, 200));

    let path = format!("/v1/tokens/{id}");
    let roles = json!([{"role": "admin", "project": "1000", "code": true}]);
    assert_eq!(services(&ada).await, [("deploy".to_owned(), roles)]);
    for stranger in [&editor, &elsewhere] {
        assert_eq!(services(stranger).await, []);
        assert_eq!(stranger.delete(&path).await.status.as_u16(), 404);
    }
    assert_eq!(ada.delete(&path).await.status.as_u16(), 204);

    assert_eq!(services(&ada).await, []);
    assert_eq!(status(&left_behind, "/v1/members").await, 401);
}

#[tokio::test]
async fn an_admin_of_one_project_sees_their_part_of_a_service_and_ends_it_only_with_the_right_to_all()
 {
    let (site, application) = shops().await;
    let owner = token_with(&site, &application, RoleGrant::OWNER).await;
    let admin = token_with(&site, &application, grant(Role::Admin, Some("1000"))).await;
    let (owner, admin) = (Call { site: &site, token: &owner }, Call { site: &site, token: &admin });
    let roles =
        |roles: Value| json!({"name": "x", "scopes": ["config:read"], "service": {"roles": roles}});
    let here = json!({"role": "editor", "project": "1000", "code": false});
    let there = json!({"role": "viewer", "project": "2000", "code": false});
    let owning = json!({"role": "owner", "project": "1000", "code": true});
    let everywhere = json!({"role": "viewer", "project": null, "code": false});
    let mut ids = Vec::new();
    for all in [json!([here, there]), json!([owning]), json!([everywhere]), json!([there])] {
        ids.push(made(&owner, &roles(all)).await.1);
    }

    let mut seen: Vec<_> = services(&admin).await.into_iter().map(|(_, roles)| roles).collect();
    seen.sort_by_key(Value::to_string);
    assert_eq!(seen, [json!([here]), json!([owning]), json!([everywhere])]);
    assert_eq!(admin.get("/v1/tokens").await.header("x-total-count"), "3");
    let path = |id: &str| format!("/v1/tokens/{id}");
    for above in &ids[..3] {
        assert_problem(&admin.delete(&path(above)).await, 403, "role_required");
    }
    assert_problem(&admin.delete(&path(&ids[3])).await, 404, "not_found");

    let grants = json!({"grants": [{"role": "admin", "project": "1000"}, {"role": "admin", "project": "2000"}]});
    let member = owner.path_of("admin1000@example.com").await;
    assert_eq!(owner.patch(&member, Some("*"), &grants).await.status.as_u16(), 200);
    assert_eq!(admin.delete(&path(&ids[0])).await.status.as_u16(), 204);
}

#[tokio::test]
async fn an_admin_of_one_project_ends_the_reach_of_a_service_into_it_alone() {
    let (site, application) = shops().await;
    let owner = token_with(&site, &application, RoleGrant::OWNER).await;
    let admin = token_with(&site, &application, grant(Role::Admin, Some("1000"))).await;
    let editor = token_with(&site, &application, grant(Role::Editor, Some("1000"))).await;
    let [owner, admin, editor] = [&owner, &admin, &editor].map(|token| Call { site: &site, token });
    let service = |name: &str, roles: Value| {
        let scopes = ["config:read", "config:write", "results:read"];
        json!({"name": name, "scopes": scopes, "service": {"roles": roles}})
    };
    let here = json!({"role": "editor", "project": "1000"});
    let there = json!({"role": "viewer", "project": "2000"});
    let (token, id) = made(&owner, &service("deploy", json!([here, there]))).await;
    let program = Call { site: &site, token: &token };
    let owning = json!([{"role": "owner", "project": "1000"}, there]);
    let (_, of_owner) = made(&owner, &service("owning", owning)).await;
    let (_, everywhere) = made(&owner, &service("reports", json!([{"role": "viewer"}]))).await;
    let reaches = async || {
        [status(&program, "/v1/projects/1000").await, status(&program, "/v1/projects/2000").await]
    };
    assert_eq!(reaches().await, [200, 200]);
    let results = json!({"campaign": "hero"});
    let link = program.post("/v1/projects/1000/results-links", &results).await.json();
    let link = link["link"].as_str().unwrap().strip_prefix("https://assay.example").unwrap();
    let shows_results = async || Browser::new(&site).open(link).await.status.as_u16();
    assert_eq!(shows_results().await, 200);
    let path = |id: &str, project: &str| format!("/v1/tokens/{id}/roles/{project}");

    assert_problem(&editor.delete(&path(&id, "1000")).await, 404, "not_found");
    for (id, project) in [(&id, "2000"), (&everywhere, "1000"), (&id, "shop"), (&id, "3000")] {
        assert_problem(&admin.delete(&path(id, project)).await, 404, "not_found");
    }
    assert_problem(&admin.delete(&path(&of_owner, "1000")).await, 403, "role_required");
    assert_eq!(reaches().await, [200, 200]);
    assert_eq!(admin.delete(&path(&id, "1000")).await.status.as_u16(), 204);

    assert_problem(&admin.delete(&path(&id, "1000")).await, 404, "not_found");
    assert_eq!(reaches().await, [403, 200]);
    assert_ne!(shows_results().await, 200, "its links end as its rights do");
    let entry = owner.get("/v1/audit?per_page=1").await.json()[0].clone();
    let detail = format!("deploy ({id}): editor in 1000");
    assert_eq!(
        (&entry["event"], &entry["detail"]),
        (&json!("api_token.role_withdrawn"), &json!(detail))
    );
    assert_eq!(entry["member"]["email"], "admin1000@example.com");
    assert_eq!(owner.delete(&path(&id, "2000")).await.status.as_u16(), 204);
    assert_eq!(reaches().await, [401, 401], "the token goes with the last role");
}

#[tokio::test]
async fn admins_of_two_projects_name_their_services_alike_and_learn_nothing_of_each_other() {
    let (site, application) = shops().await;
    let [here, there] = ["1000", "2000"].map(|id| grant(Role::Admin, Some(id)));
    let here = token_with(&site, &application, here).await;
    let there = token_with(&site, &application, there).await;
    let deploy = |project: &str| {
        let roles = json!([{"role": "editor", "project": project}]);
        json!({"name": "deploy", "scopes": ["config:write"], "service": {"roles": roles}})
    };
    let (here, there) = (Call { site: &site, token: &here }, Call { site: &site, token: &there });

    let (near, _) = made(&here, &deploy("1000")).await;
    let (far, _) = made(&there, &deploy("2000")).await;
    let again = here.post("/v1/tokens", &deploy("1000")).await;

    for (token, signed) in [(near, "deploy in 1000"), (far, "deploy in 2000")] {
        let me = Call { site: &site, token: &token }.get("/v1/me").await.json();
        assert_eq!(me["email"], signed);
    }
    assert_problem(&again, 409, "name_taken");
}

#[tokio::test]
async fn tokens_are_listed_page_by_page() {
    let (site, application) = shops().await;
    let owner = token_with(&site, &application, RoleGrant::OWNER).await;
    let call = Call { site: &site, token: &owner };
    for _ in 0..3 {
        made(&call, &personal(&["config:read"])).await;
    }

    let page = call.get("/v1/tokens?page=2&per_page=2").await;

    assert_eq!(page.json().as_array().unwrap().len(), 1);
    assert_eq!(page.header("x-total-count"), "3");
    let previous = "<https://assay.example/v1/tokens?page=1&per_page=2>; rel=\"prev\"";
    assert!(page.header("link").contains(previous), "{}", page.header("link"));
}

#[tokio::test]
async fn what_is_wrong_with_a_token_is_told_with_its_place() {
    let (site, application) = shops().await;
    let owner = token_with(&site, &application, RoleGrant::OWNER).await;
    let call = Call { site: &site, token: &owner };

    for (body, pointer) in [
        (json!({"name": " ", "scopes": ["publish"]}), "/name"),
        (json!({"name": "ann@example.com", "scopes": ["publish"]}), "/name"),
        (json!({"name": "a", "scopes": []}), "/scopes"),
        (json!({"name": "a", "scopes": ["root"]}), "/scopes/0"),
        (json!({"name": "a", "scopes": ["publish"], "expires_in": 59}), "/expires_in"),
        (json!({"name": "a", "scopes": ["publish"], "expires_in": 40_000_000}), "/expires_in"),
        (json!({"name": "a", "scopes": ["publish"], "expires_at": "tomorrow"}), "/expires_at"),
        (
            json!({"name": "a", "scopes": ["publish"], "expires_at": "2001-01-31T12:00:00Z"}),
            "/expires_at",
        ),
        (
            json!({"name": "a", "scopes": ["publish"], "expires_at": "2999-01-31T12:00:00Z"}),
            "/expires_at",
        ),
        (
            json!({"name": "a", "scopes": ["publish"], "expires_in": 60, "expires_at": "2027-01-31T12:00:00Z"}),
            "/expires_at",
        ),
        (json!({"name": "a", "scopes": ["publish"], "service": {"roles": []}}), "/service/roles"),
        (
            json!({"name": "a", "scopes": ["publish"], "service": {"roles": [{"role": "viewer", "project": "9"}]}}),
            "/service/roles/0/project",
        ),
    ] {
        let refused = call.post("/v1/tokens", &body).await;
        assert_eq!(refused.status.as_u16(), 422, "{body} {refused:?}");
        assert_eq!(refused.json()["errors"][0]["pointer"], format!("#{pointer}"), "{body}");
    }
}
