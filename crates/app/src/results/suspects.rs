//! Where a mismatch of the shares comes from, as far as days and redirects tell.

use stats::ChiSquaredTest;

use crate::results::day_sums::{DaySums, date};
use crate::results::report::Suspect;
use crate::results::sides::Sides;
use crate::results::weights::Epochs;

/// The level of the tests of a suspicion: that of the alarm.
const LEVEL: f64 = stats::SRM_ALARM_LEVEL;
/// Each stretch of so many days is looked at, which is half a million of them.
const DAYS_AT_MOST: usize = 1_000;

/// What may take visitors away, once it is known that something does.
pub(super) fn suspects(epochs: &Epochs, sums: &DaySums, sides: &Sides<'_>) -> Vec<Suspect> {
    let up_to_each_day: Vec<Came> =
        (0..sums.days.len()).map(|day| Came::by_the_end_of(day, epochs, sums)).collect();
    let mut suspects = Vec::new();
    if let Some((first, last)) = days(&up_to_each_day) {
        let [first_day, last_day] = [sums.days[first], sums.days[last]].map(date);
        suspects.push(Suspect::Days { first_day, last_day });
    }
    if let Some(all) = up_to_each_day.last() {
        suspects.extend(redirects(all, sides));
    }
    suspects
}

/// The variations that redirect and have fewer visitors than their weights promised.
fn redirects(all: &Came, sides: &Sides<'_>) -> Vec<Suspect> {
    let redirecting = (0..sides.all.len()).filter(|arm| sides.all[*arm].redirects);
    let level = LEVEL / redirecting.clone().map(|_| 1.0).sum::<f64>().max(1.0);
    let losing = redirecting.filter(|arm| all.misses_visitors_of(*arm, level));
    let suspect = |arm: usize| Suspect::Redirect {
        variation: sides.all[arm].id.clone(),
        name: sides.all[arm].name.clone(),
        visitors: all.seen[arm],
        expected_visitors: all.promised[arm],
    };
    losing.map(suspect).collect()
}

/// The first and the last of the days that the mismatch is of, if visitors of all other days came in the shares of the weights.
fn days(up_to_each_day: &[Came]) -> Option<(usize, usize)> {
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
    let looks: f64 = (1..=count).map(|_| 1.0).sum();
    let is_clear = test.p_value.get() <= LEVEL / (looks * (looks + 1.0) / 2.0);
    let (odd, rest) = (stretch(first, last), all.minus(&stretch(first, last)));
    let is_of_these_days = rest.test()?.p_value.get() > LEVEL && rest.differs_from(&odd);
    (is_clear && is_of_these_days).then_some((first, last))
}

/// The visitors of some days, by arm.
#[derive(Clone)]
struct Came {
    seen: Vec<u64>,
    /// How many of them all the weights of their time promised.
    promised: Vec<f64>,
}

impl Came {
    fn by_the_end_of(day: usize, epochs: &Epochs, sums: &DaySums) -> Self {
        let arms = sums.last().len();
        let mut came = Self { seen: vec![0; arms], promised: vec![0.0; arms] };
        for (epoch, of_arms) in sums.epochs.iter().zip(&sums.by_epoch[day]) {
            let Some(epoch) = epochs.get(*epoch) else { continue };
            let all = number(of_arms.iter().map(|sums| sums.visitors).sum());
            for (arm, sums) in of_arms.iter().enumerate() {
                came.seen[arm] += sums.visitors;
                came.promised[arm] += all * epoch.share(arm);
            }
        }
        came
    }

    fn minus(&self, before: &Self) -> Self {
        let seen = self.seen.iter().zip(&before.seen);
        let promised = self.promised.iter().zip(&before.promised);
        Self {
            seen: seen.map(|(all, before)| all.saturating_sub(*before)).collect(),
            promised: promised.map(|(all, before)| all - before).collect(),
        }
    }

    /// Whether they came in the shares of the weights; nothing can be said of arms without a weight.
    fn test(&self) -> Option<ChiSquaredTest> {
        let arms = (0..self.seen.len()).filter(|arm| self.promised[*arm] > 0.5);
        let (seen, promised): (Vec<u64>, Vec<f64>) =
            arms.map(|arm| (self.seen[arm], self.promised[arm])).unzip();
        ChiSquaredTest::of_weights(&seen, &promised).ok()
    }

    /// Whether these did not come in the shares of those.
    fn differs_from(&self, those: &Self) -> bool {
        let arms = self.promised.iter().zip(those.seen.iter().zip(&those.promised));
        let as_those = arms.map(|(promised, (seen, of_those))| {
            // Half a visitor more, so that an arm that nobody reached on those days is possible.
            promised * (number(*seen) + 0.5) / (of_those + 0.5)
        });
        let like_those = Self { seen: self.seen.clone(), promised: as_those.collect() };
        like_those.test().is_some_and(|test| test.p_value.get() <= LEVEL)
    }

    fn misses_visitors_of(&self, arm: usize, level: f64) -> bool {
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
}

/// More than four thousand million visitors count as so many.
fn number(count: u64) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}
