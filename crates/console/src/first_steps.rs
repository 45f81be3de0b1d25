//! What a new project still needs until visitors take part in its first experiment. Its state comes from what the server has, so that
//! nothing has to be kept up to date. A page shows it with `first_steps.html`.

use app::App;
use app::drafts::readable_draft;
use app::installations::list_installations;
use app::previews::list_preview_links;
use app::roles::{Actor, RoleError};
use domain::{CampaignStatus, Project, ProjectId};

use crate::live::{Counting, live_project};
use crate::project_frame::may_write;
use crate::refusal::Refusal;

/// The steps of a project.
pub(crate) struct FirstSteps {
    pub(crate) steps: [Step; 5],
    pub(crate) counting: Counting,
    /// Where that is set.
    pub(crate) settings: String,
}

/// The place of the step that takes a preview link.
const LOOK: usize = 3;

/// A step on the way to the first experiment.
pub(crate) struct Step {
    pub(crate) words: &'static str,
    pub(crate) about: &'static str,
    /// Where the member takes it, if they may.
    pub(crate) path: Option<String>,
    pub(crate) is_done: bool,
    /// Whether it is the first that is not done.
    pub(crate) is_next: bool,
}

impl FirstSteps {
    /// The first steps of a project that the member may read.
    pub(crate) async fn of(app: &App, actor: &Actor, id: ProjectId) -> Result<Self, Refusal> {
        let draft = readable_draft(app, actor, id).await?;
        let sites = list_installations(app, actor, id).await?;
        let is_installed = sites.iter().any(|listed| !listed.is_this_server);
        let live = live_project(app, actor, &draft).await?;
        let live = live.as_ref().map(|live| &*live.project);
        let has_begun = live.is_some_and(has_begun);
        // No preview is offered of what visitors see already.
        let is_looked_at = has_begun || has_preview_link(app, actor, id).await?;
        let may_preview = may_write(app, actor, id).await?;
        let step = |words, about, page: &str, is_done| {
            let path = Some(format!("/projects/{id}/{page}"));
            Step { words, about, path, is_done, is_next: false }
        };
        let project = &draft.project;
        let mut steps = [
            step("Install the snippet", "A page of your site loads it.", "install", is_installed),
            step(
                "Name a page",
                "Where on your site experiments run.",
                if has_page(project) { "pages" } else { "pages/new" },
                has_page(project),
            ),
            step(
                "Make an experiment",
                "A campaign with two variations: the page as it is, and your idea.",
                if project.campaigns.is_empty() { "campaigns/new" } else { "campaigns" },
                has_experiment(project),
            ),
            step("Look at it", "A preview link shows it to you alone.", "preview", is_looked_at),
            step(
                "Start it",
                "Visitors take part from then on.",
                &place_to_start(project),
                has_begun,
            ),
        ];
        if !may_preview {
            steps[LOOK].path = None;
        }
        if let Some(next) = steps.iter_mut().find(|step| !step.is_done) {
            next.is_next = true;
        }
        let counting = Counting::of(project, live);
        Ok(Self { steps, counting, settings: format!("/projects/{id}/settings") })
    }

    /// Whether no page needs to show it any more.
    pub(crate) fn is_done(&self) -> bool {
        self.steps.iter().all(|step| step.is_done)
    }

    pub(crate) fn done(&self) -> usize {
        self.steps.iter().filter(|step| step.is_done).count()
    }
}

/// For a member who may not see the links, the step is open.
async fn has_preview_link(app: &App, actor: &Actor, id: ProjectId) -> Result<bool, Refusal> {
    match list_preview_links(app, actor, id).await {
        Ok(links) => Ok(links.is_some_and(|links| !links.is_empty())),
        Err(RoleError::Insufficient { .. } | RoleError::Scope(_)) => Ok(false),
        Err(RoleError::Storage(error)) => Err(error.into()),
    }
}

fn has_page(project: &Project) -> bool {
    project.pages.iter().any(|page| !page.archived)
}

fn has_experiment(project: &Project) -> bool {
    let mut experiments = project.campaigns.iter().flat_map(|campaign| &campaign.experiments);
    experiments.any(|experiment| experiment.variations.len() >= 2)
}

/// The page of the campaign that a member starts, or the list where there are several.
fn place_to_start(project: &Project) -> String {
    match &*project.campaigns {
        [campaign] => format!("campaigns/{}", campaign.id),
        _ => "campaigns".to_owned(),
    }
}

/// Whether visitors have taken part in a campaign of the live project, or can.
fn has_begun(live: &Project) -> bool {
    live.campaigns.iter().any(|campaign| match campaign.status {
        CampaignStatus::Running => !live.hides_from_everyone(campaign.id),
        CampaignStatus::Paused | CampaignStatus::Concluded => true,
        CampaignStatus::NotStarted | CampaignStatus::Archived => false,
    })
}
