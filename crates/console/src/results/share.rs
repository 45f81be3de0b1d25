//! `/projects/{id}/campaigns/{name}/share`: links that show the results to people who are no members, and the page that they see.

use app::App;
use app::results::{
    MadeResultsLink, MakeResultsLinkError, ResultsLinkRequest, SHARED_RESULTS_PATH,
    list_results_links, make_results_link, revoke_results_link,
};
use askama::Template;
use axum::Router;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{get, post};
use domain::ProjectId;
use oauth::Moment;
use secrecy::ExposeSecret as _;
use storage::ResultsLink;
use web::{FormTargets, Session};

use crate::address::Path;
use crate::assets::copy_script;
use crate::caller::{FormCaller, PageCaller};
use crate::campaign::FoundCampaign;
use crate::frame::{Frame, NavigationTab};
use crate::message::{Message, Messages};
use crate::page::page_with;
use crate::project_frame::{ProjectFrame, Tab};
use crate::refusal::Refusal;
use crate::results::shared_page;
use crate::words::sentence;

const MESSAGES: Messages = Messages {
    done: &[("revoked", "The link is revoked. It shows nothing from now on.")],
    problems: &[("unknown-link", "The project has no such link any more.")],
};

/// Seconds and words of what can be chosen.
const LIFETIMES: [(i64, &str); 4] =
    [(604_800, "a week"), (2_592_000, "30 days"), (7_776_000, "90 days"), (31_536_000, "a year")];

/// What is chosen at first.
const USUAL_SECONDS: i64 = 2_592_000;

#[derive(Template)]
#[template(path = "results/share.html")]
struct SharePage<'a> {
    frame: Frame,
    project: ProjectFrame,
    path: &'a str,
    title: String,
    lifetimes: [(i64, &'static str); 4],
    alert: Option<String>,
    made: Option<ShownLink<'a>>,
    links: Vec<LinkLine>,
}

/// A link that was just made.
struct ShownLink<'a> {
    address: &'a str,
    expires: Moment,
}

/// A link in the list.
struct LinkLine {
    id: String,
    made_by: String,
    made: Moment,
    expires: Moment,
}

pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/projects/{id}/campaigns/{name}/share", get(show))
        .route("/projects/{id}/campaigns/{name}/share/make", post(submit_make))
        .route("/projects/{id}/campaigns/{name}/share/revoke", post(submit_revoke))
        .route(SHARED_RESULTS_PATH, get(shared_page::show))
}

async fn show(
    State(app): State<App>,
    Path((id, name)): Path<(ProjectId, String)>,
    RawQuery(query): RawQuery,
    PageCaller { session, actor }: PageCaller,
) -> Result<Response, Refusal> {
    let found = FoundCampaign::find(&app, &actor, (id, &name)).await?;
    let feedback = Feedback { message: MESSAGES.named(query.as_deref()), ..Feedback::default() };
    answer(&app, (&session, &actor), &found, feedback).await
}

async fn submit_make(
    State(app): State<App>,
    Path((id, name)): Path<(ProjectId, String)>,
    FormCaller { session, actor, fields, .. }: FormCaller,
) -> Result<Response, Refusal> {
    let found = FoundCampaign::find(&app, &actor, (id, &name)).await?;
    let expires_in = fields.get("expires_in").parse().map_err(|_| Refusal::UnreadableForm)?;
    let campaign = found.campaign["id"].as_str().unwrap_or(&name).to_owned();
    let request = ResultsLinkRequest { campaign, expires_in: Some(expires_in) };
    let error = match make_results_link(&app, &actor, found.id, &request).await {
        Ok(made) => {
            let feedback = Feedback { made: Some(&made), ..Feedback::default() };
            return answer(&app, (&session, &actor), &found, feedback).await;
        }
        Err(MakeResultsLinkError::Role(error)) => return Err(error.into()),
        Err(MakeResultsLinkError::Storage(error)) => return Err(error.into()),
        Err(
            error @ (MakeResultsLinkError::NotPublished
            | MakeResultsLinkError::Fault(_)
            | MakeResultsLinkError::TooMany),
        ) => error,
    };
    let alert = Some(sentence(&error.to_string().replace('`', "")));
    answer(&app, (&session, &actor), &found, Feedback { alert, ..Feedback::default() }).await
}

async fn submit_revoke(
    State(app): State<App>,
    Path((id, name)): Path<(ProjectId, String)>,
    FormCaller { actor, fields, .. }: FormCaller,
) -> Result<Response, Refusal> {
    let found = FoundCampaign::find(&app, &actor, (id, &name)).await?;
    let is_known = revoke_results_link(&app, &actor, found.id, fields.get("link")).await?;
    let query = if is_known { "?done=revoked" } else { "?problem=unknown-link" };
    Ok(Redirect::to(&format!("{}/share{query}", found.path)).into_response())
}

/// What the answer to a form adds to the page.
#[derive(Default)]
struct Feedback<'a> {
    message: Option<Message>,
    alert: Option<String>,
    made: Option<&'a MadeResultsLink>,
}

async fn answer(
    app: &App,
    (session, actor): (&Session, &app::roles::Actor),
    found: &FoundCampaign,
    feedback: Feedback<'_>,
) -> Result<Response, Refusal> {
    let campaign = found.campaign["id"].as_str().unwrap_or_default();
    let links = list_results_links(app, actor, found.id).await?.ok_or(Refusal::NoSuchPage)?;
    let of_campaign = links.into_iter().filter(|link| link.campaign.to_string() == campaign);
    let status =
        if feedback.alert.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let title = found.campaign["name"].as_str().or(found.campaign["key"].as_str());
    let template = SharePage {
        frame: Frame::new(session, NavigationTab::Projects).with_message(feedback.message),
        project: ProjectFrame::of(app, actor, found.id, Tab::Campaigns).await?,
        path: &found.path,
        title: title.unwrap_or(campaign).to_owned(),
        lifetimes: LIFETIMES,
        alert: feedback.alert,
        made: feedback.made.map(|made| ShownLink {
            address: made.address.expose_secret(),
            expires: Moment::from(made.kept.expires_at),
        }),
        links: of_campaign.map(line).collect(),
    };
    Ok(page_with(status, &template, FormTargets::OwnPages, copy_script(app)))
}

fn line(link: ResultsLink) -> LinkLine {
    let (made, expires) = (Moment::from(link.made_at), Moment::from(link.expires_at));
    LinkLine { id: link.id, made_by: link.made_by, made, expires }
}
