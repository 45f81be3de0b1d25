//! Who came of some visitors, by variation, and who should have come by the weights of their time.

use events::Epoch;
use stats::ChiSquaredTest;

use crate::results::day_sums::number;
use crate::results::variations::Sides;
use crate::results::weights::Epochs;

/// The level of the tests of a suspicion: that of the alarm.
pub(super) const LEVEL: f64 = stats::SRM_ALARM_LEVEL;

/// Some visitors, by arm.
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
    pub(super) fn nobody(arms: usize) -> Self {
        Self { seen: vec![0; arms], promised: vec![0.0; arms] }
    }

    /// Adds the visitors of an epoch.
    pub(super) fn add(&mut self, epochs: &Epochs, epoch: Epoch, visitors: &[u64]) {
        let Some(epoch) = epochs.get(epoch) else { return };
        let all = number(visitors.iter().sum());
        for (arm, count) in visitors.iter().enumerate() {
            self.seen[arm] += count;
            self.promised[arm] += all * epoch.share(arm);
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

    /// Whether they came in the shares of the weights; nothing can be said of arms without a weight.
    pub(super) fn test(&self) -> Option<ChiSquaredTest> {
        let arms = (0..self.seen.len()).filter(|arm| self.promised[*arm] > 0.5);
        let (seen, promised): (Vec<u64>, Vec<f64>) =
            arms.map(|arm| (self.seen[arm], self.promised[arm])).unzip();
        ChiSquaredTest::of_weights(&seen, &promised).ok()
    }

    /// Whether a mismatch is of the others: these came in the shares of the weights, and, at this level, not in those of the others.
    pub(super) fn clears(&self, others: &Self, level: f64) -> bool {
        let is_fine = self.test().is_some_and(|test| test.p_value.get() > LEVEL);
        is_fine && self.differs_from(others, level)
    }

    /// Whether these did not come in the shares of those.
    fn differs_from(&self, those: &Self, level: f64) -> bool {
        let arms = self.promised.iter().zip(those.seen.iter().zip(&those.promised));
        let as_those = arms.map(|(promised, (seen, of_those))| {
            // Half a visitor more, so that an arm that nobody reached is possible.
            promised * (number(*seen) + 0.5) / (of_those + 0.5)
        });
        let like_those = Self { seen: self.seen.clone(), promised: as_those.collect() };
        like_those.test().is_some_and(|test| test.p_value.get() <= level)
    }

    pub(super) fn misses_visitors_of(&self, arm: usize, level: f64) -> bool {
        let all: u64 = self.seen.iter().sum();
        let promised = self.promised[arm];
        let others = self.promised.iter().sum::<f64>() - promised;
        let two = Self {
            seen: vec![self.seen[arm], all - self.seen[arm]],
            promised: vec![promised, others],
        };
        number(self.seen[arm]) < promised
            && two.test().is_some_and(|test| test.p_value.get() <= level)
    }

    /// What an arm has of what its weight promises.
    pub(super) fn missed_of(&self, arm: usize, sides: &Sides<'_>) -> MissingVisitors {
        MissingVisitors {
            variation: sides.all[arm].id.clone(),
            name: sides.all[arm].name.clone(),
            visitors: self.seen[arm],
            expected_visitors: self.promised[arm],
        }
    }

    /// The same of the arm that misses the most.
    pub(super) fn most_missed(&self, sides: &Sides<'_>) -> Option<MissingVisitors> {
        let missing = |arm: usize| self.promised[arm] - number(self.seen[arm]);
        let arms = 0..self.seen.len();
        let most = arms.max_by(|one, other| missing(*one).total_cmp(&missing(*other)))?;
        Some(self.missed_of(most, sides))
    }
}
