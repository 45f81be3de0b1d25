//! The parts of a project, each with the pointer to where it stands in the document.

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

    /// Every change: of each campaign those of all variations, then those of each.
    pub(crate) fn located_changes(&self) -> Vec<(Pointer, &Change)> {
        let mut changes = Vec::new();
        for (pointer, campaign) in elements(&Pointer::root(), "campaigns", &self.campaigns) {
            changes.extend(elements(&pointer, "changes", &campaign.changes));
            for (pointer, experiment) in elements(&pointer, "experiments", &campaign.experiments) {
                let variations = elements(&pointer, "variations", &experiment.variations);
                changes.extend(
                    variations
                        .flat_map(|(at, variation)| elements(&at, "changes", &variation.changes)),
                );
            }
        }
        changes
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
