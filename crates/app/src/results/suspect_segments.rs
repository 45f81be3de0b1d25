//! Browsers, devices and pages of which visitors came in other shares than the weights promise.

use std::collections::{BTreeMap, BTreeSet};

use events::{Day, Epoch, PageNumber, UserAgent};
use stats::ChiSquaredTest;

use crate::results::report::Suspect;
use crate::results::segment_by::SegmentBy;
use crate::results::suspects::Who;
use crate::results::visitor_counts::{LEVEL, MissingVisitors, VisitorCounts};
use crate::results::weights::Epochs;

/// The visitors of each browser, device and page.
type ByOrigin = BTreeMap<Origin, VisitorCounts>;

/// With what visitors came, and where to.
type Origin = (UserAgent, PageNumber);

/// What visitors can have in common.
#[derive(Clone, Copy)]
enum Common {
    Agent(SegmentBy),
    Page,
}

/// Visitors who have it in common, by the place of what it is.
type Suspected = (Common, usize);

/// Those that the mismatch is of, if all other visitors came in the shares of the weights. The clearest one is taken out first, then the clearest one among
/// the rest, until none is clear: so a device is not named because most of its visitors have a browser that is.
pub(super) fn suspect_segments(epochs: &Epochs, who: &Who<'_>, last: Day) -> Vec<Suspect> {
    let mut rest = by_origin(epochs, who, last);
    let candidates = candidates(&rest);
    let level = LEVEL / candidates.iter().map(|_| 1.0).sum::<f64>().max(1.0);
    let (mut found, mut odd) = (Vec::new(), Vec::new());
    while let Some((suspected, test)) = clearest(&candidates, &rest) {
        if test.p_value.get() > level {
            break;
        }
        let Parts { suspected: theirs, others } = apart(&rest, suspected);
        let theirs = together(&theirs);
        found.extend(suspect(suspected, &theirs, who));
        odd.push(theirs);
        rest = others;
    }
    let left = together(&rest);
    if odd.iter().all(|odd| left.clears(odd, level)) { found } else { Vec::new() }
}

fn by_origin(epochs: &Epochs, who: &Who<'_>, last: Day) -> ByOrigin {
    let variations = who.variations.all.len();
    let mut counts: BTreeMap<(Origin, Epoch), Vec<u64>> = BTreeMap::new();
    for (_, one) in who.assignments.iter().filter(|(_, one)| one.at.day() <= last) {
        let origin = (one.agent, one.page);
        let of_variations =
            counts.entry((origin, one.epoch)).or_insert_with(|| vec![0; variations]);
        of_variations[usize::from(one.variation.0)] += 1;
    }
    let mut all = ByOrigin::new();
    for ((origin, epoch), visitors) in counts {
        all.entry(origin)
            .or_insert_with(|| VisitorCounts::zero(variations))
            .add(epochs, epoch, &visitors);
    }
    all
}

/// The segments that there are beside others.
fn candidates(all: &ByOrigin) -> Vec<Suspected> {
    let commons = SegmentBy::ALL.map(Common::Agent).into_iter().chain([Common::Page]);
    let each = commons.flat_map(|common| {
        let places: BTreeSet<_> = all.keys().map(|origin| common.place(*origin)).collect();
        let are_several = places.len() > 1;
        places.into_iter().filter(move |_| are_several).map(move |place| (common, place))
    });
    each.collect()
}

impl Common {
    fn place(self, (agent, page): Origin) -> usize {
        match self {
            Self::Agent(by) => by.place(agent),
            Self::Page => usize::from(page.0),
        }
    }
}

/// The candidate whose visitors came most clearly in other shares, if it leaves others.
fn clearest(candidates: &[Suspected], rest: &ByOrigin) -> Option<(Suspected, ChiSquaredTest)> {
    let tested = candidates.iter().filter_map(|suspected| {
        let Parts { suspected: theirs, others } = apart(rest, *suspected);
        let test = together(&theirs).test().filter(|_| !others.is_empty())?;
        Some((*suspected, test))
    });
    tested.max_by(|one, other| one.1.statistic.total_cmp(&other.1.statistic))
}

/// The suspected visitors, and the others.
struct Parts {
    suspected: ByOrigin,
    others: ByOrigin,
}

fn apart(all: &ByOrigin, (common, place): Suspected) -> Parts {
    let is_suspected = |(origin, _): &(Origin, VisitorCounts)| common.place(*origin) == place;
    let (suspected, others) = all.clone().into_iter().partition(is_suspected);
    Parts { suspected, others }
}

fn together(all: &ByOrigin) -> VisitorCounts {
    let variations = all.values().next().map_or(0, |came| came.seen.len());
    all.values().fold(VisitorCounts::zero(variations), VisitorCounts::plus)
}

fn suspect((common, place): Suspected, theirs: &VisitorCounts, who: &Who<'_>) -> Option<Suspect> {
    let MissingVisitors { variation, name, visitors, expected_visitors } =
        theirs.most_missed(who.variations)?;
    Some(match common {
        Common::Agent(by) => {
            let word = by.segments().get(place)?.word;
            match by {
                SegmentBy::Browser => {
                    Suspect::Browser { browser: word, variation, name, visitors, expected_visitors }
                }
                SegmentBy::Device => {
                    Suspect::Device { device: word, variation, name, visitors, expected_visitors }
                }
            }
        }
        Common::Page => {
            let page = place.checked_sub(1).and_then(|place| who.pages.get(place)).cloned();
            Suspect::Page { page, variation, name, visitors, expected_visitors }
        }
    })
}
