//! The sums of each variation, day by day.

use std::collections::BTreeMap;

use crate::{Day, Epoch, Sums, TooLarge, VariationIndex};

/// What each day of an experiment added to the sums.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Series {
    added: BTreeMap<(Epoch, VariationIndex), BTreeMap<Day, Sums>>,
}

/// The sums of a variation in an epoch, over all days up to each day on which they changed.
pub type VariationSeries = Vec<(Day, Sums)>;

impl FromIterator<((Epoch, VariationIndex, Day), Sums)> for Series {
    fn from_iter<I: IntoIterator<Item = ((Epoch, VariationIndex, Day), Sums)>>(added: I) -> Self {
        let mut series = Self::default();
        for ((epoch, variation, day), sums) in added {
            *series.on(epoch, variation, day) = sums;
        }
        series
    }
}

impl Series {
    fn on(&mut self, epoch: Epoch, variation: VariationIndex, day: Day) -> &mut Sums {
        self.added.entry((epoch, variation)).or_default().entry(day).or_default()
    }

    /// The epochs in which visitors came.
    pub fn epochs(&self) -> impl Iterator<Item = Epoch> {
        let mut last = None;
        let epochs = self.added.keys().map(|(epoch, _)| *epoch);
        epochs.filter(move |epoch| last.replace(*epoch) != Some(*epoch))
    }

    /// The sums of a variation, over all days up to each of its days.
    ///
    /// # Errors
    /// [`TooLarge`]
    pub fn up_to_each_day(
        &self,
        epoch: Epoch,
        variation: VariationIndex,
    ) -> Result<VariationSeries, TooLarge> {
        let mut sums = Sums::default();
        let days = self.added.get(&(epoch, variation)).into_iter().flatten();
        let days = days.map(|(day, added)| {
            sums = sums.merge(*added)?;
            Ok((*day, sums))
        });
        days.collect()
    }

    /// The sums of a variation over all days.
    ///
    /// # Errors
    /// [`TooLarge`]
    pub fn total(&self, epoch: Epoch, variation: VariationIndex) -> Result<Sums, TooLarge> {
        let last = self.up_to_each_day(epoch, variation)?.pop();
        Ok(last.map(|(_, sums)| sums).unwrap_or_default())
    }

    /// The series of two groups of visitors, of which none is in both.
    ///
    /// # Errors
    /// [`TooLarge`]
    pub fn merge(mut self, other: Self) -> Result<Self, TooLarge> {
        for ((epoch, variation), days) in other.added {
            for (day, sums) in days {
                let place = self.on(epoch, variation, day);
                *place = place.merge(sums)?;
            }
        }
        Ok(self)
    }
}
