//! `POST /v1/projects/{id}/decide`: what a visitor gets from the live revision, with the reasons. It changes nothing; it is a POST
//! because a visit fits into no address, and belongs in no log.

use app::App;
use app::decisions::{
    DecideError, VISIT_BYTES_AT_MOST, VisitDto, VisitText, decide_in_turn, live_decider,
};
use axum::Json;
use axum::extract::{Request, State};
use axum::http::header::CACHE_CONTROL;
use axum::response::{IntoResponse as _, Response};
use oauth::Scope;
use web::{Problem, ProblemCode};

use crate::address::Path;
use crate::editing::{Caller, Refusal, not_published, problem, project_id};
use crate::json_body::json_text;
use crate::openapi::Operation;
use crate::routes::{Routes, post};

pub(crate) fn routes() -> Routes {
    let decisions =
        Operation::new("decide", "Tell what a visitor gets from the live revision, and why")
            .needs(Scope::ConfigRead, "viewer")
            .takes_request::<VisitDto>()
            .answers(200, "decisions")
            .may_be(&[409]);
    Routes::under("Decisions")
        .at("/v1/projects/{id}/decide", [post(decide, decisions)])
        .with_bodies_of_at_most(VISIT_BYTES_AT_MOST)
}

async fn decide(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
    request: Request,
) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::ConfigRead).await?;
    let id = project_id(&app, &actor, &id).await?;
    let Some(project) = live_decider(&app, &actor, id).await? else {
        return Err(not_published(&app, id).await?);
    };
    let text = json_text(request).await?;
    let text = VisitText { file: "body", line: 1, text: &text };
    let visit = project.read_visit(text).map_err(|faults| Problem::faults(&faults))?;
    let answer = decide_in_turn(&app, project, visit).await.map_err(problem)?;
    Ok(([(CACHE_CONTROL, "no-store")], Json(answer)).into_response())
}

impl Refusal for DecideError {
    fn problem(self) -> Problem {
        match self {
            Self::TooCostly(error) => Problem::new(ProblemCode::TooCostly, error.to_string()),
            Self::Overloaded(error) => Problem::from(error),
            Self::Storage(error) => Problem::from(error),
        }
    }
}
