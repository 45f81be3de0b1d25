//! `POST /v1/projects/{id}/try-page` and `…/try-audience`: what conditions say before they are saved. They change nothing.

use app::App;
use app::decisions::{
    AudienceTrialDto, AudienceTrialRequest, PageTrialDto, PageTrialRequest, TrialError,
    answer_audience_trial, answer_page_trial,
};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use oauth::Scope;
use web::{Problem, ProblemCode};

use crate::address::Path;
use crate::answers::answer;
use crate::editing::{Caller, problem, project_id};
use crate::json_body::sent;
use crate::openapi::Operation;
use crate::routes::{Routes, post};

/// A resource near its limits, with a visit or a hundred long addresses.
const TRIAL_BYTES_AT_MOST: usize = 1024 * 1024;

pub(crate) fn routes() -> Routes {
    let page =
        Operation::new("try_page", "Tell on which addresses a page would be active, and why")
            .needs(Scope::ConfigRead, "viewer")
            .takes_request::<PageTrialRequest>()
            .answers_dto::<PageTrialDto>(200);
    let audience =
        Operation::new("try_audience", "Tell whether a visitor would be in an audience, and why")
            .needs(Scope::ConfigRead, "viewer")
            .takes_request::<AudienceTrialRequest>()
            .answers_dto::<AudienceTrialDto>(200);
    Routes::under("Decisions")
        .at("/v1/projects/{id}/try-page", [post(try_page, page)])
        .at("/v1/projects/{id}/try-audience", [post(try_audience, audience)])
        .with_bodies_of_at_most(TRIAL_BYTES_AT_MOST)
}

async fn try_page(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
    request: Request,
) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::ConfigRead).await?;
    let id = project_id(&app, &actor, &id).await?;
    let tried = answer_page_trial(&app, &actor, id, sent(request).await?).await.map_err(refused)?;
    Ok(answer(StatusCode::OK, tried))
}

async fn try_audience(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
    request: Request,
) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::ConfigRead).await?;
    let id = project_id(&app, &actor, &id).await?;
    let request = sent(request).await?;
    let tried = answer_audience_trial(&app, &actor, id, request).await.map_err(refused)?;
    Ok(answer(StatusCode::OK, tried))
}

fn refused(error: TrialError) -> Problem {
    match error {
        TrialError::Read(error) => problem(error),
        TrialError::Resource(faults) | TrialError::Visit(faults) => Problem::faults(&faults),
        TrialError::TooCostly(error) => Problem::new(ProblemCode::TooCostly, error.to_string()),
        TrialError::Overloaded(error) => Problem::from(error),
    }
}
