//! How many steps a browser may take for a pattern that does not double: loops behind each other that can take the same text, as in
//! `.*.*x`, share it out in every way there is.

use std::collections::{HashSet, VecDeque};

use crate::pattern::TEXT_LENGTH_MAX;
use crate::pattern::graph::{Graph, Loop};

/// Some ten milliseconds: a browser takes up to two nanoseconds for each, and more where the machine is busy.
pub(super) const STEPS_MAX: f64 = 5e6;

/// More loops that share a text make no difference: they are too many long before.
const SHARING_MAX: usize = 8;

type Ways = [f64; SHARING_MAX];

/// Triples of positions to look at for one pair of loops. Where there are more, the shortest text that they share may as well be one
/// character.
const TRIPLES_MAX: usize = 20_000;

/// Whether a browser may take longer than a visitor would wait.
pub(super) fn takes_too_long(graph: &Graph) -> bool {
    let loops = in_order(graph);
    // By loop: the most ways in which those up to it can share a text, by how many pairs of them share.
    let mut ways: Vec<Ways> = Vec::new();
    for place in 0..loops.len() {
        ways.push(ways_up_to(graph, &loops[..=place], &ways));
    }
    let length = text_length();
    // What shares a text takes its parts in order: the ways to cut it in so many parts, the rest included.
    let mut orders = 1.0;
    (1..SHARING_MAX).any(|pairs| {
        orders *= f64::from(u32::try_from(pairs + 1).unwrap_or(u32::MAX));
        ways.iter().any(|known| length * known[pairs] / orders > STEPS_MAX)
    })
}

fn text_length() -> f64 {
    f64::from(u32::try_from(TEXT_LENGTH_MAX).unwrap_or(u32::MAX))
}

fn ways_up_to(graph: &Graph, loops: &[Loop], ways: &[Ways]) -> Ways {
    let mut best = [0.0; SHARING_MAX];
    best[0] = 1.0;
    let (own, before) = loops.split_last().expect("there is the one that is asked about");
    for (place, other) in before.iter().enumerate() {
        let Some(length) = shared_length(graph, other, own) else { continue };
        let more = text_length() / f64::from(length);
        // Pairs of loops need not touch: what is shared before the other counts, wherever it is.
        let leads = |first: &Loop| first[0] == other[0] || graph.leads(first[0], other[0]);
        let known = before[..=place].iter().zip(ways).filter(|(first, _)| leads(first));
        known.for_each(|(_, known)| take_better(&mut best, known, more));
    }
    best
}

/// One pair more shares the text.
fn take_better(best: &mut Ways, known: &Ways, more: f64) {
    for pairs in 1..SHARING_MAX {
        best[pairs] = f64::max(best[pairs], known[pairs - 1] * more);
    }
}

/// Those that can come first stand first.
fn in_order(graph: &Graph) -> Vec<Loop> {
    let mut loops = graph.loops();
    let before =
        |own: &Loop, all: &[Loop]| all.iter().filter(|other| graph.leads(other[0], own[0])).count();
    let all = loops.clone();
    loops.sort_by_key(|own| before(own, &all));
    loops
}

/// The length of the shortest text that goes around the first loop, around the second, and from the one to the other.
fn shared_length(graph: &Graph, first: &Loop, second: &Loop) -> Option<u32> {
    if !graph.leads(first[0], second[0]) {
        return None;
    }
    let mut budget = TRIPLES_MAX;
    let pairs = first.iter().flat_map(|from| second.iter().map(move |to| (*from, *to)));
    let mut shortest = None;
    for length in pairs.filter_map(|(from, to)| round(graph, from, to, &mut budget)) {
        if length == 1 {
            return Some(1);
        }
        shortest = Some(shortest.map_or(length, |other| length.min(other)));
    }
    shortest
}

/// The length of a text that leads from `from` back to it, from `to` back to it, and from `from` to `to`.
fn round(graph: &Graph, from: usize, to: usize, budget: &mut usize) -> Option<u32> {
    let mut seen = HashSet::new();
    let mut waiting = VecDeque::from([([from, from, to], 0)]);
    while let Some((places, length)) = waiting.pop_front() {
        for next in steps_of(graph, places, [from, to, to]) {
            if next == [from, to, to] {
                return Some(length + 1);
            }
            if !seen.insert(next) {
                continue;
            }
            if *budget == 0 {
                return Some(1);
            }
            *budget -= 1;
            waiting.push_back((next, length + 1));
        }
    }
    None
}

/// Where the three can be after one character more, as long as each can still come to its goal.
fn steps_of(graph: &Graph, places: [usize; 3], goals: [usize; 3]) -> Vec<[usize; 3]> {
    let steps = |of: usize| {
        let is_hopeful = move |next: &usize| *next == goals[of] || graph.leads(*next, goals[of]);
        graph.follow[places[of]].iter().copied().filter(is_hopeful)
    };
    let pairs = steps(0).flat_map(|first| steps(1).map(move |second| [first, second]));
    let triples =
        pairs.flat_map(|[first, second]| steps(2).map(move |third| [first, second, third]));
    triples.filter(|places| graph.common(places).is_some()).collect()
}
