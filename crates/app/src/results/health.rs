//! Whether figures can be trusted.

use events::Sums;
use stats::{NoFigure, SampleRatioTest};

use crate::results::day_sums::DaySums;
use crate::results::report::SampleRatio;
use crate::results::weights::Epochs;

/// Whether visitors came in the shares of the weights, by all days so far. Variations without a weight have no share.
pub(super) fn sample_ratio(epochs: &Epochs, sums: &DaySums) -> SampleRatio {
    match tested(epochs, sums) {
        Ok(test) => SampleRatio {
            p_value: Some(test.p_value().get()),
            is_alarmed: test.is_alarmed(),
            reason: None,
        },
        Err(reason) => {
            SampleRatio { p_value: None, is_alarmed: false, reason: Some(reason.code()) }
        }
    }
}

/// The evidence of all epochs, each by its own weights. An epoch in which one variation alone had a weight says nothing.
fn tested(epochs: &Epochs, sums: &DaySums) -> Result<SampleRatioTest, NoFigure> {
    let mut test: Option<SampleRatioTest> = None;
    for (place, epoch) in sums.epochs.iter().enumerate() {
        let all = epochs.get(*epoch).map_or(&[][..], |epoch| epoch.weights.as_slice());
        let arms: Vec<usize> = (0..all.len()).filter(|arm| all[*arm] > 0.0).collect();
        if arms.len() < 2 {
            continue;
        }
        let weights: Vec<f64> = arms.iter().map(|arm| all[*arm]).collect();
        match &mut test {
            Some(test) => test.change_weights(&weights)?,
            None => test = Some(SampleRatioTest::new(&weights)?),
        }
        let days = sums.by_epoch.iter().map(|epochs| epochs[place].as_slice());
        for day in days.filter(|day| day.iter().any(|sums| sums.visitors > 0)) {
            let count = |arm: &usize| day.get(*arm).map_or(0, |sums: &Sums| sums.visitors);
            let visitors: Vec<u64> = arms.iter().map(count).collect();
            if let Some(test) = &mut test {
                test.look(&visitors)?;
            }
        }
    }
    test.ok_or(NoFigure::ImpossibleWeights)
}
