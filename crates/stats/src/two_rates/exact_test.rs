//! Fisher's exact test of two rates.

use crate::moments::number;
use crate::{Conversions, NoFigure, PValue};

/// Tables whose probabilities differ by less than this share are alike, as in R.
const TIE: f64 = 1e-7;
/// Probabilities below this share of the likeliest table add nothing to the sum.
const NEGLIGIBLE: f64 = 1e-25;

/// The probability of all tables with these margins that are at most as likely as this one, if both
/// rates are equal.
///
/// # Errors
/// There is no rate.
pub fn fisher_exact(control: Conversions, variation: Conversions) -> Result<PValue, NoFigure> {
    control.rate()?;
    variation.rate()?;
    let tables = Tables {
        control: control.visitors,
        variation: variation.visitors,
        converted: control.converted + variation.converted,
    };
    let mode = tables.likeliest();
    let down = tables.weights_below(mode);
    let up = tables.weights_above(mode);
    let observed = match control.converted.checked_sub(mode) {
        Some(distance) => weight_at(&up, distance),
        None => weight_at(&down, mode - control.converted),
    };
    // The likeliest table stands at the head of both lists.
    let all = down.iter().sum::<f64>() + up.iter().skip(1).sum::<f64>();
    let is_unlikely = |weight: &&f64| **weight <= observed * (1.0 + TIE);
    let unlikely = down.iter().filter(is_unlikely).sum::<f64>()
        + up.iter().skip(1).filter(is_unlikely).sum::<f64>();
    Ok(PValue::new(unlikely / all))
}

fn weight_at(weights: &[f64], distance: u64) -> f64 {
    usize::try_from(distance).ok().and_then(|place| weights.get(place)).copied().unwrap_or(0.0)
}

/// All tables with the same margins; a table is named by how many of the control converted.
struct Tables {
    control: u64,
    variation: u64,
    converted: u64,
}

impl Tables {
    fn first(&self) -> u64 {
        self.converted.saturating_sub(self.variation)
    }

    fn last(&self) -> u64 {
        self.converted.min(self.control)
    }

    fn likeliest(&self) -> u64 {
        let product = u128::from(self.control + 1) * u128::from(self.converted + 1);
        let mode = product / u128::from(self.control + self.variation + 2);
        u64::try_from(mode).unwrap_or(u64::MAX).clamp(self.first(), self.last())
    }

    /// By how much more likely the table with one more conversion of the control is.
    fn step(&self, table: u64) -> f64 {
        let gain = number(self.control - table) * number(self.converted - table);
        let others = (self.variation + table + 1) - self.converted;
        gain / (number(table + 1) * number(others))
    }

    fn weights_above(&self, mode: u64) -> Vec<f64> {
        let steps = (mode..self.last()).map(|table| self.step(table));
        weights(steps)
    }

    fn weights_below(&self, mode: u64) -> Vec<f64> {
        let steps = (self.first()..mode).rev().map(|table| self.step(table).recip());
        weights(steps)
    }
}

/// The probabilities relative to the likeliest table, from there outwards.
fn weights(steps: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut weights = vec![1.0];
    let mut weight = 1.0;
    for step in steps {
        weight *= step;
        if weight < NEGLIGIBLE {
            break;
        }
        weights.push(weight);
    }
    weights
}
