//! `/v1/tokens`: tokens that members make for programs, personal ones and those of services.

use app::App;
use app::tokens::{
    API_TOKEN_BYTES_AT_MOST, AddApiTokenError, ApiTokenDto, ApiTokenRequest, add_api_token,
    list_api_tokens, remove_api_token, withdraw_service_role,
};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use domain::Fault;
use secrecy::ExposeSecret as _;
use web::{Problem, ProblemCode};

use crate::address::Path;
use crate::answers::{answer, answer_done, answer_page};
use crate::editing::{Caller, project_id};
use crate::json_body::sent;
use crate::openapi::Operation;
use crate::paging::Paging;
use crate::routes::{Routes, delete, get, post};

const PATH: &str = "/v1/tokens";

app::dto! {
    /// A new API token.
    pub(crate) struct AddedApiTokenDto: "added_api_token" {
        ..kept: ApiTokenDto,
        /// The token. Assay shows it once.
        token: String,
    }
}

pub(crate) fn routes() -> Routes {
    let asked = |id, summary| Operation::new(id, summary).needs_any_token().may_be(&[403]);
    let add = asked("add_token", "Make a personal token, or that of a service")
        .takes_request::<ApiTokenRequest>()
        .answers_dto::<AddedApiTokenDto>(201)
        .may_be(&[409]);
    let list = asked("list_tokens", "List personal tokens and those of services")
        .answers_pages_of("api_token");
    let remove = asked("remove_token", "Remove a token").answers_nothing();
    let summary = "Withdraw the role of a service in a project; the token goes with the last one";
    let withdraw = asked("withdraw_token_role", summary).answers_nothing();
    Routes::under("Members")
        .at(PATH, [get(self::list, list), post(self::add, add)])
        .at("/v1/tokens/{id}", [delete(self::remove, remove)])
        .at("/v1/tokens/{id}/roles/{project}", [delete(self::withdraw_role, withdraw)])
        .with_bodies_of_at_most(API_TOKEN_BYTES_AT_MOST)
}

async fn add(
    State(app): State<App>,
    caller: Caller,
    request: Request,
) -> Result<Response, Problem> {
    let actor = caller.actor_of_any_scope(&app).await?;
    let wanted: ApiTokenRequest = sent(request).await?;
    let new = wanted.try_into().map_err(|fault: Box<Fault>| Problem::faults(&[*fault]))?;
    let added = add_api_token(&app, &actor, new).await.map_err(problem)?;
    let body = AddedApiTokenDto {
        kept: ApiTokenDto::from(&added.kept),
        token: added.token.expose_secret().to_owned(),
    };
    Ok(answer(StatusCode::CREATED, body))
}

async fn list(State(app): State<App>, caller: Caller, paging: Paging) -> Result<Response, Problem> {
    let actor = caller.actor_of_any_scope(&app).await?;
    let (tokens, total) = list_api_tokens(&app, &actor, paging.to_page()).await?;
    let page: Vec<_> = tokens.iter().map(|listed| ApiTokenDto::from(&listed.token)).collect();
    Ok(answer_page(&app, paging, PATH, total, page))
}

async fn remove(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
) -> Result<Response, Problem> {
    let actor = caller.actor_of_any_scope(&app).await?;
    let is_known = remove_api_token(&app, &actor, &id).await?;
    if is_known { Ok(answer_done()) } else { Err(Problem::not_found()) }
}

async fn withdraw_role(
    State(app): State<App>,
    Path((id, project)): Path<(String, String)>,
    caller: Caller,
) -> Result<Response, Problem> {
    let actor = caller.actor_of_any_scope(&app).await?;
    let project = project_id(&app, &actor, &project).await?;
    let is_known = withdraw_service_role(&app, &actor, (&id, project)).await?;
    if is_known { Ok(answer_done()) } else { Err(Problem::not_found()) }
}

fn problem(error: AddApiTokenError) -> Problem {
    let detail = error.to_string();
    match error {
        AddApiTokenError::Role(error) => error.into(),
        AddApiTokenError::Faults(faults) => Problem::faults(&faults),
        AddApiTokenError::ByApiToken => Problem::new(ProblemCode::MembersOnly, detail),
        AddApiTokenError::NameTaken => Problem::new(ProblemCode::NameTaken, detail),
        AddApiTokenError::TooManyOfMember | AddApiTokenError::TooManyOfServices => {
            Problem::new(ProblemCode::TooManyApiTokens, detail)
        }
        AddApiTokenError::Storage(error) => error.into(),
    }
}
