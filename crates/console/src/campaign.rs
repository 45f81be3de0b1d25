//! `/projects/{id}/campaigns/{name}`: a campaign with what it does, and the buttons that start, pause and conclude it, each with what
//! visitors will notice.

mod actions;
mod parts;
mod view;

use std::sync::Arc;

use app::App;
use app::campaigns::{
    CampaignAction, CampaignWarnings, at_start, ended_experiments, warnings_once_running,
};
use app::documents::ResourceKind;
use app::drafts::{Draft, ReadError, readable_draft};
use app::projects::project_access;
use app::publishing::RevisionDocument;
use app::resources::{State as ProjectState, find_resource, find_resource_in};
use app::roles::{Actor, Permission};
use app::schedules::{PlannedState, list_planned_moments};
use askama::Template;
use axum::Router;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use domain::{Campaign, CampaignStatus, KeptBack, Notice, ProjectId};
use serde_json::Value;
use storage::{MomentOutcome, ScheduledAction};
use web::{FormTargets, Session};

use crate::address::Path;
use crate::assets::saved_scripts;
use crate::caller::PageCaller;
use crate::campaign::actions::ShownAction;
use crate::campaign::view::{CampaignView, Standing};
use crate::frame::{Frame, NavigationTab};
use crate::live::{Counting, live_project};
use crate::message::{Message, Messages};
use crate::page::page_with;
use crate::preview;
use crate::project_frame::{ProjectFrame, Tab};
use crate::refusal::Refusal;
use crate::warnings::ShownWarning;

const MESSAGES: Messages = Messages {
    done: &[
        ("saved", "Saved in the draft. Visitors get it when the draft is published."),
        ("added", "Added to the draft. Preview it, and start it when it is ready."),
        ("unchanged", "Nothing has changed, so there was nothing to save."),
        ("start", "The campaign runs: visitors get it from their next page view on."),
        ("pause", "The campaign is paused: visitors see your pages as they are."),
        ("resume", "The campaign runs again, and visitors keep their variations."),
        ("conclude", "The campaign is concluded."),
        ("archive", "The campaign is archived."),
        ("restore", "The campaign is restored."),
        ("duplicated", "This is the copy. It is not started."),
        ("pause-variation", "The variation is paused: its visitors see your pages as they are."),
        ("resume-variation", "The variation is shown again, to the same visitors as before."),
        (
            "pause-in-draft",
            "The variation is paused in the draft alone: visitors notice nothing until you publish it.",
        ),
        (
            "resume-in-draft",
            "The variation is resumed in the draft alone: visitors notice nothing until you publish it.",
        ),
        (
            "new-phase",
            "The new phase is in the draft. Change what you like about it; when you publish it, its visitors are drawn anew.",
        ),
    ],
    problems: &[],
};

/// What the page says instead after the start of a campaign that no visitor can see.
const HIDDEN: Message = Message {
    words: "The campaign runs, but no visitor can see it. What keeps it from them is told below.",
    is_problem: true,
};

/// The same after the start of one with other warnings.
const DOUBTFUL: Message = Message {
    words: "The campaign runs. Visitors may not get all of it: what is doubtful is told below.",
    is_problem: false,
};

/// The pages of a campaign, beside the form in which it is edited.
pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/projects/{id}/campaigns/{name}", get(show))
        .route("/projects/{id}/campaigns/{name}/act", post(actions::submit))
        .route("/projects/{id}/campaigns/{name}/conclude", get(actions::show_conclusion))
        .route("/projects/{id}/campaigns/{name}/duplicate", post(actions::submit_duplicate))
        .route("/projects/{id}/campaigns/{name}/act-on-variation", post(parts::submit_variation))
        .route("/projects/{id}/campaigns/{name}/new-phase", post(parts::submit_phase))
}

#[derive(Template)]
#[template(path = "campaign.html")]
struct CampaignPage {
    frame: Frame,
    project: ProjectFrame,
    path: String,
    etag: String,
    /// Whose unsaved work the browser keeps.
    member: String,
    /// The address of the form that was just saved, if one was.
    saved: Option<String>,
    campaign: CampaignView,
    actions: Vec<ShownAction>,
    beside_start: BesideStart,
    /// Why the member cannot act on it, or edit it.
    only_reads: Option<&'static str>,
    may_edit: bool,
    may_publish: bool,
    /// Where the member reads its results, if they may.
    results_path: Option<String>,
    /// Why the last act was refused.
    alert: Option<String>,
    is_changed: bool,
    unseen: Unseen,
    /// The form of a preview link, filled in with its page and its variations.
    preview_path: String,
    /// Whether its results are counted; nothing once it is over.
    counting: Option<Counting>,
}

/// What visitors do not see of a campaign while it runs.
struct Unseen {
    /// What they may not get.
    warnings: Vec<ShownWarning>,
    /// Whether no visitor sees any of it.
    is_all: bool,
}

/// A campaign, with its project and the address of its page.
pub(super) struct FoundCampaign {
    pub(super) id: ProjectId,
    pub(super) campaign: Value,
    pub(super) path: String,
}

impl FoundCampaign {
    pub(super) async fn find(
        app: &App,
        actor: &Actor,
        (id, name): (ProjectId, &str),
    ) -> Result<Self, Refusal> {
        let campaign = find_resource(app, actor, id, ResourceKind::Campaign, name).await?;
        let own = campaign["id"].as_str().unwrap_or(name);
        Ok(Self { id, path: format!("/projects/{id}/campaigns/{own}"), campaign })
    }
}

async fn show(
    State(app): State<App>,
    Path((id, name)): Path<(ProjectId, String)>,
    RawQuery(query): RawQuery,
    PageCaller { session, actor }: PageCaller,
) -> Result<Response, Refusal> {
    let found = FoundCampaign::find(&app, &actor, (id, &name)).await?;
    let message = MESSAGES.named(query.as_deref());
    let frame = Frame::new(&session, NavigationTab::Projects).with_message_of(found.id, message);
    let saved = saved(&found, query.as_deref());
    let has_started = matches!(query.as_deref(), Some("done=start" | "done=resume"));
    let feedback = Feedback { status: StatusCode::OK, alert: None, saved, has_started };
    answer((&app, &session, &actor), found, frame, feedback).await
}

/// The form that led to the page, by what the page's address says was done.
fn saved(found: &FoundCampaign, query: Option<&str>) -> Option<String> {
    match query {
        Some("done=saved") => Some(format!("{}/edit", found.path)),
        Some("done=added") => Some(format!("/projects/{}/campaigns/new", found.id)),
        _ => None,
    }
}

/// What the answer to a form adds to the page.
pub(super) struct Feedback {
    pub(super) status: StatusCode,
    /// Why the last act was refused.
    pub(super) alert: Option<String>,
    /// The address of the form that was just saved, if one was.
    pub(super) saved: Option<String>,
    /// Whether it was started, or resumed.
    pub(super) has_started: bool,
}

/// The page of a campaign, perhaps with why an act was refused.
pub(super) async fn answer(
    (app, session, actor): (&App, &Session, &Actor),
    FoundCampaign { id, campaign, path }: FoundCampaign,
    frame: Frame,
    feedback: Feedback,
) -> Result<Response, Refusal> {
    let access = project_access(app, session.member.id, id).await?.ok_or(Refusal::NoSuchPage)?;
    let may_publish = access.may_change(Permission::Publish);
    let may_edit = access.may_change(Permission::WriteDraft);
    let only_reads = if access.is_managed_by_file() {
        Some("A project file manages this project: change that file.")
    } else if may_publish {
        None
    } else {
        Some("What visitors notice takes the role of a publisher. An admin can give it to you.")
    };
    let live = live_campaign(app, actor, id, &campaign).await?;
    let draft = readable_draft(app, actor, id).await?;
    let live_project = live_project(app, actor, &draft).await?;
    let known = draft.project.campaigns.iter().find(|one| campaign["id"] == one.id.to_string());
    let known = known.ok_or(Refusal::NoSuchPage)?;
    let live_one = live_project.as_ref().and_then(|live| live.project.campaign(known.id));
    let ended = live_one.map(|live| ended_experiments(live, known).collect::<Vec<_>>());
    // Who archives a shipped campaign takes its winner from visitors.
    let may = |action: CampaignAction| {
        let is_seen = action.is_seen_by_visitors() || known.is_shipped();
        if is_seen { may_publish } else { may_edit }
    };
    // Of a campaign that has begun, visitors get what is live, whatever the draft says.
    let has_begun =
        |live: &&Campaign| matches!(live.status, CampaignStatus::Running | CampaignStatus::Paused);
    let about = match (&live_project, live_one.filter(has_begun)) {
        (Some(live), Some(_)) => &live.project,
        _ => &draft.project,
    };
    let found = warnings_once_running(about, known.id).await?;
    let frame = if feedback.has_started { after_start(frame, &found) } else { frame };
    let is_all = found.hides_from_everyone;
    let unseen = Unseen { warnings: ShownWarning::all(about, &found.warnings), is_all };
    let may_read_results = access.has(Permission::ReadResults);
    let results_path = may_read_results.then(|| format!("{path}/results"));
    let template = CampaignPage {
        frame,
        unseen,
        preview_path: preview::path_for(&draft.project, known),
        project: ProjectFrame::of(app, actor, id, Tab::Campaigns).await?,
        etag: campaign["etag"].as_str().unwrap_or_default().to_owned(),
        is_changed: live.as_ref().is_some_and(|live| live["etag"] != campaign["etag"]),
        counting: may_run(known.status).then(|| {
            let live = live_project.as_ref().map(|live| &*live.project);
            Counting::of(&draft.project, live)
        }),
        actions: ShownAction::of((known.status, is_all), may),
        beside_start: beside_start(live_project.as_ref(), &draft, known).await?,
        campaign: CampaignView::of(
            (&draft.project, app.wall_time()),
            (&campaign, &missed_moments(app, actor, id, known).await?),
            (live.as_ref(), &ended.unwrap_or_default()),
        ),
        path,
        member: session.member.id.to_string(),
        saved: feedback.saved,
        only_reads,
        may_edit,
        may_publish,
        results_path,
        alert: feedback.alert,
    };
    Ok(page_with(feedback.status, &template, FormTargets::OwnPages, saved_scripts(app)))
}

/// What the start of a campaign does beside starting it.
#[derive(Default)]
struct BesideStart {
    /// What it takes as it is live, though the draft has another state of it.
    kept_back: Vec<KeptBack>,
    /// What it does to others, in sentences without a full stop.
    others: Vec<String>,
}

/// A notice with its details, which have lines of their own.
fn in_a_sentence(notice: &Notice) -> String {
    notice.text.replacen("\n  ", ": ", 1).replace("\n  ", "; ")
}

async fn beside_start(
    live: Option<&Arc<RevisionDocument>>,
    draft: &Draft,
    campaign: &Campaign,
) -> Result<BesideStart, Refusal> {
    match (live, campaign.status) {
        (Some(live), CampaignStatus::NotStarted) => {
            let told = at_start(live, &draft.project, campaign.id).await?;
            let others = told.others.iter().map(in_a_sentence).collect();
            Ok(BesideStart { kept_back: told.kept_back, others })
        }
        (
            Some(_) | None,
            CampaignStatus::NotStarted
            | CampaignStatus::Running
            | CampaignStatus::Paused
            | CampaignStatus::Concluded
            | CampaignStatus::Archived,
        ) => Ok(BesideStart::default()),
    }
}

/// What the campaign was to do by its schedule, was missed, and does not happen by itself any more.
async fn missed_moments(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    campaign: &Campaign,
) -> Result<Vec<ScheduledAction>, Refusal> {
    if campaign.schedule.is_none() {
        return Ok(Vec::new());
    }
    let moments = list_planned_moments(app, actor, id).await?.into_iter();
    let missed = moments.filter(|moment| {
        let is_missed = moment.state == PlannedState::Published(MomentOutcome::Missed);
        moment.campaign == campaign.id && moment.local.is_some() && is_missed
    });
    let would_act = |action: &ScheduledAction| match action {
        ScheduledAction::Start => campaign.status == CampaignStatus::NotStarted,
        ScheduledAction::Stop => {
            matches!(campaign.status, CampaignStatus::Running | CampaignStatus::Paused)
        }
    };
    Ok(missed.map(|moment| moment.action).filter(would_act).collect())
}

fn after_start(frame: Frame, found: &CampaignWarnings) -> Frame {
    match (found.hides_from_everyone, found.warnings.as_slice()) {
        (true, _) => frame.with_message(Some(HIDDEN)),
        (false, [_, ..]) => frame.with_message(Some(DOUBTFUL)),
        (false, []) => frame,
    }
}

/// Whether visitors take part in the campaign, or can later.
fn may_run(status: CampaignStatus) -> bool {
    match status {
        CampaignStatus::NotStarted | CampaignStatus::Running | CampaignStatus::Paused => true,
        CampaignStatus::Concluded | CampaignStatus::Archived => false,
    }
}

async fn live_campaign(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    campaign: &Value,
) -> Result<Option<Value>, Refusal> {
    let name = campaign["id"].as_str().unwrap_or_default();
    let wanted = (ResourceKind::Campaign, name);
    match find_resource_in(app, actor, id, ProjectState::Live, wanted).await {
        Ok(live) => Ok(Some(live)),
        Err(ReadError::NotFound | ReadError::NotPublished) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The action with this name, if it is one.
pub(super) fn action(name: &str) -> Result<CampaignAction, Refusal> {
    CampaignAction::named(name).ok_or(Refusal::UnreadableForm)
}
