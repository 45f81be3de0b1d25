//! Guardrails: metrics that a variation may not make worse by more than a margin.
//!
//! A test of non-inferiority: it is not enough that no harm was found, the interval has to exclude a
//! harm above the margin.

use crate::{Direction, NoFigure, Sample};

/// The tolerated harm as a share of the control's mean: `0.02` is two percent. Above zero.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Margin(f64);

impl Margin {
    /// None unless `share` is a positive number.
    #[must_use]
    pub fn new(share: f64) -> Option<Self> {
        (share > 0.0 && share.is_finite()).then_some(Self(share))
    }
}

/// What is said of a guardrail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GuardrailVerdict {
    /// A harm above the margin is excluded.
    NoWorse,
    /// The variation is worse, and perhaps by more than the margin.
    Worse,
    /// The evidence does not suffice.
    Inconclusive,
}

/// Judges a guardrail at one look. `multiplier` is that of the interval
/// ([`Comparison::multiplier`](crate::Comparison::multiplier)), so that an always-valid method makes
/// an always-valid guardrail. The harm is measured as in Fieller's interval of the lift: with
/// `r = 1 − margin`, by `m_v − r m_c` and its variance `v_v + r² v_c`.
///
/// No harm is a share of a control's mean of zero: then it is only told whether the variation is worse.
///
/// # Errors
/// All visitors of both have the same value.
pub fn judge_guardrail(
    control: &Sample,
    variation: &Sample,
    margin: Margin,
    good: Direction,
    multiplier: f64,
) -> Result<GuardrailVerdict, NoFigure> {
    let baseline = control.mean();
    let tolerated = 1.0 - margin.0 * good.sign() * baseline.signum();
    let improvement_over = |ratio: f64| -> Result<f64, NoFigure> {
        let variance = variation.variance_of_mean() + ratio * ratio * control.variance_of_mean();
        if variance <= 0.0 {
            return Err(NoFigure::ZeroVariance);
        }
        Ok(good.sign() * (variation.mean() - ratio * baseline) / variance.sqrt())
    };
    if baseline != 0.0 && improvement_over(tolerated)? >= multiplier {
        return Ok(GuardrailVerdict::NoWorse);
    }
    let is_worse = improvement_over(1.0)? <= -multiplier;
    Ok(if is_worse { GuardrailVerdict::Worse } else { GuardrailVerdict::Inconclusive })
}
