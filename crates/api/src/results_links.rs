//! `/v1/projects/{id}/results-links`: links that show the results of a campaign to everyone who has them. They need `config:write`, because a
//! link shows others what is not public, and outlives the token that it was made with. To make one takes `results:read`, too: it shows results.

use app::App;
use app::dto::Dto as _;
use app::results::{
    MakeResultsLinkError, ResultsLinkDto, ResultsLinkRequest, list_results_links,
    make_results_link, revoke_results_link,
};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use oauth::Scope;
use secrecy::ExposeSecret as _;
use web::{Problem, ProblemCode};

use crate::address::Path;
use crate::answers::{answer, answer_done, answer_page};
use crate::editing::{Caller, project_id};
use crate::json_body::sent;
use crate::openapi::Operation;
use crate::paging::Paging;
use crate::routes::{Routes, delete, get, post};

/// Enough for the name of a campaign and a number.
const BYTES_AT_MOST: usize = 16 * 1024;

app::dto! {
    /// A new link that shows results.
    pub(crate) struct MadeResultsLinkDto: "made_results_link" {
        ..kept: ResultsLinkDto,
        /// The address that people open. Assay shows it once.
        link: String,
    }
}

pub(crate) fn routes() -> Routes {
    let asked = |id, summary| Operation::new(id, summary).needs(Scope::ConfigWrite, "editor");
    let make = asked("make_results_link", "Make a link that shows results")
        .needs_also(Scope::ResultsRead)
        .takes_request::<ResultsLinkRequest>()
        .answers_dto::<MadeResultsLinkDto>(201)
        .may_be(&[409]);
    let list = asked("list_results_links", "List the links that show results of a project")
        .answers_pages_of(ResultsLinkDto::NAME);
    let revoke = asked("revoke_results_link", "Revoke a link that shows results").answers_nothing();
    Routes::under("Results")
        .at("/v1/projects/{id}/results-links", [get(self::list, list), post(self::make, make)])
        .at("/v1/projects/{id}/results-links/{link}", [delete(self::revoke, revoke)])
        .with_bodies_of_at_most(BYTES_AT_MOST)
}

async fn make(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
    request: Request,
) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::ConfigWrite).await?;
    let id = project_id(&app, &actor, &id).await?;
    let wanted: ResultsLinkRequest = sent(request).await?;
    let made = make_results_link(&app, &actor, id, &wanted).await.map_err(problem)?;
    let link = made.address.expose_secret().to_owned();
    let body = MadeResultsLinkDto { kept: ResultsLinkDto::from(&made.kept), link };
    Ok(answer(StatusCode::CREATED, body))
}

async fn list(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
    paging: Paging,
) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::ConfigWrite).await?;
    let id = project_id(&app, &actor, &id).await?;
    let links = list_results_links(&app, &actor, id).await?.ok_or_else(Problem::not_found)?;
    let total = links.len() as u64;
    let page: Vec<_> = paging.part_of(links).iter().map(ResultsLinkDto::from).collect();
    Ok(answer_page(&app, paging, &format!("/v1/projects/{id}/results-links"), total, page))
}

async fn revoke(
    State(app): State<App>,
    Path((id, link)): Path<(String, String)>,
    caller: Caller,
) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::ConfigWrite).await?;
    let id = project_id(&app, &actor, &id).await?;
    let is_known = revoke_results_link(&app, &actor, id, &link).await?;
    if is_known { Ok(answer_done()) } else { Err(Problem::not_found()) }
}

fn problem(error: MakeResultsLinkError) -> Problem {
    let detail = error.to_string();
    match error {
        MakeResultsLinkError::NotPublished => Problem::new(ProblemCode::NotPublished, detail),
        MakeResultsLinkError::Fault(fault) => Problem::faults(&[*fault]),
        MakeResultsLinkError::TooMany => Problem::new(ProblemCode::TooManyResultsLinks, detail),
        MakeResultsLinkError::Role(error) => error.into(),
        MakeResultsLinkError::Storage(error) => error.into(),
    }
}
