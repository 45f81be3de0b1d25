//! Sequences, sample ratios, corrections and sample sizes.

use stats::special::chi_squared::survival;
use stats::two_rates::arcsine_visitors;
use stats::{
    ChiSquaredTest, ConfidenceSequence, Correction, Difference, MixtureTest, PValue, Plan, Power,
    SampleRatioTest, Split, Target, TunedFor,
};

use super::reading::Reference;

pub(super) fn sequence_core(reference: &Reference) {
    let tuned_for = TunedFor::visitors(reference.input("n_star").as_u64().unwrap());
    let visitors = reference.number("n_total");
    let difference = of(reference, reference.number("standard_error"), visitors);

    let sequence = ConfidenceSequence::new(reference.alpha(), tuned_for);

    reference.expect("rho_squared", sequence.rho_squared());
    reference.expect("multiplier", sequence.multiplier(visitors));
    reference.expect_interval("ci", sequence.interval(&difference));
    reference.expect("log_e_value", sequence.log_evidence(&difference));
    reference.expect("p_value", sequence.p_value(&difference).get());
}

pub(super) fn mixture_test(reference: &Reference) {
    let standard_error = reference.number("variance_of_difference").sqrt();
    let difference = of(reference, standard_error, 1.0);

    let test = MixtureTest::new(reference.alpha(), reference.number("tau_squared")).unwrap();

    reference.expect("log_likelihood_ratio", test.log_likelihood_ratio(&difference));
    reference.expect("p_value", test.p_value(&difference).get());
    reference.expect_interval("ci", test.interval(&difference));
}

fn of(reference: &Reference, standard_error: f64, visitors: f64) -> Difference {
    let estimate = reference.number("difference");
    Difference { estimate, standard_error, visitors, degrees_of_freedom: f64::INFINITY }
}

/// gbstats leaves out variations without a weight, and counts their degrees of freedom all the same.
pub(super) fn chi_squared(reference: &Reference) {
    let (visitors, weights) = (counts(reference.input("observed")), reference.numbers("weights"));
    let all = visitors.len();
    let (visitors, weights): (Vec<_>, Vec<_>) =
        visitors.into_iter().zip(weights).filter(|(_, weight)| *weight > 0.0).unzip();

    let test = ChiSquaredTest::of_weights(&visitors, &weights).unwrap();

    reference.expect("chi2", test.statistic);
    let p_value = if visitors.len() < all {
        survival(test.statistic, f64::from(u32::try_from(all - 1).unwrap()))
    } else {
        test.p_value.get()
    };
    reference.expect("p_value", p_value);
}

pub(super) fn sample_ratio(reference: &Reference) {
    let weights = reference.numbers("weights");
    let mut test = SampleRatioTest::with_concentration(10_000.0, &weights).unwrap();
    let mut visitors = vec![0; weights.len()];
    let mut p_values = Vec::new();
    let mut probabilities = Vec::new();
    for increment in reference.input("increments").as_array().unwrap() {
        for (all, new) in visitors.iter_mut().zip(counts(increment)) {
            *all += new;
        }
        test.look(&visitors).unwrap();
        p_values.push(test.p_value().get());
        probabilities.push(test.mismatch_probability());
    }
    reference.expect_list("p_values", &p_values);
    reference.expect_list("posterior_srm", &probabilities);
}

pub(super) fn counts(value: &serde_json::Value) -> Vec<u64> {
    value.as_array().unwrap().iter().map(|count| count.as_u64().unwrap()).collect()
}

pub(super) fn correction(reference: &Reference) {
    let p_values = reference.numbers("p_values").into_iter().map(PValue::new).collect::<Vec<_>>();
    let (_, method) = reference.function().split_once("method=").unwrap();
    let correction = match method.trim_end_matches(')') {
        "holm" => Correction::Holm,
        "hommel" => Correction::Hommel,
        "fdr_bh" => Correction::BenjaminiHochberg,
        "fdr_by" => Correction::BenjaminiYekutieli,
        "sidak" => Correction::Sidak,
        "bonferroni" => Correction::Bonferroni,
        "simes-hochberg" => Correction::SimesHochberg,
        other => panic!("unknown method {other}"),
    };

    let adjusted = correction.adjust(&p_values);

    let adjusted = adjusted.iter().map(|p_value| p_value.get()).collect::<Vec<_>>();
    reference.expect_list("adjusted", &adjusted);
    let alpha = reference.alpha().get();
    for (p_value, reject) in adjusted.iter().zip(reference.output("reject").as_array().unwrap()) {
        if reject.as_bool() != Some(*p_value <= alpha) {
            reference.fail(&format!("{p_value} is rejected: {reject}"));
        }
    }
}

pub(super) fn sample_size(reference: &Reference) {
    let (baseline, effect) = (reference.number("baseline"), reference.number("relative_mde"));
    let power = Power::new(reference.number("power")).unwrap();
    if reference.function().contains("arcsine") {
        let rate = baseline * (1.0 + effect);
        let visitors = arcsine_visitors(baseline, rate, power, reference.alpha()).unwrap();
        reference.expect("n_per_arm", visitors);
        return;
    }
    let plan = Plan {
        target: Target::rate(baseline, effect).unwrap(),
        split: Split::EVEN,
        power,
        alpha: reference.alpha(),
    };
    let per_variation = 0.5 * plan.visitors_for_one_look();
    reference.expect("n_per_arm", per_variation);
    reference.expect("n_per_arm_ceil", per_variation.ceil());
}
