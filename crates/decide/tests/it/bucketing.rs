//! Bucketing: the vectors, and that points are stable, even and independent of each other.

use decide::{Bucket, Draw, Shares, bucket};
use proptest::prelude::*;
use serde_json::Value;

use crate::vectors::each_vector;

#[test]
fn every_bucketing_vector_is_met() {
    each_vector("bucketing.json", "vectors", |vector, context| {
        let text = |field: &str| vector[field].as_str().unwrap();
        let visitor_id = text("visitorId");

        let variation = bucket(visitor_id, Draw::Variation(text("entityId")));
        let holdback = bucket(visitor_id, Draw::Holdback(text("campaignId")));

        assert_eq!(u64::from(variation.get()), vector["variationBucket"], "{context}");
        assert_eq!(u64::from(holdback.get()), vector["holdbackBucket"], "{context}");
    });
}

#[test]
fn every_choice_vector_is_met() {
    each_vector("bucketing.json", "choices", |vector, context| {
        let shares = Shares::weighted(weights(&numbers(&vector["ends"])));

        let place = shares.place_of(bucket_at(vector["bucket"].as_u64().unwrap()));

        assert_eq!(place.map(|place| place as u64), vector["index"].as_u64(), "{context}");
    });
}

#[test]
fn every_equal_shares_vector_is_met() {
    each_vector("bucketing.json", "equalShares", |vector, context| {
        let count = usize::try_from(vector["count"].as_u64().unwrap()).unwrap();

        assert_eq!(Shares::equal(count).ends(), numbers(&vector["ends"]), "{context}");
    });
}

#[test]
fn an_empty_list_of_shares_holds_no_visitors() {
    assert_eq!(Shares::equal(0).place_of(bucket_at(0)), None);
}

#[test]
fn a_holdback_takes_the_points_below_it() {
    let point = bucket_at(1000);

    assert!(point.is_within(1001));
    assert!(!point.is_within(1000));
    assert!(!bucket_at(0).is_within(0));
    assert!(bucket_at(9999).is_within(10_000));
}

#[test]
fn points_are_even_over_visitors() {
    for visitor_id in VISITOR_IDS {
        for draw in
            [Draw::Variation("4001"), Draw::Holdback("3001"), Draw::Variation("16908163238")]
        {
            let counts = counts(visitor_id, |id| tile(id, draw, 100));

            assert!(chi_square(&counts) < CHI_SQUARE_MAX, "{} {draw:?}: {counts:?}", visitor_id(1));
        }
    }
}

#[test]
fn draws_are_independent_of_each_other() {
    let pairs = [
        (Draw::Variation("4001"), Draw::Holdback("3001")),
        (Draw::Variation("3001"), Draw::Holdback("3001")),
        (Draw::Holdback("3001"), Draw::Experiment("3001")),
        (Draw::Holdback("3001"), Draw::Holdback("3002")),
        (Draw::Group("9001"), Draw::Variation("4001")),
        (Draw::Group("9001"), Draw::Holdback("3001")),
    ];
    for (first, second) in pairs {
        assert_independent(first, second);
    }
}

#[test]
fn experiments_are_independent_of_each_other() {
    // Ids that follow each other, begin alike, or end alike.
    let ids = ["4001", "4002", "4003", "400", "40010", "14001", "16908163238", "16908163239"];
    for (place, first) in ids.iter().enumerate() {
        for second in &ids[place + 1..] {
            assert_independent(Draw::Variation(first), Draw::Variation(second));
        }
    }
}

proptest! {
    #[test]
    fn a_visitor_keeps_the_point(visitor_id: String, entity_id: String) {
        let first = bucket(&visitor_id, Draw::Variation(&entity_id));

        prop_assert!(first.get() < 10_000);
        prop_assert_eq!(first, bucket(&visitor_id, Draw::Variation(&entity_id)));
    }

    #[test]
    fn every_point_has_one_of_equal_shares(count in 1_usize..200, visitor_id: String) {
        let place = Shares::equal(count).place_of(bucket(&visitor_id, Draw::Experiment("3001")));

        prop_assert!(place.is_some_and(|place| place < count));
    }

    #[test]
    fn a_share_that_grows_at_the_end_keeps_its_visitors(
        visitor_id: String,
        small in 0_u16..5000,
        more in 0_u16..5000,
    ) {
        let point = bucket(&visitor_id, Draw::Variation("4001"));
        let before = Shares::weighted([5000, small]).place_of(point);
        let after = Shares::weighted([5000, small + more]).place_of(point);

        prop_assert!(before.is_none() || before == after);
    }
}

const VISITORS: u32 = 100_000;

/// Exceeded once in a million fair draws over 100 tiles, 99 degrees of freedom. The visitors are fixed, so that a test
/// that passes once always passes.
const CHI_SQUARE_MAX: f64 = 176.0;

/// Visitor ids as they come: counted, as our cookie has them, as Optimizely's has them, and outside ASCII.
const VISITOR_IDS: [fn(u32) -> String; 4] = [
    |number| format!("visitor-{number}"),
    |number| format!("{:032x}", u128::from(number) * 0x9e37_79b9_7f4a_7c15_f39c_c061),
    |number| format!("oeu1795204{number:06}r0.{:016}", u64::from(number) * 6_364_136_223),
    |number| format!("b\u{e9}suche\u{1f642}-{number}"),
];

/// Pairs of tenths have 100 tiles of the same size if neither draw knows of the other.
fn assert_independent(first: Draw<'_>, second: Draw<'_>) {
    let counts = counts(VISITOR_IDS[0], |id| tile(id, first, 10) * 10 + tile(id, second, 10));

    assert!(chi_square(&counts) < CHI_SQUARE_MAX, "{first:?} and {second:?}: {counts:?}");
}

fn counts(visitor_id: fn(u32) -> String, tile: impl Fn(&str) -> usize) -> [u32; 100] {
    let mut counts = [0; 100];
    for visitor in 0..VISITORS {
        counts[tile(&visitor_id(visitor))] += 1;
    }
    counts
}

fn tile(visitor_id: &str, draw: Draw<'_>, tiles: u32) -> usize {
    let point = u32::from(bucket(visitor_id, draw).get());
    usize::try_from(point * tiles / 10_000).unwrap()
}

fn chi_square(counts: &[u32; 100]) -> f64 {
    let expected = f64::from(VISITORS) / 100.0;
    counts.iter().map(|count| (f64::from(*count) - expected).powi(2) / expected).sum()
}

/// The bucket of some visitor that falls on this point.
fn bucket_at(point: u64) -> Bucket {
    (0..VISITORS)
        .map(|visitor| bucket(&format!("visitor-{visitor}"), Draw::Variation("4001")))
        .find(|bucket| u64::from(bucket.get()) == point)
        .expect("every point is in a share")
}

fn numbers(list: &Value) -> Vec<u32> {
    let numbers = list.as_array().unwrap().iter();
    numbers.map(|number| u32::try_from(number.as_u64().unwrap()).unwrap()).collect()
}

fn weights(ends: &[u32]) -> Vec<u16> {
    let starts = [0].into_iter().chain(ends.iter().copied());
    starts.zip(ends).map(|(start, end)| u16::try_from(end - start).unwrap()).collect()
}
