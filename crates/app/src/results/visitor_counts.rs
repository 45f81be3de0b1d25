//! Who came of some visitors, by variation, and who should have come by the weights of their time.

use events::Epoch;
use stats::ChiSquaredTest;

use crate::results::day_sums::number;
use crate::results::variations::ComparedVariations;
use crate::results::weights::Epochs;

/// The level of the tests of a suspicion: that of the alarm.
pub(super) const LEVEL: f64 = stats::SRM_ALARM_LEVEL;

/// Some visitors, by variation.
#[derive(Clone)]
pub(super) struct VisitorCounts {
    pub(super) seen: Vec<u64>,
    /// How many of them all the weights of their time promised.
    pub(super) promised: Vec<f64>,
}

/// The variation that misses the most of some visitors.
pub(super) struct MissingVisitors {
    pub(super) variation: String,
    pub(super) name: String,
    pub(super) visitors: u64,
    pub(super) expected_visitors: f64,
}

impl VisitorCounts {
    pub(super) fn zero(variations: usize) -> Self {
        Self { seen: vec![0; variations], promised: vec![0.0; variations] }
    }

    /// Adds the visitors of an epoch.
    pub(super) fn add(&mut self, epochs: &Epochs, epoch: Epoch, visitors: &[u64]) {
        let Some(epoch) = epochs.get(epoch) else { return };
        let all = number(visitors.iter().sum());
        for (variation, count) in visitors.iter().enumerate() {
            self.seen[variation] += count;
            self.promised[variation] += all * epoch.share(variation);
        }
    }

    pub(super) fn plus(mut self, other: &Self) -> Self {
        for (seen, more) in self.seen.iter_mut().zip(&other.seen) {
            *seen += more;
        }
        for (promised, more) in self.promised.iter_mut().zip(&other.promised) {
            *promised += more;
        }
        self
    }

    pub(super) fn minus(&self, before: &Self) -> Self {
        let seen = self.seen.iter().zip(&before.seen);
        let promised = self.promised.iter().zip(&before.promised);
        Self {
            seen: seen.map(|(all, before)| all.saturating_sub(*before)).collect(),
            promised: promised.map(|(all, before)| all - before).collect(),
        }
    }

    /// Whether they came in the shares of the weights; nothing can be said of variations without a weight.
    pub(super) fn test(&self) -> Option<ChiSquaredTest> {
        let variations = (0..self.seen.len()).filter(|variation| self.promised[*variation] > 0.5);
        let (seen, promised): (Vec<u64>, Vec<f64>) =
            variations.map(|variation| (self.seen[variation], self.promised[variation])).unzip();
        ChiSquaredTest::of_weights(&seen, &promised).ok()
    }

    /// Whether a mismatch is of the others: these came in the shares of the weights, and, at this level, not in those of the others.
    pub(super) fn clears(&self, others: &Self, level: f64) -> bool {
        let is_fine = self.test().is_some_and(|test| test.p_value.get() > LEVEL);
        is_fine && self.differs_from(others, level)
    }

    /// Whether these did not come in the shares of those.
    fn differs_from(&self, those: &Self, level: f64) -> bool {
        let variations = self.promised.iter().zip(those.seen.iter().zip(&those.promised));
        let as_those = variations.map(|(promised, (seen, of_those))| {
            // Half a visitor more, so that a variation without visitors is possible.
            promised * (number(*seen) + 0.5) / (of_those + 0.5)
        });
        let like_those = Self { seen: self.seen.clone(), promised: as_those.collect() };
        like_those.test().is_some_and(|test| test.p_value.get() <= level)
    }

    pub(super) fn misses_visitors_of(&self, variation: usize, level: f64) -> bool {
        let all: u64 = self.seen.iter().sum();
        let promised = self.promised[variation];
        let others = self.promised.iter().sum::<f64>() - promised;
        let two = Self {
            seen: vec![self.seen[variation], all - self.seen[variation]],
            promised: vec![promised, others],
        };
        number(self.seen[variation]) < promised
            && two.test().is_some_and(|test| test.p_value.get() <= level)
    }

    /// What a variation has of what its weight promises.
    pub(super) fn missed_of(
        &self,
        variation: usize,
        variations: &ComparedVariations<'_>,
    ) -> MissingVisitors {
        MissingVisitors {
            variation: variations.all[variation].id.clone(),
            name: variations.all[variation].name.clone(),
            visitors: self.seen[variation],
            expected_visitors: self.promised[variation],
        }
    }

    /// The same of the variation that misses the most.
    pub(super) fn most_missed(
        &self,
        variations: &ComparedVariations<'_>,
    ) -> Option<MissingVisitors> {
        let missing = |variation: usize| self.promised[variation] - number(self.seen[variation]);
        let most =
            (0..self.seen.len()).max_by(|one, other| missing(*one).total_cmp(&missing(*other)))?;
        Some(self.missed_of(most, variations))
    }
}
