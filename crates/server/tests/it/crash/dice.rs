//! Chance that can be had again: the same seed throws the same numbers (splitmix64).

pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (word ^ (word >> 31)) % end
    }

    /// One of several.
    pub(crate) fn pick<T>(&mut self, from: impl IntoIterator<Item = T>) -> Option<T> {
        let mut from: Vec<T> = from.into_iter().collect();
        if from.is_empty() {
            return None;
        }
        let place = self.below(u64::try_from(from.len()).unwrap());
        Some(from.swap_remove(usize::try_from(place).unwrap()))
    }

    /// Independent dice, thrown in their own order.
    pub(crate) fn fork(&mut self) -> Self {
        Self(self.below(u64::MAX))
    }
}
