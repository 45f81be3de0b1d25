//! `GET /projects/{id}/schedule`: what starts and stops when, and what became of it.

use app::App;
use app::schedules::{PlannedMoment, PlannedState, list_planned_moments};
use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use domain::ProjectId;
use oauth::Moment;
use storage::{MomentOutcome, ScheduledAction};
use web::FormTargets;

use crate::address::Path;
use crate::caller::PageCaller;
use crate::frame::{Frame, NavigationTab};
use crate::page::page;
use crate::project_frame::{ProjectFrame, Tab};
use crate::refusal::Refusal;

#[derive(Template)]
#[template(path = "schedule.html")]
struct SchedulePage {
    frame: Frame,
    project: ProjectFrame,
    /// Those to come, the next one first, and those of the past, the last one first.
    lists: [MomentList; 2],
}

struct MomentList {
    id: &'static str,
    title: &'static str,
    about: &'static str,
    moments: Vec<ShownMoment>,
}

struct ShownMoment {
    machine: String,
    words: String,
    /// As the campaign's schedule says it, unless that is in UTC.
    local: Option<String>,
    action: &'static str,
    campaign: String,
    path: String,
    state: &'static str,
    pill: &'static str,
}

pub(crate) async fn show(
    State(app): State<App>,
    Path(id): Path<ProjectId>,
    PageCaller { session, actor }: PageCaller,
) -> Result<Response, Refusal> {
    let moments = list_planned_moments(&app, &actor, id).await?;
    let (to_come, past): (Vec<_>, Vec<_>) =
        moments.into_iter().partition(|moment| moment.state.is_to_come());
    let shown = |moment| ShownMoment::of(id, moment);
    let template = SchedulePage {
        frame: Frame::new(&session, NavigationTab::Projects),
        project: ProjectFrame::of(&app, &actor, id, Tab::Schedule).await?,
        lists: [
            MomentList {
                id: "to-come",
                title: "To come",
                about: "The next one first",
                moments: to_come.into_iter().map(shown).collect(),
            },
            MomentList {
                id: "past",
                title: "Past",
                about: "The last one first",
                moments: past.into_iter().rev().map(shown).collect(),
            },
        ],
    };
    Ok(page(StatusCode::OK, &template, FormTargets::OwnPages))
}

impl SchedulePage {
    fn is_empty(&self) -> bool {
        self.lists.iter().all(|list| list.moments.is_empty())
    }
}

impl ShownMoment {
    fn of(project: ProjectId, moment: PlannedMoment) -> Self {
        let at = Moment::from(moment.due_at);
        let StateWords { state, pill } = words(moment.state);
        let local = moment.local.filter(|(_, zone)| zone != "UTC");
        Self {
            machine: at.machine(),
            words: at.words(),
            local: local.map(|(minute, zone)| format!("{} {zone}", minute.replace('T', " "))),
            action: match moment.action {
                ScheduledAction::Start => "starts",
                ScheduledAction::Stop => "stops",
            },
            path: format!("/projects/{project}/campaigns/{}", moment.campaign),
            campaign: moment.title,
            state,
            pill,
        }
    }
}

/// How a state is shown.
struct StateWords {
    state: &'static str,
    /// The class of its pill.
    pill: &'static str,
}

fn words(state: PlannedState) -> StateWords {
    let (state, pill) = match state {
        PlannedState::Unpublished => ("not published", "held"),
        PlannedState::Published(MomentOutcome::Due) => ("planned", "good"),
        PlannedState::Published(MomentOutcome::Done) => ("done", "concluded"),
        PlannedState::Published(MomentOutcome::Missed) => ("missed", "lost"),
        PlannedState::Published(MomentOutcome::Cancelled) => ("cancelled", ""),
    };
    StateWords { state, pill }
}
