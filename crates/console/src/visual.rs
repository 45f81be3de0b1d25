//! `/projects/{id}/variations/{variation}/visual`: a member opens a page of their site, where the editor changes the variation, and saves
//! the changes to the draft. `assets/visual.js` talks to the editor; only this page writes, and only when the member says so.

use app::App;
use app::documents::ResourceKind;
use app::drafts::{EditError, ExpectedVersion, ReadError};
use app::resources::{change_resource, find_resource};
use app::roles::{Actor, Permission, RoleError};
use app::visual_editor::{OpenEditorError, open_editor};
use askama::Template;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::StatusCode;
use axum::http::header::CACHE_CONTROL;
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use domain::{Fault, ProjectId, VariationId};
use serde_json::{Map, Value, json};
use web::{FormTargets, Scripts};

use crate::address::Path;
use crate::assets::VISUAL_SCRIPT_PATH;
use crate::caller::{FormCaller, PageCaller};
use crate::frame::{Frame, NavigationTab};
use crate::page::page_with;
use crate::project_frame::{ProjectFrame, Tab};
use crate::refusal::Refusal;
use crate::words::{fault_words, sentence};

/// As large as a document may be over REST: a list of changes is a part of one.
const SAVE_BYTES_AT_MOST: usize = 4 * 1024 * 1024;

const PATH: &str = "/projects/{id}/variations/{variation}/visual";

/// The page and its forms.
pub(crate) fn routes() -> Router<App> {
    Router::new().route(PATH, get(show)).route(&format!("{PATH}/open"), post(submit_open)).route(
        &format!("{PATH}/save"),
        post(submit_save).layer(DefaultBodyLimit::max(SAVE_BYTES_AT_MOST)),
    )
}

#[derive(Template)]
#[template(path = "visual.html")]
struct VisualPage {
    frame: Frame,
    project: ProjectFrame,
    variation: VariationId,
    title: String,
    etag: String,
    changes: String,
}

async fn show(
    State(app): State<App>,
    Path((id, variation)): Path<(ProjectId, VariationId)>,
    caller: PageCaller,
) -> Result<Response, Refusal> {
    let PageCaller { session, actor } = caller;
    actor.require(&app, Some(id), Permission::WriteDraft).await?;
    let found = read(&app, &actor, id, variation).await?;
    let text = |field: &str| found[field].as_str().unwrap_or_default().to_owned();
    let template = VisualPage {
        frame: Frame::new(&session, NavigationTab::Projects),
        project: ProjectFrame::of(&app, &actor, id, Tab::Preview).await?,
        variation,
        title: if found["name"].is_string() { text("name") } else { text("key") },
        etag: text("etag"),
        changes: found["changes"].to_string(),
    };
    let scripts = Scripts::Ours { origin: app.public_url().as_str(), paths: &[VISUAL_SCRIPT_PATH] };
    Ok(page_with(StatusCode::OK, &template, FormTargets::OwnPages, scripts))
}

/// `POST …/visual/open`: the link that the script opens.
async fn submit_open(
    State(app): State<App>,
    Path((id, variation)): Path<(ProjectId, VariationId)>,
    FormCaller { actor, fields, .. }: FormCaller,
) -> Result<Response, Refusal> {
    let (variation, page) = (variation.to_string(), fields.get("url").trim());
    match open_editor(&app, &actor, id, (&variation, page)).await {
        Ok(link) => Ok(answer(
            StatusCode::OK,
            &json!({"url": link.url, "site": link.site, "nonce": link.nonce}),
        )),
        Err(OpenEditorError::UnknownProject | OpenEditorError::Variation(_)) => {
            Err(Refusal::NoSuchPage)
        }
        Err(OpenEditorError::Role(error)) => refused_role(error),
        Err(OpenEditorError::Storage(error)) => Err(error.into()),
        Err(
            error @ (OpenEditorError::NotPublished
            | OpenEditorError::SwitchedOff
            | OpenEditorError::Address(_)),
        ) => Ok(refuse(&[error.to_string()])),
    }
}

/// `POST …/visual/save`: the list of changes takes the place of the draft's, if that is still the one that was seen.
async fn submit_save(
    State(app): State<App>,
    Path((id, variation)): Path<(ProjectId, VariationId)>,
    FormCaller { actor, fields, .. }: FormCaller,
) -> Result<Response, Refusal> {
    let changes: Value =
        serde_json::from_str(fields.get("changes")).map_err(|_| Refusal::UnreadableForm)?;
    let patch = Map::from_iter([("changes".to_owned(), changes)]);
    let etag = fields.get("etag").to_owned();
    let expected = ExpectedVersion::new(move |current| current["etag"] == *etag);
    let target = (ResourceKind::Variation, variation.to_string());
    match change_resource(&app, &actor, id, target, (patch, expected)).await {
        Ok(saved) => Ok(answer(StatusCode::OK, &state(&saved))),
        Err(EditError::Changed(both)) => {
            let mut current = state(&both.current);
            current["by"] = both.current["updated_by"].clone();
            Ok(answer(StatusCode::PRECONDITION_FAILED, &current))
        }
        Err(EditError::Invalid(faults) | EditError::Breaking(faults)) => {
            Ok(refuse(&faults.iter().map(words).collect::<Vec<_>>()))
        }
        Err(EditError::Read(ReadError::Role(error))) => refused_role(error),
        Err(error @ (EditError::ManagedByFile | EditError::Archived)) => {
            Ok(refuse(&[error.to_string()]))
        }
        Err(EditError::Read(error)) => Err(error.into()),
        Err(EditError::Overloaded(_)) => Err(Refusal::Busy),
    }
}

async fn read(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    variation: VariationId,
) -> Result<Value, Refusal> {
    let name = variation.to_string();
    Ok(find_resource(app, actor, id, ResourceKind::Variation, &name).await?)
}

fn state(variation: &Value) -> Value {
    json!({"etag": variation["etag"], "changes": variation["changes"]})
}

fn words(fault: &Fault) -> String {
    format!("`{}`: {}", fault.pointer, fault_words(fault))
}

fn refused_role(error: RoleError) -> Result<Response, Refusal> {
    match error {
        RoleError::Storage(error) => Err(error.into()),
        error @ (RoleError::Insufficient { .. } | RoleError::Scope(_)) => {
            Ok(refuse(&[error.to_string()]))
        }
    }
}

fn refuse(errors: &[String]) -> Response {
    let errors: Vec<String> = errors.iter().map(|error| sentence(error)).collect();
    answer(StatusCode::UNPROCESSABLE_ENTITY, &json!({"errors": errors}))
}

fn answer(status: StatusCode, body: &Value) -> Response {
    (status, [(CACHE_CONTROL, "no-store")], Json(body)).into_response()
}
