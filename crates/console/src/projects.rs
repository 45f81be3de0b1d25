//! The first page of the console: every project that the member may read, with what is live and whether the draft has more.

mod start;

use app::App;
use app::projects::{
    DraftDescription, LiveContent, LiveDescription, ProjectDescription, ProjectFilter,
    describe_projects,
};
use app::resources::{Order, OrderField};
use app::roles::{Actor, Permission, Rights, rights_of};
use askama::Template;
use axum::Router;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{get, post};
use domain::BasisPoints;
use oauth::Moment;
use storage::WhichProjects;
use web::{FormTargets, Session};

use crate::SIGN_IN_PATH;
use crate::edit::shape;
use crate::frame::{Frame, NavigationTab};
use crate::list_query::ListQuery;
use crate::message::Messages;
use crate::page::page;
use crate::refusal::Refusal;

/// Of so many, the page tells much; of more, what tells them apart.
const TOLD_AT_MOST: usize = 8;

const MESSAGES: Messages = Messages {
    done: &[("deleted", "The project is deleted for good, and its snippet answers no more.")],
    problems: &[],
};

#[derive(Template)]
#[template(path = "projects.html")]
struct ProjectsPage {
    frame: Frame,
    query: ListQuery,
    projects: Vec<ProjectSection>,
    /// Whether each has one line.
    is_brief: bool,
    total: u64,
    earlier: Option<String>,
    later: Option<String>,
    /// Whether there may be projects that this member does not get to see.
    sees_all: bool,
    may_start: bool,
}

struct ProjectSection {
    id: String,
    title: String,
    key: String,
    live: Option<ShownLive>,
    /// `None` if the draft cannot be read.
    draft: Option<ShownDraft>,
    may_preview: bool,
}

struct ShownDraft {
    is_changed: bool,
    campaigns: String,
}

struct ShownLive {
    revision: u32,
    published_machine: String,
    published_words: String,
    size: String,
    /// How many campaigns visitors get, if that is known.
    running: Option<usize>,
    /// Share of the visitors that the whole project holds back, if any.
    holdback: Option<String>,
}

pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/", get(show))
        .route("/projects/new", get(start::show))
        .route("/projects/new/start", post(start::submit))
}

async fn show(
    State(app): State<App>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let Some(session) = Session::find(&app, &headers).await? else {
        return Ok(Redirect::to(SIGN_IN_PATH).into_response());
    };
    let actor = Actor::in_console(session.member.id, None);
    let rights = rights_of(&app, session.member.id).await?;
    let message = MESSAGES.named(query.as_deref());
    let query = ListQuery::read(&query.unwrap_or_default()).ok_or(Refusal::UnreadableForm)?;
    let (descriptions, total) =
        describe_projects(&app, &actor, &query.project_filter(), query.page()).await?;
    let projects = descriptions.into_iter().map(|one| ProjectSection::new(&rights, one)).collect();
    let [earlier, later] = query.beside(total);
    let template = ProjectsPage {
        frame: Frame::new(&session, NavigationTab::Projects).with_message(message),
        is_brief: query.is_archive || query.is_narrow() || total > TOLD_AT_MOST as u64,
        projects,
        total,
        earlier: earlier.map(|query| format!("/?{query}")),
        later: later.map(|query| format!("/?{query}")),
        query,
        sees_all: rights.include(None, Permission::ReadConfiguration),
        may_start: rights.include(None, Permission::CreateProjects),
    };
    Ok(page(StatusCode::OK, &template, FormTargets::OwnPages))
}

impl ProjectSection {
    fn new(rights: &Rights, project: ProjectDescription) -> Self {
        Self {
            may_preview: rights.include(Some(project.id), Permission::WriteDraft),
            id: project.id.to_string(),
            title: project.name.unwrap_or_else(|| project.key.clone()),
            key: project.key,
            live: project.live.map(ShownLive::from),
            draft: project.draft.map(ShownDraft::from),
        }
    }

    /// Whether the draft has what visitors do not get yet.
    fn is_changed(&self) -> bool {
        self.live.is_some() && self.draft.as_ref().is_some_and(|draft| draft.is_changed)
    }
}

impl From<DraftDescription> for ShownDraft {
    fn from(DraftDescription { is_changed, campaigns }: DraftDescription) -> Self {
        let campaigns = match campaigns {
            0 => "No campaign".to_owned(),
            1 => "1 campaign".to_owned(),
            count => format!("{count} campaigns"),
        };
        Self { is_changed, campaigns }
    }
}

impl From<LiveDescription> for ShownLive {
    fn from(live: LiveDescription) -> Self {
        let published_at = Moment::from(live.published_at);
        Self {
            revision: live.revision,
            published_machine: published_at.machine(),
            published_words: published_at.words(),
            size: kilobytes(live.snippet_bytes_brotli),
            running: live.content.map(|content| content.running),
            holdback: live.content.and_then(held_back),
        }
    }
}

fn held_back(content: LiveContent) -> Option<String> {
    Some(content.holdback).filter(|share| *share > BasisPoints::ZERO).map(percent)
}

/// Every project, as choices of a form list them.
pub(crate) fn every_project() -> ProjectFilter {
    let order = Order { by: OrderField::Name, is_descending: false };
    ProjectFilter { order: Some(order), ..WhichProjects::Any.into() }
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
