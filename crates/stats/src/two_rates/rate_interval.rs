//! The interval of a single rate.

use crate::moments::number;
use crate::special::normal;
use crate::{Alpha, Conversions, Interval, NoFigure};

/// Wilson's score interval (JASA 22, 1927).
///
/// # Errors
/// There is no rate.
pub fn wilson_interval(rate: Conversions, alpha: Alpha) -> Result<Interval, NoFigure> {
    let share = rate.rate()?;
    let visitors = number(rate.visitors);
    let z = normal::upper_quantile(0.5 * alpha.get());
    let shrink = 1.0 + z * z / visitors;
    let center = (share + 0.5 * z * z / visitors) / shrink;
    let scatter = share * (1.0 - share) / visitors + 0.25 * (z / visitors).powi(2);
    Ok(Interval::around(center, z * scatter.sqrt() / shrink))
}
