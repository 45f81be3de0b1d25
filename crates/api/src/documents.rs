//! `/v1/projects/{id}/document`: the whole draft as the document that a project file holds. Its entity tag is that of the draft, with
//! which the draft is published, too.

use app::App;
use app::drafts::{
    ExpectedVersion, Missing, Plan, Removal, Replacement, plan_document, readable_draft,
    replace_document, warnings_at_publication,
};
use app::projects::{CreateProjectError, create_project_of_document};
use axum::Json;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::header::{CACHE_CONTROL, ETAG, IF_NONE_MATCH};
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};
use domain::limits::MAX_DOCUMENT_BYTES;
use oauth::Scope;
use serde_json::{Value, json};
use web::{Problem, ProblemCode};

use crate::address::{FromQuery, Parameters, Path, Query};
use crate::conditional::{IfMatch, IfNoneMatch, not_modified};
use crate::editing::{Caller, problem, project_id};
use crate::json_body::value;
use crate::openapi::Operation;
use crate::revisions::{difference_json, notices_json, warnings_json};
use crate::routes::{Routes, get, put};

pub(crate) fn routes() -> Routes {
    let switch = json!({"type": "boolean", "default": false});
    let show_draft =
        Operation::new("get_document", "Read the whole draft, as a project file holds it")
            .needs(Scope::ConfigRead, "viewer")
            .with_shared("if_none_match_or_not")
            .answers_tagged(200, "document")
            .answers_not_modified();
    let replace_draft = Operation::new("replace_document", "Replace the whole draft")
        .needs(
            Scope::ConfigWrite,
            "editor; to begin a project, owner of the server; with `dry_run=true`, the scope `config:read` and the role viewer will do",
        )
        .query("dry_run", &switch, "Tell what would change, and change nothing.")
        .query("prune", &switch, "Remove running campaigns, and experiments of running personalizations, that the document does not have, too.")
        .with_shared("if_match_or_not")
        .with_shared("if_none_match")
        .takes("document")
        .answers_tagged(200, "applied")
        .answers_tagged(201, "applied")
        .may_be(&[409, 412, 428]);
    Routes::under("Projects")
        .at(
            "/v1/projects/{id}/document",
            [get(show, show_draft).heavy(), put(replace, replace_draft).heavy()],
        )
        .with_bodies_of_at_most(MAX_DOCUMENT_BYTES)
}

async fn show(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
    if_none_match: IfNoneMatch,
) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::ConfigRead).await?;
    let draft = readable_draft(&app, &actor, project_id(&app, &actor, &id).await?)
        .await
        .map_err(problem)?;
    if if_none_match.has(&header(&draft.tag)) {
        return Ok(not_modified(header(&draft.tag)));
    }
    Ok((headers(&draft.tag), Json(&draft.project)).into_response())
}

/// What is to be done with a document.
enum Intent {
    /// Tell what it would change: `?dry_run=true`.
    Plan,
    /// Begin a project with it, if there is none with its id: `If-None-Match: *`.
    Begin,
    /// Put it in the place of a draft that was seen: `If-Match`. What runs and it does not have goes with `?prune=true` only.
    Replace(IfMatch, Removal),
}

/// What the query says of it.
struct Wanted {
    dry_run: bool,
    prune: bool,
}

impl FromQuery for Wanted {
    fn read(query: &Query) -> Result<Self, Problem> {
        Ok(Self { dry_run: query.switch("dry_run")?, prune: query.switch("prune")? })
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Intent {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let Parameters(Wanted { dry_run, prune }) =
            Parameters::from_request_parts(parts, state).await?;
        if dry_run {
            return Ok(Self::Plan);
        }
        if parts.headers.get(IF_NONE_MATCH).is_some_and(|value| value == "*") {
            return Ok(Self::Begin);
        }
        let if_match = <IfMatch as FromRequestParts<S>>::from_request_parts(parts, state).await?;
        let removal = if prune { Removal::Wanted } else { Removal::Refused };
        Ok(Self::Replace(if_match, removal))
    }
}

async fn replace(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
    intent: Result<Intent, Problem>,
    request: Request,
) -> Result<Response, Problem> {
    let scope = match intent {
        Ok(Intent::Plan) => Scope::ConfigRead,
        Ok(Intent::Begin | Intent::Replace(..)) | Err(_) => Scope::ConfigWrite,
    };
    let actor = caller.actor(&app, scope).await?;
    let (id, intent) = (project_id(&app, &actor, &id).await?, intent?);
    let document = value(request).await?;
    match intent {
        Intent::Plan => {
            let plan = plan_document(&app, &actor, id, document).await.map_err(problem)?;
            Ok(answer(StatusCode::OK, &plan))
        }
        Intent::Begin => {
            let draft = create_project_of_document(&app, &actor, document).await;
            let draft = draft.map_err(if_there_is_none)?;
            let warnings = warnings_at_publication(&app, &draft).await?;
            let tag = draft.tag.clone();
            let (differences, missing, visitors) = (Vec::new(), Vec::new(), Vec::new());
            let (is_cut, live_revision) = (false, None);
            let plan =
                Plan { differences, is_cut, missing, visitors, warnings, live_revision, tag };
            Ok(answer(StatusCode::CREATED, &plan))
        }
        Intent::Replace(if_match, removal) => {
            let expected =
                ExpectedVersion::new(move |tag| if_match.has(tag.as_str().unwrap_or_default()));
            let replacement = Replacement { document, removal, expected };
            let plan = replace_document(&app, &actor, id, replacement).await;
            Ok(answer(StatusCode::OK, &plan.map_err(problem)?))
        }
    }
}

/// `If-None-Match: *` is not met where there is something (RFC 9110 section 13.1.2).
fn if_there_is_none(error: CreateProjectError) -> Problem {
    if matches!(error, CreateProjectError::Taken(_)) {
        return Problem::new(ProblemCode::Exists, error.to_string());
    }
    problem(error)
}

fn answer(status: StatusCode, plan: &Plan) -> Response {
    let body = json!({
        "changes": plan.differences.iter().map(difference_json).collect::<Value>(),
        "truncated": plan.is_cut,
        "missing": plan.missing.iter().map(missing_json).collect::<Value>(),
        "visitors": notices_json(&plan.visitors),
        "warnings": warnings_json(&plan.warnings),
        "live_revision": plan.live_revision,
        "draft": plan.tag,
    });
    (status, headers(&plan.tag), Json(body)).into_response()
}

fn missing_json(missing: &Missing) -> Value {
    json!({"kind": missing.kind.word(), "id": missing.id, "name": missing.name})
}

fn header(tag: &str) -> HeaderValue {
    HeaderValue::from_str(tag).expect("hexadecimal digits are plain ASCII")
}

fn headers(tag: &str) -> [(HeaderName, HeaderValue); 2] {
    [(ETAG, header(tag)), (CACHE_CONTROL, HeaderValue::from_static("no-store"))]
}
