//! `POST /v1/projects/{id}/check-code`: what is wrong with a piece of JavaScript, before it is saved. It changes nothing; it is a POST
//! because code fits into no address.

use app::App;
use app::drafts::{CODE_BYTES_AT_MOST, CheckedCodeDto, CodeCheckRequest, check_code};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use oauth::Scope;
use web::Problem;

use crate::address::Path;
use crate::answers::answer;
use crate::editing::{Caller, problem, project_id};
use crate::json_body::sent;
use crate::openapi::Operation;
use crate::routes::{Routes, post};

pub(crate) fn routes() -> Routes {
    let check = Operation::new("check_code", "Check a piece of JavaScript before it is saved")
        .needs(Scope::ConfigWrite, "editor")
        .takes_request::<CodeCheckRequest>()
        .answers_dto::<CheckedCodeDto>(200);
    Routes::under("Projects")
        .at("/v1/projects/{id}/check-code", [post(self::check, check)])
        .with_bodies_of_at_most(CODE_BYTES_AT_MOST)
}

async fn check(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
    request: Request,
) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::ConfigWrite).await?;
    let id = project_id(&app, &actor, &id).await?;
    let CodeCheckRequest { code } = sent(request).await?;
    let checked = check_code(&app, &actor, id, code).await.map_err(problem)?;
    Ok(answer(StatusCode::OK, checked))
}
