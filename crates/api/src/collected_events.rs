//! `DELETE /v1/projects/{id}/collected-events`: what visitors saw and did goes. `/v1/projects/{id}/events` is the list of the events that a
//! project names; to delete there must not be mistaken for this.

use app::App;
use app::events::{DeletedEvents, KeptEventsError, delete_events};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use domain::{CalendarDay, Fault, Pointer};
use oauth::Scope;
use serde_json::json;
use web::{Problem, ProblemCode};

use crate::address::{FromQuery, Parameters, Path, Query};
use crate::answers::answer;
use crate::editing::{Caller, Refusal, problem, project_id};
use crate::openapi::Operation;
use crate::routes::{Routes, delete};

app::dto! {
    /// What was deleted of a project.
    pub(crate) struct DeletedEventsDto: "deleted_events" {
        /// How many events there were.
        events: u32,
    }
}

/// What the query says.
struct Wanted {
    before: Option<CalendarDay>,
    all: bool,
}

const BEFORE: &str = "The first day that stays, in UTC: events that happened before it are deleted. This or `all` has to be there.";
const ALL: &str = "Delete all events. This or `before` has to be there.";

pub(crate) fn routes() -> Routes {
    let day = json!({"type": "string", "format": "date"});
    let delete_all = Operation::new("delete_events", "Delete all or old events of a project")
        .needs(Scope::EventsWrite, "admin")
        .query("before", &day, BEFORE)
        .query("all", &json!({"type": "boolean", "default": false}), ALL)
        .answers_dto::<DeletedEventsDto>(200);
    Routes::under("Events")
        .at("/v1/projects/{id}/collected-events", [delete(delete_those, delete_all)])
}

async fn delete_those(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
    Parameters(wanted): Parameters<Wanted>,
) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::EventsWrite).await?;
    let id = project_id(&app, &actor, &id).await?;
    let events = delete_events(&app, &actor, id, wanted.events()?).await.map_err(problem)?;
    let events = u32::try_from(events).unwrap_or(u32::MAX);
    Ok(answer(StatusCode::OK, DeletedEventsDto { events }))
}

impl FromQuery for Wanted {
    fn read(query: &Query) -> Result<Self, Problem> {
        Ok(Self { before: query.day("before")?, all: query.switch("all")? })
    }
}

impl Wanted {
    /// Which events these are. Who means all says so: a parameter that was left out by mistake must not delete everything.
    fn events(&self) -> Result<DeletedEvents, Problem> {
        match (self.before, self.all) {
            (Some(day), false) => Ok(DeletedEvents::Before(day)),
            (None, true) => Ok(DeletedEvents::All),
            (None, false) | (Some(_), true) => {
                let message =
                    "the query needs either `before`, with the first day that stays, or `all=true`";
                let fault = Fault::error("invalid_parameter", Pointer::root(), message);
                Err(Problem::new(ProblemCode::InvalidParameter, message).with_faults(&[fault]))
            }
        }
    }
}

impl Refusal for KeptEventsError {
    fn problem(self) -> Problem {
        match self {
            Self::Role(error) => Problem::from(error),
            Self::Files(error) => Problem::from(storage::StorageError::from(error)),
            Self::UnknownProject => Problem::not_found(),
        }
    }
}
