//! The parts of a project, each with its pointer in the document.

use crate::{Change, Condition, Page, Pointer, Project};

impl Project {
    /// Every page.
    pub(crate) fn located_pages(&self) -> impl Iterator<Item = (Pointer, &Page)> {
        elements(&Pointer::root(), "pages", &self.pages)
    }

    /// Every condition: those of pages, then those of audiences.
    pub(crate) fn located_conditions(&self) -> Vec<(Pointer, &Condition)> {
        let pages = self.located_pages().map(|(pointer, page)| (pointer, &page.conditions));
        let audiences = elements(&Pointer::root(), "audiences", &self.audiences);
        let audiences = audiences.map(|(pointer, audience)| (pointer, &audience.conditions));
        let trees = pages.chain(audiences);
        trees
            .flat_map(|(pointer, conditions)| conditions.located(&pointer.field("conditions")))
            .collect()
    }

    /// Every change: for each campaign its shared changes, then those of each variation.
    pub(crate) fn located_changes(&self) -> impl Iterator<Item = (ChangePlace, &Change)> {
        self.campaigns.iter().enumerate().flat_map(|(place, campaign)| {
            let experiments = campaign.experiments.iter().enumerate();
            let variations = experiments.flat_map(|(experiment, one)| {
                one.variations
                    .iter()
                    .enumerate()
                    .map(move |(variation, one)| (Some((experiment, variation)), &one.changes))
            });
            let lists = std::iter::once((None, &campaign.changes)).chain(variations);
            lists.flat_map(move |(variation, changes)| located(place, variation, changes))
        })
    }
}

fn located(
    campaign: usize,
    variation: Option<(usize, usize)>,
    changes: &[Change],
) -> impl Iterator<Item = (ChangePlace, &Change)> {
    let places = (0..).map(move |index| ChangePlace { campaign, variation, index });
    places.zip(changes)
}

/// Where a change stands, as indices: of ten thousand changes, few ever need a pointer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ChangePlace {
    campaign: usize,
    /// The experiment and the variation that it belongs to; `None` if all variations share it.
    variation: Option<(usize, usize)>,
    index: usize,
}

impl ChangePlace {
    pub(crate) fn pointer(self) -> Pointer {
        let campaign = Pointer::root().field("campaigns").element(self.campaign);
        let owner = self.variation.map_or(campaign.clone(), |(experiment, variation)| {
            let experiment = campaign.field("experiments").element(experiment);
            experiment.field("variations").element(variation)
        });
        owner.field("changes").element(self.index)
    }
}

/// The elements of the list in a field of the value at `parent`.
fn elements<'a, T>(
    parent: &Pointer,
    field: &str,
    list: &'a [T],
) -> impl Iterator<Item = (Pointer, &'a T)> + use<'a, T> {
    let pointer = parent.field(field);
    list.iter().enumerate().map(move |(index, element)| (pointer.element(index), element))
}
