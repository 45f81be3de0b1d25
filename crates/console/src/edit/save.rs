//! A member presses a button of a form: it stores the resource, or shows the form again with its structure changed.

use app::App;
use app::drafts::{EditError, ExpectedVersion, ReadError};
use app::resources::{change_resource, check_change, check_new_resource, create_resource};
use app::roles::RoleError;
use axum::Extension;
use axum::extract::{OriginalUri, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use domain::{Fault, Pointer, ProjectId};
use serde_json::{Map, Value};
use web::nothing_done;

use crate::address::Path;
use crate::caller::FormCaller;
use crate::edit::Editor;
use crate::edit::conflict;
use crate::edit::context::{At, EditContext};
use crate::edit::edited::Edited;
use crate::edit::made_key::key_beside;
use crate::edit::show::{Feedback, answer};
use crate::edit::structure::{Act, restructure};
use crate::edit::trial;
use crate::fields::Fields;
use crate::refusal::Refusal;

/// `POST /projects/{id}/{collection}/{name}/save`
pub(super) async fn submit(
    State(app): State<App>,
    Extension(editor): Extension<&'static Editor>,
    Path((id, name)): Path<(ProjectId, String)>,
    OriginalUri(uri): OriginalUri,
    caller: FormCaller,
) -> Result<Response, Refusal> {
    let context = EditContext::open(&app, &caller.session, &caller.actor, id).await?;
    press(&app, editor, (&context, Some(name)), uri.path(), &caller).await
}

/// `POST /projects/{id}/{collection}/new/save`
pub(super) async fn submit_new(
    State(app): State<App>,
    Extension(editor): Extension<&'static Editor>,
    Path(id): Path<ProjectId>,
    OriginalUri(uri): OriginalUri,
    caller: FormCaller,
) -> Result<Response, Refusal> {
    let context = EditContext::open(&app, &caller.session, &caller.actor, id).await?;
    press(&app, editor, (&context, None), uri.path(), &caller).await
}

/// `GET …/save`: the address of a form that was refused, which a member may open again.
pub(crate) async fn show_form(OriginalUri(uri): OriginalUri) -> Redirect {
    Redirect::to(form_at(uri.path()))
}

/// The address of the form that is sent to this one.
fn form_at(action: &str) -> &str {
    action.rsplit_once('/').map_or(action, |(form, _)| form)
}

async fn press(
    app: &App,
    editor: &'static Editor,
    (context, name): (&EditContext, Option<String>),
    action: &str,
    FormCaller { session, actor, fields, .. }: &FormCaller,
) -> Result<Response, Refusal> {
    let edited = Edited::sent(editor, fields).ok_or(Refusal::UnreadableForm)?;
    if edited.was.is_empty() != name.is_none() {
        return Err(Refusal::UnreadableForm);
    }
    let at = At { app, editor, session, actor, context, path: form_at(action) };
    let answer = match Act::of(fields.get("act")) {
        Act::Save => return save(&at, edited, name, fields).await,
        Act::Structure(verb, pointer, word) => {
            let mut edited = edited;
            // A member selects the kind of what a button adds beside it.
            let kind = format!("kind {pointer}");
            let word = if word.is_empty() { fields.get(&kind) } else { word };
            let act = (verb, pointer, word);
            let focus = restructure(&mut edited.now, act, editor.element);
            let (focus, pressed) = (focus.as_deref(), Some(fields.get("act")));
            let feedback = Feedback { sent: Some(fields), focus, pressed, ..Feedback::default() };
            answer(&at, StatusCode::OK, &edited, feedback).await
        }
        Act::Try => {
            let tried = trial::of(&at, &edited, fields).await?;
            let faults = tried.faults.as_slice();
            let feedback =
                Feedback { sent: Some(fields), faults, trial: Some(&tried), ..Feedback::default() };
            answer(&at, StatusCode::OK, &edited, feedback).await
        }
        Act::Show => {
            let pressed = fields.get("act");
            // The page with two versions has no field: the member begins with the first one.
            let focus = (pressed == "show").then_some("");
            let feedback = Feedback {
                sent: Some(fields),
                focus,
                pressed: Some(pressed),
                ..Feedback::default()
            };
            answer(&at, StatusCode::OK, &edited, feedback).await
        }
    };
    answer.map(nothing_done)
}

async fn save(
    at: &At<'_>,
    edited: Edited,
    name: Option<String>,
    fields: &Fields,
) -> Result<Response, Refusal> {
    let At { app, editor, actor, context, .. } = at;
    let wanted = wanted(at, &edited);
    let faults = (editor.refuses)(&edited, &wanted, app.wall_time());
    if !faults.is_empty() {
        return refuse(at, edited, (name, wanted), (fields, faults)).await;
    }
    let (stored, done) = match name {
        None => {
            (create_resource(app, actor, context.id, editor.kind, wanted.clone()).await, "added")
        }
        Some(name) => {
            let changes = edited.changes(&wanted);
            if changes.is_empty() {
                return Ok(Redirect::to(&format!("{}?done=unchanged", at.path)).into_response());
            }
            let resource = (editor.kind, name);
            let expected = version(&edited.etag);
            (change_resource(app, actor, context.id, resource, (changes, expected)).await, "saved")
        }
    };
    match stored {
        Ok(resource) => {
            let id = resource["id"].as_str().unwrap_or_default();
            let path = editor.path(context.id, id);
            Ok(Redirect::to(&format!("{path}?done={done}")).into_response())
        }
        Err(EditError::Changed(both)) => conflict::answer(at, (&edited, &wanted), &both).await,
        Err(error) => {
            let (status, faults) = refused(error)?;
            let feedback = Feedback { sent: Some(fields), faults: &faults, ..Feedback::default() };
            answer(at, status, &edited, feedback).await
        }
    }
}

/// The resource as the member wants it, with a key if none can be made from its name.
fn wanted(At { editor, context, .. }: &At<'_>, edited: &Edited) -> Map<String, Value> {
    let (kind, mut wanted) = (editor.kind, Value::Object(edited.wanted(editor)));
    let others = context.draft.document.list(kind.collection()).iter().map(|other| &**other);
    if let Some(key) = key_beside(&wanted, kind.word(), others) {
        wanted["key"] = Value::from(key);
    }
    wanted.as_object_mut().map(std::mem::take).unwrap_or_default()
}

/// The form with its own faults and those that the rules of documents would find, so that a member can mend all at once.
async fn refuse(
    at: &At<'_>,
    edited: Edited,
    (name, wanted): (Option<String>, Map<String, Value>),
    (fields, mut faults): (&Fields, Vec<Fault>),
) -> Result<Response, Refusal> {
    let At { app, editor, actor, context, .. } = at;
    let checked = match name {
        None => check_new_resource(app, actor, context.id, editor.kind, wanted.clone()).await,
        Some(name) => {
            let wish = (edited.changes(&wanted), version(&edited.etag));
            check_change(app, actor, context.id, (editor.kind, name), wish).await
        }
    };
    let status = match checked {
        Ok(()) => StatusCode::UNPROCESSABLE_ENTITY,
        Err(EditError::Changed(both)) => {
            return conflict::answer(at, (&edited, &wanted), &both).await;
        }
        Err(error) => {
            let (status, others) = refused(error)?;
            faults.extend(others);
            status
        }
    };
    let feedback = Feedback { sent: Some(fields), faults: &faults, ..Feedback::default() };
    answer(at, status, &edited, feedback).await
}

/// The version with this entity tag.
pub(crate) fn version(etag: &str) -> ExpectedVersion {
    let etag = etag.to_owned();
    ExpectedVersion::new(move |current| current["etag"] == etag.as_str())
}

/// Why an edit was refused, for the page that shows the form again.
pub(crate) fn refused(error: EditError) -> Result<(StatusCode, Vec<Fault>), Refusal> {
    match error {
        EditError::Invalid(faults) | EditError::Breaking(faults) => {
            Ok((StatusCode::UNPROCESSABLE_ENTITY, faults))
        }
        EditError::ManagedByFile => {
            let fault = general("managed_by_file", "a project file manages this project");
            Ok((StatusCode::CONFLICT, vec![fault.hint("change that file instead")]))
        }
        EditError::Archived => {
            let fault = general("project_archived", "the project is archived");
            let hint = "restore it on the page that its settings lead to, and publish that, first";
            Ok((StatusCode::CONFLICT, vec![fault.hint(hint)]))
        }
        EditError::Changed(_) => {
            let fault = general("changed", "another member has changed this meanwhile");
            Ok((StatusCode::CONFLICT, vec![fault.hint("look at it again first")]))
        }
        EditError::Read(ReadError::Role(
            error @ (RoleError::Insufficient { .. } | RoleError::Scope(_)),
        )) => {
            let fault = general("role", &error.to_string());
            Ok((StatusCode::FORBIDDEN, vec![fault.hint("an admin can give you a higher one")]))
        }
        EditError::Read(error) => Err(error.into()),
        EditError::Overloaded(_) => Err(Refusal::Busy),
    }
}

fn general(code: &'static str, message: &str) -> Fault {
    Fault::error(code, Pointer::root(), message)
}
