//! Who was given which variation of a comparison.

use std::collections::BTreeSet;

use events::{Assignment, Assignments, Day, Exposure, Millis, PageNumber};

use crate::results::day_sums::date;
use crate::results::find::ResultsError;
use crate::results::packed_events::ByName;
use crate::results::packed_exposures::{Exposures, PackedExposure};
use crate::results::variations::{ComparedVariations, ExposureTarget, ExposureTargets};
use crate::results::weights::{Epochs, WeightHistory};

/// Who was given which variation of a comparison.
pub(super) struct AssignedVisitors {
    pub(super) assignments: Assignments,
    pub(super) unknown: u64,
    /// The one of these that was told of first.
    pub(super) unknown_variation: Option<String>,
    /// How the pages are called, by their numbers, of which the first is 1.
    pub(super) pages: Vec<String>,
}

impl AssignedVisitors {
    /// Of the moments that count.
    pub(super) fn to(
        variations: &ComparedVariations<'_>,
        (epochs, history): (&Epochs, &WeightHistory),
        exposures: &Exposures,
        counts: impl Fn(Millis) -> bool,
    ) -> Self {
        let places = variations.places(exposures, history);
        let pages = pages(exposures);
        let numbers: Vec<_> =
            exposures.names().iter().map(|name| number_of(name.page(), &pages)).collect();
        let mut unknown = Vec::new();
        let of_visitors = exposures.by_visitor().filter(|own| !began_stopped(&places, own));
        let counted = of_visitors.flatten().filter(|shown| counts(shown.at));
        let assigned = counted.filter_map(|shown| match places.find(shown) {
            ExposureTarget::Variation(variation) => {
                let PackedExposure { at, agent, may_flicker, .. } = *shown;
                let (epoch, page) = (epochs.at(at), numbers[shown.what as usize]);
                let assignment = Assignment { variation, epoch, agent, page, may_flicker, at };
                Some(Exposure { visitor: shown.visitor, assignment })
            }
            ExposureTarget::Unknown => {
                unknown.push(shown);
                None
            }
            ExposureTarget::Elsewhere => None,
        });
        let assignments = if places.may_change() {
            Assignments::by_the_first_of(assigned)
        } else {
            Assignments::of(assigned)
        };
        let name = |shown: &PackedExposure| &*exposures.names()[shown.what as usize];
        let first = unknown.iter().min_by_key(|shown| (shown.at, name(shown)));
        let unknown_variation = first.map(|shown| name(shown).variation());
        Self { assignments, unknown: unknown.len() as u64, unknown_variation, pages }
    }

    /// Visitors who may have seen the page change, of the days until this one.
    pub(super) fn flickers(&self, last: Day) -> u64 {
        let all = self.assignments.iter();
        all.filter(|(_, one)| one.may_flicker && one.at.day() <= last).map(|_| 1).sum()
    }

    /// Events of visitors who were given nothing.
    pub(super) fn without(&self, by_name: &ByName<'_>) -> u64 {
        let all = by_name.names().flat_map(|name| by_name.called(name).events);
        let mut known = self.assignments.search();
        all.filter(|event| !known.knows(event.visitor)).map(|_| 1).sum()
    }

    /// Why there is nothing to compare. Those after the last day were left out.
    pub(super) fn none(
        &self,
        variations: &ComparedVariations<'_>,
        left_out_after: Option<Day>,
    ) -> ResultsError {
        let given = self.unknown_variation.as_ref().map(|name| format!("; they name `{name}`"));
        let later = left_out_after
            .map(|last| format!("; those after the plan's end, on {}, do not count", date(last)));
        let (experiment, given) =
            (variations.title.clone(), given.into_iter().chain(later).collect());
        if self.assignments.mixed() > 0 {
            return ResultsError::OnlyMixed { experiment, given };
        }
        let known = quoted(variations.all.iter().map(|variation| variation.key.as_str()));
        ResultsError::NoExposure { experiment, known, given }
    }
}

/// Whether a visitor came while the variation was stopped that they were given, and sees it since it goes on. Those of other variations who came with them
/// are of a time in which there was nothing to compare, and so would they be missing among those who come later.
fn began_stopped(places: &ExposureTargets<'_>, own: &[PackedExposure]) -> bool {
    let first_of = |is: &dyn Fn(&PackedExposure) -> bool| -> Option<Millis> {
        own.iter().filter(|shown| is(shown)).map(|shown| shown.at).min()
    };
    let Some(stopped) = first_of(&|shown| places.is_stopped(shown)) else { return false };
    let shown = first_of(&|shown| matches!(places.find(shown), ExposureTarget::Variation(_)));
    shown.is_some_and(|shown| stopped < shown)
}

/// All pages that exposures tell of, as far as there are numbers for them.
fn pages(exposures: &Exposures) -> Vec<String> {
    let all: BTreeSet<String> = exposures.names().iter().filter_map(|name| name.page()).collect();
    all.into_iter().take(usize::from(u8::MAX)).collect()
}

fn number_of(page: Option<String>, pages: &[String]) -> PageNumber {
    let place = page.and_then(|page| pages.binary_search(&page).ok());
    PageNumber(place.and_then(|place| u8::try_from(place + 1).ok()).unwrap_or(0))
}

/// Some names, as messages quote them.
pub(super) fn quoted<'n>(names: impl Iterator<Item = &'n str>) -> String {
    const NAMES_TOLD: usize = 10;
    let told: Vec<_> = names.take(NAMES_TOLD).map(|name| format!("`{name}`")).collect();
    told.join(", ")
}
