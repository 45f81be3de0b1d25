//! How many ways a browser may try that are no loops: many parts behind each other, each of which can take the same text or leave it, as
//! in `a?a?a?a?…aaaa`. A text that most ways take is looked for, character by character.

use std::collections::HashMap;

use crate::pattern::graph::Graph;
use crate::pattern::steps::STEPS_MAX;

/// As many as may share a text, too (see `steps`), which is sixteen times as long as what is looked for.
const WAYS_MAX: f64 = STEPS_MAX / 16.0;

/// How many texts of each length are gone on with: those that most ways take.
const TEXTS_MAX: usize = 16;

/// A text may be so long. Longer ones make a difference to loops only.
const LENGTH_MAX: usize = 128;

/// By position, those alone where a way ends: how many do.
type Ways = Vec<(usize, f64)>;

/// Whether some text matches in so many ways that a visitor would not wait for them all.
pub(super) fn has_too_many_ways(graph: &Graph) -> bool {
    let begun = graph.begins.iter().map(|position| (*position, 1.0)).collect();
    let mut texts = most(by_kind(graph, begun));
    for _ in 0..LENGTH_MAX {
        if texts.iter().any(|ways| count(ways) > WAYS_MAX) {
            return true;
        }
        texts = most(texts.iter().flat_map(|ways| longer(graph, ways)).collect());
    }
    false
}

/// One character more, of each kind.
fn longer(graph: &Graph, ways: &Ways) -> Vec<Ways> {
    let mut next: HashMap<usize, f64> = HashMap::new();
    for (position, count) in ways {
        for to in &graph.follow[*position] {
            *next.entry(*to).or_default() += count;
        }
    }
    let mut all: Ways = next.into_iter().collect();
    all.sort_by_key(|(position, _)| *position);
    by_kind(graph, all)
}

/// Those of the ways that take a character, for each kind.
fn by_kind(graph: &Graph, ways: Ways) -> Vec<Ways> {
    let mut all = vec![Ways::new(); graph.kinds()];
    for way in ways {
        graph.kinds_at(way.0).for_each(|kind| all[kind].push(way));
    }
    all
}

/// Of texts that lead to the same positions, one counts.
fn most(mut texts: Vec<Ways>) -> Vec<Ways> {
    texts.retain(|ways| !ways.is_empty());
    texts.sort_by(|one, other| count(other).total_cmp(&count(one)));
    let mut known: Vec<Ways> = Vec::new();
    for ways in texts {
        let is_same = |other: &Ways| other.iter().map(|way| way.0).eq(ways.iter().map(|way| way.0));
        if known.len() < TEXTS_MAX && !known.iter().any(is_same) {
            known.push(ways);
        }
    }
    known
}

fn count(ways: &Ways) -> f64 {
    ways.iter().map(|(_, count)| count).sum()
}
