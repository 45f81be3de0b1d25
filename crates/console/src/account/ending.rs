//! A member ends what acts in their name, or signs out somewhere else.

use app::App;
use app::connections::disconnect;
use app::sessions::{end_other_sessions, end_session};
use axum::extract::State;
use axum::response::Response;

use crate::account::back;
use crate::caller::FormCaller;
use crate::refusal::Refusal;

/// `POST /account/disconnect`: `id` is the client id of the application.
pub(crate) async fn submit_disconnect(
    State(app): State<App>,
    caller: FormCaller,
) -> Result<Response, Refusal> {
    let id = caller.fields.get("id");
    disconnect(&app, &caller.session.member, id, caller.address).await?;
    Ok(back("?done=disconnected"))
}

/// `POST /account/end-session`: `id` is the session's.
pub(crate) async fn submit_end_session(
    State(app): State<App>,
    caller: FormCaller,
) -> Result<Response, Refusal> {
    let id = caller.fields.get("id");
    end_session(&app, &caller.session.member, id, caller.address).await?;
    Ok(back("?done=session-ended"))
}

/// `POST /account/end-other-sessions`
pub(crate) async fn submit_end_other_sessions(
    State(app): State<App>,
    FormCaller { session, address, .. }: FormCaller,
) -> Result<Response, Refusal> {
    end_other_sessions(&app, &session.member, session.credential(), address).await?;
    Ok(back("?done=others-ended"))
}
