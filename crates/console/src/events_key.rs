//! `/projects/{id}/events-key`: the public key with which servers and apps add events.

use app::App;
use app::events::{find_events_key, remove_events_key, renew_events_key};
use app::roles::{Permission, rights_of};
use askama::Template;
use axum::Router;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{get, post};
use domain::ProjectId;
use oauth::Moment;
use storage::EventsKey;
use web::FormTargets;

use crate::address::Path;
use crate::assets::copy_script;
use crate::caller::{FormCaller, PageCaller};
use crate::frame::{Frame, NavigationTab};
use crate::message::Messages;
use crate::page::page_with;
use crate::project_frame::{ProjectFrame, Tab};
use crate::refusal::Refusal;

const MESSAGES: Messages = Messages {
    done: &[
        ("renewed", "This is the key from now on. An earlier one is refused."),
        ("removed", "The project has no key any more."),
    ],
    problems: &[("no-key", "The project has no key any more.")],
};

#[derive(Template)]
#[template(path = "events_key.html")]
struct EventsKeyPage {
    frame: Frame,
    project: ProjectFrame,
    path: String,
    events_url: String,
    may_change: bool,
    key: Option<ShownKey>,
}

struct ShownKey {
    key: String,
    made: Moment,
}

pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/projects/{id}/events-key", get(show))
        .route("/projects/{id}/events-key/renew", post(submit_renew))
        .route("/projects/{id}/events-key/remove", post(submit_remove))
}

async fn show(
    State(app): State<App>,
    Path(id): Path<ProjectId>,
    RawQuery(query): RawQuery,
    PageCaller { session, actor }: PageCaller,
) -> Result<Response, Refusal> {
    let project = ProjectFrame::of(&app, &actor, id, Tab::Settings).await?;
    let key = find_events_key(&app, &actor, id).await?;
    let rights = rights_of(&app, session.member.id).await?;
    let template = EventsKeyPage {
        frame: Frame::new(&session, NavigationTab::Projects)
            .with_message(MESSAGES.named(query.as_deref())),
        project,
        path: path(id),
        events_url: app.public_url().join("/v1/events"),
        may_change: rights.include(Some(id), Permission::WriteDraft),
        key: key.map(|EventsKey { key, made_at }| ShownKey { key, made: Moment::from(made_at) }),
    };
    Ok(page_with(StatusCode::OK, &template, FormTargets::OwnPages, copy_script(&app)))
}

async fn submit_renew(
    State(app): State<App>,
    Path(id): Path<ProjectId>,
    FormCaller { actor, .. }: FormCaller,
) -> Result<Response, Refusal> {
    renew_events_key(&app, &actor, id).await?.ok_or(Refusal::NoSuchPage)?;
    Ok(Redirect::to(&format!("{}?done=renewed", path(id))).into_response())
}

async fn submit_remove(
    State(app): State<App>,
    Path(id): Path<ProjectId>,
    FormCaller { actor, .. }: FormCaller,
) -> Result<Response, Refusal> {
    let was_there = remove_events_key(&app, &actor, id).await?;
    let query = if was_there { "?done=removed" } else { "?problem=no-key" };
    Ok(Redirect::to(&format!("{}{query}", path(id))).into_response())
}

/// The address of the page.
fn path(id: ProjectId) -> String {
    format!("/projects/{id}/events-key")
}
