//! Where a mismatch of the shares comes from, as far as days, redirects, browsers, devices and pages tell.

use std::ops::RangeInclusive;

use events::{Assignments, Day};

use crate::results::day_sums::{DaySums, date, number};
use crate::results::report::{Suspect, SuspectPage};
use crate::results::suspect_segments::suspect_segments;
use crate::results::variations::ComparedVariations;
use crate::results::visitor_counts::{LEVEL, MissingVisitors, VisitorCounts};
use crate::results::weights::Epochs;

/// Each stretch of so many days is looked at, which is half a million of them.
const DAYS_AT_MOST: usize = 1_000;

/// Who was given what, and where.
pub(super) struct Who<'a> {
    pub(super) variations: &'a ComparedVariations<'a>,
    pub(super) assignments: &'a Assignments,
    /// The pages, by their numbers, of which the first is 1.
    pub(super) pages: &'a [SuspectPage],
}

/// What may take visitors away, once it is known that something does.
pub(super) fn suspects(epochs: &Epochs, sums: &DaySums, who: &Who<'_>) -> Vec<Suspect> {
    let up_to_each_day: Vec<VisitorCounts> =
        (0..sums.days.len()).map(|day| by_the_end_of(day, epochs, sums)).collect();
    let mut suspects = Vec::new();
    if let Some(odd) = odd_days(&up_to_each_day) {
        let [first_day, last_day] = [sums.days[*odd.start()], sums.days[*odd.end()]].map(date);
        suspects.push(Suspect::Days { first_day, last_day });
    }
    if let Some(all) = up_to_each_day.last() {
        suspects.extend(redirects(all, who.variations));
    }
    let last = sums.days.last().copied().unwrap_or(Day(i32::MAX));
    suspects.extend(suspect_segments(epochs, who, last));
    suspects
}

fn by_the_end_of(day: usize, epochs: &Epochs, sums: &DaySums) -> VisitorCounts {
    let mut came = VisitorCounts::zero(sums.last().len());
    for (epoch, of_variations) in sums.epochs.iter().zip(&sums.by_epoch[day]) {
        let visitors: Vec<u64> = of_variations.iter().map(|sums| sums.visitors).collect();
        came.add(epochs, *epoch, &visitors);
    }
    came
}

/// The variations that redirect and have fewer visitors than their weights promised.
fn redirects(all: &VisitorCounts, variations: &ComparedVariations<'_>) -> Vec<Suspect> {
    let redirecting =
        (0..variations.all.len()).filter(|variation| variations.all[*variation].redirects);
    let level = LEVEL / redirecting.clone().map(|_| 1.0).sum::<f64>().max(1.0);
    let losing = redirecting.filter(|variation| all.misses_visitors_of(*variation, level));
    let suspect = |variation: usize| {
        let MissingVisitors { variation, name, visitors, expected_visitors } =
            all.missed_of(variation, variations);
        Suspect::Redirect { variation, name, visitors, expected_visitors }
    };
    losing.map(suspect).collect()
}

/// The days that the mismatch is of, if visitors of all other days came in the shares of the weights.
fn odd_days(up_to_each_day: &[VisitorCounts]) -> Option<RangeInclusive<usize>> {
    let all = up_to_each_day.last()?;
    let count = up_to_each_day.len();
    if count > DAYS_AT_MOST {
        return None;
    }
    let stretch = |first: usize, last: usize| {
        let before = first.checked_sub(1).map(|day| &up_to_each_day[day]);
        before.map_or_else(
            || up_to_each_day[last].clone(),
            |before| up_to_each_day[last].minus(before),
        )
    };
    let stretches = (0..count).flat_map(|first| (first..count).map(move |last| (first, last)));
    let tested = stretches.filter_map(|(first, last)| {
        let test = stretch(first, last).test()?;
        Some((first, last, test))
    });
    let (first, last, test) =
        tested.max_by(|one, other| one.2.statistic.total_cmp(&other.2.statistic))?;
    let looks = number(count as u64);
    let is_clear = test.p_value.get() <= LEVEL / (looks * (looks + 1.0) / 2.0);
    let odd = stretch(first, last);
    (is_clear && all.minus(&odd).clears(&odd, LEVEL)).then_some(first..=last)
}
