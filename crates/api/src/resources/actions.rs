//! `POST …/actions {"action": "start"}`, and the new phases of experiments.

use app::App;
use app::campaigns::{
    Act, Acted, ActedOnVariation, CampaignAction, Conclusion, Phase, Target, VariationAction,
    act_on_campaign, act_on_variation, start_phase,
};
use app::documents::ResourceKind;
use app::drafts::Seen;
use app::resources::{Archiving, archive_resource};
use app::roles::Actor;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::ETAG;
use axum::response::Response;
use domain::{Fault, Pointer, ProjectId};
use oauth::Scope;
use serde_json::{Map, Value, json};
use web::Problem;

use crate::address::Path;
use crate::conditional::{IfMatch, answer_tagged, etag_of};
use crate::editing::{Caller, object, problem, project_id, seen_if_told};
use crate::resources::kind;
use crate::revisions::notices_json;

pub(super) async fn act(
    State(app): State<App>,
    Path((id, collection, name)): Path<(String, String, String)>,
    caller: Caller,
    condition: Option<IfMatch>,
    request: Request,
) -> Result<Response, Problem> {
    let kind = kind(&collection)?;
    let (action, conclusion) = action(kind, object(request).await?)?;
    let scope = if action.is_seen_by_visitors() { Scope::Publish } else { Scope::ConfigWrite };
    let actor = caller.actor(&app, scope).await?;
    let id = project_id(&app, &actor, &id).await?;
    let asked = Asked { id, name, conclusion, seen: seen_if_told(condition) };
    let resource = match (kind, action) {
        (ResourceKind::Campaign, action) => {
            let target = Target::Campaign(asked.name.clone());
            let Acted { resource, revision } =
                act_on(&app, &actor, asked, (action, target)).await?;
            let revision = ("live_since_revision", json!(revision));
            return Ok(answer_with(StatusCode::OK, resource, revision));
        }
        (ResourceKind::Variation, CampaignAction::Pause) => {
            return on_variation(&app, &actor, asked, VariationAction::Pause).await;
        }
        (ResourceKind::Variation, CampaignAction::Resume) => {
            return on_variation(&app, &actor, asked, VariationAction::Resume).await;
        }
        (_, CampaignAction::Archive) => {
            archive(&app, &actor, asked, (kind, Archiving::Archive)).await?
        }
        (_, CampaignAction::Restore) => {
            archive(&app, &actor, asked, (kind, Archiving::Restore)).await?
        }
        (
            _,
            action @ (CampaignAction::Start
            | CampaignAction::Pause
            | CampaignAction::Resume
            | CampaignAction::Conclude),
        ) => {
            let target = Target::Experiment(asked.name.clone());
            act_on(&app, &actor, asked, (action, target)).await?.resource
        }
    };
    Ok(answer_tagged(StatusCode::OK, resource))
}

pub(super) async fn start_new_phase(
    State(app): State<App>,
    Path((id, name)): Path<(String, String)>,
    caller: Caller,
    condition: Option<IfMatch>,
    request: Request,
) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::ConfigWrite).await?;
    let patch = object(request).await?;
    let seen = seen_if_told(condition);
    let id = project_id(&app, &actor, &id).await?;
    let phase = start_phase(&app, &actor, id, name, (patch, seen)).await;
    let Phase { experiment, visitors } = phase.map_err(problem)?;
    let visitors = ("visitors", notices_json(&visitors));
    Ok(answer_with(StatusCode::CREATED, experiment, visitors))
}

async fn on_variation(
    app: &App,
    actor: &Actor,
    asked: Asked,
    action: VariationAction,
) -> Result<Response, Problem> {
    let Asked { id, name, seen, .. } = asked;
    let acted = act_on_variation(app, actor, id, name, (action, seen)).await.map_err(problem)?;
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

/// What something is to be done to.
struct Asked {
    id: ProjectId,
    name: String,
    conclusion: Conclusion,
    seen: Seen,
}

async fn act_on(
    app: &App,
    actor: &Actor,
    asked: Asked,
    (action, target): (CampaignAction, Target),
) -> Result<Acted, Problem> {
    let Asked { id, conclusion, seen, .. } = asked;
    let act = Act { action, target, conclusion, seen };
    act_on_campaign(app, actor, id, act).await.map_err(problem)
}

async fn archive(
    app: &App,
    actor: &Actor,
    asked: Asked,
    (kind, archiving): (ResourceKind, Archiving),
) -> Result<Value, Problem> {
    let Asked { id, name, seen, .. } = asked;
    archive_resource(app, actor, id, (kind, name), (archiving, seen)).await.map_err(problem)
}

/// What can be done to a resource of this kind.
pub(crate) fn actions_of(kind: ResourceKind) -> Vec<&'static str> {
    match kind {
        ResourceKind::Campaign | ResourceKind::Experiment => {
            CampaignAction::ALL.map(CampaignAction::word).to_vec()
        }
        ResourceKind::Attribute
        | ResourceKind::Page
        | ResourceKind::Audience
        | ResourceKind::Event
        | ResourceKind::Group => vec!["archive", "restore"],
        ResourceKind::Variation => vec!["pause", "resume", "archive", "restore"],
    }
}

/// The action that the body names, of those that there are for this kind, and what it says of a campaign that is concluded.
fn action(
    kind: ResourceKind,
    mut body: Map<String, Value>,
) -> Result<(CampaignAction, Conclusion), Problem> {
    let known = actions_of(kind);
    let pointer = Pointer::root().field("action");
    let named = body.shift_remove("action");
    let given = named.as_ref().and_then(Value::as_str).unwrap_or_default();
    let action = CampaignAction::named(given).filter(|action| known.contains(&action.word()));
    let conclusion = match action {
        Some(CampaignAction::Conclude) => conclusion(&mut body)?,
        Some(_) | None => Conclusion::default(),
    };
    if let Some(field) = body.keys().next() {
        let message = format!("unknown field `{field}`");
        let fault = Fault::error("unknown_field", Pointer::root().field(field), message);
        let expected = match action {
            Some(CampaignAction::Conclude) => "only `action`, `winner` and `ship`",
            Some(_) | None => "only `action`",
        };
        return Err(Problem::faults(&[fault.expected(expected)]));
    }
    let action = action.ok_or_else(|| {
        let words: Vec<String> = known.iter().map(|word| format!("`{word}`")).collect();
        let fault = Fault::error("unknown_word", pointer, "this names no action");
        let fault = fault.expected(format!("one of {}", words.join(", ")));
        Problem::faults(&[fault.did_you_mean(given, known)])
    })?;
    Ok((action, conclusion))
}

/// What `conclude` may say beside.
fn conclusion(body: &mut Map<String, Value>) -> Result<Conclusion, Problem> {
    let wrong = |field: &str, expected: &str| {
        let pointer = Pointer::root().field(field);
        let fault = Fault::error("wrong_type", pointer, "this does not fit here");
        Problem::faults(&[fault.expected(expected)])
    };
    let winner = match body.shift_remove("winner") {
        None | Some(Value::Null) => None,
        Some(Value::String(winner)) => Some(winner),
        Some(Value::Number(winner)) => Some(winner.to_string()),
        Some(Value::Bool(_) | Value::Array(_) | Value::Object(_)) => {
            return Err(wrong("winner", "the key or the id of a variation, a text"));
        }
    };
    let ship = match body.shift_remove("ship") {
        None | Some(Value::Null) => None,
        Some(Value::Bool(ship)) => Some(ship),
        Some(Value::Number(_) | Value::String(_) | Value::Array(_) | Value::Object(_)) => {
            return Err(wrong("ship", "`true` or `false`"));
        }
    };
    Ok(Conclusion { winner, ship })
}
