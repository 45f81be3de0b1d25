//! What members may do: each role against each operation, over HTTP, in the console and by command.

mod api_tokens;
mod applications;
mod commands;
mod console;
mod described;
mod invitations;
mod members;
mod problems;
mod refusals;
mod results_links;
mod services;

use app::members::add_member;
use app::roles::Actor;
use axum::body::Body;
use axum::http::{Method, Request};
use secrecy::ExposeSecret as _;
use serde_json::Value;
use storage::{Role, RoleGrant};

use crate::browser::Browser;
use crate::oauth::token_call::{Tokens, by_form, exchange};
use crate::shop::{publish_text, shop_with};
use crate::site::{Answer, Application, Member, Site};

/// A site with two live projects, 1000 and 2000, and an application.
async fn shops() -> (Site, Application) {
    let site = Site::start();
    let shop = shop_with("snippet: {preview: true}").replace("not_started", "running");
    publish_text(&site, &shop).await;
    publish_text(&site, &shop.replace("\"1000\", key: shop", "\"2000\", key: other")).await;
    let application = site.application().await;
    (site, application)
}

fn grant(role: Role, project: Option<&str>) -> RoleGrant {
    let project = project.map(|project| project.parse().unwrap());
    RoleGrant { project, role, is_code_allowed: role >= Role::Admin }
}

async fn member_with(site: &Site, email: &str, grant: RoleGrant) -> Member {
    let added = add_member(&site.app, &Actor::Command, email, grant).await.unwrap();
    Member { email: added.email, password: added.password.expose_secret().to_owned() }
}

/// An access token for everything in the name of a member.
async fn token_of(site: &Site, application: &Application, member: &Member) -> String {
    let code = Browser::new(site).fetch_code(member, application, &[("scope", "all")]).await;
    Tokens::of(&by_form(site, &exchange(application, &code)).await).access
}

/// The token of a new member with this role.
async fn token_with(site: &Site, application: &Application, grant: RoleGrant) -> String {
    let place = grant.project.map(|project| project.to_string()).unwrap_or_default();
    let email = format!("{}{place}@example.com", grant.role.as_str());
    token_of(site, application, &member_with(site, &email, grant).await).await
}

/// A request with a token, perhaps with a body and the tag of what it changes.
struct Call<'a> {
    site: &'a Site,
    token: &'a str,
}

impl Call<'_> {
    async fn get(&self, path: &str) -> Answer {
        self.site.get_as(path, self.token).await
    }

    async fn post(&self, path: &str, body: &Value) -> Answer {
        self.send(Method::POST, path, None, Some(body)).await
    }

    async fn patch(&self, path: &str, tag: Option<&str>, body: &Value) -> Answer {
        self.send(Method::PATCH, path, tag, Some(body)).await
    }

    async fn delete(&self, path: &str) -> Answer {
        self.send(Method::DELETE, path, None, None).await
    }

    async fn send(
        &self,
        method: Method,
        path: &str,
        tag: Option<&str>,
        body: Option<&Value>,
    ) -> Answer {
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header("authorization", format!("Bearer {}", self.token));
        if let Some(tag) = tag {
            request = request.header("if-match", tag);
        }
        if body.is_some() {
            request = request.header("content-type", "application/json");
        }
        let body = body.map(Value::to_string).unwrap_or_default();
        self.site.send(request.body(Body::from(body)).unwrap()).await
    }

    /// Where the member with this address is.
    async fn path_of(&self, email: &str) -> String {
        let members = self.get("/v1/members").await.json();
        let found = members.as_array().unwrap().iter().find(|member| member["email"] == email);
        format!("/v1/members/{}", found.unwrap()["id"].as_str().unwrap())
    }
}

#[track_caller]
fn assert_problem(answer: &Answer, status: u16, code: &str) {
    assert_eq!(answer.status.as_u16(), status, "{answer:?}");
    assert_eq!(answer.header("content-type"), "application/problem+json");
    assert_eq!(answer.json()["code"], code, "{answer:?}");
}
