//! Weights over time: what visitors were drawn with when they came.

use std::collections::{BTreeMap, HashMap};

use domain::{Campaign, Experiment, Project};
use events::{Epoch, Millis, Sums};

use crate::results::day_sums::{DaySums, date, number};
use crate::results::packed_exposures::ShownName;
use crate::results::report::EpochReport;
use crate::results::variations::{
    ComparedVariations, HELD_BACK, SHOWN, holdback_weights, weight_of,
};

/// The weights of every experiment of a project, and of every campaign's holdback, since they changed, earliest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct WeightHistory {
    of_experiments: HashMap<u64, Vec<WeightsSince>>,
    of_holdbacks: HashMap<u64, Vec<WeightsSince>>,
}

/// Weights, and the moment since which visitors are drawn with them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct WeightsSince {
    pub(super) since: Millis,
    /// By the number of the variation, its id in an experiment; one that is not there has none.
    weights: BTreeMap<u64, u32>,
}

impl WeightHistory {
    /// Adds what went live at a moment, after all that is known.
    pub(super) fn add(&mut self, project: &Project, since: Millis) {
        for campaign in &project.campaigns {
            let [held_back, shown] = holdback_weights(project, campaign);
            let weights = self::weights([(HELD_BACK, held_back), (SHOWN, shown)].into_iter());
            let known = self.of_holdbacks.entry(campaign.id.get()).or_default();
            change(known, WeightsSince { since, weights });
            for experiment in &campaign.experiments {
                let variations = experiment.variations.iter();
                let weights = self::weights(variations.map(|one| (one.id.get(), weight_of(one))));
                let known = self.of_experiments.entry(experiment.id.get()).or_default();
                change(known, WeightsSince { since, weights });
            }
        }
    }

    /// Of an experiment's variations.
    pub(super) fn of_experiment(&self, experiment: &Experiment) -> &[WeightsSince] {
        self.of_experiments.get(&experiment.id.get()).map_or(&[], Vec::as_slice)
    }

    /// Of those who are held back from a campaign, and of those who are not.
    pub(super) fn of_holdback(&self, campaign: &Campaign) -> &[WeightsSince] {
        self.of_holdbacks.get(&campaign.id.get()).map_or(&[], Vec::as_slice)
    }

    /// By what a variation was drawn over time.
    pub(super) fn drawn(&self, shown: &ShownName) -> Drawn<'_> {
        let ShownName::Ids { experiment, variation, .. } = shown else { return Drawn::UNKNOWN };
        let known = self.of_experiments.get(experiment).map_or(&[][..], Vec::as_slice);
        Drawn { known, variation: *variation }
    }
}

/// By what a variation was drawn over time.
pub(super) struct Drawn<'w> {
    known: &'w [WeightsSince],
    variation: u64,
}

impl Drawn<'_> {
    const UNKNOWN: Self = Self { known: &[], variation: 0 };

    /// Whether it is known that no visitor was drawn to it at this moment.
    pub(super) fn is_nobody(&self, moment: Millis) -> bool {
        let since = self.known.partition_point(|weights| weights.since <= moment);
        let weights = since.checked_sub(1).and_then(|place| self.known.get(place));
        weights.is_some_and(|weights| !weights.weights.contains_key(&self.variation))
    }
}

fn change(known: &mut Vec<WeightsSince>, new: WeightsSince) {
    if known.last().is_none_or(|last| !in_same_shares(&last.weights, &new.weights)) {
        known.push(new);
    }
}

/// The weights of variations by their numbers; a variation without one is not there.
fn weights(variations: impl Iterator<Item = (u64, u32)>) -> BTreeMap<u64, u32> {
    variations.filter(|(_, weight)| *weight > 0).collect()
}

/// Whether visitors are divided alike. More visitors in the same shares are no other epoch.
fn in_same_shares(one: &BTreeMap<u64, u32>, other: &BTreeMap<u64, u32>) -> bool {
    let total =
        |weights: &BTreeMap<u64, u32>| weights.values().map(|one| u64::from(*one)).sum::<u64>();
    let (one_total, other_total) = (total(one), total(other));
    one.len() == other.len()
        && one.iter().all(|(variation, weight)| {
            let other = other.get(variation).map_or(0, |weight| u64::from(*weight));
            u64::from(*weight) * other_total == other * one_total
        })
}

/// The epochs of a comparison, earliest first.
pub(super) struct Epochs(Vec<EpochOf>);

/// An epoch of a comparison.
pub(super) struct EpochOf {
    pub(super) since: Millis,
    /// The weight of each variation, in the order of the comparison.
    pub(super) weights: Vec<f64>,
}

impl Epochs {
    /// The epochs of a comparison, or the one that it has without a known past.
    pub(super) fn of(variations: &ComparedVariations<'_>, known: &[WeightsSince]) -> Self {
        let now = WeightsSince {
            since: Millis(i64::MIN),
            weights: weights(
                variations.all.iter().map(|variation| (variation.number, variation.weight)),
            ),
        };
        let known = if known.is_empty() { std::slice::from_ref(&now) } else { known };
        let weight = |weights: &BTreeMap<u64, u32>, number: u64| {
            weights.get(&number).copied().map_or(0.0, f64::from)
        };
        let epochs = known.iter().map(|one| EpochOf {
            since: one.since,
            weights: variations
                .all
                .iter()
                .map(|variation| weight(&one.weights, variation.number))
                .collect(),
        });
        Self(epochs.collect())
    }

    /// The weights that visitors are drawn by now.
    pub(super) fn newest(&self) -> &[f64] {
        self.0.last().map_or(&[], |epoch| epoch.weights.as_slice())
    }

    /// The epoch at a moment; what was before the first one belongs to it.
    pub(super) fn at(&self, moment: Millis) -> Epoch {
        let begun = self.0.iter().filter(|epoch| epoch.since <= moment).count();
        Epoch(u16::try_from(begun.saturating_sub(1)).unwrap_or(u16::MAX))
    }

    /// What is known of an epoch.
    pub(super) fn get(&self, epoch: Epoch) -> Option<&EpochOf> {
        self.0.get(usize::from(epoch.0))
    }

    /// The share that the weights promised to each variation, of those who came in each epoch.
    pub(super) fn expected_shares(&self, visitors: &DaySums) -> Vec<f64> {
        let reports = self.visited(visitors);
        let total: f64 = reports.iter().map(|one| one.visitors).sum();
        let variations = self.0.first().map_or(0, |epoch| epoch.weights.len());
        let of_variation = |variation: usize| {
            let parts = reports.iter().map(|one| one.epoch.share(variation) * one.visitors);
            if total > 0.0 { parts.sum::<f64>() / total } else { 0.0 }
        };
        (0..variations).map(of_variation).collect()
    }

    /// The epochs in which visitors came, if there is more than one.
    pub(super) fn report(&self, visitors: &DaySums) -> Vec<EpochReport> {
        let epochs = self.visited(visitors);
        if epochs.len() < 2 {
            return Vec::new();
        }
        let reports = epochs.into_iter().enumerate().map(|(place, one)| {
            let VisitedEpoch { epoch, sums, .. } = one;
            let variations = 0..epoch.weights.len();
            EpochReport {
                since: (place > 0).then(|| date(epoch.since.day())),
                expected_shares: variations.map(|variation| epoch.share(variation)).collect(),
                visitors: sums.iter().map(|sums| sums.visitors).collect(),
            }
        });
        reports.collect()
    }

    /// The epochs in which visitors came.
    fn visited<'s>(&'s self, visitors: &'s DaySums) -> Vec<VisitedEpoch<'s>> {
        let Some(last) = visitors.by_epoch.last() else { return Vec::new() };
        let each = visitors.epochs.iter().zip(last).filter_map(|(epoch, sums)| {
            let all: u64 = sums.iter().map(|sums| sums.visitors).sum();
            let epoch = self.get(*epoch)?;
            (all > 0).then(|| VisitedEpoch { epoch, sums, visitors: number(all) })
        });
        each.collect()
    }
}

/// An epoch in which visitors came.
struct VisitedEpoch<'s> {
    epoch: &'s EpochOf,
    /// Those of each variation.
    sums: &'s [Sums],
    /// All of them.
    visitors: f64,
}

impl EpochOf {
    /// The share that the weights promise to a variation.
    pub(super) fn share(&self, variation: usize) -> f64 {
        let all: f64 = self.weights.iter().sum();
        if all > 0.0 { self.weights.get(variation).copied().unwrap_or_default() / all } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use domain::{NoFiles, Project, Source, parse};
    use events::{EventRow, ExposureRow, Millis, UserAgent, Visitor};

    use super::WeightHistory;
    use crate::results::find::of_holdback;
    use crate::results::packed_exposures::{PackedExposure, ShownName};
    use crate::results::{Dataset, Results, VerdictCode, find_results};

    const DAY: i64 = 86_400_000;

    fn shop(original: u16, short: u16) -> Project {
        let text = format!(
            "version: 1
project: {{key: shop}}
pages: [{{key: home}}]
events: [{{key: signup}}]
campaigns:
  - {{key: hero, type: ab_test, pages: [home], experiments: [{{key: hero, variations: [{{key: original, weight: {original}}}, {{key: short, weight: {short}}}]}}]}}
"
        );
        parse(&Source { name: "shop.yaml", text: &text, files: &NoFiles }).unwrap().project
    }

    fn signup(visitor: &str, at: Millis) -> EventRow {
        let (visitor, name, properties) =
            (visitor.to_owned(), "signup".to_owned(), BTreeMap::new());
        EventRow { visitor, at, name, value: None, revenue: None, properties, id: None }
    }

    /// On good days most are shown the original, on bad days most the other; it is better on both.
    fn visitors() -> (Vec<ExposureRow>, Vec<EventRow>) {
        let groups = [
            (2, "original", 9_000, 200),
            (2, "short", 1_000, 260),
            (12, "original", 1_000, 20),
            (12, "short", 9_000, 40),
        ];
        let (mut exposures, mut events) = (Vec::new(), Vec::new());
        for (day, variation, visitors, in_a_thousand) in groups {
            let at = Millis(day * DAY);
            let named = (0..visitors).map(|number| (number, format!("{day}{variation}{number}")));
            for (number, visitor) in named {
                let signups = (number % 1_000 < in_a_thousand).then(|| signup(&visitor, at));
                events.extend(signups);
                let variation = variation.to_owned();
                let agent = UserAgent::default();
                exposures.push(ExposureRow {
                    visitor,
                    at,
                    experiment: None,
                    variation,
                    agent,
                    page: None,
                    is_held_back: false,
                });
            }
        }
        (exposures, events)
    }

    fn results(weights: WeightHistory) -> Results {
        let (exposures, events) = visitors();
        let measured = Dataset { weights, ..Dataset::of_rows(&exposures, &events) };
        find_results(&shop(1_000, 9_000), "hero", &measured).unwrap().remove(0)
    }

    fn lift(found: &Results) -> f64 {
        let comparison = found.metrics[0].variations[1].comparison.as_ref().unwrap();
        comparison.lift.unwrap()[0]
    }

    #[test]
    fn visitors_are_compared_with_those_who_were_drawn_by_the_same_weights() {
        let mut history = WeightHistory::default();
        history.add(&shop(9_000, 1_000), Millis(0));
        // More visitors in the same shares, and the same again, are no other epoch.
        history.add(&shop(4_500, 500), Millis(5 * DAY));
        history.add(&shop(1_000, 9_000), Millis(10 * DAY));
        history.add(&shop(1_000, 9_000), Millis(11 * DAY));

        let (pooled, found) = (results(WeightHistory::default()), results(history));

        assert!(pooled.health.sample_ratio.is_alarmed && lift(&pooled) < -0.5, "{}", lift(&pooled));
        assert!(!found.health.sample_ratio.is_alarmed);
        assert_eq!(found.verdict.code, VerdictCode::Better, "{}", found.verdict.text);
        assert!(lift(&found) > 0.2, "{}", lift(&found));
        let epochs: Vec<_> = found
            .epochs
            .iter()
            .map(|epoch| (epoch.since.as_deref(), epoch.visitors.as_slice()))
            .collect();
        assert_eq!(epochs, [(None, &[9_000, 1_000][..]), (Some("1970-01-11"), &[1_000, 9_000])]);
        let expected: Vec<_> =
            found.variations.iter().map(|one| one.expected_share.to_string()).collect();
        assert_eq!(expected, ["0.5", "0.5"]);
        assert_eq!(pooled.epochs, []);
    }

    const STOPPED: &str = ", paused: true";

    /// A campaign with three variations, the last of which has more fields.
    fn thirds(holdbacks: [&str; 2], of_last: &str) -> Project {
        let [of_project, of_campaign] = holdbacks;
        let text = format!(
            "version: 1
project: {{key: shop, holdback: {of_project}}}
pages: [{{key: home}}]
events: [{{key: signup}}]
campaigns:
  - key: hero
    type: ab_test
    pages: [home]
    holdback: {of_campaign}
    experiments: [{{key: hero, variations: [{{key: a, weight: 3334}}, {{key: b, weight: 3333}}, {{key: c, weight: 3333{of_last}}}]}}]
"
        );
        parse(&Source { name: "shop.yaml", text: &text, files: &NoFiles }).unwrap().project
    }

    /// As many visitors on a day of each kind: given a variation, and held back or not.
    fn come(measured: &mut Dataset, project: &Project, day: i64, kinds: &[(usize, bool, u32)]) {
        for kind in kinds {
            come_back(measured, project, (day, day), (*kind, kind.1));
        }
    }

    /// Visitors of one kind who came on a day, on another one, held back or not as they are then.
    fn come_back(
        measured: &mut Dataset,
        project: &Project,
        (came, day): (i64, i64),
        (kind, is_held_back): ((usize, bool, u32), bool),
    ) {
        let experiment = &project.campaigns[0].experiments[0];
        let (place, was_held_back, visitors) = kind;
        let variation = experiment.variations[place].id.get();
        let named = ShownName::Ids { experiment: experiment.id.get(), variation, page: None };
        let what = measured.exposures.number(&named);
        for number in 0..visitors {
            measured.exposures.push(PackedExposure {
                visitor: Visitor::of(&[0; 32], &format!("{came} {place} {was_held_back} {number}")),
                at: Millis(day * DAY),
                what,
                is_held_back,
                agent: UserAgent::default(),
                may_flicker: false,
            });
        }
        measured.exposures.sort();
    }

    #[test]
    fn a_variation_that_is_stopped_leaves_the_others_their_shares() {
        let (before, stopped) = (thirds(["0", "0"], ""), thirds(["0", "0"], STOPPED));
        let mut measured = Dataset::default();
        measured.weights.add(&before, Millis(0));
        measured.weights.add(&stopped, Millis(5 * DAY));
        come(&mut measured, &before, 2, &[(0, false, 3_000), (1, false, 3_000), (2, false, 3_000)]);
        come(&mut measured, &stopped, 7, &[(0, false, 3_000), (1, false, 3_000), (2, true, 3_000)]);

        let found = find_results(&stopped, "hero", &measured).unwrap().remove(0);

        assert!(!found.health.sample_ratio.is_alarmed);
        let visitors: Vec<_> = found.variations.iter().map(|one| one.visitors).collect();
        assert_eq!(visitors, [6_000, 6_000, 3_000]);
    }

    #[test]
    fn a_variation_that_goes_on_has_no_visitors_of_the_time_in_which_it_was_stopped() {
        let (running, stopped) = (thirds(["0", "0"], ""), thirds(["0", "0"], STOPPED));
        let mut measured = Dataset::default();
        for (project, day) in [(&running, 0), (&stopped, 5), (&running, 10)] {
            measured.weights.add(project, Millis(day * DAY));
        }
        let each = |count| [0, 1, 2].map(|place| (place, false, count));
        come(&mut measured, &running, 2, &each(3_000));
        let stopping = [(0, false, 3_000), (1, false, 3_000), (2, true, 3_000)];
        come(&mut measured, &stopped, 7, &stopping);
        for kind in stopping {
            come_back(&mut measured, &running, (7, 12), (kind, false));
        }
        // These had it before.
        come_back(&mut measured, &stopped, (2, 8), ((2, false, 3_000), true));
        come(&mut measured, &running, 13, &each(1_000));

        let found = find_results(&running, "hero", &measured).unwrap().remove(0);

        assert!(!found.health.sample_ratio.is_alarmed, "{:?}", found.epochs);
        let visitors: Vec<_> = found.variations.iter().map(|one| one.visitors).collect();
        assert_eq!(visitors, [7_000, 7_000, 4_000]);
    }

    #[test]
    fn visitors_whom_a_raised_holdback_takes_stay_among_those_who_were_shown_it() {
        let [before, raised] = ["10%", "50%"].map(|share| thirds(["0", share], ""));
        let mut measured = Dataset::default();
        measured.weights.add(&before, Millis(0));
        measured.weights.add(&raised, Millis(5 * DAY));
        come(&mut measured, &before, 2, &[(0, false, 9_000), (0, true, 1_000)]);
        come_back(&mut measured, &raised, (2, 7), ((0, false, 4_000), true));
        come(&mut measured, &raised, 8, &[(0, false, 500), (0, true, 500)]);

        let found = of_holdback(&raised, &raised.campaigns[0], &measured).unwrap().unwrap();

        assert!(!found.health.sample_ratio.is_alarmed, "{:?}", found.epochs);
        let visitors: Vec<_> = found.variations.iter().map(|one| one.visitors).collect();
        assert_eq!((visitors, found.health.mixed_visitors), (vec![1_500, 9_500], 0));
    }

    #[test]
    fn a_holdback_that_begins_later_is_compared_with_those_who_came_since() {
        let none = thirds(["0", "0"], "");
        let both = thirds(["5%", "10%"], "");
        let stopped = thirds(["5%", "10%"], STOPPED);
        let mut measured = Dataset::default();
        for (project, day) in [(&none, 0), (&both, 5), (&stopped, 10)] {
            measured.weights.add(project, Millis(day * DAY));
        }
        come(&mut measured, &none, 2, &[(0, false, 8_000)]);
        // Of twenty, nineteen are not the project's, and of ten of them, nine not the campaign's: 85.5 %.
        come(&mut measured, &both, 7, &[(0, false, 8_550), (0, true, 1_450)]);
        come(&mut measured, &stopped, 12, &[(1, false, 8_550), (1, true, 1_450), (2, true, 5_000)]);

        let found = of_holdback(&stopped, &stopped.campaigns[0], &measured).unwrap().unwrap();

        assert!(!found.health.sample_ratio.is_alarmed);
        let told: Vec<_> =
            found.variations.iter().map(|one| (one.id.as_str(), one.visitors)).collect();
        assert_eq!(told, [("held_back", 2_900), ("shown", 25_100)]);
    }
}
