//! Lists of names for people.

/// As many of these names, and how many more there are.
#[must_use]
pub fn listed(names: &[String], at_most: usize) -> String {
    let shown = names[..names.len().min(at_most)].join(", ");
    match names.len().saturating_sub(at_most) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
