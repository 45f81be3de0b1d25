//! What members do on the page: they download or delete what is kept of a visitor, or delete the events of all visitors.

use app::events::{
    DeletedEvents, EventFilesError, Forgotten, KeptEventsError, VisitorEvents, VisitorName,
    delete_events, forget_visitor, list_visitor_events,
};
use app::roles::Actor;
use app::{App, Work};
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse as _, Redirect, Response};
use domain::ProjectId;
use storage::StorageError;
use web::Session;

use super::{Feedback, answer, path};
use crate::address::Path;
use crate::caller::FormCaller;
use crate::fields::Fields;
use crate::project_frame::{ProjectFrame, Tab};
use crate::refusal::Refusal;
use crate::words::sentence;

/// `POST /projects/{id}/collected-events/download`: the same as `GET /v1/projects/{id}/visitors/{visitor}` answers.
pub(super) async fn submit_download(
    State(app): State<App>,
    Path(id): Path<ProjectId>,
    FormCaller { session, actor, fields, .. }: FormCaller,
) -> Result<Response, Refusal> {
    let name = match visitor(&fields) {
        Ok(name) => name,
        Err(alert) => return unsuitable((&app, &session, &actor), id, &fields, alert).await,
    };
    let _turn = app.turn(Work::Document).await.map_err(|_| Refusal::Busy)?;
    let found = list_visitor_events(&app, &actor, id, &name).await.map_err(refusal_of)?;
    let VisitorEvents { visitor, json, .. } = found;
    let file = format!("attachment; filename=\"project-{id}-visitor-{visitor}.json\"");
    let headers = [(CONTENT_TYPE, "application/json".to_owned()), (CONTENT_DISPOSITION, file)];
    Ok((headers, json).into_response())
}

/// `POST /projects/{id}/collected-events/forget`
pub(super) async fn submit_forget(
    State(app): State<App>,
    Path(id): Path<ProjectId>,
    FormCaller { session, actor, fields, .. }: FormCaller,
) -> Result<Response, Refusal> {
    let caller = (&app, &session, &actor);
    let name = match visitor(&fields) {
        Ok(name) => name,
        Err(alert) => return unsuitable(caller, id, &fields, alert).await,
    };
    let feedback = match forget_visitor(&app, &actor, id, &name).await {
        Ok(Forgotten { events, .. }) => return Ok(deleted(id, events)),
        Err(KeptEventsError::Files(error @ EventFilesError::Damaged { .. })) => {
            let alert = Some(sentence(&error.to_string()));
            (StatusCode::SERVICE_UNAVAILABLE, Feedback { alert, ..typed(&fields) })
        }
        Err(error) => return Err(refusal_of(error)),
    };
    answer(caller, id, feedback).await
}

/// `POST /projects/{id}/collected-events/delete`: the member types the project's key, so that no slip deletes what is another project's.
pub(super) async fn submit_deletion(
    State(app): State<App>,
    Path(id): Path<ProjectId>,
    FormCaller { session, actor, fields, .. }: FormCaller,
) -> Result<Response, Refusal> {
    let caller = (&app, &session, &actor);
    let project = ProjectFrame::of(&app, &actor, id, Tab::Settings).await?;
    let which = match wanted(&fields, &project.key) {
        Ok(which) => which,
        Err(alert) => {
            let feedback = Feedback { is_deletion: true, ..typed(&fields) };
            let feedback = Feedback { alert: Some(alert.to_owned()), ..feedback };
            return answer(caller, id, (StatusCode::UNPROCESSABLE_ENTITY, feedback)).await;
        }
    };
    let events = delete_events(&app, &actor, id, which).await.map_err(refusal_of)?;
    Ok(deleted(id, events))
}

/// Leads back to the page, so that a reload deletes nothing.
fn deleted(id: ProjectId, events: u64) -> Response {
    let done = if events == 0 { "none" } else { "deleted" };
    Redirect::to(&format!("{}?done={done}", path(id))).into_response()
}

/// The visitor whom a form names.
fn visitor(fields: &Fields) -> Result<VisitorName, &'static str> {
    let named = fields.get("visitor").trim();
    match (named, fields.get("by")) {
        ("", _) => Err("Which visitor? Nothing was done."),
        (number, "number") => number.parse().map(VisitorName::Number).map_err(|_| {
            "No visitor has this number: it is a whole one, as files have it. Nothing was done."
        }),
        (id, _) => Ok(VisitorName::Id(id.to_owned())),
    }
}

/// The events that a form wants deleted.
fn wanted(fields: &Fields, key: &str) -> Result<DeletedEvents, &'static str> {
    if fields.get("key").trim() != key {
        return Err("This is not the key of the project. Nothing was deleted.");
    }
    match fields.get("which") {
        "all" => Ok(DeletedEvents::All),
        _ => fields
            .get("before")
            .parse()
            .map(DeletedEvents::Before)
            .map_err(|_| "Before which day? Nothing was deleted."),
    }
}

fn typed(fields: &Fields) -> Feedback<'_> {
    Feedback {
        visitor: fields.get("visitor"),
        is_number: fields.get("by") == "number",
        before: fields.get("before"),
        ..Feedback::default()
    }
}

async fn unsuitable(
    caller: (&App, &Session, &Actor),
    id: ProjectId,
    fields: &Fields,
    alert: &'static str,
) -> Result<Response, Refusal> {
    let feedback = Feedback { alert: Some(alert.to_owned()), ..typed(fields) };
    answer(caller, id, (StatusCode::UNPROCESSABLE_ENTITY, feedback)).await
}

fn refusal_of(error: KeptEventsError) -> Refusal {
    match error {
        KeptEventsError::Role(error) => error.into(),
        KeptEventsError::Files(error) => StorageError::from(error).into(),
        KeptEventsError::UnknownProject => Refusal::NoSuchPage,
    }
}
