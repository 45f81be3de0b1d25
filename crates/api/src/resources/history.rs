//! `GET …/history`: who changed what of a resource, and when.

use app::App;
use app::documents::ResourceKind;
use app::resources::list_history;
use axum::extract::State;
use axum::response::Response;
use oauth::Scope;
use web::Problem;

use crate::address::Path;
use crate::conditional::{IfNoneMatch, answer_page_unless_known};
use crate::editing::{Caller, problem, project_id};
use crate::openapi::Operation;
use crate::paging::Paging;
use crate::resources::kind;

pub(super) async fn list(
    State(app): State<App>,
    Path((id, collection, name)): Path<(String, String, String)>,
    caller: Caller,
    (paging, if_none_match): (Paging, IfNoneMatch),
) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::ConfigRead).await?;
    let (id, kind) = (project_id(&app, &actor, &id).await?, kind(&collection)?);
    let page = paging.to_page();
    let listed = list_history(&app, &actor, id, (kind, &name), page).await;
    let listed = listed.map_err(problem)?;
    let path = format!("/v1/projects/{id}/{collection}/{name}/history");
    let page = (path.as_str(), listed.total);
    Ok(answer_page_unless_known(&if_none_match, &app, paging, page, &listed.resources))
}

pub(super) fn description(kind: ResourceKind) -> Operation {
    let word = kind.word();
    Operation::new(
        format!("list_{word}_history"),
        format!("List the changes of the {word}, with actor and time"),
    )
    .needs(Scope::ConfigRead, "viewer")
    .with_shared("if_none_match_or_not")
    .answers_pages_of("past_change")
    .answers_not_modified()
}
