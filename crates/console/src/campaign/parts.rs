//! What members do with a part of a campaign: a variation is paused alone, and an experiment begins a new phase.

use app::App;
use app::campaigns::{VariationAction, act_on_variation, start_phase};
use app::drafts::ExpectedVersion;
use axum::extract::State;
use axum::response::{IntoResponse as _, Redirect, Response};
use domain::ProjectId;
use serde_json::Map;

use super::FoundCampaign;
use super::actions::refuse;
use crate::address::Path;
use crate::caller::FormCaller;
use crate::refusal::Refusal;

/// `POST /projects/{id}/campaigns/{name}/act-on-variation`
pub(super) async fn submit_variation(
    State(app): State<App>,
    Path((id, name)): Path<(ProjectId, String)>,
    FormCaller { session, actor, fields, .. }: FormCaller,
) -> Result<Response, Refusal> {
    let found = FoundCampaign::find(&app, &actor, (id, &name)).await?;
    let (action, done, done_in_draft) = match fields.get("action") {
        "pause" => (VariationAction::Pause, "pause-variation", "pause-in-draft"),
        "resume" => (VariationAction::Resume, "resume-variation", "resume-in-draft"),
        _ => return Err(Refusal::UnreadableForm),
    };
    let variation = fields.get("variation").to_owned();
    // Nothing else changes, however old the page is; what was done already is told.
    let asked = (action, ExpectedVersion::any());
    match act_on_variation(&app, &actor, found.id, variation, asked).await {
        Ok(acted) => {
            let is_live = acted.revision.is_some();
            Ok(back(&found, if is_live { done } else { done_in_draft }))
        }
        Err(error) => refuse((&app, &session, &actor), &found, error).await,
    }
}

/// `POST /projects/{id}/campaigns/{name}/new-phase`
pub(super) async fn submit_phase(
    State(app): State<App>,
    Path((id, name)): Path<(ProjectId, String)>,
    FormCaller { session, actor, fields, .. }: FormCaller,
) -> Result<Response, Refusal> {
    let found = FoundCampaign::find(&app, &actor, (id, &name)).await?;
    let experiment = fields.get("experiment").to_owned();
    // A copy as it is; the form of the campaign changes it. A second press finds no such experiment.
    let unchanged = (Map::new(), ExpectedVersion::any());
    match start_phase(&app, &actor, found.id, experiment, unchanged).await {
        Ok(_) => Ok(back(&found, "new-phase")),
        Err(error) => refuse((&app, &session, &actor), &found, error.into()).await,
    }
}

fn back(found: &FoundCampaign, done: &str) -> Response {
    Redirect::to(&format!("{}?done={done}", found.path)).into_response()
}
