//! `POST /sign-out`: ends the session in the store and in the browser.

use app::App;
use app::sessions::sign_out;
use axum::Form;
use axum::extract::State;
use axum::extract::rejection::FormRejection;
use axum::http::HeaderMap;
use axum::response::{AppendHeaders, IntoResponse as _, Redirect, Response};
use serde::Deserialize;
use web::{CallerAddress, Session, forget_session, is_from_elsewhere};

use crate::SIGN_IN_PATH;
use crate::refusal::Refusal;

#[derive(Deserialize)]
pub(crate) struct SignOutForm {
    csrf: String,
}

pub(crate) async fn submit(
    State(app): State<App>,
    CallerAddress(address): CallerAddress,
    headers: HeaderMap,
    form: Result<Form<SignOutForm>, FormRejection>,
) -> Result<Response, Refusal> {
    let Form(form) = form.map_err(|_| Refusal::UnreadableForm)?;
    if let Some(session) = Session::find(&app, &headers).await? {
        if is_from_elsewhere(&app, &headers) || !session.form_token().is(&form.csrf) {
            return Err(Refusal::ForeignForm);
        }
        sign_out(&app, session.credential(), address).await?;
    }
    Ok((AppendHeaders([forget_session(&app)]), Redirect::to(SIGN_IN_PATH)).into_response())
}
