//! Rules that no other tool computes alike, evaluated from their formulas with forty digits.

use serde_json::Value;
use stats::{
    Comparison, Correction, Cuped, Difference, Epoch, Hybrid, Lift, Look, Method, Moments,
    NoFigure, PValue, PairMoments, Plan, PlannedVisitors, PooledSamples, Power, Sample,
    SampleRatioTest, Split, Target, TunedFor, discovery_share, pool_epochs,
};

use super::many::counts;
use super::reading::{Reference, conversions, number};

pub(super) fn lift_in_sequence(reference: &Reference) {
    let sample = |name| conversions(reference.input(name)).sample().unwrap();
    let look = Look { control: sample("control"), variation: sample("treatment") };

    let lift: Lift = always_valid(reference).figures(&look, 0.0).unwrap().lift.unwrap();

    reference.expect("lift", lift.estimate);
    match lift.interval {
        Ok(interval) => reference.expect_interval("ci", interval),
        Err(NoFigure::UnboundedLift) if reference.output("ci").is_null() => {}
        other => reference.fail(&format!("{other:?}")),
    }
}

pub(super) fn hybrid(reference: &Reference) {
    let planned = PlannedVisitors(reference.input("planned").as_u64().unwrap());
    let visitors = reference.number("n_total");
    let difference = Difference {
        estimate: reference.number("difference"),
        standard_error: reference.number("standard_error"),
        visitors,
        degrees_of_freedom: f64::INFINITY,
    };
    let stage = planned.stage(reference.number("visitors_before"), visitors);

    let hybrid = Hybrid::new(reference.alpha(), planned);

    reference.expect("multiplier", hybrid.multiplier(stage, visitors));
    reference.expect("p_value", hybrid.p_value(stage, &difference).get());
}

pub(super) fn sample_ratio_in_epochs(reference: &Reference) {
    let epochs = reference.input("epochs").as_array().unwrap();
    let mut test = SampleRatioTest::with_concentration(10_000.0, &weights(&epochs[0])).unwrap();
    let mut p_values = Vec::new();
    let mut probabilities = Vec::new();
    for (index, epoch) in epochs.iter().enumerate() {
        if index > 0 {
            test.change_weights(&weights(epoch)).unwrap();
        }
        for look in epoch["looks"].as_array().unwrap() {
            test.look(&counts(look)).unwrap();
            p_values.push(test.p_value().get());
            probabilities.push(test.mismatch_probability());
        }
    }
    reference.expect_list("p_values", &p_values);
    reference.expect_list("probabilities", &probabilities);
}

fn weights(epoch: &Value) -> Vec<f64> {
    epoch["weights"].as_array().unwrap().iter().map(number).collect()
}

pub(super) fn pooled_epochs(reference: &Reference) {
    let epochs = reference.input("epochs").as_array().unwrap().iter().map(|epoch| Epoch {
        control: conversions(&epoch["control"]).sample(),
        variation: conversions(&epoch["treatment"]).sample(),
    });

    let PooledSamples { control, variation } = pool_epochs(&epochs.collect::<Vec<_>>()).unwrap();

    let difference = Difference::absolute(&control, &variation).unwrap();
    reference.expect("difference", difference.estimate);
    reference.expect("standard_error", difference.standard_error);
}

pub(super) fn visitors_of_plans(reference: &Reference) {
    let split = reference.numbers("split");
    let plan = Plan {
        target: Target::rate(reference.number("baseline"), reference.number("relative_mde"))
            .unwrap(),
        split: Split::new(split[0], split[1]).unwrap(),
        power: Power::new(reference.number("power")).unwrap(),
        alpha: reference.alpha(),
    };

    reference.expect("one_look", plan.visitors_for_one_look());
    let whole = |name| reference.output(name).as_u64();
    if Some(plan.visitors_for_hybrid().unwrap().0) != whole("hybrid") {
        reference.fail("hybrid");
    }
    if plan.visitors_for_always_valid(tuned_for(reference)).ok() != whole("always_valid") {
        reference.fail("always_valid");
    }
}

pub(super) fn cuped_in_sequence(reference: &Reference) {
    let variations = reference.input("variations").as_array().unwrap();
    let variations = variations.iter().map(pair_of_values).collect::<Vec<_>>();

    let cuped = Cuped::adjust(&variations).unwrap();

    reference.expect("theta", cuped.theta);
    let control = cuped.samples[0];
    for (index, variation) in cuped.samples.iter().skip(1).enumerate() {
        let look = Look { control, variation: *variation };
        let figures = always_valid(reference).figures(&look, 0.0).unwrap();
        reference.expect_item("differences", index, figures.difference.estimate);
        reference.expect_item("standard_errors", index, figures.difference.standard_error);
        reference.expect_item_interval("cis", index, figures.interval);
    }
}

fn pair_of_values(variation: &Value) -> PairMoments {
    let values = |name: &str| variation[name].as_array().unwrap().iter().map(number);
    let moments = |x: f64| Moments::of_sums(1, x, x * x);
    let visitors = values("x")
        .zip(values("y"))
        .map(|(x, y)| PairMoments::of_sums(moments(y), moments(x), x * y));
    visitors.fold(PairMoments::default(), PairMoments::merge)
}

pub(super) fn discoveries(reference: &Reference) {
    let half = reference.input("n_total").as_u64().unwrap() / 2;
    let looks = reference.numbers("z").into_iter().map(|z| {
        // Both variances are one, so that the standard error of the difference is √(2 / half).
        let difference = z * (2.0 / f64::from(u32::try_from(half).unwrap())).sqrt();
        let sample = |mean| Sample::new(half, mean, 1.0).unwrap();
        Look { control: sample(1.0), variation: sample(1.0 + difference) }
    });
    let looks = looks.collect::<Vec<_>>();
    let comparison = always_valid(reference);
    let p_value = |look| comparison.figures(look, 0.0).unwrap().p_value.unwrap();
    let p_values = looks.iter().map(p_value).collect::<Vec<PValue>>();

    let share = discovery_share(&p_values, reference.alpha());

    let adjusted = Correction::BenjaminiHochberg.adjust(&p_values);
    let alpha = reference.alpha().get();
    let found = adjusted.iter().filter(|p_value| p_value.get() <= alpha).count();
    if reference.output("discoveries").as_u64() != Some(found as u64) {
        reference.fail(&format!("{found} discoveries"));
    }
    reference.expect("share", share);
    let figures = comparison.at_share(share).figures(&looks[0], 0.0).unwrap();
    let half_width = 0.5 * (figures.interval.upper - figures.interval.lower);
    reference.expect("multiplier", half_width / figures.difference.standard_error);
}

fn always_valid(reference: &Reference) -> Comparison {
    Comparison::new(Method::AlwaysValid(tuned_for(reference)), reference.alpha())
}

fn tuned_for(reference: &Reference) -> TunedFor {
    TunedFor::visitors(reference.input("n_star").as_u64().unwrap())
}
