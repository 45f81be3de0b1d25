//! The sums of every variation at the end of every day.

use std::collections::BTreeSet;
use std::ops::Range;

use events::{Day, Epoch, Series, Sums, TooLarge, VariationIndex};

use crate::results::report::DayVisitors;

/// The sums of every variation, day by day: on a day without anything new, those of the day before.
pub(super) struct DaySums {
    pub(super) days: Vec<Day>,
    /// For each day, the sums of each variation.
    pub(super) sums: Vec<Vec<Sums>>,
    /// The epochs in which visitors came.
    pub(super) epochs: Vec<Epoch>,
    /// For each day and each of these, the sums of each variation.
    pub(super) by_epoch: Vec<Vec<Vec<Sums>>>,
}

/// The days on which the sums of a variation changed.
pub(super) fn days_of(series: &Series, variations: usize) -> Result<BTreeSet<Day>, TooLarge> {
    let mut days = BTreeSet::new();
    for epoch in series.epochs() {
        for variation in all_variations(variations) {
            days.extend(series.up_to_each_day(epoch, variation)?.into_iter().map(|(day, _)| day));
        }
    }
    Ok(days)
}

fn all_variations(variations: usize) -> impl Iterator<Item = VariationIndex> {
    (0..variations).map(|variation| VariationIndex(u16::try_from(variation).unwrap_or(u16::MAX)))
}

impl DaySums {
    /// The sums at the end of each of these days.
    pub(super) fn of(
        series: &Series,
        variations: usize,
        days: &BTreeSet<Day>,
    ) -> Result<Self, TooLarge> {
        let epochs: Vec<Epoch> = series.epochs().collect();
        let of_epoch = |epoch: &Epoch| -> Result<Vec<_>, TooLarge> {
            all_variations(variations)
                .map(|variation| series.up_to_each_day(*epoch, variation))
                .collect()
        };
        let known = epochs.iter().map(of_epoch).collect::<Result<Vec<_>, _>>()?;
        let (mut sums, mut by_epoch) = (Vec::new(), Vec::new());
        for day in days {
            let at = |variation: &Vec<(Day, Sums)>| {
                let last = variation.iter().rfind(|(known, _)| known <= day);
                last.map(|(_, sums)| *sums).unwrap_or_default()
            };
            let epochs: Vec<Vec<Sums>> =
                known.iter().map(|variations| variations.iter().map(at).collect()).collect();
            sums.push(together(&epochs, variations)?);
            by_epoch.push(epochs);
        }
        Ok(Self { days: days.iter().copied().collect(), sums, epochs, by_epoch })
    }

    /// The same of some variations alone.
    pub(super) fn of_variations(&self, variations: Range<usize>) -> Self {
        let of = |all: &Vec<Sums>| all[variations.clone()].to_vec();
        Self {
            days: self.days.clone(),
            sums: self.sums.iter().map(of).collect(),
            epochs: self.epochs.clone(),
            by_epoch: self.by_epoch.iter().map(|day| day.iter().map(of).collect()).collect(),
        }
    }

    /// The visitors of each variation whose first day it is, on every day that has some.
    pub(super) fn new_visitors(&self) -> Vec<DayVisitors> {
        let zeros = vec![Sums::default(); self.last().len()];
        let before = std::iter::once(&zeros).chain(&self.sums);
        let days = self.days.iter().zip(&self.sums).zip(before).map(|((day, sums), before)| {
            let variations = sums.iter().zip(before);
            let new =
                variations.map(|(sums, before)| sums.visitors.saturating_sub(before.visitors));
            DayVisitors { day: date(*day), visitors: new.collect() }
        });
        days.filter(|day| day.visitors.iter().any(|new| *new > 0)).collect()
    }

    /// Today's visitors of each variation.
    pub(super) fn visitors(&self) -> Vec<u64> {
        self.last().iter().map(|sums| sums.visitors).collect()
    }

    /// Today's.
    pub(super) fn last(&self) -> &[Sums] {
        self.sums.last().map_or(&[], Vec::as_slice)
    }
}

/// The sums of each variation over all epochs.
fn together(epochs: &[Vec<Sums>], variations: usize) -> Result<Vec<Sums>, TooLarge> {
    let of_variation = |variation: usize| {
        let mut sums = epochs.iter().map(|epoch| epoch[variation]);
        sums.try_fold(Sums::default(), Sums::merge)
    };
    (0..variations).map(of_variation).collect()
}

/// A count as statistics take it: more than four thousand million count as so many.
pub(super) fn number(count: u64) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

/// A day as people write it.
pub(super) fn date(day: Day) -> String {
    day.date().to_string()
}
