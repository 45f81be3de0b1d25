//! What results are measured by. Without metrics in the document, every event is one: how many visitors do it, and what it is worth where
//! its rows have values. The first is primary, so a newcomer sees results without any setup.

use std::collections::BTreeMap;

use domain::Project;
use events::{EventRow, Millis, Rule, Step, Visitor};

use crate::results::report::MetricKind;

/// A metric with what is counted for it.
pub(super) struct Measure {
    pub(super) event: String,
    pub(super) kind: MetricKind,
    /// Whether the verdict is by it.
    pub(super) is_primary: bool,
    pub(super) steps: Vec<Step>,
}

impl Measure {
    pub(super) fn rule(&self) -> Rule {
        match self.kind {
            MetricKind::Conversion => Rule::CONVERSION,
            MetricKind::Sum => Rule::SUM,
        }
    }
}

/// The metrics of a project and of what was measured, in the document's order, then by name.
pub(super) fn counted(
    project: &Project,
    rows: &[EventRow],
    visitor: impl Fn(&str) -> Visitor,
) -> Vec<Measure> {
    let mut by_name: BTreeMap<&str, Vec<&EventRow>> = BTreeMap::new();
    for row in rows {
        by_name.entry(row.name.as_str()).or_default().push(row);
    }
    let listed = project.events.iter().filter(|event| !event.archived);
    let listed: Vec<&str> = listed.map(|event| event.key.as_str()).collect();
    let others: Vec<&str> = by_name.keys().copied().filter(|name| !listed.contains(name)).collect();
    let names = listed.into_iter().chain(others);
    let rows_of = |name| by_name.get(name).map_or(&[][..], Vec::as_slice);
    let mut counted: Vec<_> =
        names.flat_map(|name| of_event(name, rows_of(name), &visitor)).collect();
    if let Some(first) = counted.first_mut() {
        first.is_primary = true;
    }
    counted
}

fn of_event(name: &str, rows: &[&EventRow], visitor: &impl Fn(&str) -> Visitor) -> Vec<Measure> {
    let step = |row: &&EventRow, first: i64| -> Step {
        let at: Millis = row.at;
        Step { visitor: visitor(&row.visitor), at, first, second: 0 }
    };
    let metric = |kind, steps| Measure { event: name.to_owned(), kind, is_primary: false, steps };
    let conversion = metric(MetricKind::Conversion, rows.iter().map(|row| step(row, 1)).collect());
    let values = rows.iter().filter_map(|row| Some(step(row, row.value?.millionths())));
    let sum = metric(MetricKind::Sum, values.collect());
    if sum.steps.is_empty() { vec![conversion] } else { vec![conversion, sum] }
}
