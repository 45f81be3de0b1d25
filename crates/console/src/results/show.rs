//! `/projects/{id}/campaigns/{name}/results`, and the same figures as files.

use std::sync::Arc;

use app::App;
use app::projects::project_access;
use app::results::{
    CampaignResults, CampaignResultsError, EarlierExperiment, NoResults, ResultsQuestion,
    campaign_results, results_csv,
};
use app::roles::{Actor, Permission};
use askama::Template;
use axum::Router;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use domain::{CampaignStatus, Key, ProjectId};
use serde_json::Value;
use web::FormTargets;

use super::Content;
use crate::address::Path;
use crate::caller::PageCaller;
use crate::campaign::FoundCampaign;
use crate::frame::{Frame, NavigationTab};
use crate::page::page;
use crate::project_frame::{ProjectFrame, Tab};
use crate::refusal::Refusal;
use crate::results::query::ResultsQuery;

#[derive(Template)]
#[template(path = "results/page.html")]
struct ResultsPage {
    frame: Frame,
    project: ProjectFrame,
    path: String,
    title: String,
    /// What is missing, the first thing first; nothing if there are results.
    missing: Vec<Missing>,
    /// Experiments of which there is nothing to compare yet.
    without: Vec<(String, &'static str)>,
    content: String,
    may_share: bool,
    /// The revision whose experiments these are, if visitors get another one.
    past: Option<u32>,
    /// What visitors took part in before.
    earlier: Vec<Earlier>,
}

/// An experiment that visitors took part in before.
struct Earlier {
    name: String,
    /// The last revision that has it.
    revision: u32,
    /// The day on which another revision took the place of that one.
    day: String,
}

impl Earlier {
    fn of(ended: &EarlierExperiment) -> Self {
        let day = ended.ended_at.split('T').next().unwrap_or_default().to_owned();
        Self { name: ended.name.clone(), revision: ended.revision, day }
    }
}

/// Something without which there are no results.
struct Missing {
    is_there: bool,
    words: &'static str,
    /// Where to see to it.
    place: String,
    label: &'static str,
}

pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/projects/{id}/campaigns/{name}/results", get(show))
        .route("/projects/{id}/campaigns/{name}/results/csv", get(csv))
        .route("/projects/{id}/campaigns/{name}/results/json", get(json))
}

async fn show(
    State(app): State<App>,
    Path((id, name)): Path<(ProjectId, String)>,
    RawQuery(query): RawQuery,
    PageCaller { session, actor }: PageCaller,
) -> Result<Response, Refusal> {
    let query = ResultsQuery::read(query.as_deref())?;
    let FoundCampaign { id, campaign, path } =
        FoundCampaign::find(&app, &actor, (id, &name)).await?;
    let found = find(&app, &actor, id, (&name, query)).await?;
    let past = found.as_ref().filter(|found| found.is_past).map(|found| found.revision);
    let access = project_access(&app, session.member.id, id).await?.ok_or(Refusal::NoSuchPage)?;
    let may_publish = access.may_change(Permission::Publish);
    let status = campaign["status"].as_str().unwrap_or_default();
    let may_share = access.has(Permission::WriteDraft);
    let content = Content {
        planner: Some(format!("/projects/{id}/length")),
        may_share: may_share && past.is_none(),
        end: past.map(|_| "Visitors take part in it no longer.".to_owned()).or(end_of(&campaign)),
        may_conclude: past.is_none() && may_publish && ["running", "paused"].contains(&status),
        ..Content::of(found.iter().flat_map(|found| found.found())).at(path.clone(), query)
    };
    let title = campaign["name"].as_str().or(campaign["key"].as_str()).unwrap_or(&name).to_owned();
    let template = ResultsPage {
        frame: Frame::new(&session, NavigationTab::Projects),
        project: ProjectFrame::of(&app, &actor, id, Tab::Campaigns).await?,
        missing: if content.experiments.is_empty() {
            missing(found.as_deref(), id, (status, &path))
        } else {
            Vec::new()
        },
        without: found.as_deref().map(without).unwrap_or_default(),
        content: content.render().expect("writing to memory does not fail"),
        may_share: may_share && past.is_none() && found.is_some(),
        earlier: found.iter().flat_map(|found| &found.earlier).map(Earlier::of).collect(),
        past,
        path,
        title,
    };
    Ok(page(StatusCode::OK, &template, FormTargets::OwnPages))
}

/// What is said in place of advice, once the campaign is over.
fn end_of(campaign: &Value) -> Option<String> {
    let is = |status: CampaignStatus| campaign["status"] == status.word();
    if is(CampaignStatus::Archived) {
        return Some("The campaign is archived.".to_owned());
    }
    let winners = winners(campaign);
    let was_named = match winners.as_slice() {
        [] => "no winner was named".to_owned(),
        [one] => format!("`{one}` was named as its winner"),
        several => format!("`{}` were named as its winners", several.join("`, `")),
    };
    let shows = match (campaign["shipped"] == Value::Bool(true), winners.len()) {
        (true, 0 | 1) => "It is shown to all visitors in its audience.",
        (true, _) => "They are shown to all visitors in its audience.",
        (false, _) => "Visitors see your pages as they are.",
    };
    is(CampaignStatus::Concluded)
        .then(|| format!("The campaign is concluded, and {was_named}. {shows}"))
}

/// The variations that were named as winners, an experiment each.
fn winners(campaign: &Value) -> Vec<&str> {
    let experiments = campaign["experiments"].as_array().into_iter().flatten();
    let experiments = experiments.filter(|one| one["archived"] != Value::Bool(true));
    let winners = experiments.filter_map(|experiment| {
        let won = &experiment["winner"];
        let mut variations = experiment["variations"].as_array()?.iter();
        let winner = variations.find(|one| *won == one["id"] || *won == one["key"])?;
        winner["name"].as_str().or(winner["key"].as_str()).filter(|_| !won.is_null())
    });
    winners.collect()
}

async fn csv(
    State(app): State<App>,
    Path((id, name)): Path<(ProjectId, String)>,
    RawQuery(query): RawQuery,
    PageCaller { actor, .. }: PageCaller,
) -> Result<Response, Refusal> {
    let found = file_of(&app, &actor, (id, &name, ResultsQuery::read(query.as_deref())?)).await?;
    // Without the mark, Excel reads names in the encoding of its machine.
    let text = format!("\u{feff}{}", results_csv(found.found()));
    Ok(file((&found, "csv"), "text/csv; charset=utf-8", text))
}

async fn json(
    State(app): State<App>,
    Path((id, name)): Path<(ProjectId, String)>,
    RawQuery(query): RawQuery,
    PageCaller { actor, .. }: PageCaller,
) -> Result<Response, Refusal> {
    let found = file_of(&app, &actor, (id, &name, ResultsQuery::read(query.as_deref())?)).await?;
    let text = serde_json::to_string(&*found).map_err(|_| Refusal::Internal)?;
    Ok(file((&found, "json"), "application/json", text))
}

async fn file_of(
    app: &App,
    actor: &Actor,
    (id, name, query): (ProjectId, &str, ResultsQuery),
) -> Result<Arc<CampaignResults>, Refusal> {
    find(app, actor, id, (name, query)).await?.ok_or(Refusal::NoSuchPage)
}

/// Named for its campaign and, if it is past, for its revision: who compares several keeps several.
fn file((found, ending): (&CampaignResults, &str), kind: &'static str, text: String) -> Response {
    let named = Key::from_name(&found.name).map_or(found.campaign.clone(), |key| key.to_string());
    let revision = if found.is_past { format!("-{}", found.revision) } else { String::new() };
    let name = format!("attachment; filename=\"{named}-results{revision}.{ending}\"");
    let headers = [
        (CONTENT_TYPE, kind.to_owned()),
        (CONTENT_DISPOSITION, name),
        (CACHE_CONTROL, "no-store".to_owned()),
    ];
    (headers, text).into_response()
}

/// The results, if the campaign is live.
async fn find(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    (campaign, ResultsQuery { split, revision }): (&str, ResultsQuery),
) -> Result<Option<Arc<CampaignResults>>, Refusal> {
    match campaign_results(app, actor, id, ResultsQuestion { campaign, split, revision }).await {
        Ok(results) => Ok(Some(results)),
        Err(CampaignResultsError::UnknownRevision) => Err(Refusal::NoSuchPage),
        Err(CampaignResultsError::NotPublished | CampaignResultsError::UnknownCampaign) => Ok(None),
        Err(error @ CampaignResultsError::EventsLost(_)) => {
            Err(Refusal::EventsLost(error.to_string()))
        }
        Err(CampaignResultsError::Role(error)) => Err(error.into()),
    }
}

/// Why experiments have no results.
pub(super) fn without(found: &CampaignResults) -> Vec<(String, &'static str)> {
    let reasons = found.experiments.iter().filter_map(|experiment| {
        let words = match experiment.reason? {
            NoResults::OneVariation => {
                "has one variation, and nothing to compare it with: a holdback of the campaign would tell what it does"
            }
            NoResults::TooLarge => "has values that are too large to be added up exactly",
            NoResults::PlanOver => "had no visitor until the last day of its plan, which is over",
            NoResults::EventsLost => {
                "has no visitor in what is left of its events: some were lost with their files"
            }
            NoResults::EventsDeleted => "ended before the oldest events that this server keeps",
            NoResults::NoVisitor | NoResults::UnknownCampaign => "has no visitor yet",
        };
        Some((experiment.name.clone(), words))
    });
    reasons.collect()
}

/// What has to be there, from first to last. Of a plan only that it is over.
fn missing(
    found: Option<&CampaignResults>,
    id: ProjectId,
    (status, path): (&str, &str),
) -> Vec<Missing> {
    let has = |is_so: fn(&CampaignResults) -> bool| found.is_some_and(is_so);
    let below = |place: &str| format!("/projects/{id}{place}");
    let plan = has(is_plan_over).then(|| Missing {
        is_there: false,
        words: "A last day of the plan that is not over. Who comes later does not count.",
        place: format!("{path}/edit"),
        label: "Change the plan",
    });
    let compared = has(compares_nothing).then(|| Missing {
        is_there: false,
        words: "Another variation, or a holdback. One variation alone is compared with nothing.",
        place: format!("{path}/edit"),
        label: "Edit the campaign",
    });
    let always = [
        running(found, id, (status, path)),
        Missing {
            is_there: has(|found| found.is_collecting),
            words: "The live snippet sends what visitors see and do to this server.",
            place: below("/settings"),
            label: "Settings",
        },
        Missing {
            is_there: has(|found| found.events > 0),
            words: "Events arrived. If none do: is the snippet in the pages, and does their Content-Security-Policy let them connect to this server?",
            place: below("/install"),
            label: "Install",
        },
        Missing {
            is_there: false,
            words: "A visitor was on a page of the campaign while it ran, fitted its audiences, and, where the project asks for it, consented. Browsers that a program drives, addresses that force a variation, and preview links never count.",
            place: below("/decide"),
            label: "Explain a decision",
        },
    ];
    plan.into_iter().chain(compared).chain(always).collect()
}

/// Whether visitors take part, by the campaign's status, or did while it ran. Its own page is where members start and resume it.
fn running(
    found: Option<&CampaignResults>,
    id: ProjectId,
    (status, path): (&str, &str),
) -> Missing {
    let is = |word: CampaignStatus| status == word.word();
    let words = "The campaign is live.";
    let (is_there, words, label) = if is(CampaignStatus::NotStarted) {
        (false, words, "Start it")
    } else if found.is_none() {
        let place = format!("/projects/{id}");
        return Missing { is_there: false, words, place, label: "Publish it" };
    } else if is(CampaignStatus::Paused) {
        (false, "The campaign is live. It is paused.", "Resume it")
    } else if is(CampaignStatus::Running) {
        (true, words, "")
    } else {
        (true, "The campaign was live.", "")
    };
    Missing { is_there, words, place: path.to_owned(), label }
}

/// More visitors would change nothing of that.
fn compares_nothing(found: &CampaignResults) -> bool {
    let mut experiments = found.experiments.iter();
    found.holdback.is_none()
        && !found.experiments.is_empty()
        && experiments.all(|one| one.reason == Some(NoResults::OneVariation))
}

fn is_plan_over(found: &CampaignResults) -> bool {
    found.experiments.iter().any(|one| one.reason == Some(NoResults::PlanOver))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::end_of;

    fn campaign(status: &str, winner: &Value, shipped: &Value) -> Value {
        let variations = json!([{"id": "1", "key": "a"}, {"id": "2", "key": "b", "name": "Short"}]);
        let experiment = json!({"id": "3", "winner": winner, "variations": variations});
        json!({"status": status, "shipped": shipped, "experiments": [experiment]})
    }

    #[test]
    fn what_is_concluded_tells_the_winner_that_was_named() {
        let told =
            |winner, is_shipped: bool| end_of(&campaign("concluded", &winner, &json!(is_shipped)));
        let begin = "The campaign is concluded, and ";
        let shipped =
            "`Short` was named as its winner. It is shown to all visitors in its audience.";
        let kept = "`a` was named as its winner. Visitors see your pages as they are.";
        let nothing = "no winner was named. Visitors see your pages as they are.";

        assert_eq!(told(json!("2"), true), Some(format!("{begin}{shipped}")));
        assert_eq!(told(json!("1"), false), Some(format!("{begin}{kept}")));
        assert_eq!(told(Value::Null, false), Some(format!("{begin}{nothing}")));
        assert_eq!(end_of(&campaign("running", &Value::Null, &json!(false))), None);
    }
}
