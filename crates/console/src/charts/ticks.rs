//! Round numbers on an axis: steps of 1, 2 or 5 times a power of ten.

use super::Scale;

/// Round values of an axis with the step between them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ticks {
    pub(super) values: Vec<f64>,
    step: f64,
}

impl Ticks {
    /// About `wanted` values on a scale.
    pub(super) fn on(scale: Scale, wanted: u8) -> Self {
        Self::with_step(scale, step((scale.upper - scale.lower) / f64::from(wanted.max(1))))
    }

    /// The same with whole numbers alone, for counts.
    pub(super) fn whole_on(scale: Scale, wanted: u8) -> Self {
        let step = step((scale.upper - scale.lower) / f64::from(wanted.max(1)));
        Self::with_step(scale, step.max(1.0))
    }

    fn with_step(scale: Scale, step: f64) -> Self {
        let last = (scale.upper / step).floor();
        let mut values = Vec::new();
        let mut place = (scale.lower / step).ceil();
        while place <= last {
            values.push(place * step + 0.0);
            place += 1.0;
        }
        Self { values, step }
    }

    /// A value in percent, with as many digits as tell it from its neighbours.
    pub(super) fn percent(&self, value: f64) -> String {
        if value == 0.0 {
            return signed_percent(0.0, 0);
        }
        let (mut digits, mut step) = (0, self.step * 100.0);
        while step < 0.999 && digits < 6 {
            (digits, step) = (digits + 1, step * 10.0);
        }
        signed_percent(value, digits)
    }
}

/// The round step that is nearest to this one, by their quotient.
fn step(wanted: f64) -> f64 {
    let magnitude = 10.0_f64.powf(wanted.log10().floor());
    let between = [(2.0, 1.0), (10.0, 2.0), (50.0, 5.0)];
    let found = between.into_iter().find(|(square, _)| wanted / magnitude < f64::sqrt(*square));
    found.map_or(10.0, |(_, factor)| factor) * magnitude
}

/// A relative difference as people write it: `+12.3 %`, `−4.0 %`, `0 %`.
pub(crate) fn signed_percent(lift: f64, digits: usize) -> String {
    let size = format!("{:.digits$}", (lift * 100.0).abs());
    let is_zero = size.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    let sign = match (is_zero, lift > 0.0) {
        (true, _) => "",
        (false, true) => "+",
        (false, false) => "−",
    };
    format!("{sign}{size}\u{202f}%")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Scale;
    use super::{Ticks, signed_percent};

    fn labels(lower: f64, upper: f64) -> String {
        let ticks = Ticks::on(Scale { lower, upper }, 5);
        let labels: Vec<_> = ticks.values.iter().map(|value| ticks.percent(*value)).collect();
        labels.join(" ").replace('\u{202f}', "")
    }

    #[test]
    fn axes_have_round_numbers() {
        let told = [(-0.012, 0.093), (-0.5, 1.7), (-0.0004, 0.0021), (-0.99, 12.0), (0.0, 0.001)];

        let told: Vec<_> = told.map(|(lower, upper)| labels(lower, upper)).to_vec();
        insta::assert_snapshot!(told.join("\n"), @"
        0% +2% +4% +6% +8%
        −50% 0% +50% +100% +150%
        0% +0.05% +0.10% +0.15% +0.20%
        0% +200% +400% +600% +800% +1000% +1200%
        0% +0.02% +0.04% +0.06% +0.08% +0.10%
        ");
    }

    proptest! {
        #[test]
        fn ticks_lie_on_the_scale_in_order(lower in -1e4..1e4_f64, width in 1e-4..1e6_f64) {
            let scale = Scale { lower, upper: lower + width };

            let values = Ticks::on(scale, 5).values;

            prop_assert!((1..=8).contains(&values.len()), "{values:?}");
            prop_assert!(values.windows(2).all(|pair| pair[0] < pair[1]));
            let inside = |value: &f64| (lower - 1e-9 * width..=lower + width * (1.0 + 1e-9)).contains(value);
            prop_assert!(values.iter().all(inside), "{values:?} on {scale:?}");
        }

        #[test]
        fn counts_have_whole_ticks(largest in 0.0..1e9_f64) {
            let ticks = Ticks::whole_on(Scale::of_counts(largest), 4);

            prop_assert!(ticks.values.iter().all(|value| (value - value.round()).abs() < 1e-6));
        }
    }

    #[test]
    fn a_lift_has_its_sign() {
        let told = [0.123_4, -0.05, 0.0, -0.000_1].map(|lift| signed_percent(lift, 1));

        assert_eq!(
            told.map(|one| one.replace('\u{202f}', " ")),
            ["+12.3 %", "−5.0 %", "0.0 %", "0.0 %"]
        );
    }
}
