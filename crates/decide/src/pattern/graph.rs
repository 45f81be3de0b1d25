//! What the searches for slow patterns ask of its positions: which characters some have in common, which are in one loop.

use std::collections::BTreeSet;

use crate::pattern::positions::Positions;

/// A set of positions that lead back to each other, and at least one step between them.
pub(super) type Loop = Vec<usize>;

/// Where in a text a pattern may match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    /// Only at its beginning.
    Anchored,
    /// Wherever.
    Anywhere,
}

/// The positions of a pattern, the characters sorted into as few kinds as tell them apart.
#[derive(Debug)]
pub(super) struct Graph {
    /// By position: those that may come next.
    pub(super) follow: Vec<Vec<usize>>,
    /// Those where ways begin.
    pub(super) begins: Vec<usize>,
    /// By position: the kinds of characters it takes, a bit each.
    kinds: Vec<Vec<u64>>,
    /// The first character of each kind.
    examples: Vec<u32>,
    /// By position: whether each other can be reached from it, in one step at least.
    reaches: Vec<Vec<bool>>,
}

impl Graph {
    /// A search may begin anywhere in a text, unless it is anchored: then a position before all others stands for what is skipped. Where
    /// a match is complete, nothing before it is tried again: no way leads on from another position to one of these, but each begins some.
    pub(super) fn new(positions: &Positions, start: Start) -> Self {
        let mut characters = positions.characters.clone();
        let is_open = |position: &usize| !positions.sure_last.contains(position);
        let open = |next: &BTreeSet<usize>| next.iter().copied().filter(is_open).collect();
        let mut follow: Vec<Vec<usize>> = positions.follow.iter().map(open).collect();
        let mut begins: Vec<usize> = positions.first.clone();
        begins.extend(&positions.sure_last);
        if start == Start::Anywhere {
            let count = follow.len();
            characters.push(vec![(0, u32::from(char::MAX))]);
            follow.push(positions.first.iter().copied().filter(is_open).chain([count]).collect());
            begins.push(count);
        }
        begins.sort_unstable();
        begins.dedup();
        let (kinds, examples) = kinds_of(&characters);
        Self { reaches: reachable(&follow), follow, begins, kinds, examples }
    }

    /// How many kinds of characters there are.
    pub(super) fn kinds(&self) -> usize {
        self.examples.len()
    }

    /// The kinds of characters that the position takes.
    pub(super) fn kinds_at(&self, position: usize) -> impl Iterator<Item = usize> {
        let words = self.kinds[position].iter().enumerate();
        words.flat_map(|(word, bits)| {
            (0..64).filter(move |bit| bits & (1 << bit) != 0).map(move |bit| word * 64 + bit)
        })
    }

    /// A kind of character that all of the positions take.
    pub(super) fn common(&self, positions: &[usize]) -> Option<usize> {
        (0..self.examples.len().div_ceil(64)).find_map(|word| {
            let bits = positions
                .iter()
                .fold(u64::MAX, |bits, position| bits & self.kinds[*position][word]);
            (bits != 0).then(|| word * 64 + bits.trailing_zeros() as usize)
        })
    }

    /// A character of that kind, one that can be read if there is any.
    pub(super) fn example(&self, kind: usize) -> char {
        let from = self.examples[kind];
        let until = self.examples.get(kind + 1).copied().unwrap_or(from + 1);
        let readable = (from.max(0x21)..until.min(0x7f)).next();
        readable.and_then(char::from_u32).or_else(|| char::from_u32(from)).unwrap_or('?')
    }

    pub(super) fn leads(&self, from: usize, to: usize) -> bool {
        self.reaches[from][to]
    }

    pub(super) fn loops(&self) -> Vec<Loop> {
        let mut loops: Vec<Loop> = Vec::new();
        for position in (0..self.follow.len()).filter(|position| self.leads(*position, *position)) {
            let same =
                |other: &Loop| self.leads(position, other[0]) && self.leads(other[0], position);
            match loops.iter_mut().find(|other| same(other)) {
                Some(found) => found.push(position),
                None => loops.push(vec![position]),
            }
        }
        loops
    }
}

fn reachable(follow: &[Vec<usize>]) -> Vec<Vec<bool>> {
    let from_one = |from: &Vec<usize>| {
        let mut is_reached = vec![false; follow.len()];
        let mut waiting = from.clone();
        while let Some(position) = waiting.pop() {
            if !std::mem::replace(&mut is_reached[position], true) {
                waiting.extend(&follow[position]);
            }
        }
        is_reached
    };
    follow.iter().map(from_one).collect()
}

/// Characters that no position tells apart are of one kind. Gives each position's kinds, and the first character of each.
fn kinds_of(characters: &[Vec<(u32, u32)>]) -> (Vec<Vec<u64>>, Vec<u32>) {
    let ranges = characters.iter().flatten();
    let mut starts: Vec<u32> = ranges.flat_map(|(start, end)| [*start, end + 1]).collect();
    starts.sort_unstable();
    starts.dedup();
    let kinds = characters.iter().map(|ranges| {
        let mut bits = vec![0; starts.len().div_ceil(64)];
        for &(start, end) in ranges {
            let from = starts.partition_point(|other| *other < start);
            let until = starts.partition_point(|other| *other <= end);
            for kind in from..until {
                bits[kind / 64] |= 1 << (kind % 64);
            }
        }
        bits
    });
    (kinds.collect(), starts)
}
