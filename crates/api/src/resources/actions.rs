//! `POST …/actions {"action": "start"}`, and the new phases of experiments.

use app::App;
use app::campaigns::{
    Act, Acted, ActedOnVariation, CampaignAction, Conclusion, Phase, ScheduledStart, Target,
    VariationAction, act_on_all_campaigns, act_on_campaign, act_on_variation, start_phase,
};
use app::documents::ResourceKind;
use app::drafts::ExpectedVersion;
use app::resources::{Archiving, archive_resource};
use app::roles::Actor;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::ETAG;
use axum::response::Response;
use domain::ProjectId;
use oauth::{Moment, Scope};
use serde_json::{Value, json};
use web::Problem;

use crate::address::Path;
use crate::answers::answer;
use crate::conditional::{IfMatch, answer_tagged, etag_of};
use crate::editing::{Caller, expected_if_told, problem, project_id};
use crate::json_body::{object, sent};
use crate::resources::action_request::{CampaignsActionRequest, CampaignsWord, action_sent};
use crate::resources::kind;
use crate::revisions::notices_json;

pub(super) async fn act(
    State(app): State<App>,
    Path((id, collection, name)): Path<(String, String, String)>,
    caller: Caller,
    if_match: Option<IfMatch>,
    request: Request,
) -> Result<Response, Problem> {
    let kind = kind(&collection)?;
    let (action, conclusion) = action_sent(kind, request).await?;
    let scope = if action.is_seen_by_visitors() { Scope::Publish } else { Scope::ConfigWrite };
    let actor = caller.actor(&app, scope).await?;
    let id = project_id(&app, &actor, &id).await?;
    let input = ActionInput { id, name, conclusion, expected: expected_if_told(if_match) };
    let resource = match (kind, action) {
        (ResourceKind::Campaign, action) => {
            let target = Target::Campaign(input.name.clone());
            let Acted { resource, revision } =
                act_on(&app, &actor, input, (action, target)).await?;
            let revision = ("live_since_revision", json!(revision));
            return Ok(answer_with(StatusCode::OK, resource, revision));
        }
        (ResourceKind::Variation, CampaignAction::Pause) => {
            return on_variation(&app, &actor, input, VariationAction::Pause).await;
        }
        (ResourceKind::Variation, CampaignAction::Resume) => {
            return on_variation(&app, &actor, input, VariationAction::Resume).await;
        }
        (_, CampaignAction::Archive) => {
            archive(&app, &actor, input, (kind, Archiving::Archive)).await?
        }
        (_, CampaignAction::Restore) => {
            archive(&app, &actor, input, (kind, Archiving::Restore)).await?
        }
        (
            _,
            action @ (CampaignAction::Start
            | CampaignAction::Pause
            | CampaignAction::Resume
            | CampaignAction::Conclude),
        ) => {
            let target = Target::Experiment(input.name.clone());
            act_on(&app, &actor, input, (action, target)).await?.resource
        }
    };
    Ok(answer_tagged(StatusCode::OK, resource))
}

app::dto! {
    /// A campaign that starts by its schedule.
    pub(crate) struct ScheduledStartDto: "scheduled_start" {
        /// Its id.
        campaign: String,
        /// When it starts.
        starts_at: String where {"format": "date-time"},
    }

    /// What became of the campaigns that the action concerned.
    pub(crate) struct ActedOnCampaignsDto: "acted_on_campaigns" {
        /// Their ids: those that are paused now, or that do not start by themselves any more.
        campaigns: Vec<String>,
        /// The revision that made it live; null if it concerned none.
        live_since_revision: Option<u32>,
        /// The live campaigns that start by their schedules all the same, the earliest first.
        scheduled_starts: Vec<ScheduledStartDto>,
    }
}

pub(super) async fn act_on_all(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
    request: Request,
) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::Publish).await?;
    let CampaignsActionRequest { action: CampaignsWord(action) } = sent(request).await?;
    let id = project_id(&app, &actor, &id).await?;
    let acted = act_on_all_campaigns(&app, &actor, id, action).await.map_err(problem)?;
    let campaigns = acted.campaigns.iter().map(ToString::to_string).collect();
    let live_since_revision = acted.revision;
    let start = |start: &ScheduledStart| ScheduledStartDto {
        campaign: start.campaign.to_string(),
        starts_at: Moment::from(start.starts_at).machine(),
    };
    let scheduled_starts = acted.scheduled_starts.iter().map(start).collect();
    let body = ActedOnCampaignsDto { campaigns, live_since_revision, scheduled_starts };
    Ok(answer(StatusCode::OK, body))
}

pub(super) async fn start_new_phase(
    State(app): State<App>,
    Path((id, name)): Path<(String, String)>,
    caller: Caller,
    if_match: Option<IfMatch>,
    request: Request,
) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::ConfigWrite).await?;
    let patch = object(request).await?;
    let expected = expected_if_told(if_match);
    let id = project_id(&app, &actor, &id).await?;
    let phase = start_phase(&app, &actor, id, name, (patch, expected)).await;
    let Phase { experiment, visitors } = phase.map_err(problem)?;
    let visitors = ("visitors", notices_json(&visitors));
    Ok(answer_with(StatusCode::CREATED, experiment, visitors))
}

async fn on_variation(
    app: &App,
    actor: &Actor,
    input: ActionInput,
    action: VariationAction,
) -> Result<Response, Problem> {
    let ActionInput { id, name, expected, .. } = input;
    let acted =
        act_on_variation(app, actor, id, name, (action, expected)).await.map_err(problem)?;
    let ActedOnVariation { variation, revision } = acted;
    Ok(answer_with(StatusCode::OK, variation, ("live_since_revision", json!(revision))))
}

/// A resource, with what else came of it. The tag is that of the resource, by which it may be changed next.
fn answer_with(status: StatusCode, resource: Value, (field, value): (&str, Value)) -> Response {
    let tag = etag_of(&resource);
    let mut body = resource;
    body[field] = value;
    let mut response = answer_tagged(status, body);
    response.headers_mut().insert(ETAG, tag);
    response
}

/// The resource to act on, and how.
struct ActionInput {
    id: ProjectId,
    name: String,
    conclusion: Conclusion,
    expected: ExpectedVersion,
}

async fn act_on(
    app: &App,
    actor: &Actor,
    input: ActionInput,
    (action, target): (CampaignAction, Target),
) -> Result<Acted, Problem> {
    let ActionInput { id, conclusion, expected, .. } = input;
    let act = Act { action, target, conclusion, expected };
    act_on_campaign(app, actor, id, act).await.map_err(problem)
}

async fn archive(
    app: &App,
    actor: &Actor,
    input: ActionInput,
    (kind, archiving): (ResourceKind, Archiving),
) -> Result<Value, Problem> {
    let ActionInput { id, name, expected, .. } = input;
    archive_resource(app, actor, id, (kind, name), (archiving, expected)).await.map_err(problem)
}
