//! `/v1/members/{id}/applications`: what acts in a member's name, for an admin who has to end it.

use app::App;
use app::connections::{ConnectedApplication, disconnect_from_member, list_applications_of_member};
use app::dto::Dto as _;
use axum::extract::State;
use axum::response::Response;
use oauth::{Moment, Scope, Timestamp};
use web::Problem;

use crate::address::Path;
use crate::answers::{answer_done, answer_page};
use crate::editing::Caller;
use crate::members::known;
use crate::openapi::Operation;
use crate::paging::Paging;
use crate::routes::{Routes, delete, get};

app::dto! {
    /// An application that may act for a member.
    pub(crate) struct ConnectedApplicationDto: "connected_application" {
        /// The application's id.
        client_id: String,
        /// What members read on the consent page.
        name: String,
        /// What the member allowed.
        scope: String,
        /// When the member allowed it.
        allowed_at: String where {"format": "date-time"},
        /// When the application last used it.
        last_used_at: Option<String> where {"format": "date-time"},
    }
}

pub(crate) fn routes() -> Routes {
    let asked = |id, summary| Operation::new(id, summary).needs(Scope::MembersWrite, "admin");
    Routes::under("Members")
        .at(
            "/v1/members/{id}/applications",
            [get(
                list,
                asked("list_member_applications", "List the applications that act for a member")
                    .answers_pages_of(ConnectedApplicationDto::NAME),
            )],
        )
        .at(
            "/v1/members/{id}/applications/{client_id}",
            [delete(
                disconnect,
                asked(
                    "disconnect_member_application",
                    "Withdraw what a member allowed an application",
                )
                .answers_nothing(),
            )],
        )
}

async fn list(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
    paging: Paging,
) -> Result<Response, Problem> {
    let by = caller.actor(&app, Scope::MembersWrite).await?;
    let member = known(&app, &by, &id).await?;
    let applications = list_applications_of_member(&app, &by, &member).await?;
    let path = format!("/v1/members/{}/applications", member.id);
    let total = applications.len() as u64;
    let page = paging.part_of(applications);
    let body: Vec<ConnectedApplicationDto> =
        page.iter().map(ConnectedApplicationDto::from).collect();
    Ok(answer_page(&app, paging, &path, total, body))
}

async fn disconnect(
    State(app): State<App>,
    Path((id, client_id)): Path<(String, String)>,
    caller: Caller,
) -> Result<Response, Problem> {
    let by = caller.actor(&app, Scope::MembersWrite).await?;
    let member = known(&app, &by, &id).await?;
    let was_connected = disconnect_from_member(&app, &by, &member, &client_id).await?;
    if was_connected { Ok(answer_done()) } else { Err(Problem::not_found()) }
}

impl From<&ConnectedApplication> for ConnectedApplicationDto {
    fn from(application: &ConnectedApplication) -> Self {
        let moment = |at: Timestamp| Moment::from(at).machine();
        Self {
            client_id: application.client_id.clone(),
            name: application.name.clone(),
            scope: application.scope.to_string(),
            allowed_at: moment(application.allowed_at),
            last_used_at: application.last_used_at.map(moment),
        }
    }
}
