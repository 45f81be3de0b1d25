//! What is believed of all variations together.

use serde_json::Value;
use stats::{Direction, Posterior, Sample};

use super::reading::{Reference, conversions, number};

pub(super) fn posterior(reference: &Reference) {
    let variations = reference.input("arms").as_array().unwrap().iter().map(sample);
    let good = if reference.input("good") == "up" { Direction::Up } else { Direction::Down };

    let variations = variations.collect::<Vec<_>>();
    let posterior = Posterior::new(&variations, reference.number("lift_deviation")).unwrap();

    for place in 1..variations.len() {
        let effect = posterior.effect(place, good, reference.alpha()).unwrap();
        let lift = effect.lift.unwrap();
        reference.expect_item("lifts", place - 1, lift.estimate);
        reference.expect_item_interval("cis", place - 1, lift.interval.unwrap());
        reference.expect_item_interval("differences", place - 1, effect.interval);
        reference.expect_item("chances", place - 1, effect.chance);
    }
    let outlooks = posterior.outlooks(good);
    reference.expect_list("best", &outlooks.iter().map(|one| one.best).collect::<Vec<_>>());
    reference.expect_list("loss", &outlooks.iter().map(|one| one.loss).collect::<Vec<_>>());
}

fn sample(variation: &Value) -> Sample {
    if variation["sum"].is_null() {
        let visitors = variation["n"].as_u64().unwrap();
        Sample::new(visitors, number(&variation["mean"]), number(&variation["variance"])).unwrap()
    } else {
        conversions(variation).sample().unwrap()
    }
}
