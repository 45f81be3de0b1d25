//! `GET /v1/projects/{id}/history`: who changed what of a project, and who published what of it, the newest first. The history of one
//! resource is in `resources/history.rs`.

use app::App;
use app::documents::ResourceKind;
use app::resources::list_project_history;
use axum::extract::State;
use axum::response::Response;
use oauth::Scope;
use serde_json::json;
use storage::{HistoryFilter, REVISION};
use web::Problem;

use crate::address::{FromQuery, Parameters, Path, Query};
use crate::conditional::{IfNoneMatch, answer_page_unless_known};
use crate::editing::{Caller, problem, project_id};
use crate::openapi::Operation;
use crate::paging::Paging;
use crate::routes::{Routes, get};

/// The project's own fields.
const PROJECT: &str = "project";

pub(crate) fn routes() -> Routes {
    let moment = json!({"type": "string", "format": "date-time"});
    let list = Operation::new("list_project_history", "List the changes and publications")
        .needs(Scope::ConfigRead, "viewer")
        .query("resource", &json!({"enum": kinds()}), "Entries about this kind of resource.")
        .query("by", &json!({"type": "string"}), "Entries by this actor, as `by` tells it.")
        .query("since", &moment, "Entries at this moment or later.")
        .query("until", &moment, "Entries before this moment.")
        .with_shared("if_none_match_or_not")
        .answers_pages_of("history_entry")
        .answers_not_modified();
    Routes::under("Projects").at("/v1/projects/{id}/history", [get(self::list, list)])
}

/// What an entry may be about.
pub(crate) fn kinds() -> Vec<&'static str> {
    [PROJECT, REVISION].into_iter().chain(ResourceKind::ALL.map(ResourceKind::word)).collect()
}

/// What a query asks for.
struct HistoryQuery(HistoryFilter);

impl FromQuery for HistoryQuery {
    fn read(query: &Query) -> Result<Self, Problem> {
        let words: Vec<_> = kinds().into_iter().map(|word| (word, word)).collect();
        Ok(Self(HistoryFilter {
            resource: query.word("resource", &words)?.map(str::to_owned),
            by: query.text("by").map(str::to_owned),
            since: query.moment("since")?,
            until: query.moment("until")?,
            of_itself: false,
        }))
    }
}

async fn list(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
    (paging, if_none_match): (Paging, IfNoneMatch),
    Parameters(HistoryQuery(filter)): Parameters<HistoryQuery>,
) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::ConfigRead).await?;
    let id = project_id(&app, &actor, &id).await?;
    let listed = list_project_history(&app, &actor, id, (filter, paging.to_page())).await;
    let listed = listed.map_err(problem)?;
    let path = format!("/v1/projects/{id}/history");
    Ok(answer_page_unless_known(
        &if_none_match,
        &app,
        paging,
        (&path, listed.total),
        &listed.resources,
    ))
}
