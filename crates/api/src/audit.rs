//! `GET /v1/audit`: who did what to whom, when and from where, the newest first.

use app::App;
use app::audit::{entry_json, list_audit};
use app::roles::{Permission, require};
use axum::extract::State;
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, LINK};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use axum::{Json, Router};
use oauth::Scope;
use serde_json::Value;
use web::{Bearer, Problem};

use crate::paging::Paging;

const PATH: &str = "/v1/audit";

pub(crate) fn router() -> Router<App> {
    Router::new().route(PATH, get(list))
}

async fn list(State(app): State<App>, bearer: Bearer, paging: Paging) -> Result<Response, Problem> {
    let grant = bearer.grant_for(&app, Scope::AuditRead).await?;
    require(&app, grant.member, None, Permission::ReadAudit).await?;
    let entries = list_audit(&app, paging.page, paging.per_page).await?;
    let links = paging.links(&app, PATH, entries.len());
    let body: Value = entries.iter().map(entry_json).collect();
    let headers = [(LINK, links), (CACHE_CONTROL, HeaderValue::from_static("no-store"))];
    Ok((headers, Json(body)).into_response())
}
