//! The weights of an experiment's variations. A document may leave visitors out of an experiment; in the form that is a slip of the
//! member who has just changed them, and there is a plainer way to hold visitors back.

use domain::{BasisPoints, Fault, Pointer};
use serde_json::{Map, Value};

use crate::edit::shape::total_percent;

/// The experiments whose weights were changed so that they leave visitors out.
pub(super) fn refuses(was: &Map<String, Value>, now: &Map<String, Value>) -> Vec<Fault> {
    let before = experiments(was);
    let experiments = experiments(now).into_iter().enumerate();
    let changed = experiments.filter(|(index, weights)| before.get(*index) != Some(weights));
    changed.filter_map(|(index, weights)| fault(index, &weights?)).collect()
}

/// The weights of each experiment; `None` where one is no number, which is told as such.
fn experiments(campaign: &Map<String, Value>) -> Vec<Option<Vec<u64>>> {
    let experiments = campaign.get("experiments").and_then(Value::as_array).into_iter().flatten();
    let weights = experiments.map(|experiment| {
        let variations = experiment["variations"].as_array()?;
        variations.iter().map(|variation| variation["weight"].as_u64()).collect()
    });
    weights.collect()
}

/// More than all is for the rules of documents to refuse.
fn fault(index: usize, weights: &[u64]) -> Option<Fault> {
    let total = weights.iter().fold(0_u64, |total, weight| total.saturating_add(*weight));
    let is_short = total < u64::from(BasisPoints::ALL.get());
    let pointer = Pointer::root().field("experiments").element(index).field("variations");
    is_short.then(|| {
        let message =
            format!("the variations get {} % of the visitors together", total_percent(total));
        Fault::error("weights_below_total", pointer, message)
            .expected("100 %")
            .hint("share visitors evenly, or leave some out with \"Held back\"")
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use super::refuses;

    fn campaign(experiments: &[&[Value]]) -> Map<String, Value> {
        let experiments = experiments.iter().map(|weights| {
            let variations = weights.iter().map(|weight| json!({ "weight": weight }));
            json!({"variations": variations.collect::<Vec<_>>()})
        });
        let campaign = json!({"experiments": experiments.collect::<Vec<_>>()});
        campaign.as_object().unwrap().clone()
    }

    /// The pointers of what is refused.
    fn refused(was: &[&[Value]], now: &[&[Value]]) -> Vec<String> {
        let faults = refuses(&campaign(was), &campaign(now));
        faults.iter().map(|fault| fault.pointer.as_str().to_owned()).collect()
    }

    #[test]
    fn weights_that_were_changed_are_everyone() {
        let (half, whole) = ([json!(5_000)], [json!(5_000), json!(5_000)]);
        let nothing: [String; 0] = [];

        assert_eq!(refused(&[], &[&whole]), nothing);
        assert_eq!(refused(&[], &[&half]), ["/experiments/0/variations"]);
        assert_eq!(refused(&[&whole], &[&whole, &half]), ["/experiments/1/variations"]);
        assert_eq!(refused(&[&half], &[&half]), nothing, "it was so before");
        assert_eq!(refused(&[], &[&[json!("ten"), json!(1)]]), nothing, "told as no number");
        assert_eq!(refused(&[], &[&[json!(9_000), json!(2_000)]]), nothing, "told by the rules");
    }
}
