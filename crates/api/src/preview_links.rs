//! `POST /v1/projects/{id}/preview-links`: a link that shows variations to everyone who has it. Nothing is stored. It needs `config:write`,
//! because the link shows others what is not public, and outlives the token that it was made with.

use app::App;
use app::previews::{
    MakePreviewLinkError, PREVIEW_REQUEST_BYTES_AT_MOST, PreviewLink, PreviewLinkRequest,
    make_preview_link,
};
use axum::Json;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::CACHE_CONTROL;
use axum::response::{IntoResponse as _, Response};
use oauth::{Moment, Scope};
use web::{Problem, ProblemCode};

use crate::address::Path;
use crate::editing::{Caller, not_published, project_id};
use crate::json_body::sent;
use crate::openapi::Operation;
use crate::routes::{Routes, post};

pub(crate) fn routes() -> Routes {
    let link = Operation::new("make_preview_link", "Make a link that shows variations")
        .needs(Scope::ConfigWrite, "editor")
        .takes_request::<PreviewLinkRequest>()
        .answers_dto::<PreviewLinkDto>(201)
        .may_be(&[409]);
    Routes::under("Decisions")
        .at("/v1/projects/{id}/preview-links", [post(make, link)])
        .with_bodies_of_at_most(PREVIEW_REQUEST_BYTES_AT_MOST)
}

app::dto! {
    /// A link that shows variations.
    pub(crate) struct PreviewLinkDto: "preview_link" {
        /// The address of the page, with a token.
        url: String,
        /// Until when the link is good.
        expires_at: String where {"format": "date-time"},
    }
}

async fn make(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
    request: Request,
) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::ConfigWrite).await?;
    let id = project_id(&app, &actor, &id).await?;
    let wanted: PreviewLinkRequest = sent(request).await?;
    let link = match make_preview_link(&app, &actor, id, &wanted.into()).await {
        Err(MakePreviewLinkError::UnknownProject) => return Err(not_published(&app, id).await?),
        made => made.map_err(problem)?,
    };
    let headers = [(CACHE_CONTROL, "no-store")];
    Ok((StatusCode::CREATED, headers, Json(PreviewLinkDto::from(link))).into_response())
}

fn problem(error: MakePreviewLinkError) -> Problem {
    match error {
        MakePreviewLinkError::UnknownProject => Problem::not_found(),
        MakePreviewLinkError::SwitchedOff => {
            let detail = "previews are off; publish the project with `snippet.preview: true`";
            Problem::new(ProblemCode::PreviewsOff, detail)
        }
        MakePreviewLinkError::Role(error) => error.into(),
        MakePreviewLinkError::Faults(faults) => Problem::faults(&faults),
        MakePreviewLinkError::Storage(error) => Problem::from(error),
    }
}

impl From<PreviewLink> for PreviewLinkDto {
    fn from(link: PreviewLink) -> Self {
        Self { url: link.url, expires_at: Moment::from(link.expires_at).machine() }
    }
}
