//! Browsers and devices with which visitors came in other shares than the weights promise.

use std::collections::BTreeMap;

use events::{Assignments, Day, Epoch, UserAgent};
use stats::ChiSquaredTest;

use crate::results::came::{Came, LEVEL, Missed};
use crate::results::report::Suspect;
use crate::results::segment_by::SegmentBy;
use crate::results::sides::Sides;
use crate::results::weights::Epochs;

/// The visitors who came with each browser and device.
type ByAgent = BTreeMap<UserAgent, Came>;

/// A segment, by its place.
type Suspected = (SegmentBy, usize);

/// The segments that the mismatch is of, if all other visitors came in the shares of the weights. The clearest one is taken out first, then the clearest one among
/// the rest, until none is clear: so a device is not named because most of its visitors have a browser that is.
pub(super) fn suspect_segments(
    epochs: &Epochs,
    visitors: (&Assignments, Day),
    sides: &Sides<'_>,
) -> Vec<Suspect> {
    let mut rest = by_agent(epochs, visitors, sides.all.len());
    let candidates = candidates(&rest);
    let level = LEVEL / candidates.iter().map(|_| 1.0).sum::<f64>().max(1.0);
    let (mut found, mut odd) = (Vec::new(), Vec::new());
    while let Some((suspected, test)) = clearest(&candidates, &rest) {
        if test.p_value.get() > level {
            break;
        }
        let (theirs, others) = apart(&rest, suspected);
        let theirs = together(&theirs);
        found.extend(suspect(suspected, &theirs, sides));
        odd.push(theirs);
        rest = others;
    }
    let left = together(&rest);
    if odd.iter().all(|odd| left.clears(odd, level)) { found } else { Vec::new() }
}

fn by_agent(epochs: &Epochs, (assignments, last): (&Assignments, Day), arms: usize) -> ByAgent {
    let mut counts: BTreeMap<(UserAgent, Epoch), Vec<u64>> = BTreeMap::new();
    for (_, one) in assignments.iter().filter(|(_, one)| one.at.day() <= last) {
        let of_arms = counts.entry((one.agent, one.epoch)).or_insert_with(|| vec![0; arms]);
        of_arms[usize::from(one.arm.0)] += 1;
    }
    let mut all = ByAgent::new();
    for ((agent, epoch), visitors) in counts {
        all.entry(agent).or_insert_with(|| Came::nobody(arms)).add(epochs, epoch, &visitors);
    }
    all
}

/// The segments that there are beside others.
fn candidates(all: &ByAgent) -> Vec<Suspected> {
    let each = SegmentBy::ALL.into_iter().flat_map(|by| {
        let mut places: Vec<_> = all.keys().map(|agent| by.place(*agent)).collect();
        places.sort_unstable();
        places.dedup();
        let are_several = places.len() > 1;
        places.into_iter().filter(move |_| are_several).map(move |place| (by, place))
    });
    each.collect()
}

/// The candidate whose visitors came most clearly in other shares, if it leaves others.
fn clearest(candidates: &[Suspected], rest: &ByAgent) -> Option<(Suspected, ChiSquaredTest)> {
    let tested = candidates.iter().filter_map(|suspected| {
        let (theirs, others) = apart(rest, *suspected);
        let test = together(&theirs).test().filter(|_| !others.is_empty())?;
        Some((*suspected, test))
    });
    tested.max_by(|one, other| one.1.statistic.total_cmp(&other.1.statistic))
}

/// The visitors of a segment, and the others.
fn apart(all: &ByAgent, (by, place): Suspected) -> (ByAgent, ByAgent) {
    all.clone().into_iter().partition(|(agent, _)| by.place(*agent) == place)
}

fn together(all: &ByAgent) -> Came {
    let arms = all.values().next().map_or(0, |came| came.seen.len());
    all.values().fold(Came::nobody(arms), Came::plus)
}

fn suspect((by, place): Suspected, theirs: &Came, sides: &Sides<'_>) -> Option<Suspect> {
    let Missed { variation, name, visitors, expected_visitors } = theirs.most_missed(sides)?;
    let word = by.segments().get(place)?.word;
    Some(match by {
        SegmentBy::Browser => {
            Suspect::Browser { browser: word, variation, name, visitors, expected_visitors }
        }
        SegmentBy::Device => {
            Suspect::Device { device: word, variation, name, visitors, expected_visitors }
        }
    })
}
