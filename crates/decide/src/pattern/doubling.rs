//! Patterns for which a browser may need twice the time for each further character: a loop can take the same text in two ways, as in
//! `(a+)+`. Found by walking two ways at once: they part, and meet again, inside one loop.

use std::collections::{HashMap, HashSet};

use crate::pattern::graph::{Graph, Loop};
use crate::pattern::positions::Positions;

/// Two positions to which the same text leads.
type Pair = (usize, usize);

/// A text that a loop of the pattern takes in two ways; repeated, it doubles the time each time.
pub(super) fn doubling_text(positions: &Positions, graph: &Graph) -> Option<String> {
    let looped = |(from, to): &&Pair| graph.follow[*from].contains(to) && graph.leads(*to, *from);
    if let Some((from, _)) = positions.twice.iter().find(looped) {
        return graph.common(&[*from]).map(|kind| graph.example(kind).to_string());
    }
    graph.loops().iter().find_map(|each| parting_text(graph, each))
}

fn parting_text(graph: &Graph, each: &Loop) -> Option<String> {
    let mut walk = Walk { graph, from: HashMap::new(), waiting: Vec::new() };
    // Alternatives have the same before them: what it leads to is looked up once.
    let mut known = HashSet::new();
    for &position in each {
        walk.come((position, position), None);
    }
    let mut met = Vec::new();
    let mut next = 0;
    while let Some(&pair) = walk.waiting.get(next) {
        next += 1;
        if !known.insert((&graph.follow[pair.0], &graph.follow[pair.1], pair.0 == pair.1)) {
            continue;
        }
        for together in walk.steps(pair) {
            if together.0 == together.1 && pair.0 != pair.1 {
                met.push(pair);
            }
            walk.come(together, Some(pair));
        }
    }
    met.first().map(|pair| walk.text_to(*pair))
}

struct Walk<'g> {
    graph: &'g Graph,
    /// Where each pair was come to from.
    from: HashMap<Pair, Option<Pair>>,
    /// In the order in which they were come to.
    waiting: Vec<Pair>,
}

impl Walk<'_> {
    fn come(&mut self, pair: Pair, from: Option<Pair>) {
        if let std::collections::hash_map::Entry::Vacant(place) = self.from.entry(pair) {
            place.insert(from);
            self.waiting.push(pair);
        }
    }

    /// Both go on by one character, inside the loop.
    fn steps(&self, (one, other): Pair) -> Vec<Pair> {
        let inside = |from: usize| {
            let next = self.graph.follow[from].iter().copied();
            next.filter(move |to| self.graph.leads(*to, from)).collect::<Vec<_>>()
        };
        let others = inside(other);
        let all = inside(one).into_iter().flat_map(|to| others.iter().map(move |and| (to, *and)));
        all.filter(|(to, and)| self.graph.common(&[*to, *and]).is_some()).collect()
    }

    /// What was read since the two ways parted.
    fn text_to(&self, pair: Pair) -> String {
        let mut text = Vec::new();
        let mut at = pair;
        while let Some(before) = self.from.get(&at).copied().flatten() {
            text.extend(self.graph.common(&[at.0, at.1]).map(|kind| self.graph.example(kind)));
            at = before;
        }
        text.iter().rev().collect()
    }
}
