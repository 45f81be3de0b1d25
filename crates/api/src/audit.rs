//! `GET /v1/audit`: who did what to whom, when and from where, the newest first. `GET /v1/audit/export`: all of it, the oldest first, to
//! be kept elsewhere.

use app::App;
use app::audit::{AuditExport, entry_json, list_audit, seal_audit};
use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream::try_unfold;
use oauth::Scope;
use serde_json::{Value, json};
use storage::{Counted, StorageError};
use web::Problem;

use crate::answers::answer_page;
use crate::editing::Caller;
use crate::openapi::Operation;
use crate::paging::Paging;
use crate::routes::{Routes, get};

const PATH: &str = "/v1/audit";

const EXPORT_PATH: &str = "/v1/audit/export";

pub(crate) fn routes() -> Routes {
    let asked =
        |id, summary| Operation::new(id, summary).needs(Scope::AuditRead, "admin of the server");
    let page = asked("list_audit", "List the audit log, the newest entries first")
        .answers_pages_of("audit_entry");
    let lines = json!({"type": "string", "description": "An entry on each line."});
    let all = asked("export_audit", "Export the audit log, the oldest entries first").answers_as(
        200,
        "application/x-ndjson",
        &lines,
    );
    Routes::under("Audit").at(PATH, [get(list, page)]).at(EXPORT_PATH, [get(export, all)])
}

async fn list(State(app): State<App>, caller: Caller, paging: Paging) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::AuditRead).await?;
    let entries = list_audit(&app, &actor, paging.page, paging.per_page).await?;
    let total = app.store().count(Counted::AuditEntries).await?;
    let body: Value = entries.iter().map(entry_json).collect();
    Ok(answer_page(&app, paging, PATH, total, body))
}

/// Page by page, as fast as they are taken. What fails in the middle ends the connection: no client takes a part for the whole.
async fn export(State(app): State<App>, caller: Caller) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::AuditRead).await?;
    let export = AuditExport::begin(&app, &actor, None).await?;
    seal_audit(&app).await?;
    let pages = try_unfold((app, export), |(app, mut export): (App, AuditExport)| async move {
        let entries = export.next(&app).await?;
        let lines: String = entries.iter().map(|entry| entry.to_string() + "\n").collect();
        let page = (!entries.is_empty()).then_some((lines, (app, export)));
        Ok::<_, StorageError>(page)
    });
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static("application/x-ndjson")),
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    Ok((headers, Body::from_stream(pages)).into_response())
}
