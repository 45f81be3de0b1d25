//! `/v1/projects/{id}/document`: the whole draft as the document that a project file holds. Its entity tag is that of the draft, with
//! which the draft is published, too.

use std::sync::Arc;

use app::App;
use app::drafts::{EditError, Plan, Seen, plan_document, replace_document};
use app::projects::create_project_of_document;
use app::resources::readable_draft;
use axum::extract::{DefaultBodyLimit, Path, Request, State};
use axum::http::header::{CACHE_CONTROL, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
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
        .route("/v1/projects/{id}/document", get(show).put(replace))
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

#[derive(Deserialize)]
struct Wanted {
    #[serde(default)]
    dry_run: bool,
}

/// With `?dry_run=true` nothing is stored. `If-None-Match: *` begins a project that is not there yet.
async fn replace(
    State(app): State<App>,
    Path(id): Path<String>,
    Parameters(Wanted { dry_run }): Parameters<Wanted>,
    caller: Caller,
    (condition, request_headers): (Result<IfMatch, Problem>, HeaderMap),
    request: Request,
) -> Result<Response, Problem> {
    let editor = caller.editor(&app, Scope::ConfigWrite).await?;
    let id = project_id(&id)?;
    if dry_run {
        let document = value(request).await?;
        let plan = plan_document(&app, &editor, id, document).await.map_err(problem)?;
        return Ok(answer(StatusCode::OK, &plan));
    }
    if request_headers.get(IF_NONE_MATCH).is_some_and(|value| value == "*") {
        let document = value(request).await?;
        let draft = create_project_of_document(&app, &editor, document).await;
        let draft = draft.map_err(if_there_is_none)?;
        let plan = Plan {
            differences: Vec::new(),
            warnings: draft.warnings.clone(),
            tag: draft.tag.clone(),
        };
        return Ok(answer(StatusCode::CREATED, &plan));
    }
    let condition = condition?;
    let seen: Seen = Arc::new(move |tag| condition.has(tag.as_str().unwrap_or_default()));
    let document = value(request).await?;
    let plan = replace_document(&app, &editor, id, document, seen).await.map_err(problem)?;
    Ok(answer(StatusCode::OK, &plan))
}

/// `If-None-Match: *` is not met where there is something (RFC 9110 section 13.1.2).
fn if_there_is_none(error: EditError) -> Problem {
    match error {
        EditError::Taken => {
            let detail = "there is a project with this id already";
            Problem::new(StatusCode::PRECONDITION_FAILED, detail).with_member("code", "taken")
        }
        error => problem(error),
    }
}

fn answer(status: StatusCode, plan: &Plan) -> Response {
    let body = json!({
        "changes": plan.differences.iter().map(difference_json).collect::<Value>(),
        "warnings": warnings_json(&plan.warnings),
        "draft": plan.tag,
    });
    (status, headers(&plan.tag), Json(body)).into_response()
}

fn headers(tag: &str) -> [(axum::http::HeaderName, HeaderValue); 2] {
    let tag = HeaderValue::from_str(tag).expect("hexadecimal digits are plain ASCII");
    [(ETAG, tag), (CACHE_CONTROL, HeaderValue::from_static("no-store"))]
}
