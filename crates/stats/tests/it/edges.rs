//! Rules at their edges: what has no figure, plans, guardrails, epochs and verdicts.

use stats::two_rates::DifferenceInterval;
use stats::{
    Alpha, Candidate, Comparison, ConfidenceSequence, Conversions, Difference, Direction, Epoch,
    GuardrailVerdict, Hybrid, Interval, Lift, Look, Margin, Method, Moments, NoFigure, PairMoments,
    Plan, PlannedVisitors, PooledSamples, Power, Sample, SampleRatioTest, Split, Stage, Target,
    TunedFor, Verdict, decide, judge_guardrail, pool_epochs, ratio_sample,
};

const RATE: fn(u64, u64) -> Conversions = |visitors, converted| Conversions { visitors, converted };

#[test]
fn what_has_no_figure_has_a_reason() {
    let none = Moments::default();
    let one = Moments::of_sums(1, 3.0, 9.0);
    let impossible = Moments::of_sums(2, 10.0, 1.0);
    let same = Moments::of_sums(10, 3.0, 0.9);
    let few = Moments::of_sums(10, 0.0, 4.0).sample().unwrap();

    assert_eq!(none.sample(), Err(NoFigure::NoVisitors));
    assert_eq!(one.sample(), Err(NoFigure::TooFewVisitors));
    assert_eq!(impossible.sample(), Err(NoFigure::ImpossibleSums));
    assert_eq!(RATE(1, 2).sample(), Err(NoFigure::ImpossibleSums));
    assert_eq!(Difference::absolute(&same.sample().unwrap(), &few), Err(NoFigure::ZeroVariance));
    assert_eq!(Difference::relative(&few, &few), Err(NoFigure::ZeroBaseline));
    assert_eq!(Lift::new(&few, &few, 2.0), Err(NoFigure::ZeroBaseline));
    let ratio = PairMoments::of_sums(few_moments(), few_moments(), 4.0);
    assert_eq!(ratio_sample(&ratio), Err(NoFigure::ZeroDenominator));
    assert_eq!(SampleRatioTest::new(&[1.0, 0.0]), Err(NoFigure::ImpossibleWeights));
    assert_eq!(NoFigure::UnboundedLift.code(), "unbounded_lift");
}

fn few_moments() -> Moments {
    Moments::of_sums(10, 0.0, 4.0)
}

#[test]
fn a_variation_whose_visitors_are_alike_has_the_spread_of_both() {
    let [some, none, all] =
        [100, 0, 1_000].map(|converted| RATE(1_000, converted).sample().unwrap());
    let five_in_a_hundred = RATE(2_000, 100).sample().unwrap();

    let spread = none.or_spread_of_both(&some);

    assert!((spread.variance() - five_in_a_hundred.variance()).abs() < 1e-12, "{spread:?}");
    assert_eq!((spread.visitors(), spread.mean()), (1_000, 0.0));
    assert_eq!(some.or_spread_of_both(&none), some);
    assert!((none.or_spread_of_both(&all).variance() - 0.25).abs() < 1e-12);
    assert_eq!(none.or_spread_of_both(&none), none);
}

#[test]
fn the_fewer_visitors_beside_the_others_the_nearer_is_the_spread_to_that_of_both() {
    let control = RATE(1_000, 100).sample().unwrap();
    let spread_of = |visitors| {
        let few = RATE(visitors, visitors / 50).sample().unwrap();
        few.with_spread_of_larger(&control).variance() - few.variance()
    };

    let [as_many, half, third, quarter] = [1_000, 500, 350, 250].map(spread_of);

    assert_eq!((as_many, half), (0.0, 0.0));
    assert!(0.0 < third && third < quarter, "{third} {quarter}");
    let few = RATE(250, 5).sample().unwrap();
    let (added, both) = (quarter, RATE(1_250, 105).sample().unwrap());
    assert!((few.variance() + added - both.variance()).abs() < 1e-4, "{few:?} {added} {both:?}");
    assert_eq!(control.with_spread_of_larger(&few), control);
}

/// The figures of the default method, of a control with so many visitors who did it so many times each, and a variation in which none did.
fn against_no_conversions(split: (u64, u64), doers: f64, times: f64) -> Interval {
    let (control, variation) = split;
    let control = Moments::of_sums(control, doers * times, doers * times * times);
    let control = control.sample().unwrap();
    let nobody = Moments::of_sums(variation, 0.0, 0.0).sample().unwrap();
    let look = Look { control, variation: nobody.or_spread_of_both(&control) };
    Comparison::new(Method::default(), Alpha::FIVE_PERCENT).figures(&look, 0.0).unwrap().interval
}

#[test]
fn no_conversions_of_few_visitors_are_a_difference_only_where_chance_is_unlikely() {
    // So many doers are all of the larger part by a chance of a third to a half, how often each does it.
    for times in [1.0, 10.0] {
        assert!(against_no_conversions((18_000, 2_000), 11.0, times).contains(0.0));
        assert!(against_no_conversions((19_000, 1_000), 13.0, times).contains(0.0));
        // By one of four thousand.
        assert!(!against_no_conversions((10_000, 10_000), 15.0, times).contains(0.0));
        assert!(!against_no_conversions((18_000, 2_000), 150.0, times).contains(0.0));
    }
}

#[test]
fn a_guardrail_that_was_never_hit_fails_and_never_holds() {
    let judged = |hits| {
        let [never, often] = [0, hits].map(|converted| RATE(1_000, converted).sample().unwrap());
        let control = never.or_spread_of_both(&often);
        let margin = Margin::new(0.05).unwrap();
        judge_guardrail(&control, &often, margin, Direction::Down, 3.0).unwrap()
    };

    assert_eq!([5, 50].map(judged), [GuardrailVerdict::Inconclusive, GuardrailVerdict::Worse]);
}

#[test]
fn score_intervals_of_equal_rates_are_symmetric() {
    let rate = RATE(200, 100);

    let interval = DifferenceInterval::Score.of(rate, rate, Alpha::FIVE_PERCENT).unwrap();

    // With d² = c (1/4 − d²/4) and c = z² / 100 · 400 / 399.
    assert!((interval.upper - 0.097_651_971).abs() < 1e-8, "{interval:?}");
    assert!((interval.lower + interval.upper).abs() < 1e-8, "{interval:?}");
}

#[test]
fn a_lift_of_a_baseline_near_zero_has_an_estimate_and_no_bounds() {
    let (control, variation) = (RATE(2500, 2).sample().unwrap(), RATE(2500, 12).sample().unwrap());

    let lift = Lift::new(&control, &variation, 1.96).unwrap();

    assert!((lift.estimate - 5.0).abs() < 1e-9);
    assert_eq!(lift.interval, Err(NoFigure::UnboundedLift));
}

#[test]
fn a_hybrid_is_always_valid_before_and_after_its_one_sharper_look() {
    let planned = PlannedVisitors(1000);
    let hybrid = Hybrid::new(Alpha::FIVE_PERCENT, planned);
    let before = Alpha::new(0.005).unwrap();
    let sequence = ConfidenceSequence::new(before, TunedFor::visitors(1000));

    let stages = [(0.0, 999.0), (999.0, 1000.0), (1000.0, 1001.0)]
        .map(|(before, now)| planned.stage(before, now));

    assert_eq!(stages, [Stage::Before, Stage::End, Stage::After]);
    assert!((hybrid.multiplier(Stage::Before, 999.0) - sequence.multiplier(999.0)).abs() < 1e-9);
    assert!((hybrid.multiplier(Stage::End, 1000.0) - 2.004_654).abs() < 1e-6);
    assert!((hybrid.multiplier(Stage::After, 2000.0) - sequence.multiplier(2000.0)).abs() < 1e-9);
}

#[test]
fn a_fixed_horizon_has_evidence_at_its_end_alone() {
    let method = Method::FixedHorizon(PlannedVisitors(2000));
    let comparison = Comparison::new(method, Alpha::FIVE_PERCENT);
    let look = |visitors| {
        let (control, variation) = (RATE(visitors, 100), RATE(visitors, 150));
        Ok(Look { control: control.sample().unwrap(), variation: variation.sample().unwrap() })
    };

    let series = comparison.series(&[look(900), look(1000), look(1100)]);

    let p_values = series.iter().map(|figures| figures.as_ref().unwrap().p_value);
    let p_values = p_values.collect::<Vec<_>>();
    assert_eq!(p_values[0], Err(NoFigure::BeforePlannedEnd));
    assert!(p_values[1].unwrap().get() < 0.001);
    assert_eq!(p_values[2], Err(NoFigure::AfterPlannedEnd));
}

#[test]
fn a_verdict_stays_and_names_its_look() {
    let comparison = Comparison::new(Method::default(), Alpha::FIVE_PERCENT);
    let look = |variation| {
        let control = RATE(10_000, 500).sample().unwrap();
        Ok(Look { control, variation: RATE(10_000, variation).sample().unwrap() })
    };
    let worn_off = comparison.series(&[look(510), look(640), look(505)]);
    let missing = [Err(NoFigure::NoVisitors); 3];
    let candidate = |series, good| Candidate { series, good };

    let up = decide(
        &[candidate(&worn_off, Direction::Up), candidate(&missing, Direction::Up)],
        Alpha::FIVE_PERCENT,
    );
    let down = decide(&[candidate(&worn_off, Direction::Down)], Alpha::FIVE_PERCENT);

    assert_eq!((up[0].verdict, up[0].decided_at), (Verdict::Better, Some(1)));
    assert_eq!((up[1].verdict, up[1].decided_at), (Verdict::Inconclusive, None));
    assert_eq!(down[0].verdict, Verdict::Worse);
    assert!(worn_off[2].as_ref().unwrap().interval.contains(0.0));
}

#[test]
fn stronger_evidence_of_the_opposite_is_a_verdict_of_its_own_day() {
    let comparison = Comparison::new(Method::default(), Alpha::FIVE_PERCENT);
    let look = |visitors, variation| {
        let control = RATE(visitors, visitors / 20).sample().unwrap();
        Ok(Look { control, variation: RATE(visitors, variation).sample().unwrap() })
    };
    let turned =
        comparison.series(&[look(10_000, 640), look(90_000, 4_500), look(900_000, 40_000)]);

    let decided =
        decide(&[Candidate { series: &turned, good: Direction::Up }], Alpha::FIVE_PERCENT);

    assert_eq!((decided[0].verdict, decided[0].decided_at), (Verdict::Worse, Some(2)));
}

#[test]
fn a_guardrail_holds_only_if_the_margin_is_excluded() {
    let control = Sample::new(100_000, 10.0, 100.0).unwrap();
    let variation = |mean| Sample::new(100_000, mean, 100.0).unwrap();
    let judge = |mean, good, margin| {
        let margin = Margin::new(margin).unwrap();
        judge_guardrail(&control, &variation(mean), margin, good, 1.96)
    };

    assert_eq!(judge(10.0, Direction::Up, 0.02), Ok(GuardrailVerdict::NoWorse));
    assert_eq!(judge(10.0, Direction::Up, 0.005), Ok(GuardrailVerdict::Inconclusive));
    assert_eq!(judge(9.0, Direction::Up, 0.02), Ok(GuardrailVerdict::Worse));
    assert_eq!(judge(9.0, Direction::Down, 0.02), Ok(GuardrailVerdict::NoWorse));
    assert_eq!(judge(11.0, Direction::Down, 0.02), Ok(GuardrailVerdict::Worse));
}

#[test]
fn pooled_epochs_do_not_mix_days_of_different_shares() {
    // Both epochs are without an effect. Plain sums would say 5.5 % against 9.5 %.
    let epoch = |control: Conversions, variation: Conversions| Epoch {
        control: control.sample(),
        variation: variation.sample(),
    };
    let epochs = [
        epoch(RATE(9000, 450), RATE(1000, 50)),
        epoch(RATE(1000, 100), RATE(9000, 900)),
        epoch(RATE(0, 0), RATE(10, 1)),
    ];

    let PooledSamples { control, variation } = pool_epochs(&epochs).unwrap();

    assert!((variation.mean() - control.mean()).abs() < 1e-12);
    assert_eq!((control.visitors(), variation.visitors()), (10_000, 10_000));
    let alone = pool_epochs(&epochs[..1]).unwrap();
    assert_eq!(alone.control, RATE(9000, 450).sample().unwrap());
    assert_eq!(pool_epochs(&epochs[2..]), Err(NoFigure::NoVisitors));
}

#[test]
fn evidence_of_epochs_with_other_weights_multiplies() {
    let mut test = SampleRatioTest::new(&[9.0, 1.0]).unwrap();

    test.look(&[9000, 1000]).unwrap();
    test.change_weights(&[1.0, 1.0]).unwrap();
    test.look(&[5000, 5000]).unwrap();

    assert!(!test.is_alarmed());
    test.look(&[5500, 4500]).unwrap();
    assert!(test.is_alarmed());
}

#[test]
fn plans_need_more_visitors_the_more_looks_they_allow() {
    let plan = Plan {
        target: Target::rate(0.05, 0.1).unwrap(),
        split: Split::EVEN,
        power: Power::EIGHTY_PERCENT,
        alpha: Alpha::FIVE_PERCENT,
    };

    let one_look = plan.visitors_for_one_look();
    let hybrid = plan.visitors_for_hybrid().unwrap().0;
    let always = plan.visitors_for_always_valid(TunedFor::visitors(62_462)).unwrap();

    assert!((one_look - 62_461.38).abs() < 0.1, "{one_look}");
    assert_eq!(hybrid, 64_471);
    assert!((118_000..125_000).contains(&always), "{always}");
    assert_eq!(plan.days(62_462, 5000.0), Ok(13));
    assert_eq!(plan.days(62_462, 0.0), Err(NoFigure::ImpossiblePlan));
    assert_eq!(Target::rate(0.5, 1.5), Err(NoFigure::ImpossiblePlan));
    assert_eq!(Target::rate(0.5, 0.0), Err(NoFigure::ImpossiblePlan));
}
