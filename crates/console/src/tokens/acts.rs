//! What a member does to API tokens. A token is shown in the answer to the form that made it, and never again.

use app::App;
use app::tokens::{AddApiTokenError, add_api_token, remove_api_token, withdraw_service_role};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};

use crate::caller::FormCaller;
use crate::refusal::Refusal;
use crate::tokens::form::TokenForm;
use crate::tokens::{Feedback, PATH, answer};
use crate::words::sentence;

/// `POST /account/tokens/make`
pub(super) async fn submit_new(
    State(app): State<App>,
    FormCaller { session, actor, fields, .. }: FormCaller,
) -> Result<Response, Refusal> {
    let form = TokenForm::read(&fields);
    let (status, form) = match add_api_token(&app, &actor, form.to_new()?).await {
        Ok(made) => {
            let feedback = Feedback { made: Some(&made), ..Feedback::default() };
            return answer((&app, &session, &actor), StatusCode::CREATED, feedback).await;
        }
        Err(AddApiTokenError::Faults(faults)) => {
            (StatusCode::UNPROCESSABLE_ENTITY, form.refused(faults))
        }
        Err(
            error @ (AddApiTokenError::NameTaken
            | AddApiTokenError::TooManyOfMember
            | AddApiTokenError::TooManyOfServices),
        ) => (StatusCode::CONFLICT, form.alerted(sentence(&error.to_string()))),
        Err(AddApiTokenError::Role(error)) => return Err(error.into()),
        Err(AddApiTokenError::Storage(error)) => return Err(error.into()),
        // No API token sends a form.
        Err(AddApiTokenError::ByApiToken) => return Err(Refusal::ForeignForm),
    };
    answer((&app, &session, &actor), status, Feedback { form, ..Feedback::default() }).await
}

/// `POST /account/tokens/remove`
pub(super) async fn submit_removal(
    State(app): State<App>,
    FormCaller { actor, fields, .. }: FormCaller,
) -> Result<Response, Refusal> {
    let is_known = remove_api_token(&app, &actor, fields.get("id")).await?;
    let query = if is_known { "done=removed" } else { "problem=gone" };
    Ok(Redirect::to(&format!("{PATH}?{query}")).into_response())
}

/// `POST /account/tokens/withdraw-role`
pub(super) async fn submit_withdrawal(
    State(app): State<App>,
    FormCaller { actor, fields, .. }: FormCaller,
) -> Result<Response, Refusal> {
    let project = fields.get("project").parse().map_err(|_| Refusal::UnreadableForm)?;
    let is_known = withdraw_service_role(&app, &actor, (fields.get("id"), project)).await?;
    let query = if is_known { "done=role-withdrawn" } else { "problem=no-role" };
    Ok(Redirect::to(&format!("{PATH}?{query}")).into_response())
}
