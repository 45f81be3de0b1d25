//! How far values are from their mean, from exact sums: to the last digits, however large the mean is.

/// The sum over visitors of the products of two values' distances from their means, from the sums of the values and of their products; of one value
/// given twice, the sum of the squares of its distances. Zero without visitors.
///
/// Values are first moved by the whole numbers next to their means, which is exact. The rest of the means is at most a half, so that what is subtracted in the end is at most
/// half of the sum of squares, and takes no digits away.
pub(crate) fn scatter(visitors: u64, [first, second]: [i128; 2], products: i128) -> f64 {
    let count = i128::from(visitors);
    if count == 0 {
        return 0.0;
    }
    let ((near_first, rest), (near_second, other)) = (near(first, count), near(second, count));
    // Steps between may leave the range and come back: the sum of the moved values' products is in it, as that of the products is.
    let moved = products
        .wrapping_sub(near_first.wrapping_mul(second))
        .wrapping_sub(near_second.wrapping_mul(rest));
    let [rest, other, count] = [rest, other, count].map(number_of_whole);
    number_of_whole(moved) - rest * (other / count)
}

/// The whole number next to a mean, and the sum of what all values are above it.
fn near(sum: i128, count: i128) -> (i128, i128) {
    let (below, above) = (sum.div_euclid(count), sum.rem_euclid(count));
    if above > count / 2 { (below + 1, above - count) } else { (below, above) }
}

/// The nearest number: figures are estimates, only sums are exact.
#[expect(clippy::cast_precision_loss, reason = "the nearest number is meant")]
pub(crate) fn number_of_whole(sum: i128) -> f64 {
    sum as f64
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{number_of_whole, scatter};

    /// Values of visitors: some are as large as they may be, and differ by little.
    fn values() -> impl Strategy<Value = Vec<(i128, i128)>> {
        let base = || prop::sample::select(&[0_i128, 7, -1_000_000, 100_000_000_000_000][..]);
        let spread = prop::sample::select(&[1_i128, 1_000, 1_000_000, 10_000_000_000_000][..]);
        (base(), base(), spread).prop_flat_map(|(first, second, spread)| {
            let value = move |base| (-spread..=spread).prop_map(move |one| base + one);
            prop::collection::vec((value(first), value(second)), 1..200)
        })
    }

    fn is_near(found: f64, exact: f64, size: f64) -> bool {
        (found - exact).abs() <= 4.0 * f64::EPSILON * size
    }

    proptest! {
        #[test]
        fn it_is_that_of_whole_numbers_to_the_last_digits(values in values()) {
            let visitors = values.len() as u64;
            let count = i128::from(visitors);
            let sums = values.iter().fold((0, 0), |sums, one| (sums.0 + one.0, sums.1 + one.1));
            let sum = |of: fn(&(i128, i128)) -> i128| values.iter().map(of).sum::<i128>();
            // Times the square of their number, all distances are whole.
            let exact = |of: &dyn Fn((i128, i128)) -> i128| {
                let each = values.iter().map(|one| of((count * one.0 - sums.0, count * one.1 - sums.1)));
                number_of_whole(each.sum()) / number_of_whole(count * count)
            };

            let of_first = scatter(visitors, [sums.0, sums.0], sum(|one| one.0 * one.0));
            let of_both = scatter(visitors, [sums.0, sums.1], sum(|one| one.0 * one.1));

            let [first, second] = [exact(&|one| one.0 * one.0), exact(&|one| one.1 * one.1)];
            prop_assert!(is_near(of_first, first, 64.0 * first), "{} {}", of_first, first);
            let both = exact(&|one| one.0 * one.1);
            prop_assert!(is_near(of_both, both, 64.0 * (first * second).sqrt()), "{} {}", of_both, both);
        }

        #[test]
        fn alike_values_have_none(value in -10_000_000_000_000_000_i128..10_000_000_000_000_000, visitors in 1_u64..1_000_000) {
            let count = i128::from(visitors);

            let none = scatter(visitors, [value * count, value * count], value * value * count);

            prop_assert!(none.abs() <= 0.0, "{}", none);
        }
    }
}
