//! The sums of every variation at the end of every day.

use std::collections::BTreeSet;
use std::ops::Range;

use events::{Arm, Day, Epoch, Series, Sums, TooLarge};
use jiff::civil::Date;
use jiff::{Span, ToSpan as _};

use crate::results::report::DayVisitors;

/// The sums of every arm, day by day: on a day without anything new, those of the day before.
pub(super) struct DaySums {
    pub(super) days: Vec<Day>,
    /// For each day, the sums of each arm.
    pub(super) sums: Vec<Vec<Sums>>,
    /// The epochs in which visitors came.
    pub(super) epochs: Vec<Epoch>,
    /// For each day and each of these, the sums of each arm.
    pub(super) by_epoch: Vec<Vec<Vec<Sums>>>,
}

/// The days on which the sums of an arm changed.
pub(super) fn days_of(series: &Series, arms: usize) -> Result<BTreeSet<Day>, TooLarge> {
    let mut days = BTreeSet::new();
    for epoch in series.epochs() {
        for arm in all_arms(arms) {
            days.extend(series.up_to_each_day(epoch, arm)?.into_iter().map(|(day, _)| day));
        }
    }
    Ok(days)
}

fn all_arms(arms: usize) -> impl Iterator<Item = Arm> {
    (0..arms).map(|arm| Arm(u16::try_from(arm).unwrap_or(u16::MAX)))
}

impl DaySums {
    /// The sums at the end of each of these days.
    pub(super) fn of(series: &Series, arms: usize, days: &BTreeSet<Day>) -> Result<Self, TooLarge> {
        let epochs: Vec<Epoch> = series.epochs().collect();
        let of_epoch = |epoch: &Epoch| -> Result<Vec<_>, TooLarge> {
            all_arms(arms).map(|arm| series.up_to_each_day(*epoch, arm)).collect()
        };
        let known = epochs.iter().map(of_epoch).collect::<Result<Vec<_>, _>>()?;
        let (mut sums, mut by_epoch) = (Vec::new(), Vec::new());
        for day in days {
            let at = |arm: &Vec<(Day, Sums)>| {
                let last = arm.iter().rfind(|(known, _)| known <= day);
                last.map(|(_, sums)| *sums).unwrap_or_default()
            };
            let epochs: Vec<Vec<Sums>> =
                known.iter().map(|arms| arms.iter().map(at).collect()).collect();
            sums.push(together(&epochs, arms)?);
            by_epoch.push(epochs);
        }
        Ok(Self { days: days.iter().copied().collect(), sums, epochs, by_epoch })
    }

    /// The same of some arms alone.
    pub(super) fn of_arms(&self, arms: Range<usize>) -> Self {
        let of = |all: &Vec<Sums>| all[arms.clone()].to_vec();
        Self {
            days: self.days.clone(),
            sums: self.sums.iter().map(of).collect(),
            epochs: self.epochs.clone(),
            by_epoch: self.by_epoch.iter().map(|day| day.iter().map(of).collect()).collect(),
        }
    }

    /// The visitors of each arm whose first day it is, on every day that has some.
    pub(super) fn new_visitors(&self) -> Vec<DayVisitors> {
        let nobody = vec![Sums::default(); self.last().len()];
        let before = std::iter::once(&nobody).chain(&self.sums);
        let days = self.days.iter().zip(&self.sums).zip(before).map(|((day, sums), before)| {
            let arms = sums.iter().zip(before);
            let new = arms.map(|(sums, before)| sums.visitors.saturating_sub(before.visitors));
            DayVisitors { day: date(*day), visitors: new.collect() }
        });
        days.filter(|day| day.visitors.iter().any(|new| *new > 0)).collect()
    }

    /// Today's visitors of each arm.
    pub(super) fn visitors(&self) -> Vec<u64> {
        self.last().iter().map(|sums| sums.visitors).collect()
    }

    /// Today's.
    pub(super) fn last(&self) -> &[Sums] {
        self.sums.last().map_or(&[], Vec::as_slice)
    }
}

/// The sums of each arm over all epochs.
fn together(epochs: &[Vec<Sums>], arms: usize) -> Result<Vec<Sums>, TooLarge> {
    let of_arm = |arm: usize| {
        let mut sums = epochs.iter().map(|epoch| epoch[arm]);
        sums.try_fold(Sums::default(), Sums::merge)
    };
    (0..arms).map(of_arm).collect()
}

/// A count as statistics take it: more than four thousand million count as so many.
pub(super) fn number(count: u64) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

/// A day of the calendar.
pub(super) fn calendar_day(day: Day) -> Date {
    let since: Span = i64::from(day.0).clamp(-700_000, 2_900_000).days();
    Date::constant(1970, 1, 1).saturating_add(since)
}

/// A day as people write it.
pub(super) fn date(day: Day) -> String {
    calendar_day(day).to_string()
}
