//! The score statistic of Miettinen and Nurminen (Statistics in Medicine 4, 1985): how well a
//! difference or a ratio of two rates fits the counts, with the rates that fit them best under it.

use std::f64::consts::PI;

use crate::moments::number;
use crate::{Conversions, NoFigure};

/// Which cubic equation the likeliest rates solve.
#[derive(Clone, Copy)]
pub(super) enum Cubic {
    /// That of the paper: its root maximizes the likelihood.
    Published,
    /// That of statsmodels 0.15, whose linear term has conversions in the place of visitors.
    Statsmodels,
}

/// The counts as numbers.
pub(super) struct Counts {
    pub(super) control_visitors: f64,
    pub(super) control_rate: f64,
    pub(super) control_converted: f64,
    pub(super) variation_visitors: f64,
    pub(super) variation_rate: f64,
    pub(super) variation_converted: f64,
}

impl Counts {
    pub(super) fn new(control: Conversions, variation: Conversions) -> Result<Self, NoFigure> {
        Ok(Self {
            control_visitors: number(control.visitors),
            control_rate: control.rate()?,
            control_converted: number(control.converted),
            variation_visitors: number(variation.visitors),
            variation_rate: variation.rate()?,
            variation_converted: number(variation.converted),
        })
    }

    /// The z of the hypothesis that the rates differ by `difference`.
    pub(super) fn z_of_difference(&self, difference: f64, cubic: Cubic) -> f64 {
        let control = self.control_rate_under_difference(difference, cubic);
        let variation = (control + difference).clamp(0.0, 1.0);
        let variance = self.variance(control, variation, 1.0);
        (self.variation_rate - self.control_rate - difference) / variance.sqrt()
    }

    /// The z of the hypothesis that the variation's rate is `ratio` times the control's.
    pub(super) fn z_of_ratio(&self, ratio: f64) -> f64 {
        let control = self.control_rate_under_ratio(ratio);
        let variance = self.variance(control, (control * ratio).min(1.0), ratio);
        (self.variation_rate - ratio * self.control_rate) / variance.sqrt()
    }

    fn variance(&self, control: f64, variation: f64, ratio: f64) -> f64 {
        let visitors = self.control_visitors + self.variation_visitors;
        let sum = variation * (1.0 - variation) / self.variation_visitors
            + ratio * ratio * control * (1.0 - control) / self.control_visitors;
        sum * visitors / (visitors - 1.0)
    }

    /// The likeliest rate of the control: the middle root of a cubic equation.
    fn control_rate_under_difference(&self, d: f64, cubic: Cubic) -> f64 {
        let visitors = self.control_visitors + self.variation_visitors;
        let converted = self.control_converted + self.variation_converted;
        let square =
            ((self.variation_visitors + 2.0 * self.control_visitors) * d - visitors - converted)
                / (3.0 * visitors);
        let in_linear_term = match cubic {
            Cubic::Published => self.control_visitors,
            Cubic::Statsmodels => self.control_converted,
        };
        let linear = ((in_linear_term * d - visitors - 2.0 * self.control_converted) * d
            + converted)
            / (3.0 * visitors);
        let constant = self.control_converted * d * (1.0 - d) / visitors;
        let turn = square.powi(3) - 1.5 * square * linear + 0.5 * constant;
        let size = (square * square - linear).max(0.0).sqrt().copysign(turn);
        let cosine = if size == 0.0 { 0.0 } else { (turn / size.powi(3)).clamp(-1.0, 1.0) };
        let angle = (PI + cosine.acos()) / 3.0;
        (2.0 * size * angle.cos() - square).clamp((-d).max(0.0), (1.0 - d).min(1.0))
    }

    /// The likeliest rate of the control: the smaller root of a quadratic equation.
    fn control_rate_under_ratio(&self, ratio: f64) -> f64 {
        let a = (self.control_visitors + self.variation_visitors) * ratio;
        let b = self.variation_visitors * ratio
            + self.variation_converted
            + self.control_visitors
            + self.control_converted * ratio;
        let c = self.control_converted + self.variation_converted;
        let root = (b * b - 4.0 * a * c).max(0.0).sqrt();
        (2.0 * c / (b + root)).clamp(0.0, (1.0 / ratio).min(1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::{Counts, Cubic};
    use crate::Conversions;

    #[test]
    fn the_published_cubic_finds_the_likeliest_rates() {
        for (control, variation) in [((37, 3), (41, 9)), ((1000, 100), (1000, 120))] {
            let rate = |(visitors, converted)| Conversions { visitors, converted };
            let counts = Counts::new(rate(control), rate(variation)).unwrap();
            for difference in [-0.05, 0.01, 0.2] {
                let best = counts.control_rate_under_difference(difference, Cubic::Published);

                let here = log_likelihood(&counts, best, difference);
                assert!(here > log_likelihood(&counts, best - 1e-4, difference));
                assert!(here > log_likelihood(&counts, best + 1e-4, difference));
            }
        }
    }

    fn log_likelihood(counts: &Counts, control: f64, difference: f64) -> f64 {
        let part = |rate: f64, converted: f64, visitors: f64| {
            converted * rate.ln() + (visitors - converted) * (1.0 - rate).ln()
        };
        part(control, counts.control_converted, counts.control_visitors)
            + part(control + difference, counts.variation_converted, counts.variation_visitors)
    }
}
