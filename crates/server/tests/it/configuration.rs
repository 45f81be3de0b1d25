//! Programs create, change, publish and roll back what a project says.

mod actions;
mod addresses;
mod code_check;
mod conditions;
mod deleted_projects;
mod dictionaries;
mod documents;
mod draft_previews;
mod duplicates;
mod editing;
mod finding;
mod from_pages;
mod heavy_work;
mod phases;
mod publishing;
mod repeated;
mod resources;
mod running_projects;
mod shipping;
mod stamps;
mod trials;
mod webhooks;

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use serde_json::{Value, json};

use crate::browser::Browser;
use crate::oauth::token_call::{Tokens, by_form, exchange};
use crate::site::{Answer, Application, Member, Site};

/// A site, and a program of its owner.
struct Program {
    site: Site,
    token: String,
    member: Member,
}

/// The project of most stories.
const SHOP: &str = "/v1/projects/1000";

impl Program {
    async fn start() -> Self {
        let site = Site::start();
        let member = site.member().await;
        let mut program = Self { site, token: String::new(), member };
        program.token = program.token_for("all").await;
        program
    }

    /// A token that a new application gets from the owner.
    async fn token_for(&self, scope: &str) -> String {
        self.token_of(&self.site.application().await, scope).await
    }

    /// A token that an application gets from the owner.
    async fn token_of(&self, application: &Application, scope: &str) -> String {
        let Self { site, member, .. } = self;
        let code = Browser::new(site).fetch_code(member, application, &[("scope", scope)]).await;
        Tokens::of(&by_form(site, &exchange(application, &code)).await).access
    }

    /// The project `1000` is there, with a page.
    async fn with_shop() -> Self {
        let program = Self::start().await;
        let shop = json!({"id": "1000", "key": "shop", "name": "Shop"});
        assert_eq!(program.post("/v1/projects", shop).await.status, StatusCode::CREATED);
        let everywhere = json!({"id": "2001", "key": "home", "conditions": []});
        program.created("pages", everywhere).await;
        program
    }

    /// The same, with the campaign `3001`, which is not running yet.
    async fn with_hero() -> Self {
        let program = Self::with_shop().await;
        program.created("campaigns", hero("3001", "hero")).await;
        program
    }

    async fn send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: Body,
    ) -> Answer {
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header("authorization", format!("Bearer {}", self.token))
            .header("content-type", "application/json");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.site.send(request.body(body).unwrap()).await
    }

    async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, &[], Body::empty()).await
    }

    async fn post(&self, path: &str, body: Value) -> Answer {
        self.send(Method::POST, path, &[], Body::from(body.to_string())).await
    }

    /// Changes what was read just before.
    async fn patch(&self, path: &str, body: Value) -> Answer {
        let tag = self.get(path).await.header("etag").to_owned();
        self.patch_if(path, &tag, body).await
    }

    async fn patch_if(&self, path: &str, tag: &str, body: Value) -> Answer {
        let body = Body::from(body.to_string());
        self.send(Method::PATCH, path, &[("if-match", tag)], body).await
    }

    /// Adds something to the shop, which has to succeed.
    async fn created(&self, collection: &str, body: Value) -> Value {
        let answer = self.post(&format!("{SHOP}/{collection}"), body).await;
        assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.body);
        answer.json()
    }

    /// Does something to the campaign `3001`.
    async fn act(&self, action: &str) -> Answer {
        self.post(&format!("{SHOP}/campaigns/3001/actions"), json!({"action": action})).await
    }

    /// Publishes the draft as it is.
    async fn publish(&self, message: &str) -> Answer {
        let draft = self.get(SHOP).await.json()["draft"].as_str().unwrap().to_owned();
        let body = Body::from(json!({"message": message}).to_string());
        let headers = [("if-match", &*draft)];
        self.send(Method::POST, &format!("{SHOP}/revisions"), &headers, body).await
    }

    async fn snippet(&self) -> String {
        self.site.get("/js/1000.js").await.body
    }
}

/// An A/B test on the page `home`.
fn hero(id: &str, key: &str) -> Value {
    let text = |text: &str| json!([{"type": "text", "selector": "h1", "value": text}]);
    json!({
        "id": id, "key": key, "name": "Hero", "type": "ab_test", "pages": ["home"],
        "experiments": [{"key": key, "variations": [
            {"key": "original", "weight": 5000},
            {"key": "short", "weight": 5000, "changes": text("Ship faster")},
        ]}],
    })
}

/// The codes and pointers of what is wrong.
fn pointers(answer: &Answer) -> Vec<String> {
    let problem = answer.json();
    let errors = problem["errors"].as_array().cloned().unwrap_or_default();
    errors.iter().map(|error| error["pointer"].as_str().unwrap().to_owned()).collect()
}
