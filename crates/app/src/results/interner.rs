//! Things that many events have in common, each kept once: events have their numbers.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;

/// So many are looked through sooner than one is hashed: the variations of an experiment, say.
const FEW: usize = 16;

/// Things by their numbers, which count from zero. `K` is cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Interner<K> {
    all: Vec<K>,
    numbers: HashMap<K, u32>,
    last: u32,
}

impl<K> Default for Interner<K> {
    fn default() -> Self {
        Self { all: Vec::new(), numbers: HashMap::new(), last: 0 }
    }
}

impl<K: Clone + Eq + Hash> Interner<K> {
    /// The number of a thing, which is made if it is new. Events that follow each other often have the same.
    pub(super) fn number<Q: Eq + Hash + ?Sized>(&mut self, one: &Q, make: impl FnOnce() -> K) -> u32
    where
        K: Borrow<Q>,
    {
        let is_same = |known: &K| Borrow::<Q>::borrow(known) == one;
        if self.all.get(self.last as usize).is_some_and(is_same) {
            return self.last;
        }
        let known = match self.all.len() {
            0..=FEW => self.all.iter().position(is_same).and_then(|place| place.try_into().ok()),
            _ => self.numbers.get(one).copied(),
        };
        self.last = known.unwrap_or_else(|| {
            let (one, number) = (make(), u32::try_from(self.all.len()).unwrap_or(u32::MAX));
            self.all.push(one.clone());
            self.numbers.insert(one, number);
            number
        });
        self.last
    }

    /// All of them, in the order of their numbers.
    pub(super) fn all(&self) -> &[K] {
        &self.all
    }

    /// Takes over those of another one. Tells the new number of each.
    pub(super) fn take_over(&mut self, other: Self) -> Vec<u32> {
        other.all.into_iter().map(|one| self.number(&one, || one.clone())).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::Interner;

    #[test]
    fn each_of_few_and_of_many_has_one_number() {
        for count in [10, 16, 17, 40] {
            let mut names = Interner::<Arc<str>>::default();
            for number in (0..count).chain(0..count) {
                let name = number.to_string();

                assert_eq!(names.number(&*name, || name.as_str().into()), number);
            }
        }
    }
}
