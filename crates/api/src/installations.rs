//! `GET /v1/projects/{id}/installations`: the sites that load the snippet, so that a pipeline can check an installation.

use app::App;
use app::installations::{ListedInstallation, list_installations};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use oauth::{Moment, Scope};
use web::Problem;

use crate::address::Path;
use crate::answers::answer;
use crate::editing::{Caller, project_id};
use crate::openapi::Operation;
use crate::routes::{Routes, get};

app::dto! {
    /// The sites that load the snippet.
    pub(crate) struct InstallationsDto: "installations" {
        /// The sites, those seen last first; twenty at most.
        installations: Vec<InstallationDto>,
    }

    /// A site that loads the snippet.
    pub(crate) struct InstallationDto: "installation" {
        /// The origin of the site, such as `https://shop.example`.
        origin: String,
        /// When it loaded the snippet first.
        first_seen_at: String where {"format": "date-time"},
        /// When it loaded the snippet last, to a minute.
        last_seen_at: String where {"format": "date-time"},
        /// Whether these are pages of this server, such as the demo shop.
        is_this_server: bool,
    }
}

pub(crate) fn routes() -> Routes {
    let list = Operation::new("list_installations", "List the sites that load the snippet")
        .needs(Scope::ConfigRead, "viewer")
        .answers_dto::<InstallationsDto>(200);
    Routes::under("Projects").at("/v1/projects/{id}/installations", [get(show, list)])
}

async fn show(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: Caller,
) -> Result<Response, Problem> {
    let actor = caller.actor(&app, Scope::ConfigRead).await?;
    let id = project_id(&app, &actor, &id).await?;
    let installations = list_installations(&app, &actor, id).await?;
    let installations = installations.into_iter().map(InstallationDto::from).collect();
    Ok(answer(StatusCode::OK, InstallationsDto { installations }))
}

impl From<ListedInstallation> for InstallationDto {
    fn from(listed: ListedInstallation) -> Self {
        let ListedInstallation { site, is_this_server } = listed;
        Self {
            origin: site.origin,
            first_seen_at: Moment::from(site.first_seen_at).machine(),
            last_seen_at: Moment::from(site.last_seen_at).machine(),
            is_this_server,
        }
    }
}
