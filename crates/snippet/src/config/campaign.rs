//! Campaigns, their experiments and variations.

use domain::{AudienceTree, Audiences, BasisPoints, Campaign, CampaignKind, Experiment, Variation};

use super::{Config, number};
use crate::literal::Literal;

/// All visitors, in basis points.
const ALL_VISITORS: u16 = 10_000;

impl<'p> Config<'p> {
    pub(super) fn campaign(&mut self, campaign: &'p Campaign) -> Literal {
        let pages = match campaign.pages.as_slice() {
            [page] => number(self.page_place(*page)),
            pages => {
                Literal::List(pages.iter().map(|page| number(self.page_place(*page))).collect())
            }
        };
        let experiments = campaign.experiments.iter();
        let experiments =
            experiments.map(|experiment| self.experiment(campaign, experiment)).collect();
        let changes = self.changes(&campaign.changes);
        Literal::tuple(vec![
            Literal::Number(campaign.id.get()),
            self.name(campaign.name.as_deref()),
            pages,
            Literal::List(experiments),
            Literal::Number(u64::from(campaign.kind == CampaignKind::Personalization)),
            Literal::Number(u64::from(campaign.holdback.get())),
            priorities(campaign),
            changes,
        ])
    }

    fn experiment(&mut self, campaign: &'p Campaign, experiment: &'p Experiment) -> Literal {
        let name = if experiment.name.is_some()
            && experiment.name == campaign.name
            && !self.project.snippet.exclude_names
        {
            Literal::Number(1)
        } else {
            self.name(experiment.name.as_deref())
        };
        let variations = shown(experiment).iter().flat_map(|variation| {
            let id = if variation.archived { 0 } else { variation.id.get() };
            [Literal::Number(id), self.name(variation.name.as_deref())]
        });
        let variations = variations.collect();
        let audiences = match &experiment.audiences {
            Audiences::Everyone => Literal::ABSENT,
            Audiences::Tree(tree) => self.experiment_audiences(tree),
        };
        let changes = experiment.variations.iter();
        let changes = changes.map(|variation| self.changes(&variation.changes)).collect();
        Literal::tuple(vec![
            Literal::Number(experiment.id.get()),
            name,
            Literal::List(variations),
            audiences,
            ends(experiment),
            Literal::tuple_or_absent(changes),
            paused(experiment),
            shipped(campaign, experiment),
        ])
    }

    /// The first audience of the list is the number 0, which alone would say "everyone": it goes into a list.
    fn experiment_audiences(&self, tree: &AudienceTree) -> Literal {
        let tree = self.audience_tree(tree);
        if tree == Literal::ABSENT {
            return Literal::List(vec![Literal::Text("or".to_owned()), tree]);
        }
        tree
    }
}

/// The place of the variation that all visitors get, counted from one, so that none is absent.
fn shipped(campaign: &Campaign, experiment: &Experiment) -> Literal {
    let place = experiment.winning_place().filter(|_| campaign.is_shipped());
    place.map_or(Literal::ABSENT, |place| number(place + 1))
}

/// The variations up to the last that visitors see: archived ones before it only keep their index.
fn shown(experiment: &Experiment) -> &[Variation] {
    let last = experiment.variations.iter().rposition(|variation| !variation.archived);
    &experiment.variations[..last.map_or(0, |place| place + 1)]
}

/// Whether any experiment of the campaign has a place without a variation.
pub(crate) fn has_gaps(campaign: &Campaign) -> bool {
    campaign
        .experiments
        .iter()
        .any(|experiment| shown(experiment).iter().any(|variation| variation.archived))
}

/// The places of the variations that are stopped.
fn paused(experiment: &Experiment) -> Literal {
    let variations = shown(experiment).iter().enumerate();
    let places = variations.filter(|(_, variation)| variation.paused && !variation.archived);
    Literal::list_or_absent(places.map(|(place, _)| number(place)).collect())
}

/// Whether any variation of the campaign is stopped.
pub(crate) fn has_paused(campaign: &Campaign) -> bool {
    campaign.experiments.iter().any(|experiment| paused(experiment) != Literal::ABSENT)
}

/// Whether any of the campaign's experiments shares its visitors out other than equally.
pub(crate) fn has_weights(campaign: &Campaign) -> bool {
    campaign.experiments.iter().any(|experiment| ends(experiment) != Literal::ABSENT)
}

fn ends(experiment: &Experiment) -> Literal {
    cumulative_ends(shown(experiment).iter().map(|variation| variation.weight))
}

/// The cumulative ends of shares, absent if they are the runtime's default.
pub(super) fn cumulative_ends(weights: impl Iterator<Item = BasisPoints>) -> Literal {
    let ends: Vec<u16> = weights
        .scan(0_u16, |end, weight| {
            *end += weight.get();
            Some(*end)
        })
        .collect();
    if ends == equal_ends(ends.len()) {
        return Literal::ABSENT;
    }
    Literal::List(ends.into_iter().map(|end| Literal::Number(u64::from(end))).collect())
}

/// Equal shares of all visitors, rounded down, the last one up to the end: the runtime's default.
fn equal_ends(count: usize) -> Vec<u16> {
    let share = ALL_VISITORS / u16::try_from(count).unwrap_or(ALL_VISITORS).max(1);
    let mut ends: Vec<u16> = (1..).map(|place| place * share).take(count).collect();
    if let Some(last) = ends.last_mut() {
        *last = ALL_VISITORS;
    }
    ends
}

/// The priority groups as places, absent for one group of all experiments in their order.
fn priorities(campaign: &Campaign) -> Literal {
    let all: Vec<_> = campaign.experiments.iter().map(|experiment| experiment.id).collect();
    if campaign.priorities == [all] {
        return Literal::ABSENT;
    }
    let place = |id| campaign.experiments.iter().position(|experiment| experiment.id == id);
    let groups = campaign.priorities.iter().map(|group| {
        let places = group.iter().filter_map(|id| place(*id)).map(number);
        Literal::List(places.collect())
    });
    Literal::List(groups.collect())
}

#[cfg(test)]
mod tests {
    use super::equal_ends;

    #[test]
    fn equal_shares_cover_all_visitors() {
        assert_eq!(equal_ends(2), [5000, 10_000]);
        assert_eq!(equal_ends(3), [3333, 6666, 10_000]);
        assert_eq!(equal_ends(7), [1428, 2856, 4284, 5712, 7140, 8568, 10_000]);
        assert_eq!(equal_ends(1), [10_000]);
    }
}
