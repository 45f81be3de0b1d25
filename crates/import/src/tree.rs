//! Logical trees, which the export writes as lists: as JSON in a text, or plainly.

use std::borrow::Cow;

use serde_json::Value;

use crate::export_location::At;

/// The tree in a field: JSON in a text, or plain JSON. An empty text is an empty tree.
pub(crate) fn read<'e>(at: &At<'e>) -> Result<Cow<'e, Value>, String> {
    match at.value.as_str() {
        None => Ok(Cow::Borrowed(at.value)),
        Some(text) if text.trim().is_empty() => Ok(Cow::Owned(Value::Array(Vec::new()))),
        Some(text) => crate::strict_json::read_json(text)
            .map(Cow::Owned)
            .map_err(|error| format!("the text is not readable as JSON: {error}")),
    }
}

/// The same tree with other leaves.
pub(crate) fn map(
    tree: &Value,
    leaf: &mut impl FnMut(&Value) -> Result<Value, String>,
) -> Result<Value, String> {
    let Some(elements) = tree.as_array() else { return leaf(tree) };
    let operator = elements.first().and_then(Value::as_str);
    let operands = match operator {
        Some("and" | "or" | "not") => &elements[1..],
        Some(other) => return Err(format!("`{other}` is not an operator")),
        None => elements.as_slice(),
    };
    let mapped = operator.map(|operator| Ok(Value::from(operator)));
    mapped.into_iter().chain(operands.iter().map(|operand| map(operand, leaf))).collect()
}
