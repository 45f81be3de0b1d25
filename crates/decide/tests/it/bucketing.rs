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
fn no_shares_hold_nobody() {
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
    let mut counts = [0_u32; 100];
    for visitor in 0..VISITORS {
        counts[tile(visitor, Draw::Variation("4001"), 100)] += 1;
    }

    // 99 degrees of freedom: 149 is exceeded once in a thousand fair draws; the visitors here are
    // fixed.
    assert!(chi_square(&counts) < 149.0, "{counts:?}");
}

#[test]
fn draws_are_independent_of_each_other() {
    let pairs = [
        (Draw::Variation("4001"), Draw::Variation("4002")),
        (Draw::Variation("4001"), Draw::Holdback("3001")),
        (Draw::Holdback("3001"), Draw::Experiment("3001")),
        (Draw::Group("9001"), Draw::Variation("4001")),
    ];
    for (first, second) in pairs {
        let mut counts = [0_u32; 100];
        for visitor in 0..VISITORS {
            counts[tile(visitor, first, 10) * 10 + tile(visitor, second, 10)] += 1;
        }

        assert!(chi_square(&counts) < 149.0, "{first:?} and {second:?}: {counts:?}");
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

fn tile(visitor: u32, draw: Draw<'_>, tiles: u32) -> usize {
    let point = u32::from(bucket(&format!("visitor-{visitor}"), draw).get());
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
        .expect("every point is somebody's")
}

fn numbers(list: &Value) -> Vec<u32> {
    let numbers = list.as_array().unwrap().iter();
    numbers.map(|number| u32::try_from(number.as_u64().unwrap()).unwrap()).collect()
}

fn weights(ends: &[u32]) -> Vec<u16> {
    let starts = [0].into_iter().chain(ends.iter().copied());
    starts.zip(ends).map(|(start, end)| u16::try_from(end - start).unwrap()).collect()
}
