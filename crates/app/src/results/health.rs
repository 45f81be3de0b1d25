//! Whether figures can be trusted.

use events::{Day, Epoch, Sums};
use stats::{NoFigure, SampleRatioTest};

use crate::results::day_sums::{DaySums, date};
use crate::results::report::SampleRatio;
use crate::results::suspects::{Who, suspects};
use crate::results::weights::Epochs;

/// Whether visitors came in the shares of the weights, by all days so far. Variations without a weight have no share.
pub(super) fn sample_ratio(epochs: &Epochs, sums: &DaySums, who: &Who<'_>) -> SampleRatio {
    let without_weight = without_weight(epochs, sums);
    match tested(epochs, sums) {
        Ok((test, alarmed_on)) => SampleRatio {
            p_value: Some(test.p_value().get()),
            is_alarmed: test.is_alarmed(),
            alarmed_on: alarmed_on.map(date),
            suspects: if test.is_alarmed() { suspects(epochs, sums, who) } else { Vec::new() },
            without_weight,
            reason: None,
        },
        Err(reason) => SampleRatio {
            p_value: None,
            is_alarmed: false,
            alarmed_on: None,
            suspects: Vec::new(),
            without_weight,
            reason: Some(reason),
        },
    }
}

/// The evidence of all epochs, each by its own weights, with the day on which it became an alarm. An epoch in which one variation alone had a
/// weight says nothing.
fn tested(epochs: &Epochs, sums: &DaySums) -> Result<(SampleRatioTest, Option<Day>), NoFigure> {
    let mut test: Option<SampleRatioTest> = None;
    let mut alarmed_on = None;
    for (place, epoch) in sums.epochs.iter().enumerate() {
        let all = weights(epochs, *epoch);
        let variations: Vec<usize> =
            (0..all.len()).filter(|variation| all[*variation] > 0.0).collect();
        if variations.len() < 2 {
            continue;
        }
        let weights: Vec<f64> = variations.iter().map(|variation| all[*variation]).collect();
        let mut known = match test.take() {
            Some(mut test) => {
                test.change_weights(&weights)?;
                test
            }
            None => SampleRatioTest::new(&weights)?,
        };
        let days = sums.days.iter().zip(&sums.by_epoch).map(|(day, by)| (day, &by[place]));
        for (day, variations_of_day) in
            days.filter(|(_, variations)| variations.iter().any(|sums| sums.visitors > 0))
        {
            let count = |variation: &usize| {
                variations_of_day.get(*variation).map_or(0, |sums: &Sums| sums.visitors)
            };
            known.look(&variations.iter().map(count).collect::<Vec<u64>>())?;
            if known.is_alarmed() {
                alarmed_on.get_or_insert(*day);
            }
        }
        test = Some(known);
    }
    Ok((test.ok_or(NoFigure::ImpossibleWeights)?, alarmed_on))
}

/// The visitors of variations that no visitor should have been given at the time.
fn without_weight(epochs: &Epochs, sums: &DaySums) -> u64 {
    let Some(last) = sums.by_epoch.last() else { return 0 };
    let each = sums.epochs.iter().zip(last).flat_map(|(epoch, variations)| {
        let without =
            weights(epochs, *epoch).iter().zip(variations).filter(|(weight, _)| **weight <= 0.0);
        without.map(|(_, sums)| sums.visitors)
    });
    each.sum()
}

fn weights(epochs: &Epochs, epoch: Epoch) -> &[f64] {
    epochs.get(epoch).map_or(&[], |epoch| epoch.weights.as_slice())
}
