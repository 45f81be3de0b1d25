//! The fold: what visitors did after their first exposure, added up by variation and day in one pass.

use std::collections::{BTreeMap, HashMap};

use rustc_hash::FxBuildHasher;

use crate::sums::Values;
use crate::{
    Assignment, Assignments, Day, Epoch, Millis, Rule, Series, Sums, TooLarge, VariationIndex,
    Visitor,
};

/// Something that a metric counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Who did it.
    pub visitor: Visitor,
    /// When.
    pub at: Millis,
    /// What it adds to the visitor's value: 1 of what is counted, the amount of what is added up, a ratio's numerator.
    pub first: i64,
    /// What it adds to their second value: a ratio's denominator.
    pub second: i64,
}

/// What visitors did: that of each together, in the order in which it happened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Steps(Vec<Step>);

impl FromIterator<Step> for Steps {
    fn from_iter<I: IntoIterator<Item = Step>>(steps: I) -> Self {
        let mut all: Vec<_> = steps.into_iter().collect();
        // Those of one name are in this order in each file, and only to be merged.
        all.sort_by_key(|step| (step.visitor, step.at));
        Self(all)
    }
}

impl Steps {
    /// What each of the visitors who have an assignment did.
    fn with_assignment(
        &self,
        assignments: &Assignments,
    ) -> impl Iterator<Item = (Visitor, Assignment, &[Step])> {
        let mut search = assignments.search();
        let of_visitors = self.0.chunk_by(|one, next| one.visitor == next.visitor);
        of_visitors.filter_map(move |steps| {
            let visitor = steps.first()?.visitor;
            Some((visitor, search.of_visitor(visitor)?, steps))
        })
    }
}

/// What a visitor did so far.
#[derive(Clone, Copy, Default)]
struct VisitorTotals {
    first: i128,
    second: i128,
    before: i128,
}

/// Adds up the steps. Those of visitors without an assignment, those before it and those after the window are not counted; a day's sums hold what was
/// known at its end.
///
/// # Errors
/// [`TooLarge`]
pub fn fold(assignments: &Assignments, rule: Rule, steps: &Steps) -> Result<Series, TooLarge> {
    let mut added: HashMap<(Epoch, VariationIndex, Day), Sums, FxBuildHasher> = HashMap::default();
    for (_, assignment, steps) in steps.with_assignment(assignments) {
        let mut known = VisitorTotals::default();
        for step in steps {
            let Some(now) = known.with(step, (assignment, rule))? else { continue };
            // What was before the exposure is in the sums since the day of the exposure.
            let day = step.at.max(assignment.at).day();
            let sums = added.entry((assignment.epoch, assignment.variation, day)).or_default();
            sums.change(known.values(rule), now.values(rule))?;
            known = now;
        }
    }
    for (_, assignment) in assignments.iter() {
        let place = (assignment.epoch, assignment.variation, assignment.at.day());
        added.entry(place).or_default().visitors += 1;
    }
    Ok(added.into_iter().collect())
}

/// The values of all visitors of each variation, least first: what quantiles are of. A visitor without a step that counts has none of it: zero.
///
/// # Errors
/// [`TooLarge`]
pub fn values_by_variation(
    assignments: &Assignments,
    rule: Rule,
    steps: &Steps,
) -> Result<BTreeMap<VariationIndex, Vec<i128>>, TooLarge> {
    let mut values: BTreeMap<VariationIndex, Vec<i128>> = BTreeMap::new();
    let mut add = |variation: VariationIndex, totals: VisitorTotals| {
        values.entry(variation).or_default().push(totals.values(rule).first);
    };
    let mut doers = steps.with_assignment(assignments).peekable();
    for (visitor, assignment) in assignments.iter() {
        let mut totals = VisitorTotals::default();
        if let Some((.., steps)) = doers.next_if(|(doer, ..)| *doer == visitor) {
            for step in steps {
                totals = totals.with(step, (assignment, rule))?.unwrap_or(totals);
            }
        }
        add(assignment.variation, totals);
    }
    for values in values.values_mut() {
        values.sort_unstable();
    }
    Ok(values)
}

impl VisitorTotals {
    /// The same with this step; `None` if it does not count.
    fn with(
        self,
        step: &Step,
        (assignment, rule): (Assignment, Rule),
    ) -> Result<Option<Self>, TooLarge> {
        let add = |sum: i128, value: i64| sum.checked_add(i128::from(value)).ok_or(TooLarge);
        if step.at < assignment.at {
            let days =
                rule.covariate_days.filter(|days| step.at >= assignment.at.before_days(*days));
            return match days {
                Some(_) => Ok(Some(Self { before: add(self.before, step.first)?, ..self })),
                None => Ok(None),
            };
        }
        if rule.window_hours.is_some_and(|hours| step.at >= assignment.at.after_hours(hours)) {
            return Ok(None);
        }
        let (first, second) = (add(self.first, step.first)?, add(self.second, step.second)?);
        Ok(Some(Self { first, second, ..self }))
    }

    fn values(self, rule: Rule) -> Values {
        let second = match rule.covariate_days {
            Some(_) => rule.value(self.before),
            None => Rule::second_value(self.second),
        };
        Values { first: rule.value(self.first), second }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::ops::Range;

    use proptest::prelude::*;

    use super::{Step, Steps, fold, values_by_variation};
    use crate::{
        Assignment, Assignments, Browser, Counting, Day, Epoch, Exposure, Millis, Rule, Series,
        Sums, UserAgent, VariationIndex, Visitor,
    };

    const HOUR: i64 = 3_600_000;

    fn exposures() -> impl Strategy<Value = Vec<Exposure>> {
        let browser = prop::option::of(prop::sample::select(&Browser::ALL[..3]));
        let exposure = (0..12_i64, 0..2_u16, 0..2_u16, 0..96_i64, browser).prop_map(
            |(visitor, variation, epoch, hour, browser)| {
                let agent = UserAgent { browser, device: None };
                let (variation, epoch, at) =
                    (VariationIndex(variation), Epoch(epoch), Millis(hour * HOUR));
                let assignment = Assignment { agent, ..Assignment::new(variation, epoch, at) };
                // Most visitors see one variation only, as in life.
                let visitor = visitor * 2 + i64::from(variation.0) * i64::from(visitor > 0);
                Exposure { visitor: Visitor::from_number(visitor), assignment }
            },
        );
        prop::collection::vec(exposure, 0..30)
    }

    fn steps() -> impl Strategy<Value = Vec<Step>> {
        let step = (0..26_i64, 0..144_i64, -3..5_i64, 0..3_i64).prop_map(
            |(visitor, hour, first, second)| {
                let (visitor, at) = (Visitor::from_number(visitor), Millis((hour - 24) * HOUR));
                Step { visitor, at, first, second }
            },
        );
        prop::collection::vec(step, 0..60)
    }

    fn rules() -> impl Strategy<Value = Rule> {
        let counting = prop::sample::select(&[Counting::Once, Counting::All][..]);
        let days = || prop::option::of(0..4_u32);
        (counting, prop::option::of(0..90_u32), prop::option::of(0..6_u64), days()).prop_map(
            |(counting, window_hours, cap, covariate_days)| Rule {
                counting,
                window_hours,
                cap,
                covariate_days,
            },
        )
    }

    fn of(steps: &[Step]) -> Steps {
        steps.iter().copied().collect()
    }

    /// When steps count for the value, and when for what was before.
    fn windows(first: Millis, rule: Rule) -> [Range<Millis>; 2] {
        let end = rule.window_hours.map_or(Millis(i64::MAX), |hours| first.after_hours(hours));
        let start = rule.covariate_days.map_or(first, |days| first.before_days(days));
        [first..end, start..first]
    }

    /// The sums up to the end of a day, visitor by visitor.
    fn plainly(
        assignments: &Assignments,
        rule: Rule,
        steps: &[Step],
        (epoch, variation, day): (Epoch, VariationIndex, Day),
    ) -> Sums {
        let here = assignments.iter().filter(|(_, one)| {
            (one.epoch, one.variation) == (epoch, variation) && one.at.day() <= day
        });
        let each = here.map(|(visitor, assignment)| {
            let [after, before] = windows(assignment.at, rule);
            let total = |window: Range<Millis>, value: fn(&Step) -> i64| -> i128 {
                let own = steps.iter().filter(|step| step.visitor == visitor);
                let counted = own.filter(|step| step.at.day() <= day && window.contains(&step.at));
                counted.map(|step| i128::from(value(step))).sum()
            };
            let first = rule.value(total(after.clone(), |step| step.first));
            let second = match rule.covariate_days {
                Some(_) => rule.value(total(before, |step| step.first)),
                None => total(after, |step| step.second),
            };
            let (first_squares, second_squares) = (first * first, second * second);
            Sums {
                visitors: 1,
                first,
                first_squares,
                second,
                second_squares,
                products: first * second,
            }
        });
        each.fold(Sums::default(), |sums, one| sums.merge(one).unwrap())
    }

    fn variations() -> impl Iterator<Item = (Epoch, VariationIndex)> {
        (0..2).flat_map(|epoch| {
            (0..2).map(move |variation| (Epoch(epoch), VariationIndex(variation)))
        })
    }

    #[test]
    fn a_strangers_absurd_values_do_not_take_the_sums_away() {
        let of = |visitor| Exposure {
            visitor: Visitor::from_number(visitor),
            assignment: Assignment::new(VariationIndex(0), Epoch(0), Millis(0)),
        };
        let assignments = Assignments::of((0..1_000).map(of));
        let step = |number: i64, first| {
            let visitor = Visitor::from_number(number % 1_000);
            Step { visitor, at: Millis(1), first, second: first }
        };
        let absurd = (0..2_000).map(|number| step(number, i64::MAX));

        let series = fold(&assignments, Rule::SUM, &absurd.collect()).unwrap();

        let sums = series.total(Epoch(0), VariationIndex(0)).unwrap();
        assert_eq!(sums.first, 1_000 * 10_000_000_000_000_000);
        let least = (0..2_000).map(|number| step(number, i64::MIN)).collect();
        let values = values_by_variation(&assignments, Rule::SUM, &least).unwrap();
        assert_eq!(values[&VariationIndex(0)][0], -10_000_000_000_000_000);
    }

    proptest! {
        #[test]
        fn every_day_has_the_sums_that_were_known_at_its_end(
            exposures in exposures(), rule in rules(), (steps, shuffled) in steps().prop_flat_map(|steps| (Just(steps.clone()), Just(steps).prop_shuffle())),
        ) {
            let assignments = Assignments::of(exposures);

            let series = fold(&assignments, rule, &of(&steps)).unwrap();

            prop_assert_eq!(&series, &fold(&assignments, rule, &of(&shuffled)).unwrap());
            for (epoch, variation) in variations() {
                for (day, sums) in series.up_to_each_day(epoch, variation).unwrap() {
                    prop_assert_eq!(sums, plainly(&assignments, rule, &steps, (epoch, variation, day)));
                }
                let total = series.total(epoch, variation).unwrap();
                prop_assert_eq!(total, plainly(&assignments, rule, &steps, (epoch, variation, Day(i32::MAX))));
            }
        }

        #[test]
        fn parts_of_the_visitors_add_up_to_all(exposures in exposures(), rule in rules(), steps in steps(), border in 0..26_i64) {
            let is_low = |visitor: Visitor| visitor.number() < border;
            let part = |is_wanted: &dyn Fn(Visitor) -> bool| -> Series {
                let exposures = exposures.iter().copied().filter(|one| is_wanted(one.visitor));
                let steps = steps.iter().copied().filter(|one| is_wanted(one.visitor));
                fold(&Assignments::of(exposures), rule, &steps.collect()).unwrap()
            };

            let parts = part(&is_low).merge(part(&|visitor| !is_low(visitor))).unwrap();

            let all: BTreeSet<_> = parts.epochs().collect();
            let whole = part(&|_| true);
            prop_assert_eq!(&all, &whole.epochs().collect());
            prop_assert_eq!(parts, whole);
        }
    }

    /// The index of a browser's visitors to one of two variations.
    fn of_browser(variation: VariationIndex, browser: Option<Browser>) -> VariationIndex {
        let place = browser.map_or(0, |browser| 1 + browser as u16);
        VariationIndex(place * 2 + variation.0)
    }

    proptest! {
        #[test]
        fn the_sums_of_all_browsers_add_up_to_the_total(exposures in exposures(), rule in rules(), steps in steps()) {
            let assignments = Assignments::of(exposures);
            let steps = of(&steps);
            let total = fold(&assignments, rule, &steps).unwrap();
            let values = values_by_variation(&assignments, rule, &steps).unwrap();

            let split = assignments.regrouped(|one| of_browser(one.variation, one.agent.browser));
            let by_browser = fold(&split, rule, &steps).unwrap();
            let values_by_browser = values_by_variation(&split, rule, &steps).unwrap();

            let browsers: Vec<_> = std::iter::once(None).chain(Browser::ALL.map(Some)).collect();
            for (epoch, variation) in variations() {
                let parts = browsers.iter().map(|browser| by_browser.total(epoch, of_browser(variation, *browser)).unwrap());
                let sum = parts.fold(Sums::default(), |sums, one| sums.merge(one).unwrap());
                prop_assert_eq!(sum, total.total(epoch, variation).unwrap());
                let parts = browsers.iter().filter_map(|browser| values_by_browser.get(&of_browser(variation, *browser)));
                let mut all: Vec<_> = parts.flatten().copied().collect();
                all.sort_unstable();
                prop_assert_eq!(all, values.get(&variation).cloned().unwrap_or_default());
            }
        }
    }

    #[test]
    fn what_was_done_before_the_exposure_and_after_the_window_does_not_count() {
        let visitor = Visitor::from_number(7);
        let at = |hour: i64| Millis(hour * HOUR);
        let assignment = Assignment::new(VariationIndex(1), Epoch(0), at(30));
        let assignments = Assignments::of([Exposure { visitor, assignment }]);
        let step = |hour, first| Step { visitor, at: at(hour), first, second: 0 };
        let rule = Rule { window_hours: Some(24), ..Rule::SUM };

        let bought = [step(29, 1), step(30, 10), step(53, 100), step(54, 1_000)];
        let series = fold(&assignments, rule, &of(&bought)).unwrap();

        let sums = |first: i128| Sums {
            visitors: 1,
            first,
            first_squares: first * first,
            ..Sums::default()
        };
        assert_eq!(
            series.up_to_each_day(Epoch(0), VariationIndex(1)),
            Ok(vec![(Day(1), sums(10)), (Day(2), sums(110))])
        );
    }

    #[test]
    fn every_visitor_of_an_arm_has_a_value() {
        let visitor = Visitor::from_number;
        let shown = |number: i64, variation| Exposure {
            visitor: visitor(number),
            assignment: Assignment::new(VariationIndex(variation), Epoch(0), Millis(10 * HOUR)),
        };
        let assignments = Assignments::of([shown(1, 0), shown(2, 1), shown(3, 1)]);
        let step = |number, hour, first| Step {
            visitor: visitor(number),
            at: Millis(hour * HOUR),
            first,
            second: 0,
        };

        let steps = [step(2, 12, 7), step(2, 11, -2), step(1, 9, 4), step(3, 34, 1)];
        let rule = Rule { window_hours: Some(24), ..Rule::SUM };
        let values = values_by_variation(&assignments, rule, &of(&steps)).unwrap();

        assert_eq!(values, [(VariationIndex(0), vec![0]), (VariationIndex(1), vec![0, 5])].into());
    }

    #[test]
    fn sums_that_cannot_be_exact_are_refused() {
        let largest = Sums { first_squares: i128::MAX, ..Sums::default() };
        let one = Sums { first_squares: 1, ..Sums::default() };

        assert!(largest.merge(Sums::default()).is_ok());
        assert!(largest.merge(one).is_err(), "it is 2^127");
    }
}
