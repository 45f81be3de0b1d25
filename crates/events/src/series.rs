//! The sums of each arm, day by day.

use std::collections::BTreeMap;

use crate::{Arm, Day, Epoch, Sums, TooLarge};

/// What each day of an experiment added to the sums.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Series {
    added: BTreeMap<(Epoch, Arm), BTreeMap<Day, Sums>>,
}

/// The sums of an arm in an epoch, over all days up to each day on which they changed.
pub type ArmSeries = Vec<(Day, Sums)>;

impl FromIterator<((Epoch, Arm, Day), Sums)> for Series {
    fn from_iter<I: IntoIterator<Item = ((Epoch, Arm, Day), Sums)>>(added: I) -> Self {
        let mut series = Self::default();
        for ((epoch, arm, day), sums) in added {
            *series.on(epoch, arm, day) = sums;
        }
        series
    }
}

impl Series {
    fn on(&mut self, epoch: Epoch, arm: Arm, day: Day) -> &mut Sums {
        self.added.entry((epoch, arm)).or_default().entry(day).or_default()
    }

    /// The epochs in which visitors came.
    pub fn epochs(&self) -> impl Iterator<Item = Epoch> {
        let mut last = None;
        let epochs = self.added.keys().map(|(epoch, _)| *epoch);
        epochs.filter(move |epoch| last.replace(*epoch) != Some(*epoch))
    }

    /// The sums of an arm, over all days up to each of its days.
    ///
    /// # Errors
    /// [`TooLarge`]
    pub fn up_to_each_day(&self, epoch: Epoch, arm: Arm) -> Result<ArmSeries, TooLarge> {
        let mut sums = Sums::default();
        let days = self.added.get(&(epoch, arm)).into_iter().flatten();
        let days = days.map(|(day, added)| {
            sums = sums.merge(*added)?;
            Ok((*day, sums))
        });
        days.collect()
    }

    /// The sums of an arm over all days.
    ///
    /// # Errors
    /// [`TooLarge`]
    pub fn total(&self, epoch: Epoch, arm: Arm) -> Result<Sums, TooLarge> {
        let last = self.up_to_each_day(epoch, arm)?.pop();
        Ok(last.map(|(_, sums)| sums).unwrap_or_default())
    }

    /// The series of two groups of visitors, of which none is in both.
    ///
    /// # Errors
    /// [`TooLarge`]
    pub fn merge(mut self, other: Self) -> Result<Self, TooLarge> {
        for ((epoch, arm), days) in other.added {
            for (day, sums) in days {
                let place = self.on(epoch, arm, day);
                *place = place.merge(sums)?;
            }
        }
        Ok(self)
    }
}
