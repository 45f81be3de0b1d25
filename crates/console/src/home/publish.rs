//! `POST /projects/{id}/publish`: a member publishes the draft that they have seen, with a message.

use app::App;
use app::revisions::{MESSAGE_LENGTH_AT_MOST, PublishDraftError, publish_draft};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use domain::{Fault, Pointer, ProjectId};

use crate::address::Path;
use crate::caller::FormCaller;
use crate::edit::refused;
use crate::home::{Feedback, answer, path};
use crate::refusal::Refusal;

pub(super) async fn submit(
    State(app): State<App>,
    Path(id): Path<ProjectId>,
    FormCaller { session, actor, fields, .. }: FormCaller,
) -> Result<Response, Refusal> {
    let (tag, typed) = (fields.get("draft"), fields.get("message"));
    let message = typed.trim().replace("\r\n", "\n");
    let caller = (&app, &session, &actor);
    if message.chars().count() > MESSAGE_LENGTH_AT_MOST {
        let faults = [too_long()];
        let feedback = (None, Feedback { faults: &faults, message: typed });
        return answer(caller, id, StatusCode::UNPROCESSABLE_ENTITY, feedback).await;
    }
    let (status, faults) =
        match publish_draft(&app, &actor, id, message, |draft| draft.tag == tag).await {
            Ok(published) => {
                let done = match (published.is_new, !published.warnings.is_empty()) {
                    (true, false) => "published",
                    (true, true) => "published-with-warnings",
                    (false, _) => "already",
                };
                return Ok(Redirect::to(&format!("{}?done={done}", path(id))).into_response());
            }
            Err(PublishDraftError::Edit(error)) => refused(error)?,
            Err(PublishDraftError::Compile(error)) => {
                let fault = Fault::error("compile", Pointer::root(), error.to_string());
                (StatusCode::UNPROCESSABLE_ENTITY, vec![fault])
            }
        };
    answer(caller, id, status, (None, Feedback { faults: &faults, message: typed })).await
}

fn too_long() -> Fault {
    let message = format!("the message is longer than {MESSAGE_LENGTH_AT_MOST} characters");
    Fault::error("too_long", Pointer::root(), message).hint("shorten it")
}
