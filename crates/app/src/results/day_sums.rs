//! The sums of every variation at the end of every day.

use std::collections::BTreeSet;

use events::{Arm, Day, Epoch, Series, Sums, TooLarge};
use jiff::civil::Date;
use jiff::{Span, ToSpan as _};

use crate::results::report::DayVisitors;

/// The sums of every arm, day by day: on a day without anything new, those of the day before.
pub(super) struct DaySums {
    pub(super) days: Vec<Day>,
    /// For each day, the sums of each arm.
    pub(super) sums: Vec<Vec<Sums>>,
}

impl DaySums {
    pub(super) fn of(series: &Series, arms: usize) -> Result<Self, TooLarge> {
        let arms = (0..arms).map(|arm| Arm(u16::try_from(arm).unwrap_or(u16::MAX)));
        let each: Vec<_> =
            arms.map(|arm| series.up_to_each_day(Epoch(0), arm)).collect::<Result<_, _>>()?;
        let days: BTreeSet<Day> = each.iter().flatten().map(|(day, _)| *day).collect();
        let at = |day: &Day| {
            let last = each.iter().map(|arm| arm.iter().rfind(|(known, _)| known <= day));
            last.map(|found| found.map(|(_, sums)| *sums).unwrap_or_default()).collect()
        };
        Ok(Self { sums: days.iter().map(at).collect(), days: days.into_iter().collect() })
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

    /// Today's.
    pub(super) fn last(&self) -> &[Sums] {
        self.sums.last().map_or(&[], Vec::as_slice)
    }
}

/// A day as people write it.
pub(super) fn date(day: Day) -> String {
    let since: Span = i64::from(day.0).clamp(-700_000, 2_900_000).days();
    Date::constant(1970, 1, 1).saturating_add(since).to_string()
}
