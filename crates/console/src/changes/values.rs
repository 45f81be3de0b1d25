//! Values of fields as people read them.

use domain::{BasisPoints, Pointer};
use serde_json::Value;

use crate::changes::names::Names;
use crate::edit::shape::percent;

/// Code points of a value that stands in a line; longer ones are folded away.
const IN_A_LINE_AT_MOST: usize = 120;

/// Fields that hold a share, of visitors most often.
const SHARES: [&str; 7] =
    ["weight", "holdback", "margin", "effect", "power", "confidence", "quantile"];

/// Whether a value is too long to stand in a line.
pub(super) fn is_long(text: &str) -> bool {
    text.contains('\n') || text.chars().nth(IN_A_LINE_AT_MOST).is_some()
}

/// Whether a field holds a share.
pub(super) fn is_share(pointer: &Pointer) -> bool {
    pointer.tokens().last().is_some_and(|name| SHARES.contains(&&*name))
}

/// The value of the field that a pointer names.
pub(super) fn readable(pointer: &Pointer, value: &Value) -> String {
    let share = is_share(pointer).then(|| share_of(value)).flatten();
    match value {
        _ if share.is_some() => {
            share.map(|share| format!("{} %", percent(share))).unwrap_or_default()
        }
        Value::Null => "nothing".to_owned(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::String(text) if text.is_empty() => "empty".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(values) if values.is_empty() => "none".to_owned(),
        Value::Array(values) if values.iter().all(|one| !one.is_array() && !one.is_object()) => {
            values.iter().map(|one| readable(pointer, one)).collect::<Vec<_>>().join(", ")
        }
        Value::Number(_) | Value::Array(_) | Value::Object(_) => format!("{value:#}"),
    }
}

/// A value with names instead of ids.
pub(super) fn resource_names(value: &Value, names: &Names<'_>) -> String {
    readable(&Pointer::root(), &named(value, names))
}

fn named(value: &Value, names: &Names<'_>) -> Value {
    match value {
        Value::String(id) => names.name(id).into(),
        Value::Array(values) => values.iter().map(|one| named(one, names)).collect(),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, one)| (name.clone(), named(one, names)));
            Value::Object(fields.collect())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

fn share_of(value: &Value) -> Option<BasisPoints> {
    BasisPoints::new(u16::try_from(value.as_u64()?).ok()?)
}

#[cfg(test)]
mod tests {
    use domain::Pointer;
    use serde_json::json;

    use super::{is_long, readable};

    #[test]
    fn values_are_in_words() {
        let words = |name: &str, value| readable(&Pointer::root().field(name), &value);

        assert_eq!(words("weight", json!(3_333)), "33.33 %");
        assert_eq!(words("priority", json!(3_333)), "3333");
        assert_eq!(words("paused", json!(true)), "yes");
        assert_eq!(words("name", json!(null)), "nothing");
        assert_eq!(words("name", json!("")), "empty");
        assert_eq!(words("tags", json!(["a", "b"])), "a, b");
        assert_eq!(words("tags", json!([])), "none");
        assert_eq!(words("window", json!({"days": 1})), "{\n  \"days\": 1\n}");
    }

    #[test]
    fn a_long_value_is_one_that_does_not_fit_a_line() {
        assert!(!is_long(&"ä".repeat(120)) && is_long(&"a".repeat(121)) && is_long("a\nb"));
    }
}
