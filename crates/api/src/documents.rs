//! `/v1/projects/{id}/document`: the whole draft as the document that a project file holds. Its entity tag is that of the draft, with
//! which the draft is published, too.

use std::sync::Arc;

use app::App;
use app::drafts::{EditError, Plan, Seen, plan_document, replace_document};
use app::projects::create_project_of_document;
use app::resources::readable_draft;
use axum::extract::{DefaultBodyLimit, FromRequestParts, Path, Request, State};
use axum::http::header::{CACHE_CONTROL, ETAG, IF_NONE_MATCH};
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use axum::{Json, Router};
use domain::limits::MAX_DOCUMENT_BYTES;
use oauth::Scope;
use serde::Deserialize;
use serde_json::{Value, json};
use web::Problem;

use crate::conditional::IfMatch;
use crate::editing::{Caller, Parameters, problem, project_id, value};
use crate::revisions::{difference_json, warnings_json};

pub(crate) fn router() -> Router<App> {
    Router::new()
        .route("/v1/projects/{id}/document", get(show).put(put))
        .layer(DefaultBodyLimit::max(MAX_DOCUMENT_BYTES))
}

async fn show(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
) -> Result<Response, Problem> {
    let editor = caller.editor(&app, Scope::ConfigRead).await?;
    let draft = readable_draft(&app, editor.member, project_id(&id)?).await.map_err(problem)?;
    Ok((headers(&draft.tag), Json(&draft.project)).into_response())
}

/// What is to be done with a document.
enum Intent {
    /// Tell what it would change: `?dry_run=true`.
    Plan,
    /// Begin a project with it, if there is none with its id: `If-None-Match: *`.
    Begin,
    /// Put it in the place of a draft that was seen: `If-Match`.
    Replace(IfMatch),
}

#[derive(Deserialize)]
struct Wanted {
    #[serde(default)]
    dry_run: bool,
}

impl<S: Send + Sync> FromRequestParts<S> for Intent {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let Parameters(Wanted { dry_run }) = Parameters::from_request_parts(parts, state).await?;
        if dry_run {
            return Ok(Self::Plan);
        }
        if parts.headers.get(IF_NONE_MATCH).is_some_and(|value| value == "*") {
            return Ok(Self::Begin);
        }
        let condition = <IfMatch as FromRequestParts<S>>::from_request_parts(parts, state).await?;
        Ok(Self::Replace(condition))
    }
}

async fn put(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
    intent: Result<Intent, Problem>,
    request: Request,
) -> Result<Response, Problem> {
    let editor = caller.editor(&app, Scope::ConfigWrite).await?;
    let (id, intent) = (project_id(&id)?, intent?);
    let document = value(request).await?;
    match intent {
        Intent::Plan => {
            let plan = plan_document(&app, &editor, id, document).await.map_err(problem)?;
            Ok(answer(StatusCode::OK, &plan))
        }
        Intent::Begin => {
            let draft = create_project_of_document(&app, &editor, document).await;
            let draft = draft.map_err(if_there_is_none)?;
            let (warnings, tag) = (draft.warnings.clone(), draft.tag.clone());
            Ok(answer(StatusCode::CREATED, &Plan { differences: Vec::new(), warnings, tag }))
        }
        Intent::Replace(condition) => {
            let seen: Seen = Arc::new(move |tag| condition.has(tag.as_str().unwrap_or_default()));
            let plan = replace_document(&app, &editor, id, document, seen).await;
            Ok(answer(StatusCode::OK, &plan.map_err(problem)?))
        }
    }
}

/// `If-None-Match: *` is not met where there is something (RFC 9110 section 13.1.2).
fn if_there_is_none(error: EditError) -> Problem {
    if matches!(error, EditError::Taken) {
        return problem(error).with_status(StatusCode::PRECONDITION_FAILED);
    }
    problem(error)
}

fn answer(status: StatusCode, plan: &Plan) -> Response {
    let body = json!({
        "changes": plan.differences.iter().map(difference_json).collect::<Value>(),
        "warnings": warnings_json(&plan.warnings),
        "draft": plan.tag,
    });
    (status, headers(&plan.tag), Json(body)).into_response()
}

fn headers(tag: &str) -> [(HeaderName, HeaderValue); 2] {
    let tag = HeaderValue::from_str(tag).expect("hexadecimal digits are plain ASCII");
    [(ETAG, tag), (CACHE_CONTROL, HeaderValue::from_static("no-store"))]
}
