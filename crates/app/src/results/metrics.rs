//! What results are measured by: the metrics of the document, in their roles. Without any, every event is one: how many visitors do it, and
//! what it is worth where there are values. The first is primary, so a newcomer sees results without any setup.

use std::collections::{BTreeMap, HashMap};

use domain::{Campaign, GoodDirection, Metric, MetricId, Project};
use events::{Rule, Step};

use crate::results::counting::{Counted, count};
use crate::results::measured::Done;
use crate::results::report::{MetricKind, MetricRole};

/// A metric with what is counted for it.
pub(super) struct Measure {
    /// What it is, as people and programs read it.
    pub(super) about: About,
    pub(super) rule: Rule,
    /// How many of the sums' units are one, of the first and of the second value.
    pub(super) units: (f64, f64),
    pub(super) steps: Vec<Step>,
}

/// What a metric is.
#[derive(Clone)]
pub(super) struct About {
    /// The metric of the document; none of an event that nobody made a metric of.
    pub(super) metric: Option<Metric>,
    /// The key of its event.
    pub(super) event: String,
    pub(super) kind: MetricKind,
    pub(super) role: MetricRole,
    /// The harm that a guardrail tolerates, as a share.
    pub(super) margin: Option<f64>,
    pub(super) good: GoodDirection,
}

/// The metrics of a campaign, those that decide first.
pub(super) fn measures<'d>(
    project: &Project,
    campaign: &Campaign,
    done: impl Iterator<Item = &'d Done>,
) -> Vec<Measure> {
    let mut by_name: BTreeMap<&str, Vec<&Done>> = BTreeMap::new();
    for one in done {
        by_name.entry(one.name.as_str()).or_default().push(one);
    }
    let chosen = chosen(project, campaign);
    if chosen.is_empty() {
        return of_events(project, &by_name);
    }
    let events: HashMap<_, _> =
        project.events.iter().map(|event| (event.id, event.key.as_str())).collect();
    let each = chosen.into_iter().map(|Chosen { metric, role, margin }| {
        let key = |id| events.get(&id).copied().unwrap_or_default();
        let Counted { kind, rule, units, steps } =
            count(metric, |id| by_name.get(key(id)).map_or(&[][..], Vec::as_slice));
        let event = key(metric.measured.event).to_owned();
        let about =
            About { metric: Some(metric.clone()), event, kind, role, margin, good: metric.good };
        Measure { about, rule, units, steps }
    });
    each.collect()
}

/// A metric of the document and its role in a campaign.
struct Chosen<'p> {
    metric: &'p Metric,
    role: MetricRole,
    margin: Option<f64>,
}

/// The metrics that the campaign names; if it names none, all that there are, and the first one that can decide does.
fn chosen<'p>(project: &'p Project, campaign: &Campaign) -> Vec<Chosen<'p>> {
    let named = &campaign.metrics;
    if named.all().next().is_some() {
        let by_id: HashMap<MetricId, &Metric> =
            project.metrics.iter().map(|metric| (metric.id, metric)).collect();
        let of = |id: MetricId, role, margin| {
            by_id.get(&id).map(|metric| Chosen { metric, role, margin })
        };
        let primary = named.primary.iter().map(|id| of(*id, MetricRole::Primary, None));
        let secondary = named.secondary.iter().map(|id| of(*id, MetricRole::Secondary, None));
        let guardrails = named.guardrails.iter().map(|one| {
            of(one.metric, MetricRole::Guardrail, Some(f64::from(one.margin.get()) / 10_000.0))
        });
        return primary.chain(secondary).chain(guardrails).flatten().collect();
    }
    let all: Vec<&Metric> = project.metrics.iter().filter(|metric| !metric.archived).collect();
    let first = all.iter().position(|metric| metric.kind != domain::MetricKind::Quantile);
    let first = first.map(|place| all[place].id);
    let mut chosen: Vec<_> = all
        .into_iter()
        .map(|metric| {
            let decides = Some(metric.id) == first;
            let role = if decides { MetricRole::Primary } else { MetricRole::Secondary };
            Chosen { metric, role, margin: None }
        })
        .collect();
    chosen.sort_by_key(|one| one.role != MetricRole::Primary);
    chosen
}

/// The events of a project and of what was measured, in the document's order, then by name.
fn of_events(project: &Project, by_name: &BTreeMap<&str, Vec<&Done>>) -> Vec<Measure> {
    let listed = project.events.iter().filter(|event| !event.archived);
    let listed: Vec<&str> = listed.map(|event| event.key.as_str()).collect();
    let others: Vec<&str> = by_name.keys().copied().filter(|name| !listed.contains(name)).collect();
    let names = listed.into_iter().chain(others);
    let of_name = |name| by_name.get(name).map_or(&[][..], Vec::as_slice);
    let mut measures: Vec<_> = names.flat_map(|name| of_event(name, of_name(name))).collect();
    if let Some(first) = measures.first_mut() {
        first.about.role = MetricRole::Primary;
    }
    measures
}

fn of_event(name: &str, done: &[&Done]) -> Vec<Measure> {
    let steps = |counts: fn(&Done) -> Option<i64>| -> Vec<Step> {
        let counted = done.iter().filter_map(|one| {
            let Done { visitor, at, .. } = **one;
            Some(Step { visitor, at, first: counts(one)?, second: 0 })
        });
        counted.collect()
    };
    let measure = |kind, rule, per_unit, steps| {
        let about = About {
            metric: None,
            event: name.to_owned(),
            kind,
            role: MetricRole::Secondary,
            margin: None,
            good: GoodDirection::Up,
        };
        Measure { about, rule, units: (per_unit, 1.0), steps }
    };
    let conversion = measure(MetricKind::Conversion, Rule::CONVERSION, 1.0, steps(|_| Some(1)));
    let values = steps(|one| Some(one.value?.millionths()));
    let sum = measure(MetricKind::Sum, Rule::SUM, super::counting::MILLIONTHS, values);
    let revenue = measure(MetricKind::Revenue, Rule::SUM, 1.0, steps(|one| one.revenue));
    let worth = [sum, revenue].into_iter().filter(|metric| !metric.steps.is_empty());
    std::iter::once(conversion).chain(worth).collect()
}
