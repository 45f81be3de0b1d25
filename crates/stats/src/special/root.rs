//! Roots of increasing functions.

/// Halving a bracket this often reaches neighbouring numbers.
const MOST_HALVINGS: u32 = 1100;

/// The root of the increasing `function` between `lower` and `upper`, to the last digit.
pub(crate) fn bisect(lower: f64, upper: f64, function: impl Fn(f64) -> f64) -> f64 {
    let (mut lower, mut upper) = (lower, upper);
    for _ in 0..MOST_HALVINGS {
        let middle = 0.5 * (lower + upper);
        if middle <= lower || middle >= upper {
            break;
        }
        if function(middle) < 0.0 {
            lower = middle;
        } else {
            upper = middle;
        }
    }
    0.5 * (lower + upper)
}
