//! Finds the results of an experiment in what was measured.

use domain::{Campaign, Experiment, Project};
use events::{Day, Millis, Rule, Steps, TooLarge, fold};
use thiserror::Error;

use crate::results::arrivals::{sample_size, silent_metrics};
use crate::results::assigned_visitors::{AssignedVisitors, quoted};
use crate::results::comparisons::Tests;
use crate::results::dataset::Dataset;
use crate::results::day_sums::{DaySums, date, days_of};
use crate::results::experiment_history::{Span, has_ended, machine};
use crate::results::figures::{Summed, figures, summed};
use crate::results::health::sample_ratio;
use crate::results::metrics::measures;
use crate::results::packed_events::ByName;
use crate::results::plan::{Course, PlannedEnd};
use crate::results::report::{
    HealthReport, IntervalMethod, MetricResult, Results, SampleRatio, SuspectPage, VariationShare,
};
use crate::results::segments::{Split, segments};
use crate::results::setting::Setting;
use crate::results::suspects::Who;
use crate::results::variations::ComparedVariations;
use crate::results::verdict::{Circumstances, verdict};
use crate::results::weights::Epochs;

/// Why there are no results.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ResultsError {
    /// No campaign has this id, key or name.
    #[error("there is no campaign `{name}`, only {known}")]
    UnknownCampaign {
        /// What was asked for.
        name: String,
        /// Those there are.
        known: String,
    },
    /// The experiment has one variation, which there is nothing to compare with.
    #[error("the experiment `{0}` has one variation, and nothing to compare it with")]
    OneVariation(String),
    /// No exposure is to a variation of the experiment.
    #[error(
        "no exposure is to a variation of the experiment `{experiment}`, which are {known}{given}"
    )]
    NoExposure {
        /// The experiment.
        experiment: String,
        /// Its variations.
        known: String,
        /// A variation of the exposures, and whether there are some that do not count, in phrases.
        given: String,
    },
    /// Exposures are to variations of the experiment, but each visitor has several of them.
    #[error(
        "each visitor of the experiment `{experiment}` was given several variations, and counts for none{given}; hint: do the ids tell visitors apart?"
    )]
    OnlyMixed {
        /// The experiment.
        experiment: String,
        /// As of [`Self::NoExposure`].
        given: String,
    },
    /// Values are too large.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
}

/// The results of those experiments of a campaign that have any; the campaign is named by its id, key or name.
///
/// # Errors
/// [`ResultsError::UnknownCampaign`], or why the first experiment has none if all lack them.
pub fn find_results(
    project: &Project,
    campaign: &str,
    measured: &Dataset,
) -> Result<Vec<Results>, ResultsError> {
    let (mut found, mut lacking) = (Vec::new(), Vec::new());
    for experiment in find_each(project, campaign, measured)? {
        experiment.map_or_else(|error| lacking.push(error), |results| found.push(results));
    }
    match lacking.into_iter().next() {
        Some(error) if found.is_empty() => Err(error),
        Some(_) | None => Ok(found),
    }
}

/// The results of each experiment of a campaign, or why it has none; then what the whole campaign does, if any visitor was held back from it.
///
/// # Errors
/// [`ResultsError::UnknownCampaign`].
pub fn find_each(
    project: &Project,
    campaign: &str,
    measured: &Dataset,
) -> Result<Vec<Result<Results, ResultsError>>, ResultsError> {
    let found = project.campaigns.iter().find(|one| {
        let is_named = one.name.as_deref() == Some(campaign);
        is_named || one.id.to_string() == campaign || one.key.as_str() == campaign
    });
    let found = found.ok_or_else(|| {
        let known = quoted(project.campaigns.iter().map(|one| one.key.as_str()));
        ResultsError::UnknownCampaign { name: campaign.to_owned(), known }
    })?;
    let experiments = found.experiments.iter().filter(|experiment| !experiment.archived);
    let each = experiments.map(|experiment| of_experiment(project, found, experiment, measured));
    let holdback = measured.has_held_back().then(|| of_holdback(project, found, measured));
    Ok(each.chain(holdback.flatten()).collect())
}

/// The results of an experiment.
pub(super) fn of_experiment(
    project: &Project,
    campaign: &Campaign,
    experiment: &Experiment,
    measured: &Dataset,
) -> Result<Results, ResultsError> {
    let variations = ComparedVariations::of(experiment);
    if variations.all.len() < 2 {
        return Err(ResultsError::OneVariation(variations.title));
    }
    let epochs = Epochs::of(&variations, measured.weights.of_experiment(experiment));
    let span = measured.history.span_of_experiment(campaign, experiment);
    compared((project, campaign), &variations, (&epochs, span), measured)
}

/// What the whole campaign does, by those who are held back from it; nothing if none are.
pub(super) fn of_holdback(
    project: &Project,
    campaign: &Campaign,
    measured: &Dataset,
) -> Option<Result<Results, ResultsError>> {
    let variations = ComparedVariations::of_holdback(project, campaign)?;
    let epochs = Epochs::of(&variations, measured.weights.of_holdback(campaign));
    let span = measured.history.span(campaign);
    Some(compared((project, campaign), &variations, (&epochs, span), measured))
}

/// What was counted of some days.
struct Counted<'d> {
    assigned: AssignedVisitors,
    visitors: DaySums,
    by_name: ByName<'d>,
    all: Vec<Summed>,
}

impl<'d> Counted<'d> {
    /// What happened at the moments that count.
    fn of(
        (project, campaign): (&Project, &Campaign),
        (variations, epochs): (&ComparedVariations<'_>, &Epochs),
        measured: &'d Dataset,
        counts: impl Fn(Millis) -> bool + Copy,
    ) -> Result<Self, TooLarge> {
        let (known, count) = ((epochs, &measured.weights), variations.all.len());
        let assigned = AssignedVisitors::to(variations, known, &measured.exposures, counts);
        let came = fold(&assigned.assignments, Rule::CONVERSION, &Steps::default())?;
        let visitors = DaySums::of(&came, count, &days_of(&came, count)?)?;
        let by_name = ByName::of(&measured.events, counts);
        let all = summed(measures(project, campaign, &by_name), &assigned.assignments, count)?;
        Ok(Self { assigned, visitors, by_name, all })
    }
}

fn compared(
    (project, campaign): (&Project, &Campaign),
    variations: &ComparedVariations<'_>,
    (epochs, span): (&Epochs, Span),
    measured: &Dataset,
) -> Result<Results, ResultsError> {
    let newest = measured.newest_day();
    let end = PlannedEnd::of(campaign, newest, measured);
    let counted = |last: Option<Day>| {
        let is_by = |day| end.counts(day) && last.is_none_or(|last| day <= last);
        // What comes after the end says nothing of the variations: all visitors see the same page then.
        let counts = |at: Millis| !span.is_over(at) && is_by(at.day());
        Counted::of((project, campaign), (variations, epochs), measured, counts)
    };
    let mut known = counted(None)?;
    let Some(first) = known.visitors.days.first().copied() else {
        return Err(known.assigned.none(variations, end.leaving_out(&measured.exposures)));
    };
    let course = Course::of(campaign, epochs, end, &known.all);
    let setting = course.as_ref().map_or(Setting::Tested(Tests::ALWAYS_VALID), |course| {
        course.setting(&known.all, measured.today)
    });
    // A plan that ended by its effect: who sees another variation later, and what they do then, changes nothing.
    if let Some(last) = setting.ended().filter(|_| end.last_day.is_none()) {
        drop(known);
        known = counted(Some(last))?;
    }
    let Counted { assigned, visitors, by_name, all } = known;
    let today = measured.today.or(newest).unwrap_or(first);
    let has_ended = measured.is_past || has_ended(campaign);
    let method = course.as_ref().map_or(IntervalMethod::AlwaysValid, Course::method);
    let plan = course.map(|course| course.report(&all, &visitors, (setting, today)));
    let last = last_day(&all, &visitors).unwrap_or(first);
    let shares = shares(variations, epochs, &visitors);
    let metrics = figures(all, &shares, setting);
    let pages = assigned.pages.iter().map(|name| page_called(project, name)).collect::<Vec<_>>();
    let who = Who { variations, assignments: &assigned.assignments, pages: &pages };
    let ratio = sample_ratio(epochs, &visitors, &who);
    let counted = (&assigned, &visitors, &by_name);
    let health = health((measured, span), counted, &shares, &metrics, ratio);
    let split = measured.split.map(|by| Split {
        by,
        metrics: measures(project, campaign, &by_name),
        assignments: assigned.assignments,
        variations: &shares,
        setting,
        last,
    });
    let about = Circumstances { has_ended, health: &health, plan: plan.as_ref(), today };
    Ok(Results {
        segments: split.map(segments).transpose()?.flatten(),
        campaign: campaign.title().to_owned(),
        experiment: variations.title.clone(),
        first_day: date(first),
        last_day: date(last),
        verdict: verdict(&metrics, &shares, about),
        variations: shares,
        days: visitors.new_visitors(),
        metrics,
        health,
        epochs: epochs.report(&visitors),
        ended_at: span.ended.map(machine),
        method,
        plan,
        confidence: 1.0 - setting.alpha().get(),
        is_of_holdback: variations.are_of_holdback(),
    })
}

/// The last day on which anything happened.
fn last_day(all: &[Summed], visitors: &DaySums) -> Option<Day> {
    let days = all.iter().filter_map(|one| one.measured.1.days.last());
    days.chain(visitors.days.last()).max().copied()
}

/// The page of the project with this id, key or name; one that it does not have (any more) is called as it was told.
fn page_called(project: &Project, told: &str) -> SuspectPage {
    let known = project.pages.iter().find(|page| {
        page.id.to_string() == told
            || page.key.as_str() == told
            || page.name.as_deref() == Some(told)
    });
    known.map_or_else(
        || SuspectPage { id: told.to_owned(), name: told.to_owned() },
        |page| SuspectPage {
            id: page.id.to_string(),
            name: page.name.clone().unwrap_or_else(|| page.key.to_string()),
        },
    )
}

fn health(
    (measured, span): (&Dataset, Span),
    (assigned, visitors, by_name): (&AssignedVisitors, &DaySums, &ByName<'_>),
    variations: &[VariationShare],
    metrics: &[MetricResult],
    sample_ratio: SampleRatio,
) -> HealthReport {
    let is_of_files = measured.tally.is_none();
    let last = visitors.days.last().copied();
    HealthReport {
        sample_ratio,
        mixed_visitors: assigned.assignments.mixed(),
        unknown_variations: assigned.unknown,
        unknown_variation: assigned.unknown_variation.clone(),
        silent_metrics: silent_metrics(metrics),
        sample: sample_size(variations, metrics),
        deleted_before: measured.deleted_before(span),
        lost_days: measured.lost_days.clone(),
        repeated_events: is_of_files.then_some(measured.repeated),
        events_without_exposure: is_of_files.then(|| assigned.without(by_name)),
        bot_events: measured.tally.map(|tally| tally.bots),
        forced_exposures: measured.tally.map(|tally| tally.forced),
        late_events: measured.tally.map(|tally| tally.late),
        flicker_visitors: measured.tally.map(|_| last.map_or(0, |last| assigned.flickers(last))),
    }
}

/// The visitors of each variation, with the share that was promised to those who came, by the weights at their time.
fn shares(
    variations: &ComparedVariations<'_>,
    epochs: &Epochs,
    visitors: &DaySums,
) -> Vec<VariationShare> {
    let expected = epochs.expected_shares(visitors);
    let each = variations.all.iter().zip(visitors.last()).zip(expected);
    each.map(|((variation, sums), expected_share)| VariationShare {
        id: variation.id.clone(),
        name: variation.name.clone(),
        visitors: sums.visitors,
        expected_share,
    })
    .collect()
}
