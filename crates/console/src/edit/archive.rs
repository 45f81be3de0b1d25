//! `POST /projects/{id}/{collection}/{name}/archive`: a member archives a resource, or restores it.

use app::App;
use app::resources::{ActionError, Archiving, archive_resource, find_resource};
use axum::Extension;
use axum::extract::{OriginalUri, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use domain::{Fault, Pointer, ProjectId};

use crate::address::Path;
use crate::caller::FormCaller;
use crate::edit::Editor;
use crate::edit::context::{At, EditContext};
use crate::edit::edited::Edited;
use crate::edit::save::{refused, version};
use crate::edit::show::{Feedback, answer};
use crate::refusal::Refusal;

/// The field `restore` says that it is to be restored.
pub(super) async fn submit(
    State(app): State<App>,
    Extension(editor): Extension<&'static Editor>,
    Path((id, name)): Path<(ProjectId, String)>,
    OriginalUri(uri): OriginalUri,
    FormCaller { session, actor, fields, .. }: FormCaller,
) -> Result<Response, Refusal> {
    let context = EditContext::open(&app, &session, &actor, id).await?;
    let (archiving, done) = if fields.has("restore") {
        (Archiving::Restore, "restored")
    } else {
        (Archiving::Archive, "archived")
    };
    let (resource, act) = ((editor.kind, name.clone()), (archiving, version(fields.get("etag"))));
    let path = uri.path().rsplit_once('/').map_or("/", |(page, _)| page);
    let mut users = Vec::new();
    let (status, faults) = match archive_resource(&app, &actor, context.id, resource, act).await {
        Ok(_) => return Ok(Redirect::to(&format!("{path}?done={done}")).into_response()),
        Err(ActionError::Edit(error)) => refused(error)?,
        // A double click, or another member was faster.
        Err(ActionError::InvalidTransition { .. }) => {
            return Ok(Redirect::to(&format!("{path}?done={done}")).into_response());
        }
        Err(ActionError::InUse(all)) => {
            users = all;
            (StatusCode::CONFLICT, Vec::new())
        }
        Err(ActionError::Compile(error)) => {
            let fault = Fault::error("compile", Pointer::root(), error.to_string());
            (StatusCode::UNPROCESSABLE_ENTITY, vec![fault])
        }
    };
    let resource = find_resource(&app, &actor, context.id, editor.kind, &name).await?;
    let edited = Edited::stored(editor, &resource);
    let (session, actor, context) = (&session, &actor, &context);
    let at = At { app: &app, editor, session, actor, context, path };
    answer(&at, status, &edited, Feedback { faults: &faults, users: &users, ..Feedback::default() })
        .await
}
