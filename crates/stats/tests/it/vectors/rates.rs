//! Two rates: Fieller's interval, beta posteriors, and the classical comparisons.

use serde_json::Value;
use stats::special::normal;
use stats::two_rates::{
    DifferenceInterval, RatioInterval, fisher_exact, pooled_z_test, table_chi_squared,
    wilson_interval,
};
use stats::{BetaPosteriors, Conversions, Lift, NoFigure};

use super::reading::{Reference, conversions, number};

pub(super) fn fieller(reference: &Reference) {
    let (control, variation) = rates(reference);
    let z = normal::upper_quantile(0.5 * reference.alpha().get());

    let lift = Lift::new(&control.sample().unwrap(), &variation.sample().unwrap(), z).unwrap();

    reference.expect("relative_lift", lift.estimate);
    let is_bounded = reference.output("bounded").as_bool().unwrap();
    match lift.interval {
        Ok(interval) if is_bounded => reference.expect_interval("ci", interval),
        Err(NoFigure::UnboundedLift) if !is_bounded => {}
        other => reference.fail(&format!("{other:?}")),
    }
}

pub(super) fn beta_posteriors(reference: &Reference) {
    let (control, variation) = rates(reference);

    let posteriors = BetaPosteriors::new(control, variation).unwrap();

    let comparison = posteriors.compare();
    reference.expect("prob_treatment_beats_control", comparison.chance_of_variation);
    reference.expect("expected_loss_choose_treatment", comparison.loss_of_variation);
    reference.expect("expected_loss_choose_control", comparison.loss_of_control);
    reference.expect_interval("control_ci", posteriors.control_interval(reference.alpha()));
    reference.expect_interval("treatment_ci", posteriors.variation_interval(reference.alpha()));
}

pub(super) fn wilson(reference: &Reference) {
    let rate = Conversions {
        visitors: reference.input("n").as_u64().unwrap(),
        converted: reference.input("sum").as_u64().unwrap(),
    };
    let interval = wilson_interval(rate, reference.alpha()).unwrap();
    reference.expect_interval("ci", interval);
}

pub(super) fn difference_interval(reference: &Reference) {
    let (control, variation) = rates(reference);
    let method = match method(reference) {
        "wald" => DifferenceInterval::Wald,
        "agresti-caffo" => DifferenceInterval::AgrestiCaffo,
        "newcomb" => DifferenceInterval::Newcombe,
        "score" => DifferenceInterval::StatsmodelsScore,
        other => panic!("unknown method {other}"),
    };
    let interval = method.of(control, variation, reference.alpha()).unwrap();
    reference.expect_interval("ci", interval);
}

pub(super) fn ratio_interval(reference: &Reference) {
    let (control, variation) = rates(reference);
    let method = match method(reference) {
        "log" => RatioInterval::Log,
        "log-adjusted" => RatioInterval::LogAdjusted,
        "score" => RatioInterval::Score,
        other => panic!("unknown method {other}"),
    };
    let interval = method.of(control, variation, reference.alpha()).unwrap();

    // statsmodels solves a polynomial that has a double root if the whole control converted. Its
    // interval then excludes the ratio itself.
    let estimate = variation.rate().unwrap() / control.rate().unwrap();
    if excludes(reference.output("ratio_ci"), estimate) {
        assert!(interval.contains(estimate), "{}: {interval:?}", reference.id());
    } else {
        reference.expect_interval("ratio_ci", interval);
    }
}

pub(super) fn chi_squared(reference: &Reference) {
    let (control, variation) = rates(reference);
    let test = table_chi_squared(control, variation).unwrap();
    reference.expect("chi2", test.statistic);
    reference.expect("p_value", test.p_value.get());
}

pub(super) fn pooled_z(reference: &Reference) {
    let (control, variation) = rates(reference);
    let (z, p_value) = pooled_z_test(control, variation).unwrap();
    reference.expect("z", z);
    reference.expect("p_value", p_value.get());
}

pub(super) fn fisher(reference: &Reference) {
    let (control, variation) = rates(reference);
    reference.expect("p_value", fisher_exact(control, variation).unwrap().get());
}

fn excludes(interval: &Value, estimate: f64) -> bool {
    number(&interval[0]) > estimate || number(&interval[1]) < estimate
}

fn rates(reference: &Reference) -> (Conversions, Conversions) {
    (conversions(reference.input("control")), conversions(reference.input("treatment")))
}

/// The `method=…` of the function that made the reference value.
fn method(reference: &Reference) -> &str {
    let (_, rest) = reference.function().split_once("method=").unwrap();
    rest.split([',', ')']).next().unwrap()
}
