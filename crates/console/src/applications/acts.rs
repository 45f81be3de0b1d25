//! What a visitor does to applications. A secret is shown in the answer to the form that made it, and never again.

use app::App;
use app::applications::{
    AddApplicationError, AddSecretError, ChangeApplicationError, RemoveApplicationError,
    RemoveSecretError, add_application, add_secret, change_application, disable_application,
    enable_application, find_application, remove_application, remove_secret,
};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use oauth::{Client, ClientId};
use secrecy::ExposeSecret;
use web::Session;

use crate::address::Path;
use crate::applications::application::{self, Feedback, tag};
use crate::applications::form::ApplicationForm;
use crate::applications::{self, PATH, path_of};
use crate::caller::FormCaller;
use crate::refusal::Refusal;
use crate::words::sentence;

const CHANGED: &str = "Another member has changed this application meanwhile. Below is what you typed; look at what is there now, and try again.";

/// `POST /applications/register`: the answer shows the secret, once.
pub(super) async fn submit_new(
    State(app): State<App>,
    FormCaller { session, actor, fields, .. }: FormCaller,
) -> Result<Response, Refusal> {
    let form = ApplicationForm::read(&fields);
    let added = match add_application(&app, &actor, form.to_new()).await {
        Ok(added) => added,
        Err(AddApplicationError::Fault(fault)) => {
            let form = form.refused(fault);
            return applications::answer((&app, &session, &actor), form, None).await;
        }
        Err(AddApplicationError::Role(error)) => return Err(error.into()),
        Err(AddApplicationError::Storage(error)) => return Err(error.into()),
    };
    let Some(client) = find_application(&app, &actor, &added.client_id).await? else {
        return Ok(gone());
    };
    let secret = added.client_secret.as_ref().map(ExposeSecret::expose_secret);
    let feedback = Feedback { secret, is_new: true, ..Feedback::default() };
    Ok(shown((&app, &session), &client, (StatusCode::CREATED, feedback)))
}

/// `POST /applications/{id}/change`
pub(super) async fn submit_change(
    State(app): State<App>,
    Path(id): Path<ClientId>,
    FormCaller { session, actor, fields, .. }: FormCaller,
) -> Result<Response, Refusal> {
    let Some(client) = find_application(&app, &actor, &id).await? else { return Ok(gone()) };
    let form = ApplicationForm::read(&fields);
    let changed = if tag(&client) == fields.get("seen") {
        change_application(&app, &actor, &client, form.to_changed(&client)).await
    } else {
        Err(ChangeApplicationError::OtherApplication)
    };
    let (status, alert, form) = match changed {
        Ok(()) => return Ok(back(&client, "done=changed")),
        Err(ChangeApplicationError::Role(error)) => return Err(error.into()),
        Err(ChangeApplicationError::Storage(error)) => return Err(error.into()),
        Err(ChangeApplicationError::Fault(fault)) => {
            (StatusCode::UNPROCESSABLE_ENTITY, None, form.refused(fault))
        }
        Err(ChangeApplicationError::OtherApplication) => {
            (StatusCode::CONFLICT, Some(CHANGED.to_owned()), form)
        }
        Err(error @ ChangeApplicationError::Declared) => {
            (StatusCode::CONFLICT, Some(sentence(&error.to_string())), form)
        }
    };
    let Some(client) = find_application(&app, &actor, &id).await? else { return Ok(gone()) };
    let feedback = Feedback { alert, ..Feedback::default() };
    Ok(application::answer((&app, &session), &client, form, (status, feedback)))
}

/// `POST /applications/{id}/add-secret`: the answer shows the secret, once.
pub(super) async fn submit_secret(
    State(app): State<App>,
    Path(id): Path<ClientId>,
    FormCaller { session, actor, fields, .. }: FormCaller,
) -> Result<Response, Refusal> {
    let Some(client) = find_application(&app, &actor, &id).await? else { return Ok(gone()) };
    let note = fields.get("note").trim().to_owned();
    match add_secret(&app, &actor, &client.client_id, note).await {
        Ok(added) => {
            let Some(client) = find_application(&app, &actor, &id).await? else {
                return Ok(gone());
            };
            let secret = Some(added.client_secret.expose_secret());
            let feedback = Feedback { secret, ..Feedback::default() };
            Ok(shown((&app, &session), &client, (StatusCode::CREATED, feedback)))
        }
        Err(AddSecretError::UnknownApplication) => Ok(gone()),
        Err(AddSecretError::Role(error)) => Err(error.into()),
        Err(AddSecretError::Storage(error)) => Err(error.into()),
        Err(AddSecretError::Fault(fault)) => {
            let feedback = (StatusCode::UNPROCESSABLE_ENTITY, refused(&fault));
            Ok(shown((&app, &session), &client, feedback))
        }
        Err(
            error @ (AddSecretError::Public | AddSecretError::Declared | AddSecretError::TooMany),
        ) => Ok(shown((&app, &session), &client, (StatusCode::CONFLICT, refused(&error)))),
    }
}

/// `POST /applications/{id}/remove-secret`
pub(super) async fn submit_secret_removal(
    State(app): State<App>,
    Path(id): Path<ClientId>,
    FormCaller { actor, fields, .. }: FormCaller,
) -> Result<Response, Refusal> {
    let Some(client) = find_application(&app, &actor, &id).await? else { return Ok(gone()) };
    Ok(match remove_secret(&app, &actor, &client.client_id, fields.get("secret")).await {
        Ok(()) => back(&client, "done=secret-removed"),
        Err(RemoveSecretError::UnknownApplication) => gone(),
        // No page offers to remove what a project file declares.
        Err(RemoveSecretError::UnknownSecret | RemoveSecretError::Declared) => {
            back(&client, "problem=no-secret")
        }
        Err(RemoveSecretError::Role(error)) => return Err(error.into()),
        Err(RemoveSecretError::Storage(error)) => return Err(error.into()),
    })
}

/// `POST /applications/{id}/disable`
pub(super) async fn submit_disabling(
    State(app): State<App>,
    Path(id): Path<ClientId>,
    FormCaller { actor, .. }: FormCaller,
) -> Result<Response, Refusal> {
    let Some(client) = find_application(&app, &actor, &id).await? else { return Ok(gone()) };
    let is_known = disable_application(&app, &actor, &client.client_id).await?;
    Ok(if is_known { back(&client, "done=disabled") } else { gone() })
}

/// `POST /applications/{id}/enable`
pub(super) async fn submit_enabling(
    State(app): State<App>,
    Path(id): Path<ClientId>,
    FormCaller { actor, .. }: FormCaller,
) -> Result<Response, Refusal> {
    let Some(client) = find_application(&app, &actor, &id).await? else { return Ok(gone()) };
    let is_known = enable_application(&app, &actor, &client.client_id).await?;
    Ok(if is_known { back(&client, "done=enabled") } else { gone() })
}

/// `POST /applications/{id}/remove`
pub(super) async fn submit_removal(
    State(app): State<App>,
    Path(id): Path<ClientId>,
    FormCaller { session, actor, .. }: FormCaller,
) -> Result<Response, Refusal> {
    let Some(client) = find_application(&app, &actor, &id).await? else { return Ok(gone()) };
    match remove_application(&app, &actor, &client).await {
        Ok(()) => Ok(Redirect::to(&format!("{PATH}?done=removed")).into_response()),
        Err(RemoveApplicationError::UnknownApplication) => Ok(gone()),
        Err(RemoveApplicationError::Role(error)) => Err(error.into()),
        Err(RemoveApplicationError::Storage(error)) => Err(error.into()),
        Err(error @ (RemoveApplicationError::Declared | RemoveApplicationError::BuiltIn)) => {
            Ok(shown((&app, &session), &client, (StatusCode::CONFLICT, refused(&error))))
        }
    }
}

/// The application's page, as it is kept.
fn shown(
    page: (&App, &Session),
    client: &Client,
    feedback: (StatusCode, Feedback<'_>),
) -> Response {
    application::answer(page, client, ApplicationForm::of(client), feedback)
}

fn refused(error: &impl std::fmt::Display) -> Feedback<'static> {
    Feedback { alert: Some(sentence(&error.to_string())), ..Feedback::default() }
}

fn back(client: &Client, message: &str) -> Response {
    Redirect::to(&format!("{}?{message}", path_of(client))).into_response()
}

/// Leads to the list: the application is no longer there.
fn gone() -> Response {
    Redirect::to(&format!("{PATH}?problem=gone")).into_response()
}
