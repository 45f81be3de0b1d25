//! Who comes first of a campaign's experiments. Where nobody said it, all are equals: also one that comes later.

use serde_json::{Value, json};

/// Takes priorities out that say what is so anyway, before the campaign's experiments change.
pub(super) fn forget_default(campaign: &mut Value) {
    let experiments = campaign["experiments"].as_array().into_iter().flatten();
    let ids: Vec<&Value> = experiments.map(|experiment| &experiment["id"]).collect();
    let is_default = match campaign["priorities"].as_array().map(Vec::as_slice) {
        Some([Value::Array(equals)]) => equals.iter().eq(ids),
        Some(_) | None => false,
    };
    if is_default {
        campaign["priorities"] = json!([]);
    }
}
