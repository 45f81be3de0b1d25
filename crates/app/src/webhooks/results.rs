//! Announces what results have come to: a look at the running campaigns now and then, because events come in all the time and verdicts follow
//! from all of them.

use domain::{Campaign, CampaignStatus, ExperimentId, Project, ProjectId};
use serde_json::{Value, json};
use storage::{StorageError, Webhook};

use crate::App;
use crate::documents::{WebhookEvent, announced_project, announced_title};
use crate::publishing::{LiveProject, announcer, live_project};
use crate::results::{
    CampaignResultsError, ExperimentResults, Freshness, Results, ResultsQuestion, VerdictCode,
    answer,
};
use crate::roles::RoleError;
use crate::webhooks::description::hears_of_results;

/// What came of a look at results.
#[derive(Debug, Default)]
pub struct AnnouncedResults {
    /// How many verdicts and alarms were announced.
    pub announced: usize,
    /// Projects whose results could not be read, and why. A later look tries again.
    pub failed: Vec<(ProjectId, StorageError)>,
}

/// Looks at the results of every running campaign of projects whose webhooks want to hear of results, and announces each verdict and each alarm
/// once. None, if this server sends none.
///
/// # Errors
/// If the store does not answer.
pub async fn announce_results(app: &App) -> Result<AnnouncedResults, StorageError> {
    let mut found = AnnouncedResults::default();
    if !app.sends_webhooks() {
        return Ok(found);
    }
    for id in app.store().list_announcing_projects().await? {
        match announce_project(app, id).await {
            Ok(announced) => found.announced += announced,
            Err(error) => found.failed.push((id, error)),
        }
    }
    Ok(found)
}

async fn announce_project(app: &App, id: ProjectId) -> Result<usize, StorageError> {
    let webhooks = app.store().list_webhooks(id).await?;
    if !webhooks.iter().any(wants_results) {
        return Ok(0);
    }
    let Some(live) = live_project(app, id).await? else { return Ok(0) };
    let campaigns = if live.project.archived { &[][..] } else { &live.project.campaigns[..] };
    let mut announced = 0;
    for campaign in campaigns.iter().filter(|one| one.status == CampaignStatus::Running) {
        announced += announce_campaign(app, &live, campaign).await?;
    }
    Ok(announced)
}

fn wants_results(webhook: &Webhook) -> bool {
    webhook.is_enabled && hears_of_results(&webhook.events)
}

async fn announce_campaign(
    app: &App,
    live: &LiveProject,
    campaign: &Campaign,
) -> Result<usize, StorageError> {
    let id: ProjectId = live.project.id;
    let campaign_id = campaign.id.to_string();
    let question = ResultsQuestion { campaign: &campaign_id, split: None, revision: None };
    let results = match answer(app, id, question, Freshness::Now).await {
        Ok(results) => results,
        Err(CampaignResultsError::Role(RoleError::Storage(error))) => return Err(error),
        // Another revision has gone live since, or what is left of the events would tell another verdict.
        Err(
            CampaignResultsError::NotPublished
            | CampaignResultsError::UnknownRevision
            | CampaignResultsError::UnknownCampaign
            | CampaignResultsError::EventsLost(_)
            | CampaignResultsError::Role(_),
        ) => return Ok(0),
    };
    let mut announced = 0;
    for found in &results.experiments {
        let (Some(results), Ok(experiment)) = (&found.results, found.id.parse::<ExperimentId>())
        else {
            continue;
        };
        let Some((event, mark)) = event_of(results.verdict.code) else { continue };
        let data = data(app, (&live.project, live.number), campaign, (found, results));
        let title = announced_title(&live.project);
        let text = format!("{title}: {}: {}", campaign.title(), results.verdict.text);
        let announcement = announcer(app).announce(0, (event.as_str(), &text, data));
        let experiment = (experiment, mark);
        announced += usize::from(app.store().announce_result(id, experiment, announcement).await?);
    }
    Ok(announced)
}

/// What is announced of a verdict, and the mark under which that is done once. It is too early for any while it is too early to say. That it can stop at
/// a low risk is no last word: who goes on hears of that, too.
const fn event_of(code: VerdictCode) -> Option<(WebhookEvent, &'static str)> {
    let (event, mark) = match code {
        VerdictCode::Better
        | VerdictCode::Worse
        | VerdictCode::Mixed
        | VerdictCode::Inconclusive => (WebhookEvent::ResultsDecided, "results.decided"),
        VerdictCode::LowRisk => (WebhookEvent::ResultsDecided, "low_risk"),
        VerdictCode::SampleRatioMismatch => (WebhookEvent::ResultsAlarm, "results.alarm"),
        VerdictCode::TooEarly | VerdictCode::NoMetric => return None,
    };
    Some((event, mark))
}

fn data(
    app: &App,
    (project, revision): (&Project, u32),
    campaign: &Campaign,
    (experiment, results): (&ExperimentResults, &Results),
) -> Value {
    let variations = results.variations.iter().map(|variation| {
        json!({"id": variation.id, "name": variation.name, "visitors": variation.visitors})
    });
    json!({
        "project": announced_project(project),
        "revision": revision,
        "campaign": announcer(app).campaign(project.id, campaign),
        "experiment": {"id": experiment.id, "name": experiment.name},
        "verdict": results.verdict,
        "days": [results.first_day, results.last_day],
        "variations": variations.collect::<Vec<_>>(),
    })
}
