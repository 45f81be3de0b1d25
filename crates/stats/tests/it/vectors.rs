//! The reference values in `spec`: every one is met within its tolerance. `statistics.json` has those of
//! other tools, `statistics-rules.json` those of rules that no other tool computes alike.

mod distributions;
mod many;
mod posteriors;
mod rates;
mod reading;
mod rules;
mod samples;

use reading::{Reference, References};

const FILES: [&str; 2] = ["statistics.json", "statistics-rules.json"];

#[test]
fn every_special_function_is_met() {
    check(&["special"], distributions::special);
}

#[test]
fn every_fixed_horizon_test_is_met() {
    check(&["proportion-welch-t", "mean-welch-t"], samples::welch);
    check(&["mean-one-sided"], samples::one_sided);
    check(&["mean-welch-t-abs"], samples::welch_of_variances);
    check(&["mean-spotify"], samples::spotify);
}

#[test]
fn every_kind_of_metric_is_met() {
    check(&["ratio-delta-method"], samples::ratio);
    check(&["cuped"], samples::cuped);
    check(&["quantile"], samples::quantile);
}

#[test]
fn every_always_valid_interval_is_met() {
    let sequences = ["proportion-asymptotic-cs", "mean-asymptotic-cs", "ratio-asymptotic-cs"];
    check(&sequences, samples::always_valid);
    check(&["asymptotic-cs-core"], many::sequence_core);
    check(&["msprt-normal"], many::mixture_test);
}

#[test]
fn every_relative_interval_is_met() {
    check(&["relative-ci-fieller"], rates::fieller);
}

#[test]
fn every_bayesian_figure_is_met() {
    let gaussian = ["proportion-bayes-gaussian-effect", "mean-bayes-gaussian-effect"];
    check(&gaussian, samples::gaussian_posterior);
    check(&["proportion-beta-binomial"], rates::beta_posteriors);
}

#[test]
fn every_classical_comparison_of_rates_is_met() {
    check(&["proportion-single-ci"], rates::wilson);
    check(&["proportion-diff-ci"], rates::difference_interval);
    check(&["proportion-ratio-ci"], rates::ratio_interval);
    check(&["proportion-chi2"], rates::chi_squared);
    check(&["proportion-pooled-z"], rates::pooled_z);
    check(&["proportion-fisher"], rates::fisher);
}

#[test]
fn every_sample_ratio_test_is_met() {
    check(&["srm-chi2"], many::chi_squared);
    check(&["srm-sequential"], many::sample_ratio);
}

#[test]
fn every_correction_and_sample_size_is_met() {
    check(&["multiple-testing"], many::correction);
    check(&["power-proportion"], many::sample_size);
}

#[test]
fn every_rule_of_ours_is_met() {
    check(&["fieller-sequence"], rules::lift_in_sequence);
    check(&["hybrid"], rules::hybrid);
    check(&["srm-epochs"], rules::sample_ratio_in_epochs);
    check(&["epochs-pooled"], rules::pooled_epochs);
    check(&["how-long"], rules::visitors_of_plans);
    check(&["cuped-sequence"], rules::cuped_in_sequence);
    check(&["discoveries"], rules::discoveries);
    check(&["posterior"], posteriors::posterior);
}

#[test]
fn no_reference_value_is_of_an_unknown_kind() {
    let known = include_str!("vectors.rs");
    for file in FILES {
        for reference in References::read(file).all() {
            let name = format!("\"{}\"", reference.category());
            assert!(known.contains(&name), "no test reads {}", reference.id());
        }
    }
}

/// Checks every reference value of `categories` and shows all that are not met.
fn check(categories: &[&str], check: fn(&Reference)) {
    let references = FILES.map(References::read);
    let mut checked = 0;
    let mut failures = Vec::new();
    let references = references.iter().flat_map(References::all);
    for reference in references.filter(|one| categories.contains(&one.category())) {
        checked += 1;
        check(reference);
        failures.extend(reference.failures());
    }
    assert!(checked > 0, "no reference values of {categories:?}");
    assert!(failures.is_empty(), "{} of {checked}:\n{}", failures.len(), failures.join("\n"));
}
