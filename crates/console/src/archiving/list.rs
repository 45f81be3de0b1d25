//! `GET /projects/archived`: the archived projects that the member may read.

use app::App;
use app::projects::list_readable_projects;
use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use storage::{Page, ProjectSummary, WhichProjects};
use web::FormTargets;

use crate::caller::PageCaller;
use crate::frame::{Frame, Place};
use crate::page::page;
use crate::refusal::Refusal;

/// A longer page would not help members.
const PROJECTS_AT_MOST: u32 = 100;

#[derive(Template)]
#[template(path = "archived_projects.html")]
struct ArchivedProjectsPage {
    frame: Frame,
    projects: Vec<ArchivedProject>,
    /// How many are not shown.
    more: u64,
}

struct ArchivedProject {
    id: String,
    title: String,
    key: String,
}

pub(super) async fn show(
    State(app): State<App>,
    PageCaller { session, actor }: PageCaller,
) -> Result<Response, Refusal> {
    let first = Page { page: 1, per_page: PROJECTS_AT_MOST };
    let (projects, total) =
        list_readable_projects(&app, &actor, WhichProjects::Archived, first).await?;
    let template = ArchivedProjectsPage {
        frame: Frame::new(&session, Place::Projects),
        projects: projects.into_iter().map(ArchivedProject::from).collect(),
        more: total.saturating_sub(u64::from(PROJECTS_AT_MOST)),
    };
    Ok(page(StatusCode::OK, &template, FormTargets::OwnPages))
}

impl From<ProjectSummary> for ArchivedProject {
    fn from(project: ProjectSummary) -> Self {
        Self {
            id: project.id.to_string(),
            title: project.name.unwrap_or_else(|| project.key.clone()),
            key: project.key,
        }
    }
}
