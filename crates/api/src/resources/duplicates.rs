//! `POST …/duplicate`: a copy of a campaign, or of an experience.

use app::App;
use app::campaigns::{Copied, CopyRequest, duplicate};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use oauth::Scope;
use web::Problem;

use crate::address::Path;
use crate::answers::located;
use crate::conditional::{IfMatch, answer_tagged};
use crate::editing::{Caller, expected_if_told, problem, project_id};
use crate::json_body::sent;
use crate::openapi::Operation;
use crate::resources::path_of;

pub(super) async fn copy_campaign(
    State(app): State<App>,
    Path(place): Path<(String, String)>,
    caller: Caller,
    if_match: Option<IfMatch>,
    request: Request,
) -> Result<Response, Problem> {
    copy(&app, place, (caller, if_match), Copied::Campaign, request).await
}

pub(super) async fn copy_experiment(
    State(app): State<App>,
    Path(place): Path<(String, String)>,
    caller: Caller,
    if_match: Option<IfMatch>,
    request: Request,
) -> Result<Response, Problem> {
    copy(&app, place, (caller, if_match), Copied::Experiment, request).await
}

async fn copy(
    app: &App,
    (id, name): (String, String),
    (caller, if_match): (Caller, Option<IfMatch>),
    copied: Copied,
    request: Request,
) -> Result<Response, Problem> {
    let actor = caller.actor(app, Scope::ConfigWrite).await?;
    let id = project_id(app, &actor, &id).await?;
    let request: CopyRequest = sent(request).await?;
    let wanted = (request, expected_if_told(if_match));
    let copy = duplicate(app, &actor, id, (copied, name), wanted).await.map_err(problem)?;
    let path = path_of(id, copied.kind(), &copy);
    Ok(located(answer_tagged(StatusCode::CREATED, copy), app, &path))
}

pub(super) fn description(copied: Copied) -> Operation {
    let word = copied.kind().word();
    let summary = match copied {
        Copied::Campaign => "Copy a campaign with its experiments; the copy is not started",
        Copied::Experiment => "Copy an experience of a personalization beside itself",
    };
    Operation::new(format!("duplicate_{word}"), summary)
        .needs(Scope::ConfigWrite, "editor")
        .if_match_is_heeded()
        .takes_request::<CopyRequest>()
        .answers_tagged(201, &format!("{word}_resource"))
        .with_header(201, "Location")
        .may_be(&[409])
}
