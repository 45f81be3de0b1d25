//! Finds the results of an experiment in what was measured.

use std::collections::HashMap;

use domain::{Campaign, Experiment, Project};
use events::{Arm, Assignment, Assignments, Epoch, Exposure, TooLarge, fold};
use thiserror::Error;

use crate::results::comparisons::{ALPHA, comparisons, totals};
use crate::results::day_sums::{DaySums, date};
use crate::results::health::sample_ratio;
use crate::results::measured::{Done, Measured, Shown, ShownAs};
use crate::results::metrics::{Measure, counted};
use crate::results::report::{ArmResult, HealthReport, MetricResult, Results, VariationShare};
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
    let exposed = Exposed::to(experiment, &measured.exposures);
    let counted = counted(project, &measured.events);
    let visitors = DaySums::of(
        &fold(&exposed.assignments, events::Rule::CONVERSION, Vec::new())?,
        experiment.variations.len(),
    )?;
    let (Some(first), Some(_)) = (visitors.days.first(), visitors.days.last()) else {
        return Err(exposed.none(experiment, title));
    };
    let names: Vec<String> = experiment.variations.iter().map(name_of).collect();
    let mut last = visitors.days.last().copied();
    let metrics = counted.iter().map(|measure| {
        let series = fold(&exposed.assignments, measure.rule(), measure.steps.clone())?;
        let sums = DaySums::of(&series, names.len())?;
        last = last.max(sums.days.last().copied());
        Ok(metric(measure, &sums, &names))
    });
    let metrics = metrics.collect::<Result<Vec<_>, TooLarge>>()?;
    let health = HealthReport {
        sample_ratio: sample_ratio(experiment, &visitors),
        mixed_visitors: exposed.assignments.mixed(),
        unknown_variations: exposed.unknown,
        unknown_variation: exposed.unknown_variation.clone(),
        events_without_exposure: measured
            .left_out
            .is_none()
            .then(|| exposed.without(&measured.events)),
        bot_events: measured.left_out.map(|left_out| left_out.bots),
        forced_exposures: measured.left_out.map(|left_out| left_out.forced),
    };
    let variations = shares(experiment, &visitors);
    Ok(Results {
        campaign: campaign.title().to_owned(),
        experiment: title.to_owned(),
        first_day: date(*first),
        last_day: last.map(date).unwrap_or_default(),
        verdict: verdict(metrics.first(), &variations, &health),
        variations,
        days: visitors.new_visitors(),
        metrics,
        health,
        method: "always_valid",
        confidence: 1.0 - ALPHA.get(),
    })
}

fn metric(measure: &Measure, sums: &DaySums, names: &[String]) -> MetricResult {
    let Measure { kind, is_primary, .. } = *measure;
    let mut compared = comparisons(measure, sums).into_iter();
    let variations = names.iter().enumerate().map(|(arm, name)| {
        let (total, mean) = totals(sums, kind, arm);
        ArmResult {
            variation: name.clone(),
            visitors: sums.last().get(arm).map_or(0, |sums| sums.visitors),
            total,
            mean,
            comparison: if arm == 0 { None } else { compared.next() },
        }
    });
    let variations = variations.collect();
    MetricResult { event: measure.event.clone(), kind, is_primary, variations }
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

fn name_of(variation: &domain::Variation) -> String {
    variation.name.clone().unwrap_or_else(|| variation.key.to_string())
}

/// Who was given which variation of an experiment.
struct Exposed {
    assignments: Assignments,
    unknown: u64,
    unknown_variation: Option<String>,
}

impl Exposed {
    fn to(experiment: &Experiment, exposures: &[Shown]) -> Self {
        let arms = Arms::of(experiment);
        let (mut unknown, mut unknown_variation) = (0, None);
        let known = exposures.iter().filter(|shown| is_of(experiment, &shown.what));
        let exposures = known.filter_map(|shown| {
            let Some(arm) = arms.find(&shown.what) else {
                unknown += 1;
                unknown_variation.get_or_insert_with(|| shown.what.variation());
                return None;
            };
            let assignment = Assignment { arm, epoch: Epoch::default(), at: shown.at };
            Some(Exposure { visitor: shown.visitor, assignment })
        });
        let assignments = Assignments::of(exposures);
        Self { assignments, unknown, unknown_variation }
    }

    /// Events of visitors who were given nothing.
    fn without(&self, events: &[Done]) -> u64 {
        events.iter().filter(|done| !self.assignments.knows(done.visitor)).map(|_| 1).sum()
    }

    fn none(&self, experiment: &Experiment, title: &str) -> ResultsError {
        let variations = experiment.variations.iter().map(|one| one.key.as_str());
        let given = self.unknown_variation.as_ref().map(|name| format!("; they name `{name}`"));
        ResultsError::NoExposure {
            experiment: title.to_owned(),
            known: quoted(variations),
            given: given.unwrap_or_default(),
        }
    }
}

/// The arms of an experiment.
struct Arms {
    by_id: HashMap<u64, Arm>,
    by_name: HashMap<String, Arm>,
}

impl Arms {
    /// By the ids, keys and names of variations.
    fn of(experiment: &Experiment) -> Self {
        let (mut by_id, mut by_name) = (HashMap::new(), HashMap::new());
        for (place, variation) in experiment.variations.iter().enumerate() {
            let arm = Arm(u16::try_from(place).unwrap_or(u16::MAX));
            by_id.insert(variation.id.get(), arm);
            let name = variation.name.clone();
            let names = [Some(variation.id.to_string()), Some(variation.key.to_string()), name];
            for name in names.into_iter().flatten() {
                by_name.entry(name).or_insert(arm);
            }
        }
        Self { by_id, by_name }
    }

    fn find(&self, shown: &ShownAs) -> Option<Arm> {
        match shown {
            ShownAs::Ids { variation, .. } => self.by_id.get(variation).copied(),
            ShownAs::Names { variation, .. } => self.by_name.get(variation).copied(),
        }
    }
}

/// Whether the exposure is to this experiment; a file may be about one alone.
fn is_of(experiment: &Experiment, shown: &ShownAs) -> bool {
    match shown {
        ShownAs::Ids { experiment: id, .. } => experiment.id.get() == *id,
        ShownAs::Names { experiment: name, .. } => {
            name.as_deref().is_none_or(|name| is_called(experiment, name))
        }
    }
}

fn is_called(experiment: &Experiment, name: &str) -> bool {
    experiment.key.as_str() == name
        || experiment.id.to_string() == name
        || experiment.name.as_deref() == Some(name)
}

fn quoted<'n>(names: impl Iterator<Item = &'n str>) -> String {
    const NAMES_TOLD: usize = 10;
    let told: Vec<_> = names.take(NAMES_TOLD).map(|name| format!("`{name}`")).collect();
    told.join(", ")
}
