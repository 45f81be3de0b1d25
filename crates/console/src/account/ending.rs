//! A member ends what acts in their name, or signs out somewhere else.

use app::App;
use app::connections::disconnect;
use app::sessions::{end_other_sessions, end_session};
use axum::Form;
use axum::extract::State;
use axum::extract::rejection::FormRejection;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Deserialize;
use web::CallerAddress;

use crate::account::{back, owner};
use crate::refusal::Refusal;

#[derive(Deserialize)]
pub(crate) struct EndForm {
    csrf: String,
    /// The client id of an application, or the id of a session.
    #[serde(default)]
    id: String,
}

/// `POST /account/disconnect`
pub(crate) async fn submit_disconnect(
    State(app): State<App>,
    CallerAddress(address): CallerAddress,
    headers: HeaderMap,
    form: Result<Form<EndForm>, FormRejection>,
) -> Result<Response, Refusal> {
    let Form(form) = form.map_err(|_| Refusal::UnreadableForm)?;
    let Some(session) = owner(&app, &headers, &form.csrf).await? else { return Ok(back("")) };
    disconnect(&app, &session.member, &form.id, address).await?;
    Ok(back("?done=disconnected"))
}

/// `POST /account/end-session`
pub(crate) async fn submit_end_session(
    State(app): State<App>,
    CallerAddress(address): CallerAddress,
    headers: HeaderMap,
    form: Result<Form<EndForm>, FormRejection>,
) -> Result<Response, Refusal> {
    let Form(form) = form.map_err(|_| Refusal::UnreadableForm)?;
    let Some(session) = owner(&app, &headers, &form.csrf).await? else { return Ok(back("")) };
    end_session(&app, &session.member, &form.id, address).await?;
    Ok(back("?done=session-ended"))
}

/// `POST /account/end-other-sessions`
pub(crate) async fn submit_end_other_sessions(
    State(app): State<App>,
    CallerAddress(address): CallerAddress,
    headers: HeaderMap,
    form: Result<Form<EndForm>, FormRejection>,
) -> Result<Response, Refusal> {
    let Form(form) = form.map_err(|_| Refusal::UnreadableForm)?;
    let Some(session) = owner(&app, &headers, &form.csrf).await? else { return Ok(back("")) };
    end_other_sessions(&app, &session.member, session.credential(), address).await?;
    Ok(back("?done=others-ended"))
}
