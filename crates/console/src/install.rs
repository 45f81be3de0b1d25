//! `GET /projects/{id}/install`: the snippet's tag, where to put it, and whether a site loads it.

use app::App;
use app::installations::{ListedInstallation, list_installations};
use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use domain::ProjectId;
use oauth::Moment;
use web::FormTargets;

use crate::address::Path;
use crate::assets::install_scripts;
use crate::caller::PageCaller;
use crate::first_steps::FirstSteps;
use crate::frame::{Frame, NavigationTab};
use crate::page::page_with;
use crate::project_frame::{ProjectFrame, Tab};
use crate::refusal::Refusal;

#[derive(Template)]
#[template(path = "install.html")]
struct InstallPage {
    frame: Frame,
    project: ProjectFrame,
    tag: String,
    /// The address of the snippet alone.
    address: String,
    check: InstalledCheck,
    first_steps: FirstSteps,
}

/// Whether the snippet is seen on a site.
pub(crate) struct InstalledCheck {
    sites: Vec<ShownSite>,
}

struct ShownSite {
    origin: String,
    is_this_server: bool,
    first: ShownMoment,
    last: ShownMoment,
}

struct ShownMoment {
    machine: String,
    words: String,
}

pub(crate) async fn show(
    State(app): State<App>,
    Path(id): Path<ProjectId>,
    caller: PageCaller,
) -> Result<Response, Refusal> {
    let PageCaller { session, actor } = caller;
    let project = ProjectFrame::of(&app, &actor, id, Tab::Install).await?;
    let installations = list_installations(&app, &actor, id).await?;
    let address = app.public_url().join(&format!("/js/{id}.js"));
    let template = InstallPage {
        frame: Frame::new(&session, NavigationTab::Projects),
        project,
        tag: format!("<script src=\"{address}\"></script>"),
        address,
        check: InstalledCheck::of(installations),
        first_steps: FirstSteps::of(&app, &actor, id).await?,
    };
    let scripts = install_scripts(&app);
    Ok(page_with(StatusCode::OK, &template, FormTargets::OwnPages, scripts))
}

impl InstalledCheck {
    pub(crate) fn of(installations: Vec<ListedInstallation>) -> Self {
        Self { sites: installations.into_iter().map(ShownSite::from).collect() }
    }

    /// Whether a site of the member's loads the snippet; pages of this server do not count.
    pub(crate) fn is_green(&self) -> bool {
        self.sites.iter().any(|site| !site.is_this_server)
    }
}

impl From<ListedInstallation> for ShownSite {
    fn from(ListedInstallation { site, is_this_server }: ListedInstallation) -> Self {
        let shown = |at| {
            let moment = Moment::from(at);
            ShownMoment { machine: moment.machine(), words: moment.words() }
        };
        let (first, last) = (shown(site.first_seen_at), shown(site.last_seen_at));
        Self { origin: site.origin, is_this_server, first, last }
    }
}
