//! Tests of whether two rates are equal.

use crate::moments::number;
use crate::special::{chi_squared, normal};
use crate::{ChiSquaredTest, Conversions, NoFigure, PValue};

/// The z-test with the pooled rate: its z and its p-value for two sides.
///
/// # Errors
/// There is no rate, or none or all converted.
pub fn pooled_z_test(
    control: Conversions,
    variation: Conversions,
) -> Result<(f64, PValue), NoFigure> {
    let difference = variation.rate()? - control.rate()?;
    let pooled = control.merge(variation).rate()?;
    let visitors = 1.0 / number(control.visitors) + 1.0 / number(variation.visitors);
    let variance = pooled * (1.0 - pooled) * visitors;
    if variance <= 0.0 {
        return Err(NoFigure::ZeroVariance);
    }
    let z = difference / variance.sqrt();
    Ok((z, PValue::new(2.0 * normal::survival(z.abs()))))
}

/// Pearson's chi-squared test of the table of converted and other visitors, without a correction.
///
/// # Errors
/// As [`pooled_z_test`].
pub fn table_chi_squared(
    control: Conversions,
    variation: Conversions,
) -> Result<ChiSquaredTest, NoFigure> {
    let (z, _) = pooled_z_test(control, variation)?;
    let statistic = z * z;
    Ok(ChiSquaredTest { statistic, p_value: PValue::new(chi_squared::survival(statistic, 1.0)) })
}
