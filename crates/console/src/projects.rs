//! The first page of the console: every project with its live revision, the tag to paste, and its campaigns.

use app::App;
use app::projects::{CampaignLine, ProjectDescription, describe_project, list_readable_projects};
use app::roles::{Actor, Permission, Rights, rights_of};
use askama::Template;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Redirect, Response};
use domain::BasisPoints;
use oauth::Moment;
use storage::{Page, WhichProjects};
use web::{FormTargets, Session};

use crate::SIGN_IN_PATH;
use crate::edit::shape;
use crate::frame::{Frame, Place};
use crate::page::page;
use crate::refusal::Refusal;

/// More projects than this are unusual on one server, and a longer page would not help members.
const PROJECTS_AT_MOST: u32 = 100;

#[derive(Template)]
#[template(path = "projects.html")]
struct ProjectsPage {
    frame: Frame,
    projects: Vec<ProjectSection>,
    /// Whether there may be projects that this member does not get to see.
    sees_all: bool,
}

struct ProjectSection {
    id: String,
    title: String,
    key: String,
    revision: u32,
    published_machine: String,
    published_words: String,
    /// Share of the visitors that the whole project holds back, if any.
    holdback: Option<String>,
    tag: String,
    size: String,
    revision_path: String,
    snippet_hash: String,
    campaigns: Vec<CampaignLine>,
    may_preview: bool,
}

pub(crate) async fn show(State(app): State<App>, headers: HeaderMap) -> Result<Response, Refusal> {
    let Some(session) = Session::find(&app, &headers).await? else {
        return Ok(Redirect::to(SIGN_IN_PATH).into_response());
    };
    let actor = Actor::in_console(session.member.id, None);
    let mut projects = Vec::new();
    let rights = rights_of(&app, session.member.id).await?;
    let all = Page { page: 1, per_page: PROJECTS_AT_MOST };
    let which = WhichProjects::Current;
    let (summaries, _) = list_readable_projects(&app, &actor, which, all).await?;
    for summary in summaries {
        let description = describe_project(&app, &actor, summary.id).await?;
        let section = description.map(|found| ProjectSection::new(&app, &rights, found));
        projects.extend(section);
    }
    let sees_all = rights.include(None, Permission::ReadConfiguration);
    let frame = Frame::new(&session, Place::Projects);
    let template = ProjectsPage { frame, projects, sees_all };
    Ok(page(StatusCode::OK, &template, FormTargets::OwnPages))
}

impl ProjectSection {
    fn new(app: &App, rights: &Rights, project: ProjectDescription) -> Self {
        let may_preview = rights.include(Some(project.id), Permission::WriteDraft);
        let id = project.id.to_string();
        let published_at = Moment::from(project.published_at);
        Self {
            title: project.name.unwrap_or_else(|| project.key.clone()),
            key: project.key,
            revision: project.revision,
            published_machine: published_at.machine(),
            published_words: published_at.words(),
            holdback: Some(project.holdback)
                .filter(|share| *share > BasisPoints::ZERO)
                .map(percent),
            tag: format!(
                "<script src=\"{}\"></script>",
                app.public_url().join(&format!("/js/{id}.js"))
            ),
            size: kilobytes(project.snippet_bytes_brotli),
            revision_path: format!("/js/{id}/{}.js", project.snippet_hash),
            snippet_hash: project.snippet_hash,
            campaigns: project.campaigns,
            may_preview,
            id,
        }
    }
}

/// A campaign's status as a person says it.
pub(crate) fn status_words(status: &str) -> String {
    status.replace('_', " ")
}

/// A campaign's type as a person says it.
pub(crate) fn kind_words(kind: &str) -> &str {
    if kind == "ab_test" { "A/B test" } else { kind }
}

/// A share as people write it, without decimals that say nothing.
fn percent(share: BasisPoints) -> String {
    format!("{} %", shape::percent(share))
}

/// Bytes in thousands with one decimal.
pub(crate) fn kilobytes(bytes: usize) -> String {
    let tenths = bytes.div_ceil(100);
    format!("{}.{} kB", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use domain::BasisPoints;

    use super::{kilobytes, percent};

    #[test]
    fn shares_have_the_decimals_they_need() {
        let words = |text| percent(BasisPoints::from_percent(text).unwrap());

        assert_eq!(words("5%"), "5 %");
        assert_eq!(words("12.5%"), "12.5 %");
        assert_eq!(words("0.01%"), "0.01 %");
    }

    #[test]
    fn sizes_are_rounded_up_to_a_tenth() {
        assert_eq!(kilobytes(0), "0.0 kB");
        assert_eq!(kilobytes(1), "0.1 kB");
        assert_eq!(kilobytes(3_900), "3.9 kB");
        assert_eq!(kilobytes(3_901), "4.0 kB");
    }
}
