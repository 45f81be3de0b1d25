//! What holds for all inputs.

use proptest::prelude::*;
use stats::special::normal;
use stats::{
    Alpha, ChiSquaredTest, Comparison, ConfidenceSequence, Conversions, Correction, Difference,
    Epoch, Lift, Look, Method, Moments, PValue, PairMoments, PlannedVisitors, PooledSamples,
    Sample, SampleRatioTest, Test, TunedFor, WholeSums, discovery_share, pool_epochs, ratio_sample,
};

fn rates() -> impl Strategy<Value = Conversions> {
    (2_u64..100_000).prop_flat_map(|visitors| {
        (1..visitors).prop_map(move |converted| Conversions { visitors, converted })
    })
}

fn samples() -> impl Strategy<Value = Sample> {
    (2_u64..1_000_000, -100.0..100.0, 0.01..100.0)
        .prop_map(|(visitors, mean, variance)| Sample::new(visitors, mean, variance).unwrap())
}

fn values() -> impl Strategy<Value = Vec<(f64, f64)>> {
    prop::collection::vec((-50_i32..50, -50_i32..50), 2..40)
        .prop_map(|pairs| pairs.iter().map(|pair| (f64::from(pair.0), f64::from(pair.1))).collect())
}

fn alphas() -> impl Strategy<Value = Alpha> {
    (0.001..0.3).prop_map(|alpha| Alpha::new(alpha).unwrap())
}

fn methods() -> impl Strategy<Value = Method> {
    let planned = 10_u64..200_000;
    prop_oneof![
        planned.clone().prop_map(|planned| Method::AlwaysValid(TunedFor::visitors(planned))),
        planned.clone().prop_map(|planned| Method::Hybrid(PlannedVisitors(planned))),
        planned.prop_map(|planned| Method::FixedHorizon(PlannedVisitors(planned))),
    ]
}

proptest! {
    #[test]
    fn orders_of_one_price_have_no_spread_whatever_rounding_leaves(
        orders in prop::collection::vec(1_u32..9, 1..30), visitors in 30_u32..1_000_000, price in 1_u32..10_000_000,
    ) {
        let (orders, visitors) = (orders.into_iter().map(i128::from), u64::from(visitors));
        let (each, price) = (f64::from(price), i128::from(price));
        let (sum, sum_squares) = orders.fold((0, 0), |(sum, squares), one| (sum + one, squares + one * one));
        let paid = WholeSums { sum: sum * price, sum_squares: sum_squares * price * price };
        let whole = PairMoments::of_whole(visitors, [paid, WholeSums { sum, sum_squares }], sum_squares * price);
        for per_unit in [1.0, 1e6] {
            let paid = each / per_unit;
            let moments = whole.in_units((per_unit, 1.0));

            let of_orders = ratio_sample(&moments).unwrap();
            prop_assert!(of_orders.variance() <= 0.0, "{} at {}: {:?}", sum, paid, of_orders);
            prop_assert!(close(of_orders.mean(), paid));
        }
    }

    #[test]
    fn a_large_mean_takes_no_digits_of_the_spread(
        values in prop::collection::vec((-1_000_000_i128..1_000_000, -1_000_000_i128..1_000_000), 2..100), base in 0_i128..1_000_000_000_000_000,
    ) {
        let sums = |base: i128| -> PairMoments {
            let sum = |of: &dyn Fn(i128, i128) -> i128| values.iter().map(|one| of(one.0 + base, one.1 + base)).sum::<i128>();
            let first = WholeSums { sum: sum(&|one, _| one), sum_squares: sum(&|one, _| one * one) };
            let second = WholeSums { sum: sum(&|_, other| other), sum_squares: sum(&|_, other| other * other) };
            PairMoments::of_whole(values.len() as u64, [first, second], sum(&|one, other| one * other)).in_units((1e6, 1e6))
        };
        let (small, large) = (sums(0), sums(base));

        let variances = [small, large].map(|sums| sums.first.variance().unwrap());
        prop_assert!(close(variances[0], variances[1]), "{:?}", variances);
        let common = [small, large].map(|sums| sums.covariance().unwrap());
        let size = small.second.variance().unwrap().max(variances[0]);
        prop_assert!((common[0] - common[1]).abs() <= 1e-12 * size, "{:?}", common);
        let merged = large.merge(sums(base)).first.variance().unwrap();
        let visitors = f64::from(u32::try_from(values.len()).unwrap());
        prop_assert!(close(merged, variances[0] * (visitors - 1.0) * 2.0 / (2.0 * visitors - 1.0)));
    }

    #[test]
    fn swapped_variations_swap_the_sign(control in samples(), variation in samples(), alpha in alphas()) {
        let there = Difference::absolute(&control, &variation).unwrap();
        let back = Difference::absolute(&variation, &control).unwrap();
        let sequence = ConfidenceSequence::new(alpha, TunedFor::WITHOUT_PLAN);

        prop_assert!(close(there.estimate, -back.estimate));
        prop_assert_eq!(sequence.p_value(&there), sequence.p_value(&back));
        prop_assert!(close(sequence.interval(&there).lower, -sequence.interval(&back).upper));
        prop_assert_eq!(Test::normal(&there, alpha).p_value, Test::normal(&back, alpha).p_value);
    }

    #[test]
    fn a_constant_moves_no_difference(control in samples(), variation in samples(), constant in -100.0..100.0) {
        let moved = |sample: &Sample| {
            Sample::new(sample.visitors(), sample.mean() + constant, sample.variance()).unwrap()
        };

        let before = Difference::absolute(&control, &variation).unwrap();
        let after = Difference::absolute(&moved(&control), &moved(&variation)).unwrap();

        prop_assert!((before.estimate - after.estimate).abs() < 1e-10);
        prop_assert!(close(before.standard_error, after.standard_error));
    }

    #[test]
    fn merged_moments_are_moments_of_all(values in values(), place in 0_usize..40) {
        let (first, rest) = values.split_at(place.min(values.len()));

        let merged = pairs(first).merge(pairs(rest));

        let all = pairs(&values);
        prop_assert_eq!(merged.first, pairs(first).first.merge(pairs(rest).first));
        prop_assert_eq!((merged.first.visitors, merged.first.sum), (all.first.visitors, all.first.sum));
        if let (Ok(first), Ok(second)) = (all.first.variance(), all.second.variance()) {
            prop_assert!(close(merged.first.variance().unwrap(), first));
            let difference = merged.covariance().unwrap() - all.covariance().unwrap();
            prop_assert!(difference.abs() <= 1e-12 * (first + second));
        }
    }

    #[test]
    fn intervals_hold_their_estimate(
        control in samples(), variation in samples(), method in methods(), alpha in alphas(),
    ) {
        let figures = Comparison::new(method, alpha).figures(&Look { control, variation }, 0.0).unwrap();

        prop_assert!(figures.interval.contains(figures.difference.estimate));
        if let Ok(lift) = figures.lift && let Ok(interval) = lift.interval {
            let rounding = 1e-9 * lift.estimate.abs().max(1.0);
            prop_assert!(interval.lower <= lift.estimate + rounding);
            prop_assert!(interval.upper >= lift.estimate - rounding);
        }
    }

    #[test]
    fn always_valid_intervals_hold_ordinary_ones(
        control in samples(), variation in samples(), alpha in alphas(), tuned_for in 10_u64..1_000_000,
    ) {
        let difference = Difference::absolute(&control, &variation).unwrap();

        let sequence = ConfidenceSequence::new(alpha, TunedFor::visitors(tuned_for)).interval(&difference);
        let ordinary = Test::normal(&difference, alpha).interval;

        prop_assert!(sequence.lower <= ordinary.lower && ordinary.upper <= sequence.upper);
    }

    #[test]
    fn evidence_and_interval_agree(
        control in samples(), variation in samples(), method in methods(), alpha in alphas(),
    ) {
        let figures = Comparison::new(method, alpha).figures(&Look { control, variation }, 0.0).unwrap();

        if let Ok(p_value) = figures.p_value && (p_value.get() / alpha.get() - 1.0).abs() > 1e-6 {
            prop_assert_eq!(p_value.get() <= alpha.get(), !figures.interval.contains(0.0));
        }
    }

    #[test]
    fn lift_and_difference_agree_on_zero(control in rates(), variation in rates(), z in 0.5_f64..6.0) {
        let (control, variation) = (control.sample().unwrap(), variation.sample().unwrap());
        let difference = Difference::absolute(&control, &variation).unwrap();

        let lift = Lift::new(&control, &variation, z).unwrap();

        if let Ok(interval) = lift.interval && (difference.z().abs() - z).abs() > 1e-6 {
            prop_assert_eq!(interval.contains(0.0), difference.z().abs() < z);
        }
    }

    #[test]
    fn corrections_keep_order_and_never_help(p_values in prop::collection::vec(0.0_f64..=1.0, 1..30)) {
        let p_values = p_values.into_iter().map(PValue::new).collect::<Vec<_>>();
        for correction in [
            Correction::BenjaminiHochberg, Correction::BenjaminiYekutieli, Correction::Bonferroni,
            Correction::Sidak, Correction::Holm, Correction::SimesHochberg, Correction::Hommel,
        ] {
            let adjusted = correction.adjust(&p_values);
            for (one, one_adjusted) in p_values.iter().zip(&adjusted) {
                prop_assert!(one_adjusted.get() >= one.get() - 1e-15);
                for (other, other_adjusted) in p_values.iter().zip(&adjusted) {
                    prop_assert!(one > other || one_adjusted <= other_adjusted);
                }
            }
        }
    }

    #[test]
    fn corrected_intervals_agree_with_discoveries(
        zs in prop::collection::vec(-6.0_f64..6.0, 1..12), alpha in alphas(),
    ) {
        let method = Method::AlwaysValid(TunedFor::WITHOUT_PLAN);
        let comparison = Comparison::new(method, alpha);
        let looks = zs.iter().map(|z| Look {
            control: Sample::new(5000, 1.0, 1.0).unwrap(),
            variation: Sample::new(5000, 1.0 + 0.02 * z, 1.0).unwrap(),
        }).collect::<Vec<_>>();
        let p_value = |look| comparison.figures(look, 0.0).unwrap().p_value.unwrap();
        let p_values = looks.iter().map(p_value).collect::<Vec<_>>();

        let share = discovery_share(&p_values, alpha);

        let adjusted = Correction::BenjaminiHochberg.adjust(&p_values);
        for (look, adjusted) in looks.iter().zip(adjusted) {
            let figures = comparison.at_share(share).figures(look, 0.0).unwrap();
            if (adjusted.get() / alpha.get() - 1.0).abs() > 1e-6 {
                prop_assert_eq!(!figures.interval.contains(0.0), adjusted.get() <= alpha.get());
            }
        }
    }

    #[test]
    fn sample_ratio_tests_only_gain_evidence(counts in prop::collection::vec((0_u64..500, 0_u64..500), 1..60)) {
        let mut test = SampleRatioTest::new(&[2.0, 1.0]).unwrap();
        let mut visitors = [0, 0];
        let mut before = PValue::ONE;
        for (first, second) in counts {
            visitors[0] += first;
            visitors[1] += second;
            test.look(&visitors).unwrap();
            prop_assert!(test.p_value() <= before);
            before = test.p_value();
        }
        let once = ChiSquaredTest::of_weights(&visitors, &[2.0, 1.0]).unwrap();
        prop_assert!(once.statistic >= 0.0);
    }

    #[test]
    fn pooled_epochs_lie_between_the_epochs(
        epochs in prop::collection::vec((samples(), samples()), 2..6),
    ) {
        let differences = epochs.iter().map(|(control, variation)| variation.mean() - control.mean());
        let lowest = differences.clone().fold(f64::INFINITY, f64::min);
        let highest = differences.fold(f64::NEG_INFINITY, f64::max);
        let epochs = epochs.iter().map(|(control, variation)| Epoch {
            control: Ok(*control), variation: Ok(*variation),
        }).collect::<Vec<_>>();

        let PooledSamples { control, variation } = pool_epochs(&epochs).unwrap();

        let pooled = variation.mean() - control.mean();
        prop_assert!((lowest - 1e-9..=highest + 1e-9).contains(&pooled));
    }

    #[test]
    fn figures_are_numbers_or_reasons(
        control_visitors in 0_u64..4, variation_visitors in 0_u64..4,
        control_sum in -3_i32..4, variation_sum in -3_i32..4, squares in 0_u32..9, method in methods(),
    ) {
        let moments = |visitors, sum: i32| {
            Moments::of_sums(visitors, f64::from(sum), f64::from(squares))
        };
        let control = moments(control_visitors, control_sum).sample();
        let variation = moments(variation_visitors, variation_sum).sample();
        if let (Ok(control), Ok(variation)) = (control, variation) {
            let look = Look { control, variation };
            if let Ok(figures) = Comparison::new(method, Alpha::FIVE_PERCENT).figures(&look, 0.0) {
                prop_assert!(figures.interval.lower <= figures.interval.upper);
                prop_assert!(figures.difference.estimate.is_finite());
                if let Ok(lift) = figures.lift {
                    prop_assert!(lift.estimate.is_finite());
                    prop_assert!(lift.interval.is_err() || lift.interval.unwrap().lower.is_finite());
                }
            }
        }
    }

    #[test]
    fn quantiles_invert_the_normal_distribution(q in 1e-12_f64..1.0) {
        prop_assume!(q < 1.0);
        prop_assert!(close(normal::cdf(normal::quantile(q)), q));
    }
}

fn pairs(values: &[(f64, f64)]) -> PairMoments {
    let moments = |x: f64| Moments::of_sums(1, x, x * x);
    values.iter().fold(PairMoments::default(), |sum, (first, second)| {
        sum.merge(PairMoments::of_sums(moments(*first), moments(*second), first * second))
    })
}

fn close(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-9 * one.abs().max(other.abs()).max(1e-9)
}
