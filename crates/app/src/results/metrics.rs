//! What results are measured by. Without metrics in the document, every event is one: how many visitors do it, and what it is worth where
//! its rows have values. The first is primary, so a newcomer sees results without any setup.

use std::collections::BTreeMap;

use domain::Project;
use events::{Rule, Step};

use crate::results::measured::Done;
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
            MetricKind::Sum | MetricKind::Revenue => Rule::SUM,
        }
    }
}

/// The metrics of a project and of what was measured, in the document's order, then by name.
pub(super) fn counted(project: &Project, done: &[Done]) -> Vec<Measure> {
    let mut by_name: BTreeMap<&str, Vec<&Done>> = BTreeMap::new();
    for one in done {
        by_name.entry(one.name.as_str()).or_default().push(one);
    }
    let listed = project.events.iter().filter(|event| !event.archived);
    let listed: Vec<&str> = listed.map(|event| event.key.as_str()).collect();
    let others: Vec<&str> = by_name.keys().copied().filter(|name| !listed.contains(name)).collect();
    let names = listed.into_iter().chain(others);
    let of_name = |name| by_name.get(name).map_or(&[][..], Vec::as_slice);
    let mut counted: Vec<_> = names.flat_map(|name| of_event(name, of_name(name))).collect();
    if let Some(first) = counted.first_mut() {
        first.is_primary = true;
    }
    counted
}

fn of_event(name: &str, done: &[&Done]) -> Vec<Measure> {
    let steps = |counts: fn(&Done) -> Option<i64>| -> Vec<Step> {
        let counted = done.iter().filter_map(|one| {
            let Done { visitor, at, .. } = **one;
            Some(Step { visitor, at, first: counts(one)?, second: 0 })
        });
        counted.collect()
    };
    let metric = |kind, steps| Measure { event: name.to_owned(), kind, is_primary: false, steps };
    let conversion = metric(MetricKind::Conversion, steps(|_| Some(1)));
    let sum = metric(MetricKind::Sum, steps(|one| Some(one.value?.millionths())));
    let revenue = metric(MetricKind::Revenue, steps(|one| one.revenue));
    let worth = [sum, revenue].into_iter().filter(|metric| !metric.steps.is_empty());
    std::iter::once(conversion).chain(worth).collect()
}
