//! `/v1/projects/{id}/pages` and so on: the resources of a project, one by one, all kinds alike. What can be done to them is decided in
//! `app::resources` and `app::campaigns`.

mod action_request;
mod actions;
mod description;
mod duplicates;
mod filter;
mod history;

use app::App;
use app::campaigns::{Act, CampaignAction, Conclusion, Copied, Target, act_on_campaign};
use app::documents::ResourceKind;
use app::resources::{
    Archiving, archive_resource, change_resource, create_resource, find_resource_in,
    list_audience_references, list_resources,
};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use domain::ProjectId;
use oauth::Scope;
use serde_json::Value;
use web::Problem;

use crate::address::{Parameters, Path};
use crate::answers::{answer, answer_done, located};
use crate::conditional::{
    IfMatch, IfNoneMatch, answer_page_unless_known, answer_tagged, answer_unless_known,
};
use crate::editing::{Caller, expected, expected_if_told, problem, project_id};
use crate::json_body::object;
use crate::openapi::Operation;
use crate::paging::Paging;
use crate::routes::{Description, Routes, delete, get, patch, post};
pub(crate) use action_request::{
    ArchivingRequest, ArchivingWord, CampaignsActionRequest, action_schema,
};
pub(crate) use actions::{ActedOnCampaignsDto, ScheduledStartDto};
pub(crate) use filter::{Choice, Sorting};
use filter::{Filter, WhichState};

/// A campaign with everything in it is part of one document, which is four times as large at most.
const BODY_BYTES_AT_MOST: usize = 1024 * 1024;

pub(crate) fn routes() -> Routes {
    Routes::under("Resources of a project")
        .at(
            "/v1/projects/{id}/{collection}",
            [get(list, each(description::list)), post(create, each(description::create))],
        )
        .at(
            "/v1/projects/{id}/{collection}/{name}",
            [
                get(show, each(description::show)),
                patch(change, each(description::change)),
                delete(archive, each(description::archive)),
            ],
        )
        .at(
            "/v1/projects/{id}/{collection}/{name}/actions",
            [post(actions::act, each(description::act))],
        )
        .at(
            "/v1/projects/{id}/{collection}/{name}/history",
            [get(history::list, each(history::description))],
        )
        .at(
            "/v1/projects/{id}/campaigns/actions",
            [post(actions::act_on_all, description::act_on_all())],
        )
        .at(
            "/v1/projects/{id}/campaigns/{name}/duplicate",
            [post(duplicates::copy_campaign, duplicates::description(Copied::Campaign))],
        )
        .at(
            "/v1/projects/{id}/experiments/{name}/duplicate",
            [post(duplicates::copy_experiment, duplicates::description(Copied::Experiment))],
        )
        .at(
            "/v1/projects/{id}/experiments/{name}/phases",
            [post(actions::start_new_phase, description::start_new_phase())],
        )
        .at(
            "/v1/projects/{id}/audiences/{name}/references",
            [get(show_references, description::list_references())],
        )
        .with_bodies_of_at_most(BODY_BYTES_AT_MOST)
}

/// One description for every kind.
fn each(describe: fn(ResourceKind) -> Operation) -> Description {
    Description::from(describe)
}

async fn list(
    State(app): State<App>,
    Path((id, collection)): Path<(String, String)>,
    caller: Caller,
    (paging, if_none_match): (Paging, IfNoneMatch),
    Parameters(Filter(filter)): Parameters<Filter>,
) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::ConfigRead).await?;
    let (id, kind) = (project_id(&app, &actor, &id).await?, kind(&collection)?);
    let wanted = (filter, paging.to_page());
    let listed = list_resources(&app, &actor, id, kind, wanted).await.map_err(problem)?;
    let path = format!("/v1/projects/{id}/{collection}");
    let page = (path.as_str(), listed.total);
    Ok(answer_page_unless_known(&if_none_match, &app, paging, page, &listed.resources))
}

async fn create(
    State(app): State<App>,
    Path((id, collection)): Path<(String, String)>,
    caller: Caller,
    request: Request,
) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::ConfigWrite).await?;
    let (id, kind) = (project_id(&app, &actor, &id).await?, kind(&collection)?);
    let sent = object(request).await?;
    let created = create_resource(&app, &actor, id, kind, sent).await.map_err(problem)?;
    let path = path_of(id, kind, &created);
    Ok(located(answer_tagged(StatusCode::CREATED, created), &app, &path))
}

async fn show(
    State(app): State<App>,
    Path((id, collection, name)): Path<(String, String, String)>,
    caller: Caller,
    (Parameters(WhichState(state)), if_none_match): (Parameters<WhichState>, IfNoneMatch),
) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::ConfigRead).await?;
    let (id, kind) = (project_id(&app, &actor, &id).await?, kind(&collection)?);
    let found = find_resource_in(&app, &actor, id, state, (kind, &name)).await;
    Ok(answer_unless_known(&if_none_match, found.map_err(problem)?))
}

async fn show_references(
    State(app): State<App>,
    Path((id, name)): Path<(String, String)>,
    caller: Caller,
) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::ConfigRead).await?;
    let id = project_id(&app, &actor, &id).await?;
    let references = list_audience_references(&app, &actor, id, &name).await;
    Ok(answer(StatusCode::OK, references.map_err(problem)?))
}

async fn change(
    State(app): State<App>,
    Path((id, collection, name)): Path<(String, String, String)>,
    caller: Caller,
    if_match: Result<IfMatch, Problem>,
    request: Request,
) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::ConfigWrite).await?;
    let (id, kind) = (project_id(&app, &actor, &id).await?, kind(&collection)?);
    let expected = expected(if_match?);
    let patch = object(request).await?;
    let changed = change_resource(&app, &actor, id, (kind, name), (patch, expected)).await;
    Ok(answer_tagged(StatusCode::OK, changed.map_err(problem)?))
}

/// Nothing is ever deleted: what had an id keeps it.
async fn archive(
    State(app): State<App>,
    Path((id, collection, name)): Path<(String, String, String)>,
    caller: Caller,
    if_match: Option<IfMatch>,
) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::ConfigWrite).await?;
    let (id, kind) = (project_id(&app, &actor, &id).await?, kind(&collection)?);
    let expected = expected_if_told(if_match);
    let archived = match kind {
        ResourceKind::Campaign => {
            let (action, conclusion) = (CampaignAction::Archive, Conclusion::default());
            let act = Act { action, target: Target::Campaign(name), conclusion, expected };
            act_on_campaign(&app, &actor, id, act).await.map(|acted| acted.resource)
        }
        ResourceKind::Attribute
        | ResourceKind::Page
        | ResourceKind::Audience
        | ResourceKind::Event
        | ResourceKind::Metric
        | ResourceKind::Experiment
        | ResourceKind::Variation
        | ResourceKind::Group => {
            archive_resource(&app, &actor, id, (kind, name), (Archiving::Archive, expected)).await
        }
    };
    archived.map_err(problem)?;
    Ok(answer_done())
}

fn kind(collection: &str) -> Result<ResourceKind, Problem> {
    ResourceKind::of_collection(collection).ok_or_else(Problem::not_found)
}

fn path_of(id: ProjectId, kind: ResourceKind, resource: &Value) -> String {
    let name = resource["id"].as_str().unwrap_or_default();
    format!("/v1/projects/{id}/{}/{name}", kind.collection())
}
