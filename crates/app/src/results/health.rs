//! Whether figures can be trusted.

use domain::Experiment;
use stats::{NoFigure, SampleRatioTest};

use crate::results::day_sums::DaySums;
use crate::results::report::SampleRatio;

/// Whether visitors came in the shares of the weights, by all days so far. Variations without a weight have no share.
pub(super) fn sample_ratio(experiment: &Experiment, sums: &DaySums) -> SampleRatio {
    match tested(experiment, sums) {
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

fn tested(experiment: &Experiment, sums: &DaySums) -> Result<SampleRatioTest, NoFigure> {
    let weights = experiment.variations.iter().map(|variation| variation.weight.get());
    let arms: Vec<usize> =
        weights.clone().enumerate().filter(|(_, weight)| *weight > 0).map(|(arm, _)| arm).collect();
    let weights: Vec<f64> = weights.filter(|weight| *weight > 0).map(f64::from).collect();
    let mut test = SampleRatioTest::new(&weights)?;
    for day in &sums.sums {
        let visitors: Vec<u64> = arms.iter().map(|arm| day[*arm].visitors).collect();
        test.look(&visitors)?;
    }
    Ok(test)
}
