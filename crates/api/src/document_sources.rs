//! `/v1/projects/{id}/document/source`: the project file that the draft was applied from, as its author wrote it.

use app::App;
use app::drafts::{ExpectedVersion, SourceDto, SourceRequest, find_source, keep_source};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use domain::limits::MAX_DOCUMENT_BYTES;
use oauth::Scope;
use web::Problem;

use crate::address::Path;
use crate::answers::{answer, answer_done};
use crate::conditional::IfMatch;
use crate::editing::{Caller, problem, project_id};
use crate::json_body::sent;
use crate::openapi::Operation;
use crate::routes::{Routes, get, put};

pub(crate) fn routes() -> Routes {
    let show = Operation::new("get_document_source", "Read the project file behind the draft")
        .needs(Scope::ConfigRead, "viewer")
        .answers_dto::<SourceDto>(200);
    let keep = Operation::new("keep_document_source", "Keep the project file behind the draft")
        .needs(Scope::ConfigWrite, "editor")
        .if_match()
        .takes_request::<SourceRequest>()
        .answers_nothing()
        .may_be(&[409]);
    Routes::under("Projects")
        .at(
            "/v1/projects/{id}/document/source",
            [get(self::show, show).heavy(), put(self::keep, keep).heavy()],
        )
        .with_bodies_of_at_most(MAX_DOCUMENT_BYTES)
}

async fn show(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::ConfigRead).await?;
    let id = project_id(&app, &actor, &id).await?;
    let source = find_source(&app, &actor, id).await.map_err(problem)?;
    Ok(answer(StatusCode::OK, source.ok_or_else(Problem::not_found)?))
}

async fn keep(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
    if_match: Result<IfMatch, Problem>,
    request: Request,
) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::ConfigWrite).await?;
    let (id, if_match) = (project_id(&app, &actor, &id).await?, if_match?);
    let source: SourceRequest = sent(request).await?;
    let expected = ExpectedVersion::new(move |tag| if_match.has(tag.as_str().unwrap_or_default()));
    keep_source(&app, &actor, id, source, expected).await.map_err(problem)?;
    Ok(answer_done())
}
