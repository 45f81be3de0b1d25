//! How long an experiment has to run.

use app::results::{LengthQuestion, experiment_length};

const SHOP: LengthQuestion = LengthQuestion {
    baseline: 0.05,
    minimum_effect: 0.1,
    visitors_per_day: Some(4_000.0),
    variations: 2,
    power: 0.8,
    confidence: 0.95,
};

#[test]
fn a_textbook_plan_has_its_visitors() {
    let length = experiment_length(&SHOP).unwrap();

    // (1.959964 + 0.841621)² × (0.05 × 0.95 + 0.055 × 0.945) / 0.005², for each of both variations.
    assert_eq!((length.fixed_horizon.visitors, length.fixed_horizon.days), (62_462, Some(16)));
}

#[test]
fn who_may_look_at_any_time_waits_longer_at_most() {
    let length = experiment_length(&SHOP).unwrap();

    let visitors =
        [length.fixed_horizon, length.hybrid, length.always_valid].map(|one| one.visitors);
    assert!(visitors.is_sorted() && visitors[0] < visitors[2], "{visitors:?}");
}

#[test]
fn more_variations_need_more_visitors_each() {
    let two = experiment_length(&SHOP).unwrap().always_valid.visitors;
    let four = experiment_length(&LengthQuestion { variations: 4, ..SHOP }).unwrap();

    assert!(four.always_valid.visitors > 2 * two, "{four:?}");
}

#[test]
fn days_are_told_of_known_traffic_only() {
    let length = experiment_length(&LengthQuestion { visitors_per_day: None, ..SHOP }).unwrap();

    assert_eq!(length.always_valid.days, None);
}

#[test]
fn impossible_questions_have_no_answer() {
    let wrong = [
        LengthQuestion { baseline: 0.0, ..SHOP },
        LengthQuestion { baseline: 0.9, minimum_effect: 0.5, ..SHOP },
        LengthQuestion { minimum_effect: 0.0, ..SHOP },
        LengthQuestion { variations: 1, ..SHOP },
        LengthQuestion { power: 1.0, ..SHOP },
        LengthQuestion { confidence: 1.0, ..SHOP },
        LengthQuestion { visitors_per_day: Some(0.0), ..SHOP },
    ];

    for question in wrong {
        assert!(experiment_length(&question).is_err(), "{question:?}");
    }
}
