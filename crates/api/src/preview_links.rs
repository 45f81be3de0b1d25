//! `/v1/projects/{id}/preview-links`: links that show variations to everyone who has them. They need `config:write`, because a link shows
//! others what is not public, and outlives the token that it was made with.

use app::App;
use app::dto::Dto as _;
use app::previews::{
    MakePreviewLinkError, PREVIEW_REQUEST_BYTES_AT_MOST, PreviewLinkDto, PreviewLinkRequest,
    list_preview_links, make_preview_link, revoke_preview_link,
};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use oauth::Scope;
use web::{Problem, ProblemCode};

use crate::address::Path;
use crate::answers::{answer, answer_done, answer_page};
use crate::editing::{Caller, not_published, project_id};
use crate::json_body::sent;
use crate::openapi::Operation;
use crate::paging::Paging;
use crate::routes::{Routes, delete, get, post};

pub(crate) fn routes() -> Routes {
    let asked = |id, summary| Operation::new(id, summary).needs(Scope::ConfigWrite, "editor");
    let make = asked("make_preview_link", "Make a link that shows variations")
        .takes_request::<PreviewLinkRequest>()
        .answers_dto::<PreviewLinkDto>(201)
        .may_be(&[409]);
    let list = asked("list_preview_links", "List the preview links of a project")
        .answers_pages_of(PreviewLinkDto::NAME);
    let revoke = asked("revoke_preview_link", "Revoke a preview link").answers_nothing();
    Routes::under("Decisions")
        .at("/v1/projects/{id}/preview-links", [get(self::list, list), post(self::make, make)])
        .at("/v1/projects/{id}/preview-links/{link}", [delete(self::revoke, revoke)])
        .with_bodies_of_at_most(PREVIEW_REQUEST_BYTES_AT_MOST)
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
    Ok(answer(StatusCode::CREATED, PreviewLinkDto::from(link)))
}

async fn list(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
    paging: Paging,
) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::ConfigWrite).await?;
    let id = project_id(&app, &actor, &id).await?;
    let links = list_preview_links(&app, &actor, id).await?.ok_or_else(Problem::not_found)?;
    let total = links.len() as u64;
    let page: Vec<PreviewLinkDto> =
        paging.part_of(links).into_iter().map(PreviewLinkDto::from).collect();
    Ok(answer_page(&app, paging, &format!("/v1/projects/{id}/preview-links"), total, page))
}

async fn revoke(
    State(app): State<App>,
    Path((id, link)): Path<(String, String)>,
    caller: Caller,
) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::ConfigWrite).await?;
    let id = project_id(&app, &actor, &id).await?;
    let is_known = revoke_preview_link(&app, &actor, id, &link).await?;
    if is_known { Ok(answer_done()) } else { Err(Problem::not_found()) }
}

fn problem(error: MakePreviewLinkError) -> Problem {
    match error {
        MakePreviewLinkError::UnknownProject => Problem::not_found(),
        MakePreviewLinkError::SwitchedOff => {
            let detail = "previews are off; publish the project with `snippet.preview: true`";
            Problem::new(ProblemCode::PreviewsOff, detail)
        }
        MakePreviewLinkError::TooMany => {
            Problem::new(ProblemCode::TooManyPreviewLinks, error.to_string())
        }
        MakePreviewLinkError::Role(error) => error.into(),
        MakePreviewLinkError::Faults(faults) => Problem::faults(&faults),
        MakePreviewLinkError::Storage(error) => Problem::from(error),
    }
}
