//! The priorities of a campaign's experiments. Without explicit ones all have equal priority, including experiments added later.

use serde_json::{Value, json};

/// Removes priorities that equal the default, before the campaign's experiments change.
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
