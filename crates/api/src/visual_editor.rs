//! `/v1/projects/{id}/visual-editor-links`: links that open a page of the site with the visual editor, as the console's page does. The
//! member saves there, or carries the changes into the draft; the link itself gives no right to write.

use app::App;
use app::visual_editor::{
    EDITOR_REQUEST_BYTES_AT_MOST, EditorLinkDto, EditorLinkRequest, OpenEditorError, open_editor,
};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use domain::ProjectId;
use oauth::Scope;
use web::{Problem, ProblemCode};

use crate::address::Path;
use crate::answers::answer;
use crate::editing::{Caller, not_published, project_id};
use crate::json_body::sent;
use crate::openapi::Operation;
use crate::routes::{Routes, post};

pub(crate) fn routes() -> Routes {
    let open = Operation::new(
        "make_visual_editor_link",
        "Make a link that opens a page with the visual editor",
    );
    let open = open
        .needs(Scope::ConfigWrite, "editor")
        .takes_request::<EditorLinkRequest>()
        .answers_dto::<EditorLinkDto>(201)
        .may_be(&[409]);
    Routes::under("Decisions")
        .at("/v1/projects/{id}/visual-editor-links", [post(self::open, open)])
        .with_bodies_of_at_most(EDITOR_REQUEST_BYTES_AT_MOST)
}

async fn open(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
    request: Request,
) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::ConfigWrite).await?;
    let id = project_id(&app, &actor, &id).await?;
    let EditorLinkRequest { url, variation } = sent(request).await?;
    match open_editor(&app, &actor, id, (&variation, &url)).await {
        Ok(link) => Ok(answer(StatusCode::CREATED, EditorLinkDto::from(link))),
        Err(error) => Err(problem(&app, id, error).await?),
    }
}

async fn problem(app: &App, id: ProjectId, error: OpenEditorError) -> Result<Problem, Problem> {
    Ok(match error {
        OpenEditorError::UnknownProject => Problem::not_found(),
        OpenEditorError::NotPublished => not_published(app, id).await?,
        OpenEditorError::SwitchedOff => {
            let detail = "previews are off; publish the project with `snippet.preview: true`";
            Problem::new(ProblemCode::PreviewsOff, detail)
        }
        OpenEditorError::Variation(fault) | OpenEditorError::Address(fault) => {
            Problem::faults(&[*fault])
        }
        OpenEditorError::Role(error) => error.into(),
        OpenEditorError::Storage(error) => Problem::from(error),
    })
}
