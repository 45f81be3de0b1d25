//! `GET /projects/{id}/preview`: a member chooses what a link shows, and gets it. Nothing is stored, so that the form comes in the
//! address, as that of the decide page does.

mod preview_form;

use app::App;
use app::previews::{
    MakePreviewLinkError, PreviewChoices, PreviewLink, make_preview_link, preview_choices,
};
use app::roles::Actor;
use askama::Template;
use axum::extract::{OriginalUri, Path, RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use domain::{Fault, Pointer, ProjectId};
use oauth::Moment;
use web::FormTargets;

use crate::caller::PageCaller;
use crate::frame::{Frame, Place};
use crate::page::page;
use crate::preview::preview_form::{PreviewForm, ShownExperiment, ShownLifetime};
use crate::project_frame::{ProjectFrame, Tab};
use crate::projects::status_words;
use crate::refusal::Refusal;
use crate::words::sentence;

#[derive(Template)]
#[template(path = "preview.html")]
struct PreviewPage<'a> {
    frame: Frame,
    project: ProjectFrame,
    path: &'a str,
    is_switched_on: bool,
    url: &'a str,
    /// The faults in the address.
    url_errors: Vec<String>,
    /// What else is wrong.
    errors: Vec<String>,
    experiments: Vec<ShownExperiment<'a>>,
    lifetimes: Vec<ShownLifetime>,
    link: Option<ShownLink>,
}

struct ShownLink {
    url: String,
    expires_machine: String,
    expires_words: String,
}

/// What came of a form.
enum Outcome {
    Blank,
    Refused(Vec<Fault>),
    Made(PreviewLink),
}

pub(crate) async fn show(
    State(app): State<App>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
    OriginalUri(uri): OriginalUri,
    caller: PageCaller,
) -> Result<Response, Refusal> {
    let PageCaller { session, actor } = caller;
    let id: ProjectId = id.parse().map_err(|_| Refusal::NoSuchPage)?;
    let choices = preview_choices(&app, &actor, id).await?.ok_or(Refusal::NoSuchPage)?;
    let query = query.filter(|query| !query.is_empty());
    let form = PreviewForm::read(query.as_deref().unwrap_or_default());
    let outcome = match query {
        None => Outcome::Blank,
        Some(_) => outcome(&app, &actor, id, &form).await?,
    };
    let around = (
        Frame::new(&session, Place::Projects),
        ProjectFrame::of(&app, &actor, id, Tab::Preview).await?,
    );
    Ok(answer(around, &choices, uri.path(), &form, outcome))
}

async fn outcome(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    form: &PreviewForm,
) -> Result<Outcome, Refusal> {
    match make_preview_link(app, actor, id, &form.request()).await {
        Ok(link) => Ok(Outcome::Made(link)),
        Err(MakePreviewLinkError::Faults(faults)) => Ok(Outcome::Refused(faults)),
        // The page says so by itself.
        Err(MakePreviewLinkError::SwitchedOff) => Ok(Outcome::Blank),
        Err(MakePreviewLinkError::UnknownProject) => Err(Refusal::NoSuchPage),
        Err(error @ MakePreviewLinkError::TooMany) => {
            let pointer = Pointer::root().field("variations");
            Ok(Outcome::Refused(vec![Fault::error("unsuitable", pointer, error.to_string())]))
        }
        Err(MakePreviewLinkError::Role(error)) => Err(error.into()),
        Err(MakePreviewLinkError::Storage(error)) => Err(error.into()),
    }
}

fn answer(
    (frame, project): (Frame, ProjectFrame),
    choices: &PreviewChoices,
    path: &str,
    form: &PreviewForm,
    outcome: Outcome,
) -> Response {
    let (status, faults, link) = match outcome {
        Outcome::Blank => (StatusCode::OK, Vec::new(), None),
        Outcome::Refused(faults) => (StatusCode::UNPROCESSABLE_ENTITY, faults, None),
        Outcome::Made(link) => (StatusCode::OK, Vec::new(), Some(ShownLink::from(link))),
    };
    let is_of_url = |fault: &&Fault| fault.pointer.tokens().next().as_deref() == Some("url");
    let (of_url, others): (Vec<_>, Vec<_>) = faults.iter().partition(is_of_url);
    let template = PreviewPage {
        frame,
        project,
        path,
        is_switched_on: choices.is_switched_on,
        url: &form.url,
        url_errors: of_url.into_iter().map(words).collect(),
        errors: others.into_iter().map(words).collect(),
        experiments: form.experiments(choices),
        lifetimes: form.lifetimes(),
        link,
    };
    page(status, &template, FormTargets::OwnPages)
}

fn words(fault: &Fault) -> String {
    let expected = fault.expected.as_ref().map(|expected| format!(", expected {expected}"));
    sentence(&(fault.message.clone() + &expected.unwrap_or_default()))
}

impl From<PreviewLink> for ShownLink {
    fn from(link: PreviewLink) -> Self {
        let expires_at = Moment::from(link.kept.expires_at);
        Self {
            url: link.url,
            expires_machine: expires_at.machine(),
            expires_words: expires_at.words(),
        }
    }
}
