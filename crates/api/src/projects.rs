//! `GET /v1/projects`: the projects that have a live revision, and that the member may read.

use app::App;
use app::projects::list_readable_projects;
use axum::extract::State;
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, LINK};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use axum::{Json, Router};
use oauth::Scope;
use serde::Serialize;
use storage::{Page, ProjectSummary, WhichProjects};
use web::{Bearer, Problem};

use crate::paging::Paging;

const PATH: &str = "/v1/projects";

pub(crate) fn router() -> Router<App> {
    Router::new().route(PATH, get(list))
}

/// One project, as the list shows it.
#[derive(Serialize)]
struct Line<'a> {
    id: String,
    key: &'a str,
    name: Option<&'a str>,
    /// The number of the live revision.
    revision: Option<u32>,
}

async fn list(State(app): State<App>, bearer: Bearer, paging: Paging) -> Result<Response, Problem> {
    let grant = bearer.grant_for(&app, Scope::ConfigRead).await?;
    let page = Page { page: paging.page, per_page: paging.per_page };
    let which = WhichProjects::Current;
    let projects = list_readable_projects(&app, grant.member, which, page).await?;
    let links = paging.links(&app, PATH, projects.len());
    let body: Vec<Line<'_>> = projects.iter().map(Line::from).collect();
    let headers = [(LINK, links), (CACHE_CONTROL, HeaderValue::from_static("no-store"))];
    Ok((headers, Json(body)).into_response())
}

impl<'a> From<&'a ProjectSummary> for Line<'a> {
    fn from(project: &'a ProjectSummary) -> Self {
        Self {
            id: project.id.to_string(),
            key: &project.key,
            name: project.name.as_deref(),
            revision: project.head.live_revision,
        }
    }
}
