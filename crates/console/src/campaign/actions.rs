//! What members do with a campaign, and what visitors notice of it.

use std::sync::Arc;

use app::App;
use app::campaigns::{
    Act, CampaignAction, Conclusion, Copied, CopyRequest, NEW_PHASE_WAITS, Target, Winner,
    act_on_campaign, duplicate, ended_experiments,
};
use app::drafts::{EditError, ExpectedVersion, readable_draft};
use app::resources::ActionError;
use app::roles::Actor;
use askama::Template;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use domain::{Campaign, CampaignStatus, Ending, Experiment, Fault, ProjectId};
use serde_json::Value;
use web::{FormTargets, Session};

use super::{Feedback, FoundCampaign, action, answer};
use crate::address::Path;
use crate::caller::{FormCaller, PageCaller};
use crate::edit;
use crate::fields::Fields;
use crate::frame::{Frame, NavigationTab};
use crate::live::live_project;
use crate::page::page;
use crate::project_frame::{ProjectFrame, Tab};
use crate::refusal::Refusal;
use crate::words::{fault_with_hint, sentence, title};

/// An action that is possible now.
pub(super) struct ShownAction {
    pub(super) name: &'static str,
    pub(super) label: &'static str,
    /// What visitors will notice.
    pub(super) effect: &'static str,
    /// Whether it has a page of its own, where the member decides more.
    pub(super) has_page: bool,
    pub(super) is_main: bool,
    pub(super) is_allowed: bool,
}

/// What visitors notice of a campaign that none of them can see.
const HIDDEN: &str =
    "It goes live at once, but no visitor can see it as it is: mend first what is told above.";

#[derive(Template)]
#[template(path = "conclude.html")]
struct ConcludePage {
    frame: Frame,
    project: ProjectFrame,
    path: String,
    title: String,
    etag: String,
    /// Those of which a winner can be named.
    experiments: Vec<Candidates>,
    /// The id of the variation that was named or is chosen, or that the results page found to be the winner.
    winner: Option<String>,
    is_shipped: bool,
    is_concluded: bool,
    /// The experiments of which a new phase waits in the draft: no winner of them can be named meanwhile.
    replaced: Vec<String>,
    alert: Option<&'static str>,
}

impl ConcludePage {
    fn is_winner(&self, variation: &str) -> bool {
        self.winner.as_deref() == Some(variation)
    }

    /// Of all variations that can win.
    fn ids(&self) -> impl Iterator<Item = &str> {
        self.experiments.iter().flat_map(|one| &one.variations).map(|(id, _)| id.as_str())
    }
}

/// An experiment, and who can win it.
struct Candidates {
    title: String,
    /// Ids and names.
    variations: Vec<(String, String)>,
    /// The id of the one that was named.
    winner: Option<String>,
}

impl ShownAction {
    /// The actions that a status allows, of a campaign that every visitor or none can see, each with whether the member may do it.
    pub(super) fn of(
        (status, hides_from_everyone): (CampaignStatus, bool),
        may: impl Fn(CampaignAction) -> bool,
    ) -> Vec<Self> {
        let mut possible = CampaignAction::possible(status);
        if status == CampaignStatus::Concluded {
            possible.push(CampaignAction::Conclude);
        }
        let shown = possible.into_iter().map(|action| Self::new(action, status, &may));
        let begins = |name| ["start", "resume"].contains(&name);
        let with_effect = |shown: Self| match shown.name {
            name if hides_from_everyone && begins(name) => Self { effect: HIDDEN, ..shown },
            _ => shown,
        };
        shown.map(with_effect).collect()
    }

    fn new(
        action: CampaignAction,
        status: CampaignStatus,
        may: impl Fn(CampaignAction) -> bool,
    ) -> Self {
        let (label, effect) = match action {
            CampaignAction::Start => (
                "Start",
                "Visitors of its pages get it from their next page view on. It goes live at once with what it needs; other unpublished changes stay in the draft.",
            ),
            CampaignAction::Pause => (
                "Pause",
                "Visitors see your pages as they are from their next page view on. Each keeps a variation for when you resume.",
            ),
            CampaignAction::Resume => {
                ("Resume", "Visitors get it again, each with the same variation as before.")
            }
            CampaignAction::Conclude if status == CampaignStatus::Concluded => (
                "Change the winner…",
                "You name another winner, or none, and show it to all visitors or no longer.",
            ),
            CampaignAction::Conclude => (
                "Conclude…",
                "It ends. You name the winner, and may show it to all visitors until it is built into your site.",
            ),
            CampaignAction::Archive => {
                ("Archive", "It leaves the lists. A shipped winner is no longer shown.")
            }
            CampaignAction::Restore => {
                ("Restore", "It comes back to the lists. Visitors notice nothing.")
            }
        };
        Self {
            name: action.word(),
            label,
            effect,
            has_page: action == CampaignAction::Conclude,
            is_main: matches!(action, CampaignAction::Start | CampaignAction::Resume),
            is_allowed: may(action),
        }
    }
}

/// `POST /projects/{id}/campaigns/{name}/act`
pub(super) async fn submit(
    State(app): State<App>,
    Path((id, name)): Path<(ProjectId, String)>,
    FormCaller { session, actor, fields, .. }: FormCaller,
) -> Result<Response, Refusal> {
    let found = FoundCampaign::find(&app, &actor, (id, &name)).await?;
    let action = action(fields.get("action"))?;
    let is_conclusion = action == CampaignAction::Conclude;
    let (ship, won) = (fields.has("ship"), fields.get("winner").to_owned());
    let chosen = Some(won.clone()).filter(|won| !won.is_empty());
    let winner = if won.is_empty() { Winner::Nothing } else { Winner::Variation(won) };
    let act = Act {
        action,
        target: Target::Campaign(name),
        conclusion: Conclusion {
            winner: is_conclusion.then_some(winner),
            ship: is_conclusion.then_some(ship),
        },
        expected: edit::version(fields.get("etag")),
    };
    match act_on_campaign(&app, &actor, found.id, act).await {
        Ok(_) => {
            let path = format!("{}?done={}", found.path, action.word());
            Ok(Redirect::to(&path).into_response())
        }
        Err(error) if is_about_winner(&error) => {
            let form = conclusion_page((&app, &session, &actor), found).await?;
            let alert = Some(if form.replaced.is_empty() {
                "Choose the winner that is to be shipped, or ship none."
            } else {
                "Nothing was concluded: a new phase waits in the draft."
            });
            let form = ConcludePage { winner: chosen, is_shipped: ship, alert, ..form };
            Ok(page(StatusCode::UNPROCESSABLE_ENTITY, &form, FormTargets::OwnPages))
        }
        Err(error) => refuse((&app, &session, &actor), &found, error).await,
    }
}

/// Whether a winner is to be shipped that the member has not named, or one is named that no visitor has met.
fn is_about_winner(error: &ActionError) -> bool {
    let ActionError::Edit(EditError::Invalid(faults)) = error else { return false };
    faults.iter().all(|fault| {
        let is_missing = fault.code == "missing_field" && fault.pointer.as_str() == "/winner";
        is_missing || fault.code == NEW_PHASE_WAITS
    })
}

/// `GET /projects/{id}/campaigns/{name}/conclude`, with `?winner=` the id of a variation to choose one beforehand.
pub(super) async fn show_conclusion(
    State(app): State<App>,
    Path((id, name)): Path<(ProjectId, String)>,
    RawQuery(query): RawQuery,
    PageCaller { session, actor }: PageCaller,
) -> Result<Response, Refusal> {
    let found = FoundCampaign::find(&app, &actor, (id, &name)).await?;
    let query = query.as_deref().and_then(|query| Fields::read(query.as_bytes()));
    let asked = query.as_ref().map(|query| query.get("winner"));
    let form = conclusion_page((&app, &session, &actor), found).await?;
    let asked = form.ids().find(|id| Some(*id) == asked).map(str::to_owned);
    let form = ConcludePage { winner: asked.or(form.winner), ..form };
    Ok(page(StatusCode::OK, &form, FormTargets::OwnPages))
}

/// The form, as the campaign is by now.
async fn conclusion_page(
    (app, session, actor): (&App, &Session, &Actor),
    FoundCampaign { id, campaign, path }: FoundCampaign,
) -> Result<ConcludePage, Refusal> {
    let draft = readable_draft(app, actor, id).await?;
    let live = live_project(app, actor, &draft).await?;
    let is_this = |one: &&Arc<Campaign>| campaign["id"] == one.id.to_string();
    let known = draft.project.campaigns.iter().find(is_this);
    let ended = live
        .as_ref()
        .zip(known)
        .and_then(|(live, known)| Some(ended_experiments(live.project.campaign(known.id)?, known)));
    let replaced: Vec<_> = ended.into_iter().flatten().filter_map(replaced).collect();
    let is_new = |one: &Value| replaced.iter().any(|(_, new)| one["id"] == *new);
    let experiments = campaign["experiments"].as_array().into_iter().flatten();
    let experiments = experiments.filter(|one| one["archived"] != Value::Bool(true));
    let experiments: Vec<_> = experiments.filter(|one| !is_new(one)).map(Candidates::of).collect();
    let replaced = replaced.into_iter().map(|(title, _)| title).collect();
    Ok(ConcludePage {
        replaced,
        winner: experiments.iter().find_map(|one| one.winner.clone()),
        is_shipped: campaign["shipped"] == Value::Bool(true),
        is_concluded: campaign["status"] == CampaignStatus::Concluded.word(),
        alert: None,
        frame: Frame::new(session, NavigationTab::Projects),
        project: ProjectFrame::of(app, actor, id, Tab::Campaigns).await?,
        path,
        title: title(&campaign),
        etag: campaign["etag"].as_str().unwrap_or_default().to_owned(),
        experiments,
    })
}

/// The title of an experiment that a draft replaces, and the id of its new phase.
fn replaced((experiment, how): (&Experiment, Ending<'_>)) -> Option<(String, String)> {
    match how {
        Ending::Replaced(new) => Some((experiment.title().to_owned(), new.id.to_string())),
        Ending::Archived | Ending::Removed => None,
    }
}

impl Candidates {
    fn of(experiment: &Value) -> Self {
        let variations = experiment["variations"].as_array().into_iter().flatten();
        let variations = variations.filter(|one| one["archived"] != Value::Bool(true));
        let variations: Vec<_> = variations.collect();
        let id = |one: &Value| one["id"].as_str().unwrap_or_default().to_owned();
        let won = &experiment["winner"];
        let winner = variations.iter().find(|one| won == &one["id"] || won == &one["key"]);
        Self {
            title: title(experiment),
            winner: winner.filter(|_| !won.is_null()).map(|one| id(one)),
            variations: variations.into_iter().map(|one| (id(one), title(one))).collect(),
        }
    }
}

/// `POST /projects/{id}/campaigns/{name}/duplicate`
pub(super) async fn submit_duplicate(
    State(app): State<App>,
    Path((id, name)): Path<(ProjectId, String)>,
    FormCaller { session, actor, .. }: FormCaller,
) -> Result<Response, Refusal> {
    let found = FoundCampaign::find(&app, &actor, (id, &name)).await?;
    let copied = (Copied::Campaign, name);
    match duplicate(
        &app,
        &actor,
        found.id,
        copied,
        (CopyRequest { name: None, key: None }, ExpectedVersion::any()),
    )
    .await
    {
        Ok(copy) => {
            let own = copy["id"].as_str().unwrap_or_default();
            let path = format!("/projects/{}/campaigns/{own}?done=duplicated", found.id);
            Ok(Redirect::to(&path).into_response())
        }
        Err(error) => refuse((&app, &session, &actor), &found, error.into()).await,
    }
}

/// The campaign's page, as it is by now, with why an act was refused.
pub(super) async fn refuse(
    (app, session, actor): (&App, &Session, &Actor),
    found: &FoundCampaign,
    error: ActionError,
) -> Result<Response, Refusal> {
    let (status, alert) = refused(error)?;
    let name = found.campaign["id"].as_str().unwrap_or_default();
    let found = FoundCampaign::find(app, actor, (found.id, name)).await?;
    let feedback = Feedback { status, alert, saved: None, has_started: false };
    answer((app, session, actor), found, Frame::new(session, NavigationTab::Projects), feedback)
        .await
}

/// Why an act was refused, in words, with what would be right.
fn refused(error: ActionError) -> Result<(StatusCode, Option<String>), Refusal> {
    let message = error.to_string();
    let (status, words) = match error {
        ActionError::Edit(EditError::Changed(_)) => (
            StatusCode::CONFLICT,
            "The campaign has changed since you opened the page, so nothing was done. This is how it is now.".to_owned(),
        ),
        ActionError::Edit(error) => {
            let (status, faults) = edit::refused(error)?;
            (status, faults.iter().map(words).collect::<Vec<_>>().join(" "))
        }
        ActionError::InUse(_) => (StatusCode::CONFLICT, sentence(&message)),
        ActionError::InvalidTransition { .. } => (
            StatusCode::CONFLICT,
            format!("{} Perhaps it was done already.", sentence(&message)),
        ),
        ActionError::Compile(_) => (StatusCode::UNPROCESSABLE_ENTITY, sentence(&message)),
    };
    Ok((status, Some(words)))
}

/// A fault with its place, if it has one, and its cure.
fn words(fault: &Fault) -> String {
    let place = fault.pointer.as_str();
    let place = if place.is_empty() { String::new() } else { format!("`{place}`: ") };
    format!("{place}{}", fault_with_hint(fault))
}
