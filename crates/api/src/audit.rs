//! `GET /v1/audit`: who did what to whom, when and from where, the newest first. `GET /v1/audit/export`: all of it, the oldest first, to
//! be kept elsewhere.

use app::App;
use app::audit::{AuditExport, AuditSearch, entry_json, seal_audit, search_audit};
use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream::try_unfold;
use oauth::Scope;
use serde_json::{Value, json};
use storage::{AuditEvent, StorageError};
use web::Problem;

use crate::address::{FromQuery, Parameters, Query};
use crate::answers::answer_page;
use crate::editing::{Caller, project_id};
use crate::openapi::Operation;
use crate::paging::Paging;
use crate::routes::{Routes, get};

const PATH: &str = "/v1/audit";

const EXPORT_PATH: &str = "/v1/audit/export";

pub(crate) fn routes() -> Routes {
    let asked =
        |id, summary| Operation::new(id, summary).needs(Scope::AuditRead, "admin of the server");
    let text = json!({"type": "string"});
    let moment = json!({"type": "string", "format": "date-time"});
    let events: Vec<&str> = AuditEvent::ALL.iter().map(|event| event.as_str()).collect();
    let page = asked("list_audit", "List the audit log, the newest entries first")
        .query("project", &text, "Changes of the project with this id, or `key:` and its key.")
        .query(
            "member",
            &text,
            "What this person did, and what was done about them: an e-mail address, or a member's id.",
        )
        .query("event", &json!({"enum": events}), "This kind of event.")
        .query("since", &moment, "Entries at this moment or later.")
        .query("until", &moment, "Entries before this moment.")
        .answers_pages_of("audit_entry")
        .may_be(&[404]);
    let lines = json!({"type": "string", "description": "An entry on each line."});
    let all = asked("export_audit", "Export the audit log, the oldest entries first").answers_as(
        200,
        "application/x-ndjson",
        &lines,
    );
    Routes::under("Audit").at(PATH, [get(list, page)]).at(EXPORT_PATH, [get(export, all)])
}

/// What a query asks for.
struct AuditQuery {
    project: Option<String>,
    search: AuditSearch,
}

impl FromQuery for AuditQuery {
    fn read(query: &Query) -> Result<Self, Problem> {
        let events = AuditEvent::ALL.map(|event| (event.as_str(), event));
        let search = AuditSearch {
            project: None,
            person: query.text("member").map(str::to_owned),
            event: query.word("event", &events)?,
            since: query.moment("since")?,
            until: query.moment("until")?,
        };
        Ok(Self { project: query.text("project").map(str::to_owned), search })
    }
}

async fn list(
    State(app): State<App>,
    caller: Caller,
    paging: Paging,
    Parameters(AuditQuery { project, mut search }): Parameters<AuditQuery>,
) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::AuditRead).await?;
    if let Some(name) = project {
        search.project = Some(project_id(&app, &actor, &name).await?);
    }
    let found = search_audit(&app, &actor, search, paging.to_page()).await?;
    let body: Value = found.entries.iter().map(entry_json).collect();
    Ok(answer_page(&app, paging, PATH, found.total, body))
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
