//! Simulated experiments from fixed seeds: how often each rule is wrong, and how often it finds an
//! effect. Bounds are those that the rules promise, plus three standard errors.

use stats::{
    Alpha, Candidate, Comparison, ConfidenceSequence, Conversions, Cuped, Difference, Direction,
    GaussianPosterior, Lift, Look, Method, Moments, PairMoments, PlannedVisitors, Prior, Sample,
    SampleRatioTest, Test, TunedFor, Verdict, decide, special::normal,
};

use crate::random::{Binomial, Random};

const EXPERIMENTS: u32 = 2000;
const LOOKS: u32 = 500;
const VISITORS_PER_LOOK: u32 = 40;
/// The level plus three standard errors of 2,000 experiments.
const FALSE_POSITIVES: f64 = 0.065;

#[test]
fn looking_often_deceives_a_t_test_and_not_a_confidence_sequence() {
    let mut random = Random::new(1);
    let binomial = Binomial::new(VISITORS_PER_LOOK, 0.05);
    let sequence = ConfidenceSequence::new(Alpha::FIVE_PERCENT, TunedFor::WITHOUT_PLAN);
    let (mut by_sequence, mut by_t_test, mut by_posterior) = (0, 0, 0);

    for _ in 0..EXPERIMENTS {
        let mut both = [Conversions::default(); 2];
        let (mut sequence_found, mut t_test_found, mut posterior_found) = (false, false, false);
        for _ in 0..LOOKS {
            for rate in &mut both {
                rate.visitors += u64::from(VISITORS_PER_LOOK);
                rate.converted += binomial.draw(&mut random);
            }
            let Ok(difference) = difference(both) else { continue };
            sequence_found |= !sequence.interval(&difference).contains(0.0);
            t_test_found |= difference.z().abs() > 1.97;
            let chance = GaussianPosterior::new(Prior::Flat, &difference).chance_above_zero();
            posterior_found |= !(0.05..=0.95).contains(&chance);
        }
        by_sequence += u32::from(sequence_found);
        by_t_test += u32::from(t_test_found);
        by_posterior += u32::from(posterior_found);
    }

    let (by_sequence, by_t_test) = (share(by_sequence), share(by_t_test));
    let by_posterior = share(by_posterior);
    println!("{LOOKS} looks: sequence {by_sequence}, t {by_t_test}, posterior {by_posterior}");
    assert!((0.005..=FALSE_POSITIVES).contains(&by_sequence), "sequence: {by_sequence}");
    assert!(by_t_test >= 0.35, "the control finds too little: {by_t_test}");
    assert!(by_posterior >= 0.5, "the posterior finds too little: {by_posterior}");
}

#[test]
fn lifts_are_held_at_all_looks_together() {
    let mut random = Random::new(9);
    let comparison = Comparison::new(Method::default(), Alpha::FIVE_PERCENT);
    let binomials = [0.05, 0.06].map(|rate| Binomial::new(VISITORS_PER_LOOK, rate));
    let mut missed = 0;
    for _ in 0..EXPERIMENTS {
        let mut both = [Conversions::default(); 2];
        let mut is_missed = false;
        for _ in 0..LOOKS {
            for (rate, binomial) in both.iter_mut().zip(&binomials) {
                rate.visitors += u64::from(VISITORS_PER_LOOK);
                rate.converted += binomial.draw(&mut random);
            }
            let [control, variation] = both.map(|rate| rate.sample().unwrap());
            let Ok(figures) = comparison.figures(&Look { control, variation }, 0.0) else {
                continue;
            };
            let interval = figures.lift.and_then(|lift| lift.interval);
            is_missed |= interval.is_ok_and(|interval| !interval.contains(0.2));
        }
        missed += u32::from(is_missed);
    }
    println!("lift missed at any of {LOOKS} looks: {}", share(missed));
    assert!(share(missed) <= FALSE_POSITIVES, "{}", share(missed));
}

#[test]
fn the_hybrid_keeps_its_level_and_its_power() {
    let null = run_brownian(0.0, Method::Hybrid(PlannedVisitors(PLANNED)), 1);
    let effect = run_brownian(PLANNED_DRIFT, Method::Hybrid(PlannedVisitors(PLANNED)), 1);

    println!("hybrid: false positives {null}, power {effect}");
    assert!(null <= FALSE_POSITIVES, "false positives: {null}");
    assert!(effect >= 0.76, "power: {effect}");
}

#[test]
fn the_confidence_sequence_finds_a_planned_effect_by_twice_the_plan() {
    let method = Method::AlwaysValid(TunedFor::visitors(PLANNED));
    let null = run_brownian(0.0, method, 2);
    let effect = run_brownian(PLANNED_DRIFT, method, 2);

    println!("always valid by twice the plan: false positives {null}, power {effect}");
    assert!(null <= FALSE_POSITIVES, "false positives: {null}");
    assert!(effect >= 0.85, "power: {effect}");
}

/// The visitors of a plan, in 100 looks.
const PLANNED: u64 = 20_000;
const PLANNED_LOOKS: u32 = 100;
/// The z at the plan's end of an effect that one look finds with a power of 80 %.
const PLANNED_DRIFT: f64 = 1.959_964 + 0.841_621;

/// The share of experiments that decide within `plans` times the plan, for an effect whose z at the plan's
/// end is `drift` on average.
fn run_brownian(drift: f64, method: Method, plans: u32) -> f64 {
    let mut random = Random::new(2);
    let comparison = Comparison::new(method, Alpha::FIVE_PERCENT);
    let mut found = 0;
    for _ in 0..EXPERIMENTS {
        let mut sum = 0.0;
        let mut visitors_before = 0;
        let mut is_found = false;
        for look in 1..=PLANNED_LOOKS * plans {
            let time = f64::from(look) / f64::from(PLANNED_LOOKS);
            sum += drift / f64::from(PLANNED_LOOKS)
                + random.normal() / f64::from(PLANNED_LOOKS).sqrt();
            let visitors = PLANNED / u64::from(PLANNED_LOOKS) * u64::from(look);
            let look = look_with_z(sum / time.sqrt(), visitors);
            let figures = comparison.figures(&look, f64::from(visitors_before)).unwrap();
            is_found |= figures.p_value.unwrap().get() <= 0.05;
            visitors_before = u32::try_from(visitors).unwrap();
        }
        found += u32::from(is_found);
    }
    share(found)
}

/// Two samples of half of the visitors each, with variance one, whose difference has this z.
fn look_with_z(z: f64, visitors: u64) -> Look {
    let half = visitors / 2;
    let deviation = 2.0 / f64::from(u32::try_from(visitors).unwrap()).sqrt();
    Look {
        control: Sample::new(half, 1.0, 1.0).unwrap(),
        variation: Sample::new(half, 1.0 + z * deviation, 1.0).unwrap(),
    }
}

/// The variation has one visitor in twenty, or in a hundred.
#[test]
fn few_buyers_of_a_small_share_are_no_loss() {
    for (share_of_variation, visitors) in [(0.05, 100), (0.01, 200)] {
        let mut random = Random::new(10);
        let mut found = [0, 0];
        for _ in 0..EXPERIMENTS / 4 {
            let by = losers_of_shop(&mut random, share_of_variation, visitors);
            for (found, is_found) in found.iter_mut().zip(by) {
                *found += u32::from(is_found);
            }
        }
        let [by_rule, by_own] = found.map(|found| 4.0 * share(found));
        println!("one in {}: rule {by_rule}, own variance {by_own}", 1.0 / share_of_variation);
        assert!(by_rule <= FALSE_POSITIVES, "{by_rule}");
        assert!(by_own >= 0.1, "the control finds too little: {by_own}");
    }
}

/// Whether 28 days of a shop find a difference that is not there: by the rule, and by the variation's own variance.
fn losers_of_shop(random: &mut Random, share_of_variation: f64, visitors: u32) -> [bool; 2] {
    let sequence = ConfidenceSequence::new(Alpha::FIVE_PERCENT, TunedFor::WITHOUT_PLAN);
    let mut both = [Moments::default(); 2];
    let mut found = [false, false];
    for _ in 0..28 {
        for _ in 0..visitors {
            let variation = usize::from(random.uniform() < share_of_variation);
            both[variation] = both[variation].merge(one_visitor(random));
        }
        let [Ok(control), Ok(variation)] = both.map(|moments| moments.sample()) else { continue };
        let own = variation.or_spread_of_both(&control);
        let judged = [own.with_spread_of_larger(&control), own];
        let is_found = |variation: &Sample| {
            let difference = Difference::absolute(&control, variation);
            difference.is_ok_and(|found| !sequence.interval(&found).contains(0.0))
        };
        found = [found[0] || is_found(&judged[0]), found[1] || is_found(&judged[1])];
    }
    found
}

/// One visitor in twenty buys, for sums that differ widely.
fn one_visitor(random: &mut Random) -> Moments {
    let is_buyer = random.uniform() < 0.05;
    let value = if is_buyer { (3.5 + random.normal()).exp() } else { 0.0 };
    Moments::of_sums(1, value, value * value)
}

#[test]
fn healthy_sample_ratios_raise_no_alarm_and_broken_ones_do() {
    let alarms = |rate: f64, seed: u64| {
        let mut random = Random::new(seed);
        let binomial = Binomial::new(100, rate);
        let mut alarms = 0;
        for _ in 0..EXPERIMENTS {
            let mut test = SampleRatioTest::new(&[1.0, 1.0]).unwrap();
            let mut first = 0;
            for look in 1..=u64::from(LOOKS) {
                first += binomial.draw(&mut random);
                test.look(&[first, look * 100 - first]).unwrap();
            }
            alarms += u32::from(test.is_alarmed());
        }
        share(alarms)
    };

    let (healthy, broken) = (alarms(0.5, 3), alarms(0.52, 4));

    println!("sample ratio alarms: healthy {healthy}, 52/48 {broken}");
    assert!(healthy <= 0.01, "false alarms: {healthy}");
    assert!(broken >= 0.99, "found: {broken}");
}

#[test]
fn gross_mismatches_are_found_among_few_visitors() {
    for (weights, visitors) in [
        ([1.0, 1.0], [20, 0]),
        ([1.0, 1.0], [300, 100]),
        ([1.0, 1.0], [600, 400]),
        ([1.0, 1.0], [800, 500]),
        ([9.0, 1.0], [1_000, 20]),
        ([28.0, 72.0], [49, 449]),
    ] {
        let mut test = SampleRatioTest::new(&weights).unwrap();
        test.look(&visitors).unwrap();

        assert!(test.is_alarmed(), "{visitors:?} by {weights:?}: {:?}", test.p_value());
    }
    for visitors in [[3, 0], [30, 20], [420, 380], [5_100, 4_900]] {
        let mut test = SampleRatioTest::new(&[1.0, 1.0]).unwrap();
        test.look(&visitors).unwrap();

        assert!(!test.is_alarmed(), "{visitors:?}: {:?}", test.p_value());
    }
}

#[test]
fn lifts_are_held_from_ten_conversions_on() {
    let mut random = Random::new(5);
    let z = normal::upper_quantile(0.025);
    for (visitors, rate) in [(200, 0.05), (1000, 0.05), (500, 0.2)] {
        let control = Binomial::new(visitors, rate);
        let variation = Binomial::new(visitors, 1.1 * rate);
        let mut held = 0;
        for _ in 0..20_000 {
            let sample = |binomial: &Binomial, random: &mut Random| {
                let converted = binomial.draw(random);
                let visitors = u64::from(visitors);
                Conversions { visitors, converted }.sample().unwrap()
            };
            let control = sample(&control, &mut random);
            let variation = sample(&variation, &mut random);
            let interval = Lift::new(&control, &variation, z).and_then(|lift| lift.interval);
            // Without bounds, nothing is excluded.
            held += u32::from(interval.is_err() || interval.unwrap().contains(0.1));
        }
        let held = f64::from(held) / 20_000.0;
        println!("lift held with {} conversions: {held}", f64::from(visitors) * rate);
        assert!((0.94..=0.965).contains(&held), "{visitors} visitors at {rate}: {held}");
    }
}

#[test]
fn cuped_removes_what_the_covariate_explains() {
    let mut random = Random::new(6);
    for correlation in [0.0_f64, 0.5, 0.8] {
        let variations = [0, 1].map(|_| pair(correlation, 20_000, &mut random));

        let cuped = Cuped::adjust(&variations).unwrap();

        let ratio = cuped.samples[0].variance() / variations[0].first.variance().unwrap();
        let explained = correlation * correlation;
        assert!((ratio - (1.0 - explained)).abs() <= 0.02, "{correlation}: {ratio}");
    }
}

fn pair(correlation: f64, visitors: u32, random: &mut Random) -> PairMoments {
    let mut pair = PairMoments::default();
    for _ in 0..visitors {
        let before = random.normal();
        let rest = (1.0 - correlation * correlation).sqrt();
        let after = correlation * before + rest * random.normal();
        let moments = |x: f64| Moments::of_sums(1, x, x * x);
        let one = PairMoments::of_sums(moments(after), moments(before), after * before);
        pair = pair.merge(one);
    }
    pair
}

#[test]
fn twelve_metrics_without_an_effect_have_few_winners() {
    let mut random = Random::new(7);
    let comparison = Comparison::new(Method::default(), Alpha::FIVE_PERCENT);
    let mut winners = 0;
    for _ in 0..500 {
        let series = [(); 12].map(|()| {
            let mut sum = 0.0;
            let look = |look: u32| {
                sum += random.normal();
                Ok(look_with_z(sum / f64::from(look).sqrt(), u64::from(look) * 200))
            };
            comparison.series(&(1..=100).map(look).collect::<Vec<_>>())
        });
        let candidates = series.each_ref().map(|series| Candidate { series, good: Direction::Up });
        let decisions = decide(&candidates, Alpha::FIVE_PERCENT);
        let is_won = decisions.iter().any(|decision| decision.verdict != Verdict::Inconclusive);
        winners += u32::from(is_won);
    }
    let winners = f64::from(winners) / 500.0;
    println!("a winner among twelve metrics without effect: {winners}");
    assert!(winners <= 0.05, "{winners}");
}

#[test]
fn a_t_test_with_one_look_keeps_its_level() {
    let mut random = Random::new(8);
    let binomial = Binomial::new(1000, 0.05);
    let mut found = 0;
    for _ in 0..EXPERIMENTS {
        let both = [(); 2].map(|()| {
            let converted = binomial.draw(&mut random);
            Conversions { visitors: 1000, converted }
        });
        let test = Test::welch(&difference(both).unwrap(), Alpha::FIVE_PERCENT);
        found += u32::from(test.p_value.get() <= 0.05);
    }
    assert!(share(found) <= FALSE_POSITIVES, "{}", share(found));
}

fn difference(both: [Conversions; 2]) -> Result<Difference, stats::NoFigure> {
    Difference::absolute(&both[0].sample()?, &both[1].sample()?)
}

fn share(count: u32) -> f64 {
    f64::from(count) / f64::from(EXPERIMENTS)
}
