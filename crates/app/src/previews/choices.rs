//! Lists what a preview link of a project can show.

use std::sync::Arc;

use domain::{Campaign, Experiment, ProjectId, Variation};

use crate::App;
use crate::publishing::live_project;
use crate::roles::{Actor, Permission, RoleError};

/// The available choices.
#[derive(Debug, Clone)]
pub struct PreviewChoices {
    /// The project's name, or its key where it has none.
    pub project: String,
    /// Whether the live snippet reads preview links.
    pub is_switched_on: bool,
    /// The unarchived experiments of all campaigns, in document order.
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
    /// Id and title of each variation.
    pub variations: Vec<(String, String)>,
}

/// The choices of the live revision of project `id`; `None` if the project is unknown or was never published.
///
/// # Errors
/// See [`RoleError`].
pub async fn preview_choices(
    app: &App,
    actor: &Actor,
    id: ProjectId,
) -> Result<Option<PreviewChoices>, RoleError> {
    actor.require(app, Some(id), Permission::WriteDraft).await?;
    let Some(live) = live_project(app, id).await? else { return Ok(None) };
    let project = live.project.in_use();
    let of_campaign = |campaign: &Arc<Campaign>| {
        let choices = campaign.experiments.iter().map(|experiment| choice(campaign, experiment));
        choices.collect::<Vec<_>>()
    };
    Ok(Some(PreviewChoices {
        is_switched_on: project.snippet.preview,
        experiments: project.campaigns.iter().flat_map(of_campaign).collect(),
        project: project.name.clone().unwrap_or_else(|| project.key.to_string()),
    }))
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
        variations: shown.map(of_variation).collect(),
    }
}
