//! `POST /projects/{id}/check-code`: what `assets/code_field.js` asks while a member writes code.

use app::App;
use app::drafts::{CODE_BYTES_AT_MOST, CheckedCodeDto, check_code};
use axum::extract::{DefaultBodyLimit, State};
use axum::routing::post;
use axum::{Json, Router};
use domain::ProjectId;

use crate::address::Path;
use crate::caller::FormCaller;
use crate::refusal::Refusal;

pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/projects/{id}/check-code", post(submit))
        .layer(DefaultBodyLimit::max(CODE_BYTES_AT_MOST))
}

async fn submit(
    State(app): State<App>,
    Path(id): Path<ProjectId>,
    FormCaller { actor, fields, .. }: FormCaller,
) -> Result<Json<CheckedCodeDto>, Refusal> {
    Ok(Json(check_code(&app, &actor, id, fields.get("code").to_owned()).await?))
}
