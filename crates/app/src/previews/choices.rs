//! Lists what a preview link of a project can show.

use std::collections::HashSet;
use std::sync::Arc;

use domain::{Campaign, Experiment, ExperimentId, Project, ProjectId, Variation};
use storage::StorageError;

use crate::App;
use crate::computation::compute;
use crate::drafts::open_draft;
use crate::publishing::live_project;
use crate::roles::{Actor, Permission, RoleError};

/// The available choices.
#[derive(Debug, Clone)]
pub struct PreviewChoices {
    /// Whether the live snippet reads preview links; `None` while nothing is live.
    pub is_switched_on: Option<bool>,
    /// The same of the draft.
    pub is_on_in_draft: bool,
    /// Whether the draft has something that is not live.
    pub has_draft_changes: bool,
    /// The unarchived experiments of all campaigns of the draft, in document order.
    pub experiments: Vec<PreviewChoice>,
}

/// An experiment whose variations a link can show.
#[derive(Debug, Clone)]
pub struct PreviewChoice {
    /// Its id.
    pub id: String,
    /// The campaign, plus the experiment where the campaign has several.
    pub title: String,
    /// The campaign's status: `running` and so on.
    pub status: &'static str,
    /// Whether the live revision has it. If not, only a link to the draft shows it.
    pub is_live: bool,
    /// Id and title of each variation.
    pub variations: Vec<(String, String)>,
}

/// The choices of project `id`; `None` if the project is unknown.
///
/// # Errors
/// See [`RoleError`].
pub async fn preview_choices(
    app: &App,
    actor: &Actor,
    id: ProjectId,
) -> Result<Option<PreviewChoices>, RoleError> {
    actor.require(app, Some(id), Permission::WriteDraft).await?;
    let Some(draft) = open_draft(app, id).await? else { return Ok(None) };
    let live = live_project(app, id).await?.map(|live| live.project);
    let work = move || choices(&draft.project, live.as_deref());
    let found = compute("list_preview_choices", work).await;
    Ok(Some(found.map_err(StorageError::from)?))
}

fn choices(draft: &Project, live: Option<&Project>) -> PreviewChoices {
    let live_experiments: HashSet<ExperimentId> = live
        .into_iter()
        .flat_map(|live| &live.campaigns)
        .flat_map(|campaign| campaign.experiments.iter().map(|experiment| experiment.id))
        .collect();
    let of_campaign = |campaign: &Arc<Campaign>| {
        let experiments = campaign.experiments.iter();
        let choices = experiments.map(|experiment| PreviewChoice {
            is_live: live_experiments.contains(&experiment.id),
            ..choice(campaign, experiment)
        });
        choices.collect::<Vec<_>>()
    };
    PreviewChoices {
        is_switched_on: live.map(|live| live.snippet.preview),
        is_on_in_draft: draft.snippet.preview,
        has_draft_changes: live.is_some_and(|live| live != draft),
        experiments: draft.in_use().campaigns.iter().flat_map(of_campaign).collect(),
    }
}

fn choice(campaign: &Campaign, experiment: &Experiment) -> PreviewChoice {
    let title =
        |name: &Option<String>, key: &dyn ToString| name.clone().unwrap_or_else(|| key.to_string());
    let campaign_title = title(&campaign.name, &campaign.key);
    let shown = experiment.variations.iter().filter(|variation| !variation.archived);
    let of_variation =
        |variation: &Variation| (variation.id.to_string(), title(&variation.name, &variation.key));
    PreviewChoice {
        id: experiment.id.to_string(),
        title: match campaign.experiments.len() {
            1 => campaign_title,
            _ => format!("{campaign_title}: {}", title(&experiment.name, &experiment.key)),
        },
        status: campaign.status.word(),
        is_live: true,
        variations: shown.map(of_variation).collect(),
    }
}
