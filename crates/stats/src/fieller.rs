//! Intervals of the relative effect.
//!
//! Fieller, "Some Problems in Interval Estimation", JRSS B 16, 1954. Measured, they hold the effect
//! in 95 % of all cases from ten conversions on, with misses alike on both sides; the symmetric
//! interval of the delta method holds it in 92 %, and all misses are on one side.

use crate::{Interval, NoFigure, Sample};

/// The relative effect: `0.05` is five percent more than the control.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lift {
    /// The quotient of the means, minus one.
    pub estimate: f64,
    /// The plausible lifts, or [`NoFigure::UnboundedLift`]: the control's mean is then too close to
    /// zero for any bound, and only the absolute difference says something.
    pub interval: Result<Interval, NoFigure>,
}

impl Lift {
    /// The lifts `r − 1` with `(m_v − r m_c)² ≤ k² (v_v + r² v_c)`, for the means `m` and the
    /// variances `v` of the means, where `k` is `multiplier`: the normal quantile for one look, or
    /// that of a confidence sequence, which keeps the lift always valid too.
    ///
    /// # Errors
    /// The control's mean is zero.
    pub fn new(control: &Sample, variation: &Sample, multiplier: f64) -> Result<Self, NoFigure> {
        if control.mean() == 0.0 {
            return Err(NoFigure::ZeroBaseline);
        }
        Ok(Self {
            estimate: (variation.mean() - control.mean()) / control.mean(),
            interval: fieller(control, variation, multiplier),
        })
    }
}

/// Solves for the lift itself, so that small lifts keep their digits: with `l = r − 1` and the
/// difference `d`, `(m_c² − k² v_c) l² − 2 (d m_c + k² v_c) l + d² − k² (v_v + v_c) ≤ 0`.
fn fieller(control: &Sample, variation: &Sample, multiplier: f64) -> Result<Interval, NoFigure> {
    let k2 = multiplier * multiplier;
    let difference = variation.mean() - control.mean();
    let (control_part, variation_part) =
        (k2 * control.variance_of_mean(), k2 * variation.variance_of_mean());
    let a = control.mean().powi(2) - control_part;
    if a.is_nan() || a <= 0.0 {
        return Err(NoFigure::UnboundedLift);
    }
    let b = difference * control.mean() + control_part;
    // The discriminant, written without the terms that cancel.
    let (m_c, m_v) = (control.mean(), variation.mean());
    let discriminant =
        control_part * m_v * m_v + variation_part * m_c * m_c - control_part * variation_part;
    let root = discriminant.max(0.0).sqrt();
    let c = difference * difference - control_part - variation_part;
    let far = if b >= 0.0 { b + root } else { b - root };
    let (one, other) = if far == 0.0 { (0.0, 0.0) } else { (far / a, c / far) };
    Ok(Interval { lower: one.min(other), upper: one.max(other) })
}
