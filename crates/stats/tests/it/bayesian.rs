//! Bayesian results: what holds for all inputs, the rule by which they are decided, and how often it is wrong.

use proptest::prelude::*;
use stats::{
    Alpha, BayesianRule, BetaPosteriors, Conversions, Difference, Direction, GaussianPosterior,
    Judgement, LIFT_DEVIATION, Look, NoFigure, Posterior, Prior, Sample, Verdict, samples_of_looks,
};

use crate::random::{Binomial, Random};

const RULE: BayesianRule = BayesianRule { alpha: Alpha::FIVE_PERCENT, tolerated_loss: 0.0025 };

fn rates(variations: &[(u64, u64)]) -> Vec<Sample> {
    let sample =
        |&(visitors, converted): &(u64, u64)| Conversions { visitors, converted }.sample().unwrap();
    variations.iter().map(sample).collect()
}

fn judged(variations: &[(u64, u64)]) -> Vec<Judgement> {
    RULE.judge(&rates(variations).into_iter().map(Ok).collect::<Vec<_>>(), Direction::Up)
}

/// Variations whose means lie on one side of zero.
fn variations() -> impl Strategy<Value = Vec<Sample>> {
    let variation = (2_u64..1_000_000, 1.0..3.0, 0.01..100.0);
    let variation = variation
        .prop_map(|(visitors, mean, variance)| Sample::new(visitors, mean, variance).unwrap());
    prop::collection::vec(variation, 2..6)
}

proptest! {
    #[test]
    fn probabilities_to_be_best_add_up_to_one(variations in variations()) {
        for good in [Direction::Up, Direction::Down] {
            let posterior = Posterior::new(&variations, LIFT_DEVIATION).unwrap();
            let outlooks = posterior.outlooks(good);

            let sum = outlooks.iter().map(|one| one.best).sum::<f64>();
            prop_assert!((sum - 1.0).abs() < 1e-9, "{sum}");
            for (place, one) in outlooks.iter().enumerate().skip(1) {
                let effect = posterior.effect(place, good, Alpha::FIVE_PERCENT).unwrap();
                prop_assert!(one.loss >= 0.0 && one.best <= effect.chance + 1e-9);
            }
        }
    }

    #[test]
    fn the_order_of_the_variations_does_not_matter(variations in variations(), turn in 0_usize..6) {
        let mut turned = variations.clone();
        turned.rotate_left(turn % variations.len());
        let outlooks = |variations: &[Sample]| {
            Posterior::new(variations, LIFT_DEVIATION).unwrap().outlooks(Direction::Up)
        };

        let mut expected = outlooks(&variations);
        expected.rotate_left(turn % variations.len());

        for (one, other) in outlooks(&turned).iter().zip(&expected) {
            prop_assert!((one.best - other.best).abs() < 1e-9, "{one:?} {other:?}");
            prop_assert!((one.loss - other.loss).abs() < 1e-9, "{one:?} {other:?}");
        }
    }

    #[test]
    fn swapped_variations_mirror_the_chance(variations in variations()) {
        let (one, other) = (&variations[0], &variations[1]);
        let effect = |variations: [Sample; 2], good| {
            let posterior = Posterior::new(&variations, LIFT_DEVIATION).unwrap();
            posterior.effect(1, good, Alpha::FIVE_PERCENT).unwrap()
        };

        let there = effect([*one, *other], Direction::Up);
        let back = effect([*other, *one], Direction::Up);
        let down = effect([*one, *other], Direction::Down);

        prop_assert!((there.chance + back.chance - 1.0).abs() < 1e-12);
        prop_assert!((there.chance + down.chance - 1.0).abs() < 1e-12);
        prop_assert!((there.difference + back.difference).abs() < 1e-12);
        let width = |effect: stats::Effect| effect.interval.upper - effect.interval.lower;
        prop_assert!((width(there) - width(back)).abs() < 1e-9);
    }

    #[test]
    fn the_chance_and_both_intervals_tell_the_same(variations in variations()) {
        let effect = Posterior::new(&variations[..2], LIFT_DEVIATION).unwrap()
            .effect(1, Direction::Up, Alpha::FIVE_PERCENT).unwrap();

        prop_assume!((effect.chance - 0.975).abs() > 1e-9 && (effect.chance - 0.025).abs() > 1e-9);
        let is_clear = !(0.025..=0.975).contains(&effect.chance);
        prop_assert_eq!(!effect.interval.contains(0.0), is_clear);
        if let Ok(interval) = effect.lift.unwrap().interval {
            prop_assert_eq!(!interval.contains(0.0), is_clear);
        }
    }

    #[test]
    fn more_data_narrows(variations in variations(), times in 2_u64..50) {
        let more = |variation: &Sample| {
            Sample::new(variation.visitors() * times, variation.mean(), variation.variance()).unwrap()
        };
        let width = |variations: &[Sample]| {
            let posterior = Posterior::new(variations, LIFT_DEVIATION).unwrap();
            let interval = posterior.effect(1, Direction::Up, Alpha::FIVE_PERCENT).unwrap().interval;
            interval.upper - interval.lower
        };

        let scaled = variations.iter().map(more).collect::<Vec<_>>();

        prop_assert!(width(&scaled) < width(&variations));
    }

    #[test]
    fn two_alike_are_the_gaussian_posterior(visitors in 2_u64..1_000_000, control in 1.0..3.0, variation in 1.0..3.0, variance in 0.01..100.0) {
        let variations = [control, variation].map(|mean| Sample::new(visitors, mean, variance).unwrap());
        let deviation = LIFT_DEVIATION * 0.5 * (control + variation);
        let prior = Prior::Normal { mean: 0.0, deviation };

        let posterior = Posterior::new(&variations, LIFT_DEVIATION).unwrap();

        let gaussian = GaussianPosterior::new(prior, &Difference::absolute(&variations[0], &variations[1]).unwrap());
        let effect = posterior.effect(1, Direction::Up, Alpha::FIVE_PERCENT).unwrap();
        let outlooks = posterior.outlooks(Direction::Up);
        let is_close = |one: f64, other: f64| (one - other).abs() < 1e-9;
        prop_assert!(is_close(effect.chance, gaussian.chance_above_zero()));
        prop_assert!(is_close(effect.difference, gaussian.mean()));
        prop_assert!(is_close(outlooks[0].loss, gaussian.loss_of_control()));
        prop_assert!(is_close(outlooks[1].loss, gaussian.loss_of_variation()));
    }
}

#[test]
fn rates_without_a_belief_are_nearly_their_beta_posteriors() {
    for (control, variation) in
        [((40_000, 4_000), (40_000, 4_120)), ((90_000, 1_800), (30_000, 650))]
    {
        let posterior = Posterior::new(&rates(&[control, variation]), f64::INFINITY).unwrap();
        let [one, other] =
            [control, variation].map(|(visitors, converted)| Conversions { visitors, converted });
        let beta = BetaPosteriors::new(one, other).unwrap().compare();

        let chance = posterior.effect(1, Direction::Up, Alpha::FIVE_PERCENT).unwrap().chance;
        let outlooks = posterior.outlooks(Direction::Up);

        assert!((chance - beta.chance_of_variation).abs() < 0.005, "{chance} {beta:?}");
        assert!((outlooks[1].loss / beta.loss_of_variation - 1.0).abs() < 0.2, "{outlooks:?}");
        assert!((outlooks[0].loss / beta.loss_of_control - 1.0).abs() < 0.02, "{outlooks:?}");
    }
}

#[test]
fn a_variation_with_almost_no_data_costs_no_digits() {
    let variations = [Sample::new(10_000_000_000, 1.0, 1.0), Sample::new(2, 1.2, 400.0)];
    let posterior = Posterior::new(&variations.map(Result::unwrap), LIFT_DEVIATION).unwrap();

    let outlooks = posterior.outlooks(Direction::Up);

    let chance = posterior.effect(1, Direction::Up, Alpha::FIVE_PERCENT).unwrap().chance;
    assert!((outlooks[1].best - chance).abs() < 1e-10, "{outlooks:?} {chance}");
    assert!((outlooks[0].best + outlooks[1].best - 1.0).abs() < 1e-10, "{outlooks:?}");
}

#[test]
fn there_is_a_reason_where_there_is_no_posterior() {
    let refused = |variations: &[Sample]| Posterior::new(variations, LIFT_DEVIATION).unwrap_err();

    assert_eq!(refused(&[]), NoFigure::NoVisitors);
    assert_eq!(refused(&rates(&[(100, 0), (100, 0)])), NoFigure::ZeroBaseline);
    assert_eq!(refused(&rates(&[(100, 0), (100, 9)])), NoFigure::ZeroVariance);
    assert_eq!(refused(&[Sample::new(1, 2.0, 1.0).unwrap()]), NoFigure::TooFewVisitors);
    // Profits and losses that nearly cancel: 30 % of nearly nothing would make the verdict sure.
    let balanced = [5.0, -4.9].map(|mean| Sample::new(1_000, mean, 10_000.0).unwrap());
    assert_eq!(refused(&balanced), NoFigure::UnboundedLift);
    let known = Posterior::new(&rates(&[(100, 9), (100, 8)]), LIFT_DEVIATION).unwrap();
    assert_eq!(known.look(2), Err(NoFigure::NoVisitors));
}

#[test]
fn a_verdict_needs_chance_low_loss_and_known_means() {
    use Verdict::{Better, Inconclusive, Worse};
    let verdicts = |variations: &[(u64, u64)]| {
        judged(variations).iter().map(|one| one.verdict).collect::<Vec<_>>()
    };

    assert_eq!(verdicts(&[(10_000, 500), (10_000, 600)]), [Inconclusive, Better]);
    assert_eq!(verdicts(&[(10_000, 600), (10_000, 500)]), [Inconclusive, Worse]);
    // The chance is 91 %.
    assert_eq!(verdicts(&[(1_000, 100), (1_000, 120)]), [Inconclusive, Inconclusive]);
    // The chance is above 99 %, of sixty conversions.
    assert_eq!(verdicts(&[(1_000, 60), (1_000, 110)]), [Inconclusive, Inconclusive]);
    // Both are better, and which of them is the best is worth more than the tolerated loss.
    let two = [(10_000, 500), (10_000, 600), (10_000, 610)];
    assert_eq!(verdicts(&two), [Inconclusive; 3]);
    let two = [(10_000, 500), (10_000, 600), (10_000, 720)];
    assert_eq!(verdicts(&two), [Inconclusive, Inconclusive, Better]);
    // Five conversions are few, and so are they for so many visitors.
    assert_eq!(verdicts(&[(10_000, 500), (10_000, 5)]), [Inconclusive, Worse]);
    // A variation with few visitors does not delay the verdict on the others.
    let few = [(10_000, 500), (10_000, 600), (200, 15)];
    assert_eq!(verdicts(&few), [Inconclusive, Better, Inconclusive]);
}

#[test]
fn two_that_are_alike_can_both_be_taken() {
    let tolerable = |variations: &[(u64, u64)]| {
        judged(variations).iter().map(|one| one.is_tolerable).collect::<Vec<_>>()
    };

    assert_eq!(tolerable(&[(10_000, 500), (10_000, 502)]), [false, false]);
    assert_eq!(tolerable(&[(4_000_000, 200_000), (4_000_000, 200_100)]), [true, true]);
    assert_eq!(tolerable(&[(400_000, 20_000), (400_000, 20_200)]), [false, true]);
    // The third one is unknown yet.
    assert_eq!(tolerable(&[(4_000_000, 200_000), (4_000_000, 200_100), (900, 40)]), [false; 3]);
}

#[test]
fn looks_share_the_most_exact_control() {
    let look = |control, variation| {
        let samples = rates(&[control, variation]);
        Ok(Look { control: samples[0], variation: samples[1] })
    };
    let same = [look((1_000, 100), (500, 40)), look((1_000, 100), (700, 90))];
    let other =
        [look((1_000, 100), (500, 40)), look((600, 70), (700, 90)), Err(NoFigure::NoVisitors)];

    let one_control = samples_of_looks(&same).unwrap();
    let two_controls = samples_of_looks(&other).unwrap();

    let expected = rates(&[(1_000, 100), (500, 40), (700, 90)]);
    assert_eq!(one_control, expected.into_iter().map(Ok).collect::<Vec<_>>());
    let [control, moved] = [two_controls[0].unwrap(), two_controls[2].unwrap()];
    let there = Difference::absolute(&control, &moved).unwrap();
    let samples = rates(&[(600, 70), (700, 90)]);
    let before = Difference::absolute(&samples[0], &samples[1]).unwrap();
    assert!((there.estimate - before.estimate).abs() < 1e-12);
    assert!((there.standard_error - before.standard_error).abs() < 1e-12);
    assert_eq!(two_controls[3], Err(NoFigure::NoVisitors));
    assert_eq!(samples_of_looks(&other[2..]), Err(NoFigure::NoVisitors));
    let same_value = [look((1_000, 0), (500, 40)), look((1_000, 100), (500, 40))];
    let variations = samples_of_looks(&same_value).unwrap();
    assert_eq!(variations[1], Err(NoFigure::ZeroVariance));
}

/// Daily visitors of each of the two variations, a twentieth of whom converts by the control.
const DAILY_VISITORS: u32 = 500;

/// An experiment that is looked at every day.
struct Watched {
    /// The first day with a verdict.
    decided_on: Option<u32>,
    /// The first day on which a variation could be taken at the tolerated loss.
    tolerable_on: Option<u32>,
    /// What a single look at the end says.
    at_the_end: Verdict,
}

fn watched(random: &mut Random, binomials: [&Binomial; 2], days: u32) -> Watched {
    let mut both = [Conversions::default(); 2];
    let (mut decided_on, mut tolerable_on) = (None, None);
    let mut at_the_end = Verdict::Inconclusive;
    for day in 1..=days {
        for (rate, binomial) in both.iter_mut().zip(binomials) {
            rate.visitors += u64::from(DAILY_VISITORS);
            rate.converted += binomial.draw(random);
        }
        let judged = RULE.judge(&both.map(|rate| rate.sample()), Direction::Up);
        at_the_end = judged[1].verdict;
        if at_the_end != Verdict::Inconclusive {
            decided_on = decided_on.or(Some(day));
        }
        if judged.iter().any(|one| one.is_tolerable) {
            tolerable_on = tolerable_on.or(Some(day));
        }
    }
    Watched { decided_on, tolerable_on, at_the_end }
}

/// So many experiments over so many days, whose variation has this lift.
fn experiments(number: u32, days: u32, lift: f64) -> Vec<Watched> {
    let mut random = Random::new(10);
    let rates = [0.05, 0.05 * (1.0 + lift)].map(|rate| Binomial::new(DAILY_VISITORS, rate));
    (0..number).map(|_| watched(&mut random, [&rates[0], &rates[1]], days)).collect()
}

fn share(experiments: &[Watched], of: impl Fn(&Watched) -> bool) -> f64 {
    let count = |of: bool| f64::from(u8::from(of));
    let number = experiments.iter().map(|_| 1.0).sum::<f64>();
    experiments.iter().map(|one| count(of(one))).sum::<f64>() / number
}

/// Four weeks of daily looks find an effect where there is none in a fifth of the experiments; one look, in a twentieth.
#[test]
fn daily_looks_find_effects_that_are_not_there() {
    let experiments = experiments(1_000, 28, 0.0);

    let one_look = share(&experiments, |one| one.at_the_end != Verdict::Inconclusive);
    let daily = share(&experiments, |one| one.decided_on.is_some());
    let tolerable = share(&experiments, |one| one.tolerable_on.is_some());
    println!(
        "28 days without an effect: one look {one_look}, daily looks {daily}, low risk {tolerable}"
    );
    assert!((0.15..=0.25).contains(&daily), "{daily}");
    // The level plus three standard errors of 1,000 experiments.
    assert!((0.02..=0.071).contains(&one_look), "{one_look}");
    assert!((0.3..=0.6).contains(&tolerable), "{tolerable}");
}

#[test]
fn an_effect_is_found_and_before_it_is_what_loses_little() {
    let experiments = experiments(100, 112, 0.1);

    let found = share(&experiments, |one| one.at_the_end == Verdict::Better);
    let first = share(&experiments, |one| one.tolerable_on <= one.decided_on);
    println!("112 days with an effect of 10 %: found {found}, low risk first {first}");
    assert!(found >= 0.9 && first >= 0.9, "{found} {first}");
}
