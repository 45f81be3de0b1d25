//! How long an experiment has to run.

use app::results::{LengthQuestion, PlannedVariations, Today, experiment_length};

fn shop() -> LengthQuestion {
    LengthQuestion {
        today: Today::Share(0.05),
        minimum_effect: 0.1,
        visitors_per_day: Some(4_000.0),
        variations: PlannedVariations::even(2),
        power: 0.8,
        confidence: 0.95,
    }
}

#[test]
fn a_textbook_plan_has_its_visitors() {
    let length = experiment_length(&shop()).unwrap();

    // (1.959964 + 0.841621)² × (0.05 × 0.95 + 0.055 × 0.945) / 0.005², for each of both variations.
    assert_eq!((length.fixed_horizon.visitors, length.fixed_horizon.days), (62_462, Some(16)));
}

#[test]
fn an_always_valid_test_needs_more_visitors_than_a_fixed_horizon() {
    let length = experiment_length(&shop()).unwrap();

    let visitors =
        [length.fixed_horizon, length.hybrid, length.always_valid].map(|one| one.visitors);
    assert!(visitors.is_sorted() && visitors[0] < visitors[2], "{visitors:?}");
}

#[test]
fn more_variations_need_more_visitors_each() {
    let two = experiment_length(&shop()).unwrap().always_valid.visitors;
    let four = PlannedVariations::even(4);
    let four = experiment_length(&LengthQuestion { variations: four, ..shop() }).unwrap();

    assert!(four.always_valid.visitors > 2 * two, "{four:?}");
}

#[test]
fn a_mean_is_planned_by_its_deviation() {
    let order = Today::Mean { mean: 12.4, deviation: 31.0 };
    let length = experiment_length(&LengthQuestion { today: order, ..shop() }).unwrap();

    // (1.959964 + 0.841621)² × 2 × 31² / 1.24², for each of both variations.
    assert_eq!((length.fixed_horizon.visitors, length.fixed_horizon.days), (19_623, Some(5)));
}

#[test]
fn a_small_variation_takes_longer() {
    let weights = PlannedVariations::of_weights("90/10").unwrap();
    let length = experiment_length(&LengthQuestion { variations: weights, ..shop() }).unwrap();

    // (1.959964 + 0.841621)² × (0.05 × 0.95 / 0.9 + 0.055 × 0.945 / 0.1) / 0.005², for both together.
    assert_eq!((length.fixed_horizon.visitors, length.fixed_horizon.days), (179_749, Some(45)));
}

#[test]
fn days_are_told_of_known_traffic_only() {
    let length = experiment_length(&LengthQuestion { visitors_per_day: None, ..shop() }).unwrap();

    assert_eq!(length.always_valid.days, None);
}

#[test]
fn impossible_questions_have_no_answer() {
    let wrong = [
        LengthQuestion { today: Today::Share(0.0), ..shop() },
        LengthQuestion { today: Today::Share(0.9), minimum_effect: 0.5, ..shop() },
        LengthQuestion { today: Today::Mean { mean: 0.0, deviation: 1.0 }, ..shop() },
        LengthQuestion { today: Today::Mean { mean: 1.0, deviation: 0.0 }, ..shop() },
        LengthQuestion { minimum_effect: 0.0, ..shop() },
        LengthQuestion { variations: PlannedVariations::even(1), ..shop() },
        LengthQuestion { power: 1.0, ..shop() },
        LengthQuestion { confidence: 1.0, ..shop() },
        LengthQuestion { visitors_per_day: Some(0.0), ..shop() },
    ];

    for question in wrong {
        assert!(experiment_length(&question).is_err(), "{question:?}");
    }
}
