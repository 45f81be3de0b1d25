//! Limits the size of a comparison: two states of a large project may differ everywhere, and an answer too long to read is not worth the
//! memory. The answer says that something was left out.

use domain::Notice;
use serde_json::Value;

use crate::documents::{Difference, FieldChange};

/// The values before and after, and the patch: each may take this much, which is more than a person reads and a program needs to decide.
const BYTES_AT_MOST: usize = 1024 * 1024;

/// Resources that differ. Each takes a line.
const DIFFERENCES_AT_MOST: usize = 2_000;

/// What a value takes beside its text: quotes and a comma.
const PUNCTUATION: usize = 3;

/// As many differences as an answer holds: values that do not fit are left out, and so are the last resources if there are too many.
/// Returns whether anything was left out.
pub(crate) fn capped(mut differences: Vec<Difference>) -> (Vec<Difference>, bool) {
    let mut is_cut = differences.len() > DIFFERENCES_AT_MOST;
    differences.truncate(DIFFERENCES_AT_MOST);
    let mut left = BYTES_AT_MOST;
    for difference in &mut differences {
        let before = difference.fields.len();
        difference.fields.retain(|field| take(&mut left, field));
        is_cut |= difference.fields.len() < before;
    }
    (differences, is_cut)
}

/// At most as many notices as resources, with visitors' losses first; and whether any were left out.
pub(crate) fn capped_notices(mut notices: Vec<Notice>) -> (Vec<Notice>, bool) {
    let is_cut = notices.len() > DIFFERENCES_AT_MOST;
    notices.truncate(DIFFERENCES_AT_MOST);
    (notices, is_cut)
}

/// The patch, if an answer can hold it. A truncated patch would produce another document, so there is none.
pub(crate) fn capped_patch(patch: Value) -> Option<Value> {
    spend(BYTES_AT_MOST, &patch).is_some().then_some(patch)
}

fn take(left: &mut usize, field: &FieldChange) -> bool {
    let pointer = left.checked_sub(field.pointer.as_str().len() + PUNCTUATION);
    let rest = pointer.and_then(|rest| spend(rest, &field.before));
    let rest = rest.and_then(|rest| spend(rest, &field.after));
    rest.inspect(|rest| *left = *rest).is_some()
}

/// The bytes left after this value; `None` if it does not fit.
fn spend(left: usize, value: &Value) -> Option<usize> {
    let left = left.checked_sub(PUNCTUATION)?;
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => left.checked_sub(PUNCTUATION),
        Value::String(text) => left.checked_sub(text.len()),
        Value::Array(values) => values.iter().try_fold(left, spend),
        Value::Object(fields) => fields.iter().try_fold(left, |left, (name, value)| {
            spend(left.checked_sub(name.len() + PUNCTUATION)?, value)
        }),
    }
}

#[cfg(test)]
mod tests {
    use domain::Pointer;
    use serde_json::{Value, json};

    use super::{BYTES_AT_MOST, DIFFERENCES_AT_MOST, capped, capped_patch};
    use crate::documents::{Difference, FieldChange};

    fn changed(values: &[usize]) -> Difference {
        let fields = values.iter().map(|length| FieldChange {
            pointer: Pointer::root().field("name"),
            before: Value::Null,
            after: json!("x".repeat(*length)),
        });
        let (id, name) = (None, "Hero".to_owned());
        Difference { kind: "campaign", id, name, change: "changed", fields: fields.collect() }
    }

    #[test]
    fn values_that_do_not_fit_are_left_out_and_later_ones_that_fit_are_told() {
        let (told, is_cut) =
            capped(vec![changed(&[10]), changed(&[BYTES_AT_MOST, 20]), changed(&[30])]);

        assert!(is_cut);
        let fields: Vec<usize> = told.iter().map(|difference| difference.fields.len()).collect();
        assert_eq!(fields, [1, 1, 1]);
        assert!(!capped(vec![changed(&[10])]).1);
    }

    #[test]
    fn so_many_resources_are_told_and_no_more() {
        let (told, is_cut) = capped(vec![changed(&[]); DIFFERENCES_AT_MOST + 1]);

        assert_eq!((told.len(), is_cut), (DIFFERENCES_AT_MOST, true));
    }

    #[test]
    fn a_patch_is_told_whole_or_not_at_all() {
        let patch = json!([{"op": "add", "path": "/a", "value": "x".repeat(1_000)}]);
        let large: Value = (0..2_000).map(|_| patch[0].clone()).collect();

        assert_eq!(capped_patch(patch.clone()), Some(patch));
        assert_eq!(capped_patch(large), None);
    }
}
