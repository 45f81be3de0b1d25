//! Finds the results of an experiment in what was measured.

use domain::{Campaign, Experiment, Project};
use events::{TooLarge, fold};
use thiserror::Error;

use crate::results::comparisons::Setting;
use crate::results::day_sums::{DaySums, date, days_of};
use crate::results::exposed::{Exposed, name_of, quoted};
use crate::results::figures::{figures, summed};
use crate::results::health::sample_ratio;
use crate::results::measured::Measured;
use crate::results::metrics::measures;
use crate::results::report::{HealthReport, Results, VariationShare};
use crate::results::verdict::verdict;

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
        /// A variation of the exposures, in a phrase.
        given: String,
    },
    /// Values are too large.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
}

/// The results of each experiment of a campaign, which is named by its id, key or name.
///
/// # Errors
/// See [`ResultsError`].
pub fn find_results(
    project: &Project,
    campaign: &str,
    measured: &Measured,
) -> Result<Vec<Results>, ResultsError> {
    let found = project.campaigns.iter().find(|one| {
        let is_named = one.name.as_deref() == Some(campaign);
        is_named || one.id.to_string() == campaign || one.key.as_str() == campaign
    });
    let found = found.ok_or_else(|| {
        let known = quoted(project.campaigns.iter().map(|one| one.key.as_str()));
        ResultsError::UnknownCampaign { name: campaign.to_owned(), known }
    })?;
    let experiments = found.experiments.iter().filter(|experiment| !experiment.archived);
    experiments.map(|experiment| of_experiment(project, found, experiment, measured)).collect()
}

/// The results of an experiment.
pub(super) fn of_experiment(
    project: &Project,
    campaign: &Campaign,
    experiment: &Experiment,
    measured: &Measured,
) -> Result<Results, ResultsError> {
    let title = experiment.name.as_deref().unwrap_or(experiment.key.as_str());
    if experiment.variations.len() < 2 {
        return Err(ResultsError::OneVariation(title.to_owned()));
    }
    let names: Vec<String> = experiment.variations.iter().map(name_of).collect();
    let exposed = Exposed::to(experiment, &measured.exposures);
    let came = fold(&exposed.assignments, events::Rule::CONVERSION, Vec::new())?;
    let visitors = DaySums::of(&came, names.len(), &days_of(&came, names.len())?)?;
    let Some(first) = visitors.days.first() else {
        return Err(exposed.none(experiment, title));
    };
    let counted = measures(project, campaign, &measured.events);
    let all = summed(counted, &exposed.assignments, names.len())?;
    let days = all.iter().filter_map(|one| one.measured.1.days.last());
    let last = days.chain(visitors.days.last()).max().copied();
    let setting = Setting::ALWAYS_VALID;
    let metrics = figures(all, &names, setting);
    let health = health(experiment, measured, (&exposed, &visitors));
    let variations = shares(experiment, &visitors);
    Ok(Results {
        campaign: campaign.title().to_owned(),
        experiment: title.to_owned(),
        first_day: date(*first),
        last_day: last.map(date).unwrap_or_default(),
        verdict: verdict(&metrics, &variations, &health),
        variations,
        days: visitors.new_visitors(),
        metrics,
        health,
        method: "always_valid",
        confidence: 1.0 - setting.alpha.get(),
    })
}

fn health(
    experiment: &Experiment,
    measured: &Measured,
    (exposed, visitors): (&Exposed, &DaySums),
) -> HealthReport {
    let is_of_files = measured.left_out.is_none();
    HealthReport {
        sample_ratio: sample_ratio(experiment, visitors),
        mixed_visitors: exposed.assignments.mixed(),
        unknown_variations: exposed.unknown,
        unknown_variation: exposed.unknown_variation.clone(),
        events_without_exposure: is_of_files.then(|| exposed.without(&measured.events)),
        bot_events: measured.left_out.map(|left_out| left_out.bots),
        forced_exposures: measured.left_out.map(|left_out| left_out.forced),
    }
}

fn shares(experiment: &Experiment, visitors: &DaySums) -> Vec<VariationShare> {
    let all: f64 = experiment.variations.iter().map(|one| f64::from(one.weight.get())).sum();
    let each = experiment.variations.iter().zip(visitors.last());
    each.map(|(variation, sums)| VariationShare {
        id: variation.id.to_string(),
        name: name_of(variation),
        visitors: sums.visitors,
        expected_share: if all > 0.0 { f64::from(variation.weight.get()) / all } else { 0.0 },
    })
    .collect()
}
