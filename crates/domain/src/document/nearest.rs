//! Finds the known name nearest to an unknown one.

use crate::limits::MAX_NAME_LENGTH;

/// The known name that the author probably meant: few of its characters differ. `None` if none is that near.
#[must_use]
pub fn nearest<'k>(given: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    if given.len() > MAX_NAME_LENGTH {
        return None;
    }
    let lower = given.to_lowercase();
    let distance = |name: &str| strsim::osa_distance(&lower, &name.to_lowercase());
    known
        .into_iter()
        .map(|name| (distance(name), name))
        .filter(|(distance, name)| *name != given && *distance <= tolerance(name))
        .min()
        .map(|(_, name)| name)
}

/// How many characters may differ: a third, and at least one in a name of three characters or more.
fn tolerance(name: &str) -> usize {
    let length = name.chars().count();
    (length / 3).max(usize::from(length > 2))
}

/// The names as a message lists them: `a`, `b`, `c`.
pub(super) fn list<'k>(names: impl IntoIterator<Item = &'k str>) -> String {
    names.into_iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
