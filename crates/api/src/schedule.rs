//! `GET /v1/projects/{id}/schedule`: what starts and stops when.

use app::App;
use app::schedules::{PlannedMoment, list_planned_moments};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use oauth::{Moment, Scope};
use web::Problem;

use crate::address::Path;
use crate::answers::answer;
use crate::editing::{Caller, problem, project_id};
use crate::openapi::Operation;
use crate::routes::{Routes, get};

app::dto! {
    /// What starts and stops when in a project.
    pub(crate) struct ScheduleDto: "project_schedule" {
        /// The moments, the earliest first; of more than 1,000 those due last.
        moments: Vec<PlannedMomentDto>,
    }

    /// A moment at which a campaign starts or stops.
    pub(crate) struct PlannedMomentDto: "planned_moment" {
        /// The campaign's id.
        campaign_id: String,
        /// `start` or `stop`.
        action: String where {"enum": ["start", "stop"]},
        /// When.
        due_at: String where {"format": "date-time"},
        /// `unpublished`: only the draft has it. `due`, `done`, or `missed`: no server was running in time, or there was nothing to start or stop. `cancelled`: a later publication does not have it.
        state: String where {"enum": ["unpublished", "due", "done", "missed", "cancelled"]},
    }
}

pub(crate) fn routes() -> Routes {
    let list = Operation::new("list_schedule", "List what starts and stops when")
        .needs(Scope::ConfigRead, "viewer")
        .answers_dto::<ScheduleDto>(200);
    Routes::under("Projects").at("/v1/projects/{id}/schedule", [get(show, list)])
}

async fn show(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::ConfigRead).await?;
    let id = project_id(&app, &actor, &id).await?;
    let moments = list_planned_moments(&app, &actor, id).await.map_err(problem)?;
    let moments = moments.into_iter().map(PlannedMomentDto::from).collect();
    Ok(answer(StatusCode::OK, ScheduleDto { moments }))
}

impl From<PlannedMoment> for PlannedMomentDto {
    fn from(moment: PlannedMoment) -> Self {
        Self {
            campaign_id: moment.campaign.to_string(),
            action: moment.action.as_str().to_owned(),
            due_at: Moment::from(moment.due_at).machine(),
            state: moment.state.as_str().to_owned(),
        }
    }
}
