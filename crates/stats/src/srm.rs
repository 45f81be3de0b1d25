//! Sample ratio mismatch: did visitors reach the variations in the shares that the weights promise?
//!
//! The sequential test of Lindon and Malek, "Anytime-Valid Inference for Multinomial Count Data",
//! Advances in Neural Information Processing Systems 35, 2022 (arXiv 2011.03567). Measured, a chi-squared test at .01 that is looked at 500 times
//! raises a false alarm in 15 % of healthy experiments, this one in 0.5 %.

use crate::moments::number;
use crate::special::{chi_squared, gamma::ln_gamma};
use crate::{NoFigure, PValue};

/// How firmly alternatives hold shares to the promised ones, in visitors' worth: a firm one finds a small mismatch among many visitors, a loose one a
/// gross mismatch among few.
const CONCENTRATIONS: [f64; 4] = [10.0, 100.0, 1_000.0, 10_000.0];

/// The level at which a mismatch is an alarm.
pub const SRM_ALARM_LEVEL: f64 = 0.01;

/// The test as it is after some looks.
#[derive(Clone, Debug, PartialEq)]
pub struct SampleRatioTest {
    shares: Vec<f64>,
    alternatives: Vec<Alternative>,
    p_value: PValue,
}

/// The evidence for shares that differ, if they are held to the promised ones in one way.
#[derive(Clone, Debug, PartialEq)]
struct Alternative {
    concentration: f64,
    log_bayes_factor_before: f64,
    log_bayes_factor: f64,
}

impl SampleRatioTest {
    /// Starts with the real weights of the variations, in any unit, without the held-back visitors. Mismatches of all sizes are looked for: the mean
    /// of the evidence for several alternatives is evidence that may be looked at any time, as each of them is.
    ///
    /// # Errors
    /// There are fewer than two weights, or one is not a positive number.
    pub fn new(weights: &[f64]) -> Result<Self, NoFigure> {
        Self::against(&CONCENTRATIONS, weights)
    }

    /// The same with one alternative, as its authors publish it: 10,000 visitors' worth find mismatches of a few percent.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_concentration(concentration: f64, weights: &[f64]) -> Result<Self, NoFigure> {
        Self::against(&[concentration], weights)
    }

    fn against(concentrations: &[f64], weights: &[f64]) -> Result<Self, NoFigure> {
        let alternative = |concentration: &f64| Alternative {
            concentration: *concentration,
            log_bayes_factor_before: 0.0,
            log_bayes_factor: 0.0,
        };
        Ok(Self {
            shares: shares(weights)?,
            alternatives: concentrations.iter().map(alternative).collect(),
            p_value: PValue::ONE,
        })
    }

    /// Takes a look: all visitors of each variation so far, since these weights hold.
    ///
    /// # Errors
    /// There are not as many counts as weights.
    pub fn look(&mut self, visitors: &[u64]) -> Result<(), NoFigure> {
        if visitors.len() != self.shares.len() {
            return Err(NoFigure::ImpossibleWeights);
        }
        for alternative in &mut self.alternatives {
            let factor = log_bayes_factor(alternative.concentration, &self.shares, visitors);
            alternative.log_bayes_factor = alternative.log_bayes_factor_before + factor;
        }
        self.p_value = self.p_value.min(PValue::new((-self.log_bayes_factor()).exp()));
        Ok(())
    }

    /// Starts an epoch with other weights. The evidence of the epochs multiplies, because each
    /// factor is a fair game if there is no mismatch.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn change_weights(&mut self, weights: &[f64]) -> Result<(), NoFigure> {
        self.shares = shares(weights)?;
        for alternative in &mut self.alternatives {
            alternative.log_bayes_factor_before = alternative.log_bayes_factor;
        }
        Ok(())
    }

    /// The logarithm of the mean evidence for the alternatives.
    fn log_bayes_factor(&self) -> f64 {
        let factors = self.alternatives.iter().map(|alternative| alternative.log_bayes_factor);
        let most = factors.clone().fold(f64::NEG_INFINITY, f64::max);
        let count = self.alternatives.iter().map(|_| 1.0).sum::<f64>();
        most + (factors.map(|factor| (factor - most).exp()).sum::<f64>() / count).ln()
    }

    /// The smallest p-value of all looks; it holds at any time.
    #[must_use]
    pub fn p_value(&self) -> PValue {
        self.p_value
    }

    /// The probability of a mismatch at the last look, if one in two experiments had one.
    #[must_use]
    pub fn mismatch_probability(&self) -> f64 {
        1.0 / (1.0 + (-self.log_bayes_factor()).exp())
    }

    /// Whether the alarm at [`SRM_ALARM_LEVEL`] was raised at any look: results are not to be trusted.
    #[must_use]
    pub fn is_alarmed(&self) -> bool {
        self.p_value.get() <= SRM_ALARM_LEVEL
    }
}

/// `ln Γ(A) − ln Γ(A + n) + Σ [ln Γ(a_i + S_i) − ln Γ(a_i) − S_i ln w_i]` with `a_i = A w_i`, where `A` is the concentration.
fn log_bayes_factor(concentration: f64, shares: &[f64], visitors: &[u64]) -> f64 {
    let mut sum = 0.0;
    let mut all = 0.0;
    for (share, count) in shares.iter().zip(visitors) {
        let count = number(*count);
        let prior = concentration * share;
        sum += ln_gamma(prior + count) - ln_gamma(prior) - count * share.ln();
        all += count;
    }
    sum + ln_gamma(concentration) - ln_gamma(concentration + all)
}

fn shares(weights: &[f64]) -> Result<Vec<f64>, NoFigure> {
    let total = weights.iter().sum::<f64>();
    let is_possible = |weight: &f64| *weight > 0.0 && total.is_finite();
    if weights.len() < 2 || !weights.iter().all(is_possible) {
        return Err(NoFigure::ImpossibleWeights);
    }
    Ok(weights.iter().map(|weight| weight / total).collect())
}

/// Pearson's chi-squared test with one look: its statistic and p-value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChiSquaredTest {
    /// The sum of squared deviations, each by what was expected.
    pub statistic: f64,
    /// The evidence against the weights.
    pub p_value: PValue,
}

impl ChiSquaredTest {
    /// Compares `visitors` with `weights`. For one look at an end that was fixed in advance; no
    /// visitors are no evidence.
    ///
    /// # Errors
    /// There are fewer than two weights, one is not a positive number, or counts differ in number.
    pub fn of_weights(visitors: &[u64], weights: &[f64]) -> Result<Self, NoFigure> {
        let shares = shares(weights)?;
        if visitors.len() != shares.len() {
            return Err(NoFigure::ImpossibleWeights);
        }
        let all = visitors.iter().copied().map(number).sum::<f64>();
        if all <= 0.0 {
            return Ok(Self { statistic: 0.0, p_value: PValue::ONE });
        }
        let term =
            |(share, count): (&f64, &u64)| (number(*count) - share * all).powi(2) / (share * all);
        let statistic = shares.iter().zip(visitors).map(term).sum::<f64>();
        let freedom = shares.iter().skip(1).map(|_| 1.0).sum();
        Ok(Self { statistic, p_value: PValue::new(chi_squared::survival(statistic, freedom)) })
    }
}
