//! `/v1/projects/{id}/events-key`: the public key with which servers and apps add events of the project (`POST /v1/events`).

use app::App;
use app::events::{EventsKeyDto, find_events_key, remove_events_key, renew_events_key};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use oauth::Scope;
use web::Problem;

use crate::address::Path;
use crate::answers::{answer, answer_done};
use crate::editing::{Caller, project_id};
use crate::openapi::Operation;
use crate::routes::{Routes, delete, get, post};

pub(crate) fn routes() -> Routes {
    let find = Operation::new("get_events_key", "Get the key with which servers add events")
        .needs(Scope::ConfigRead, "viewer")
        .answers_dto::<EventsKeyDto>(200);
    let renew = Operation::new("renew_events_key", "Make or renew the key for servers")
        .needs(Scope::ConfigWrite, "editor")
        .answers_dto::<EventsKeyDto>(201);
    let remove = Operation::new("remove_events_key", "Remove the key for servers")
        .needs(Scope::ConfigWrite, "editor")
        .answers_nothing();
    Routes::under("Events").at(
        "/v1/projects/{id}/events-key",
        [get(self::find, find), post(self::renew, renew), delete(self::remove, remove)],
    )
}

async fn find(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::ConfigRead).await?;
    let id = project_id(&app, &actor, &id).await?;
    let key = find_events_key(&app, &actor, id).await?.ok_or_else(Problem::not_found)?;
    Ok(answer(StatusCode::OK, EventsKeyDto::from(&key)))
}

async fn renew(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::ConfigWrite).await?;
    let id = project_id(&app, &actor, &id).await?;
    let key = renew_events_key(&app, &actor, id).await?.ok_or_else(Problem::not_found)?;
    Ok(answer(StatusCode::CREATED, EventsKeyDto::from(&key)))
}

async fn remove(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::ConfigWrite).await?;
    let id = project_id(&app, &actor, &id).await?;
    let was_there = remove_events_key(&app, &actor, id).await?;
    if was_there { Ok(answer_done()) } else { Err(Problem::not_found()) }
}
