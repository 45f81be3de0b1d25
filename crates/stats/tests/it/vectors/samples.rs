//! Two samples: tests, always-valid intervals, and the Gaussian posterior.

use serde_json::Value;
use stats::{
    ConfidenceSequence, Cuped, Difference, GaussianPosterior, NoFigure, Prior, QuantileEstimate,
    Sample, Test, TunedFor, ratio_sample,
};

use super::reading::{Reference, conversions, moments, number, pair};

pub(super) fn welch(reference: &Reference) {
    let difference = difference(reference);
    let Some(difference) = unless_refused(reference, difference) else { return };
    expect_test(reference, &difference, Test::welch(&difference, reference.alpha()));
    reference.expect("stddev", difference.standard_error);
}

pub(super) fn one_sided(reference: &Reference) {
    let difference = difference(reference);
    let Some(difference) = unless_refused(reference, difference) else { return };
    expect_test(reference, &difference, Test::welch_greater(&difference, reference.alpha()));
}

pub(super) fn welch_of_variances(reference: &Reference) {
    let sample = |value: &Value| {
        let visitors = value["n"].as_u64().unwrap();
        Sample::new(visitors, number(&value["mean"]), number(&value["var"])).unwrap()
    };
    let (control, variation) =
        (sample(reference.input("control")), sample(reference.input("treatment")));

    let difference = Difference::absolute(&control, &variation).unwrap();

    reference.expect("t", difference.z());
    let test = Test::welch(&difference, stats::Alpha::FIVE_PERCENT);
    reference.expect("p_value", test.p_value.get());
}

/// These relative intervals are the absolute ones as a share of the control's mean.
pub(super) fn spotify(reference: &Reference) {
    let (control, variation) = samples(reference).unwrap();
    let difference = Difference::absolute(&control, &variation).unwrap();

    let test = if reference.function().starts_with("ZTest") {
        Test::normal(&difference, reference.alpha())
    } else {
        Test::welch(&difference, reference.alpha())
    };

    let is_relative = reference.function().contains("absolute=False");
    let unit = if is_relative { 1.0 / control.mean() } else { 1.0 };
    reference.expect("difference", difference.estimate * unit);
    reference.expect_interval("ci", test.interval.scaled(unit));
    reference.expect("p_value", test.p_value.get());
}

pub(super) fn ratio(reference: &Reference) {
    welch(reference);
    let (control, variation) = samples(reference).unwrap();
    reference.expect("control_mean", control.mean());
    reference.expect("control_variance", control.variance());
    reference.expect("treatment_mean", variation.mean());
    reference.expect("treatment_variance", variation.variance());
}

pub(super) fn cuped(reference: &Reference) {
    let read = |name| pair(reference.input(name), "post_", "pre_", "post_pre_sum_products");

    let cuped = Cuped::adjust(&[read("control"), read("treatment")]).unwrap();

    let difference = between(reference, &cuped.samples[0], &cuped.samples[1]).unwrap();
    reference.expect("theta", cuped.theta);
    reference.expect("adjusted_variance_control", cuped.samples[0].variance());
    reference.expect("adjusted_variance_treatment", cuped.samples[1].variance());
    expect_test(reference, &difference, Test::welch(&difference, reference.alpha()));
}

pub(super) fn quantile(reference: &Reference) {
    let sample = |name| {
        let value = reference.input(name);
        let estimate = QuantileEstimate {
            values: value["n"].as_u64().unwrap(),
            values_for_ends: value["n_star"].as_u64().unwrap(),
            level: number(&value["nu"]),
            estimate: number(&value["hat"]),
            lower: number(&value["lower"]),
            upper: number(&value["upper"]),
        };
        estimate.sample()
    };
    let difference =
        sample("control").and_then(|control| between(reference, &control, &sample("treatment")?));
    let Some(difference) = unless_refused(reference, difference) else { return };
    expect_test(reference, &difference, Test::welch(&difference, reference.alpha()));
}

pub(super) fn always_valid(reference: &Reference) {
    let difference = difference(reference);
    let Some(difference) = unless_refused(reference, difference) else { return };
    let tuning = reference.input("sequential_tuning_parameter").as_u64().unwrap();

    let sequence = ConfidenceSequence::new(reference.alpha(), TunedFor::visitors(tuning));

    reference.expect("estimate", difference.estimate);
    reference.expect_interval("ci", sequence.interval(&difference));
    reference.expect("p_value", sequence.p_value(&difference).get());
}

pub(super) fn gaussian_posterior(reference: &Reference) {
    let difference = difference(reference);
    let Some(difference) = unless_refused(reference, difference) else { return };
    let prior = reference.input("prior");
    let prior = if prior["proper"].as_bool() == Some(true) {
        Prior::Normal { mean: number(&prior["mean"]), deviation: number(&prior["stddev"]) }
    } else {
        Prior::Flat
    };

    let posterior = GaussianPosterior::new(prior, &difference);

    reference.expect("estimate", posterior.mean());
    reference.expect_interval("ci", posterior.credible_interval(reference.alpha()));
    reference.expect("chance_to_win", posterior.chance_above_zero());
    reference.expect_list("risk", &[posterior.loss_of_control(), posterior.loss_of_variation()]);
}

fn expect_test(reference: &Reference, difference: &Difference, test: Test) {
    reference.expect("estimate", difference.estimate);
    reference.expect_interval("ci", test.interval);
    reference.expect("p_value", test.p_value.get());
}

/// Where the other tool refused, so do we; None then.
fn unless_refused(
    reference: &Reference,
    difference: Result<Difference, NoFigure>,
) -> Option<Difference> {
    let is_alike = difference.is_err() == reference.is_refused();
    if !is_alike {
        reference.fail(&format!("{difference:?}"));
    }
    difference.ok().filter(|_| is_alike)
}

fn difference(reference: &Reference) -> Result<Difference, NoFigure> {
    let (control, variation) = samples(reference)?;
    between(reference, &control, &variation)
}

fn between(
    reference: &Reference,
    control: &Sample,
    variation: &Sample,
) -> Result<Difference, NoFigure> {
    match reference.input("difference_type").as_str() {
        Some("relative") => Difference::relative(control, variation),
        _ => Difference::absolute(control, variation),
    }
}

fn samples(reference: &Reference) -> Result<(Sample, Sample), NoFigure> {
    let sample = |name| {
        let value = reference.input(name);
        if value["md_sum_products"].is_number() {
            ratio_sample(&pair(value, "m_", "d_", "md_sum_products"))
        } else if value["sum_squares"].is_number() {
            moments(value, "").sample()
        } else {
            conversions(value).sample()
        }
    };
    Ok((sample("control")?, sample("treatment")?))
}
