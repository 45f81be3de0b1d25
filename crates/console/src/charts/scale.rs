//! From values to places: a stretch of values becomes 0 to 1.

/// The values that a chart shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Scale {
    pub(crate) lower: f64,
    pub(crate) upper: f64,
}

/// What is left free at both ends, of the whole.
const MARGIN: f64 = 0.04;

/// The shortest stretch: a tenth of a percent of lift.
const SHORTEST: f64 = 0.001;

/// No axis goes further, in either direction: sums of larger values would not be finite.
const LARGEST: f64 = 1e9;

impl Scale {
    /// Zero and all of these values, with some room around; what is not finite has no place.
    pub(crate) fn covering(values: impl IntoIterator<Item = f64>) -> Self {
        let (mut lower, mut upper) = (0.0_f64, 0.0_f64);
        for value in values.into_iter().filter(|value| value.is_finite()) {
            let value = value.clamp(-LARGEST, LARGEST);
            (lower, upper) = (lower.min(value), upper.max(value));
        }
        let room = ((upper - lower) * MARGIN).max(SHORTEST);
        Self { lower: lower - room, upper: upper + room }
    }

    /// From zero up to the largest of some counts.
    pub(crate) fn of_counts(largest: f64) -> Self {
        Self { lower: 0.0, upper: if largest.is_finite() { largest.max(1.0) } else { 1.0 } }
    }

    /// Where a value is, between zero and one; what lies beyond is at the end.
    pub(crate) fn share(&self, value: f64) -> f64 {
        self.place(value).clamp(0.0, 1.0)
    }

    /// Where a value is, also a little beyond the ends: what draws there is cut off in the right direction.
    pub(crate) fn place(&self, value: f64) -> f64 {
        if value.is_nan() {
            return 0.0;
        }
        ((value - self.lower) / (self.upper - self.lower)).clamp(-1.0, 2.0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Scale;

    proptest! {
        #[test]
        fn every_value_has_its_place(values in prop::collection::vec(any::<f64>(), 0..6), asked in any::<f64>()) {
            let values: Vec<f64> = values.into_iter().map(|value| value % 1e6).collect();
            let scale = Scale::covering(values.iter().copied());

            prop_assert!((0.0..=1.0).contains(&scale.share(asked)));
            for value in values.iter().copied().filter(|value| value.is_finite()).chain([0.0]) {
                prop_assert!((0.0..=1.0).contains(&scale.place(value)), "{value} in {scale:?}");
            }
        }

        #[test]
        fn more_is_never_further_left(one in -10.0..10.0_f64, more in 0.0..10.0_f64) {
            let scale = Scale::covering([-2.0, 3.0]);

            prop_assert!(scale.share(one) <= scale.share(one + more));
        }
    }

    #[test]
    fn nothing_has_a_scale_too() {
        let scale = Scale::covering([f64::INFINITY, f64::NAN]);

        assert!(scale.lower < 0.0 && scale.upper > 0.0, "{scale:?}");
        assert!((Scale::of_counts(0.0).share(0.0)).abs() < 1e-12);
    }
}
