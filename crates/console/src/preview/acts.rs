//! What a member does on the page of preview links: make one, revoke one, switch previews on.

use app::App;
use app::drafts::{EditError, ExpectedVersion};
use app::previews::{MakePreviewLinkError, make_preview_link, revoke_preview_link};
use app::resources::change_project;
use axum::extract::State;
use axum::response::{IntoResponse as _, Redirect, Response};
use domain::{Fault, Pointer, ProjectId};
use serde_json::{Map, json};

use crate::address::Path;
use crate::caller::FormCaller;
use crate::preview::preview_form::PreviewForm;
use crate::preview::{Feedback, PreviewContext};
use crate::refusal::Refusal;

/// `POST /projects/{id}/preview/make`
pub(crate) async fn submit_make(
    State(app): State<App>,
    Path(id): Path<ProjectId>,
    caller: FormCaller,
) -> Result<Response, Refusal> {
    let FormCaller { session, actor, fields, .. } = caller;
    let form = PreviewForm::of_fields(fields.iter());
    let faults = match make_preview_link(&app, &actor, id, &form.request()).await {
        Ok(link) => return Ok(back(id, &format!("?link={}", link.kept.id))),
        Err(MakePreviewLinkError::Faults(faults)) => faults,
        Err(error @ MakePreviewLinkError::TooMany) => {
            let message = error.to_string();
            vec![Fault::error("unsuitable", Pointer::root().field("variations"), message)]
        }
        // The page says so by itself.
        Err(MakePreviewLinkError::SwitchedOff | MakePreviewLinkError::UnknownProject) => {
            return Ok(back(id, ""));
        }
        Err(MakePreviewLinkError::Role(error)) => return Err(error.into()),
        Err(MakePreviewLinkError::Storage(error)) => return Err(error.into()),
    };
    let context = PreviewContext { app: &app, actor: &actor, session: &session, id };
    let feedback = Feedback { message: None, linked: None, faults: &faults };
    context.answer(&context.choices().await?, &form, feedback).await
}

/// `POST /projects/{id}/preview/revoke`
pub(crate) async fn submit_revoke(
    State(app): State<App>,
    Path(id): Path<ProjectId>,
    FormCaller { actor, fields, .. }: FormCaller,
) -> Result<Response, Refusal> {
    let is_known = revoke_preview_link(&app, &actor, id, fields.get("link")).await?;
    Ok(back(id, if is_known { "?done=revoked" } else { "?problem=unknown-link" }))
}

/// `POST /projects/{id}/preview/switch-on`: in the draft, which is then to be published.
pub(crate) async fn submit_switch_on(
    State(app): State<App>,
    Path(id): Path<ProjectId>,
    FormCaller { actor, .. }: FormCaller,
) -> Result<Response, Refusal> {
    let patch = Map::from_iter([("snippet".to_owned(), json!({"preview": true}))]);
    match change_project(&app, &actor, id, patch, ExpectedVersion::any()).await {
        Ok(_) => Ok(back(id, "?done=switched-on")),
        Err(EditError::ManagedByFile) => Ok(back(id, "?problem=managed")),
        Err(EditError::Read(error)) => Err(error.into()),
        Err(EditError::Overloaded(_) | EditError::Changed(_)) => Err(Refusal::Busy),
        // One switch more makes no valid draft invalid, and stops no experiment; an archived project can be changed.
        Err(EditError::Invalid(_) | EditError::Breaking(_) | EditError::Archived) => {
            Err(Refusal::Internal)
        }
    }
}

/// Leads back to the page.
fn back(id: ProjectId, query: &str) -> Response {
    Redirect::to(&format!("/projects/{id}/preview{query}")).into_response()
}
