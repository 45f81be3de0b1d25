//! The results of a campaign, from the events that came to this server.

use std::collections::BTreeSet;
use std::sync::Arc;

use domain::{Campaign, CampaignId, CovariateDays, Project, ProjectId, Results as Collecting};
use events::{Day, Millis};
use lake::{Only, Wanted};
use oauth::{Lifetime, Moment, Timestamp};
use storage::{EventWeight, LostEventDay, StorageError};
use thiserror::Error;

use crate::App;
use crate::bounded_cache::BoundedCache;
use crate::computation::compute;
use crate::events::{
    EventFilesError, EventQuery, days_in_words, events_kept_since, events_of, gather,
};
use crate::heavy_work::ResultsTurn;
use crate::numerals::quantity;
use crate::projects::require_project;
use crate::publishing::{live_number, read_revision};
use crate::results::dataset::Dataset;
use crate::results::experiment_history::{ExperimentHistory, Span};
use crate::results::find::{ResultsError, of_experiment, of_holdback};
use crate::results::gatherers::{GatheredEvents, GatheredExposures};
use crate::results::lost_events::{LostForCampaign, may_have_exposures};
use crate::results::metrics::asked_of_events;
use crate::results::plan::PlannedEnd;
use crate::results::report::{CampaignResults, ExperimentResults, NoResults, Results};
use crate::results::segment_by::SegmentBy;
use crate::results::variations::HOLDBACK;
use crate::results::weights::WeightHistory;
use crate::roles::{Actor, Permission, RoleError};

/// Results in memory: each takes some kilobytes.
const RESULTS_AT_MOST: usize = 256;

const A_MINUTE: Lifetime = Lifetime::from_seconds(60);

/// What is asked of results.
#[derive(Debug, Clone, Copy)]
pub struct ResultsQuestion<'q> {
    /// The id or the key of the campaign.
    pub campaign: &'q str,
    /// By what its visitors are to be split as well.
    pub split: Option<SegmentBy>,
    /// The revision whose experiments and metrics are asked for; the live one if none is.
    pub revision: Option<u32>,
}

/// Results are those of a revision, and split or not. Another revision may have been published since: they are those of the live one, too, by
/// its number.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Asked {
    project: ProjectId,
    campaign: CampaignId,
    revisions: [u32; 2],
    split: Option<SegmentBy>,
}

/// What they are results of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Arrived {
    events: EventWeight,
    today: Day,
}

/// Results with what they are of, and when they were computed.
#[derive(Debug, Clone)]
struct Recent {
    of: Arrived,
    at: Timestamp,
    results: Arc<CampaignResults>,
}

/// How old results may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Freshness {
    /// They are those of all that has come.
    Now,
    /// Strangers may ask as often as they like, and events come meanwhile.
    WithinAMinute,
}

/// The results asked for most recently.
#[derive(Debug)]
pub struct ResultsCache {
    results: BoundedCache<(Asked, Arrived), Arc<CampaignResults>>,
    /// The last ones of each question, whatever has come since.
    recent: BoundedCache<Asked, Recent>,
    /// The past of each project up to a revision.
    past: BoundedCache<ProjectId, (u32, Past)>,
}

/// What the revisions of a project say of its past.
#[derive(Debug, Clone, Default)]
struct Past {
    weights: WeightHistory,
    experiments: ExperimentHistory,
}

impl Default for ResultsCache {
    fn default() -> Self {
        Self {
            results: BoundedCache::of_entries(RESULTS_AT_MOST),
            recent: BoundedCache::of_entries(RESULTS_AT_MOST),
            past: BoundedCache::of_entries(RESULTS_AT_MOST),
        }
    }
}

impl ResultsCache {
    fn find(&self, asked: &Asked, arrived: Arrived) -> Option<Arc<CampaignResults>> {
        self.results.find(&(asked.clone(), arrived))
    }

    /// Those of the last minute, unless events were deleted since.
    fn find_recent(
        &self,
        asked: &Asked,
        (arrived, now): (Arrived, Timestamp),
    ) -> Option<Arc<CampaignResults>> {
        let Recent { of, at, results } = self.recent.find(asked)?;
        let has_all = of.events.events <= arrived.events.events;
        (now < at + A_MINUTE && has_all).then_some(results)
    }

    fn put(
        &self,
        asked: Asked,
        (arrived, at): (Arrived, Timestamp),
        results: Arc<CampaignResults>,
    ) {
        self.results.put_one((asked.clone(), arrived), Arc::clone(&results));
        self.recent.put_one(asked, Recent { of: arrived, at, results });
    }
}

/// Why there are no results.
#[derive(Debug, Error)]
pub enum CampaignResultsError {
    /// The actor may not read them.
    #[error(transparent)]
    Role(#[from] RoleError),
    /// Nothing of the project is live.
    #[error("nothing of the project is live yet")]
    NotPublished,
    /// The project has no such revision.
    #[error("the project has no such revision")]
    UnknownRevision,
    /// The project has no such campaign in this revision.
    #[error("the project has no campaign with this id or key in this revision")]
    UnknownCampaign,
    /// Events of these days are in files that are lost, and the campaign's figures would lack them.
    #[error("{}", told_of_lost(.0))]
    EventsLost(Vec<LostEventDay>),
}

/// What is missing, and who can do what about it.
fn told_of_lost(days: &[LostEventDay]) -> String {
    format!(
        "{} of {}, which results of this campaign need, are in files that are lost; the server's operator puts the files back, or gives them up with `assay events give-up`: then results count what is left",
        quantity(events_of(days), "event", "events"),
        days_in_words(days)
    )
}

impl From<EventFilesError> for CampaignResultsError {
    fn from(error: EventFilesError) -> Self {
        StorageError::from(error).into()
    }
}

impl From<StorageError> for CampaignResultsError {
    fn from(error: StorageError) -> Self {
        Self::Role(error.into())
    }
}

/// The results of each experiment of a campaign.
///
/// # Errors
/// See [`CampaignResultsError`].
pub async fn campaign_results(
    app: &App,
    actor: &Actor,
    id: ProjectId,
    question: ResultsQuestion<'_>,
) -> Result<Arc<CampaignResults>, CampaignResultsError> {
    actor.require(app, Some(id), Permission::ReadResults).await?;
    answer(app, id, question, Freshness::Now).await
}

/// The same without a check of permissions: the caller has made it.
pub(crate) async fn answer(
    app: &App,
    id: ProjectId,
    ResultsQuestion { campaign, split, revision }: ResultsQuestion<'_>,
    freshness: Freshness,
) -> Result<Arc<CampaignResults>, CampaignResultsError> {
    let Some(live) = live_number(app, id).await? else {
        require_project(app, id).await?;
        return Err(CampaignResultsError::NotPublished);
    };
    let number = revision.unwrap_or(live);
    let project = project_of(app, id, number).await?;
    let found = find(&project, campaign).ok_or(CampaignResultsError::UnknownCampaign)?;
    let asked = Asked { project: id, campaign: found.id, revisions: [number, live], split };
    let known = async || {
        let (arrived, now) = (arrived(app, id).await?, app.now());
        let found = match freshness {
            Freshness::Now => app.caches().results.find(&asked, arrived),
            Freshness::WithinAMinute => app.caches().results.find_recent(&asked, (arrived, now)),
        };
        Ok::<_, StorageError>((found, (arrived, now)))
    };
    if let (Some(results), _) = known().await? {
        return Ok(results);
    }
    // The events of a project take two cores for as long as there are many of them.
    let turn = app.heavy_work().results_turn(id).await;
    // Another request may have been faster, and more events have come.
    let (results, (arrived, at)) = known().await?;
    if let Some(results) = results {
        return Ok(results);
    }
    let results = compute_results(app, &project, found, (&asked, arrived), turn).await?;
    app.caches().results.put(asked, (arrived, at), Arc::clone(&results));
    Ok(results)
}

/// What has come of a project's events, and the day: plans end.
async fn arrived(app: &App, id: ProjectId) -> Result<Arrived, StorageError> {
    let events = app.store().weigh_events(id).await?;
    Ok(Arrived { events, today: Millis(app.wall_time().as_milliseconds()).day() })
}

async fn compute_results(
    app: &App,
    project: &Arc<Project>,
    found: &Campaign,
    (asked, arrived): (&Asked, Arrived),
    turn: ResultsTurn,
) -> Result<Arc<CampaignResults>, CampaignResultsError> {
    let ([number, live], split) = (asked.revisions, asked.split);
    let Arrived { events: weight, today } = arrived;
    let Past { weights, experiments } = past_until(app, asked.project, live).await?;
    let lost = LostForCampaign::find(app, asked.project, experiments.span(found)).await?;
    let (exposures, events) = gathered(app, project, found, &lost).await?;
    let given_up = given_up(app, project, (experiments.span(found), exposures.first)).await?;
    let earlier = experiments.ended(found.id.get());
    let collecting = project_of(app, asked.project, live).await?;
    let kept_since = events_kept_since(app, app.wall_time()).map(Millis::day);
    let is_collecting = collecting.results == Collecting::On && !collecting.archived;
    let (project, campaign) = (Arc::clone(project), found.id);
    let work = move || {
        let _turn = turn;
        let campaign = project.campaign(campaign)?;
        let measured =
            Dataset::of_server(exposures, events, (today, weights, experiments)).split(split);
        let is_past = number != live;
        let measured = Dataset { is_past, kept_since, lost_days: given_up, ..measured };
        let (experiments, holdback) = each(&project, campaign, &measured);
        Some(CampaignResults {
            campaign: campaign.id.to_string(),
            name: campaign.title().to_owned(),
            status: campaign.status,
            revision: number,
            is_past: measured.is_past,
            is_collecting,
            events: weight.events,
            newest_event_at: weight.newest_at.map(|at| Moment::from(at).machine()),
            experiments,
            holdback,
            earlier,
        })
    };
    let results = compute("compute_results", work).await.map_err(StorageError::from)?;
    Ok(Arc::new(results.ok_or(CampaignResultsError::UnknownCampaign)?))
}

/// What came of the visitors of a campaign: their exposures to it, and then what they did since the first of these, or since the time before
/// that a metric is adjusted by.
async fn gathered(
    app: &App,
    project: &Project,
    campaign: &Campaign,
    lost: &LostForCampaign,
) -> Result<(GatheredExposures, GatheredEvents), CampaignResultsError> {
    refuse(lost.with_exposures())?;
    let experiments = campaign.experiments.iter().map(|experiment| experiment.id.get());
    let exposures = Only::These(experiments.collect());
    let wanted = Wanted { exposures, events: Only::These(BTreeSet::new()), ..Wanted::all() };
    let (since, properties) = (Millis(i64::MIN), BTreeSet::new());
    let without = lost.names();
    let query = EventQuery { wanted, since, visitors: None, without, properties };
    let exposures = gather(app, project.id, query, GatheredExposures::default()).await?;
    let (names, properties) = asked_of_events(project, campaign);
    let none = GatheredEvents::none(&properties);
    let Some(first) = exposures.first else { return Ok((exposures, none)) };
    let since = first.before_days(covariate_days(project));
    refuse(lost.with_events_since(since))?;
    let listed = compute("list_visitors", move || (exposures.visitors(), exposures)).await;
    let (visitors, exposures) = listed.map_err(StorageError::from)?;
    let visitors = Some(Arc::new(visitors));
    let events = names.map_or(Only::All, Only::These);
    let wanted = Wanted { exposures: Only::These(BTreeSet::new()), events, ..Wanted::all() };
    let query = EventQuery { wanted, since, visitors, without: lost.names(), properties };
    let events = gather(app, project.id, query, none).await?;
    Ok((exposures, events))
}

/// Figures without what is lost would be wrong.
fn refuse(lost: Vec<LostEventDay>) -> Result<(), CampaignResultsError> {
    if lost.is_empty() { Ok(()) } else { Err(CampaignResultsError::EventsLost(lost)) }
}

/// For how long before the first exposure events count.
fn covariate_days(project: &Project) -> u32 {
    let covariates = project.metrics.iter().filter_map(|metric| metric.kind.covariate());
    covariates.max().map_or(0, CovariateDays::get)
}

/// The days whose lost files were given up, among those whose events count for a campaign.
async fn given_up(
    app: &App,
    project: &Project,
    (span, first): (Span, Option<Millis>),
) -> Result<Vec<LostEventDay>, StorageError> {
    let mut days = app.store().list_lost_event_days(project.id).await?;
    let first = span.started.into_iter().chain(first).min();
    let since = first.map(|first| first.before_days(covariate_days(project)).day());
    let kept = events_kept_since(app, app.wall_time()).map(Millis::day);
    days.retain(|lost| {
        let day = Day(i32::try_from(lost.day).unwrap_or(i32::MAX));
        let is_since = since.is_some_and(|since| since <= day);
        (is_since || may_have_exposures(span, lost.received_until))
            && kept.is_none_or(|kept| kept <= day)
            && span.ended.is_none_or(|ended| day <= ended.day())
    });
    Ok(days)
}

/// The project as a revision has it.
async fn project_of(
    app: &App,
    id: ProjectId,
    number: u32,
) -> Result<Arc<Project>, CampaignResultsError> {
    let document = read_revision(app, id, number).await?;
    Ok(Arc::clone(&document.ok_or(CampaignResultsError::UnknownRevision)?.project))
}

/// The past of a project up to this revision. Revisions never change, so each is read once.
async fn past_until(app: &App, id: ProjectId, live: u32) -> Result<Past, StorageError> {
    let known = app.caches().results.past.find(&id).filter(|(number, _)| *number <= live);
    let (known, mut past) = known.unwrap_or_default();
    for number in known + 1..=live {
        let Some(published) = app.store().lookup_revision_line(id, number).await? else { continue };
        let Some(revision) = read_revision(app, id, number).await? else { continue };
        let since = Millis(published.created_at.as_milliseconds());
        past.weights.add(&revision.project, since);
        past.experiments.add((number, &revision.project), since);
    }
    app.caches().results.past.put_one(id, (live, past.clone()));
    Ok(past)
}

/// The campaign with this id or key, before which `key:` may stand, as elsewhere.
pub(super) fn find<'p>(project: &'p Project, name: &str) -> Option<&'p Campaign> {
    let mut campaigns = project.campaigns.iter().map(|campaign| &**campaign);
    let by_id = campaigns.clone().find(|campaign| campaign.id.to_string() == name);
    let key = name.strip_prefix("key:").unwrap_or(name);
    by_id.or_else(|| campaigns.find(|campaign| campaign.key.as_str() == key))
}

/// The results of each experiment, and of the holdback.
fn each(
    project: &Project,
    campaign: &Campaign,
    measured: &Dataset,
) -> (Vec<ExperimentResults>, Option<ExperimentResults>) {
    let end = PlannedEnd::of(campaign, None, measured);
    let empty_reason = if measured.is_deleted(measured.history.span(campaign)) {
        NoResults::EventsDeleted
    } else if end.is_over {
        // No visitor who counts can come any more.
        NoResults::PlanOver
    } else if !measured.lost_days.is_empty() {
        NoResults::EventsLost
    } else {
        NoResults::NoVisitor
    };
    let experiments = campaign.experiments.iter().filter(|experiment| !experiment.archived);
    let experiments = experiments.map(|experiment| {
        let found = of_experiment(project, campaign, experiment, measured);
        experiment_results(
            (experiment.id.to_string(), experiment.title().to_owned()),
            found,
            empty_reason,
        )
    });
    let holdback = of_holdback(project, campaign, measured).map(|found| {
        experiment_results((campaign.id.to_string(), HOLDBACK.to_owned()), found, empty_reason)
    });
    (experiments.collect(), holdback)
}

fn experiment_results(
    (id, name): (String, String),
    found: Result<Results, ResultsError>,
    empty_reason: NoResults,
) -> ExperimentResults {
    let reason = found.as_ref().err().map(|error| match error {
        ResultsError::OneVariation(_) => NoResults::OneVariation,
        ResultsError::NoExposure { .. } | ResultsError::OnlyMixed { .. } => empty_reason,
        ResultsError::TooLarge(_) => NoResults::TooLarge,
        ResultsError::UnknownCampaign { .. } => NoResults::UnknownCampaign,
    });
    ExperimentResults { id, name, results: found.ok(), reason }
}

#[cfg(test)]
mod tests {
    use domain::{NoFiles, Project, Source, parse};
    use events::{ExposureRow, Millis, UserAgent};

    use super::each;
    use crate::results::dataset::Dataset;
    use crate::results::experiment_history::ExperimentHistory;
    use crate::results::report::{ExperimentResults, NoResults};

    const DAY: i64 = 86_400_000;

    fn shop(status: &str) -> Project {
        let text = format!(
            "version: 1
project: {{key: shop}}
pages: [{{key: home}}]
events: [{{key: signup}}]
campaigns:
  - {{key: hero, type: ab_test, status: {status}, pages: [home], experiments: [{{key: hero, variations: [{{key: original, weight: 1}}, {{key: short, weight: 1}}]}}]}}
"
        );
        parse(&Source { name: "shop.yaml", text: &text, files: &NoFiles }).unwrap().project
    }

    /// Of a campaign that ran from the tenth day to the twentieth, with visitors on these days.
    fn found(days: &[i64], kept_since: i64) -> ExperimentResults {
        let mut history = ExperimentHistory::default();
        history.add((1, &shop("running")), Millis(10 * DAY));
        history.add((2, &shop("concluded")), Millis(20 * DAY));
        let exposure = |(day, variation): (i64, &str)| ExposureRow {
            visitor: format!("{day} {variation}"),
            at: Millis(day * DAY),
            experiment: None,
            variation: variation.to_owned(),
            agent: UserAgent::default(),
            page: None,
            is_held_back: false,
        };
        let rows = days.iter().flat_map(|day| [(*day, "original"), (*day, "short")]);
        let rows: Vec<_> = rows.map(exposure).collect();
        let kept_since = Some(Millis(kept_since * DAY).day());
        let measured = Dataset { history, kept_since, ..Dataset::of_rows(&rows, &[]) };
        let shop = shop("concluded");
        each(&shop, &shop.campaigns[0], &measured).0.remove(0)
    }

    #[test]
    fn results_say_that_earlier_visitors_are_deleted() {
        let [whole, rest] = [5, 15].map(|kept_since| found(&[16, 17], kept_since).results.unwrap());

        assert_eq!(whole.health.deleted_before, None);
        assert_eq!(rest.health.deleted_before.as_deref(), Some("1970-01-16"));
    }

    #[test]
    fn a_campaign_whose_events_are_deleted_is_told_apart_from_one_without_any() {
        assert_eq!(found(&[], 15).reason, Some(NoResults::NoVisitor));
        assert_eq!(found(&[], 25).reason, Some(NoResults::EventsDeleted));
    }
}
