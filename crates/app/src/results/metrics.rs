//! What results are measured by: the metrics of the document, in their roles. Without any, every event is one: how many visitors do it, and
//! what it is worth where there are values. The first is primary, so a newcomer sees results without any setup.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

use domain::{Campaign, EventId, GoodDirection, Metric, MetricId, Project};
use events::{Rule, Step, Steps, Visitors};

use crate::results::counting::{Counted, MILLIONTHS, MakeSteps, count};
use crate::results::packed_events::{ByName, EventsOfName, PackedEvent};
use crate::results::report::{MetricKind, MetricRole};

/// A metric, and how it is measured.
pub(super) struct Measure {
    /// What it is, as people and programs read it.
    pub(super) about: About,
    pub(super) rule: Rule,
    /// How many of the sums' units are one, of the first and of the second value.
    pub(super) units: (f64, f64),
}

/// A metric, and what makes its steps.
pub(super) struct Uncounted<'d> {
    pub(super) measure: Measure,
    pub(super) steps: MakeSteps<'d>,
}

/// What a metric is.
#[derive(Clone)]
pub(super) struct About {
    /// The metric of the document; none of an event without a metric.
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
    by_name: &'d ByName<'d>,
) -> Vec<Uncounted<'d>> {
    let chosen = chosen(project, campaign);
    if chosen.is_empty() {
        return of_events(project, by_name);
    }
    let keys = keys(project);
    let each = chosen.into_iter().map(|Chosen { metric, role, margin }| {
        let key = |id| keys.get(&id).copied().unwrap_or_default();
        let Counted { kind, rule, units, steps } = count(metric, |id| by_name.called(key(id)));
        let event = key(metric.measured.event).to_owned();
        let about =
            About { metric: Some(metric.clone()), event, kind, role, margin, good: metric.good };
        Uncounted { measure: Measure { about, rule, units }, steps }
    });
    each.collect()
}

/// The names of the events that results of a campaign are made of; `None` if that are all. And the properties that these need to have.
pub(super) fn asked_of_events(
    project: &Project,
    campaign: &Campaign,
) -> (Option<BTreeSet<String>>, BTreeSet<String>) {
    let chosen = chosen(project, campaign);
    if chosen.is_empty() {
        return (None, BTreeSet::new());
    }
    let (keys, metrics) = (keys(project), chosen.iter().map(|one| one.metric));
    let measured = metrics.clone().flat_map(Metric::all_measured);
    let names = measured.filter_map(|one| Some((*keys.get(&one.event)?).to_owned()));
    let properties = metrics.flat_map(Metric::properties).map(str::to_owned);
    (Some(names.collect()), properties.collect())
}

fn keys(project: &Project) -> HashMap<EventId, &str> {
    project.events.iter().map(|event| (event.id, event.key.as_str())).collect()
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
    let first = project.first_deciding_metric().map(|metric| metric.id);
    let all = project.metrics.iter().filter(|metric| !metric.archived);
    let mut chosen: Vec<_> = all
        .map(|metric| {
            let decides = Some(metric.id) == first;
            let role = if decides { MetricRole::Primary } else { MetricRole::Secondary };
            Chosen { metric, role, margin: None }
        })
        .collect();
    chosen.sort_by_key(|one| one.role != MetricRole::Primary);
    chosen
}

/// Names of events that the document does not list and results have metrics of. A page or a program that sends events can make up any number of names.
const UNLISTED_AT_MOST: usize = 50;

/// The events of a project in the document's order, and then those that came besides, the earliest first: what comes later takes no place away.
fn of_events<'d>(project: &Project, by_name: &'d ByName<'d>) -> Vec<Uncounted<'d>> {
    let listed = project.events.iter().filter(|event| !event.archived);
    let listed: Vec<&str> = listed.map(|event| event.key.as_str()).collect();
    let mut others: Vec<&str> = by_name.names().filter(|name| !listed.contains(name)).collect();
    if others.len() > UNLISTED_AT_MOST {
        others.sort_by_cached_key(|name| Reverse(visitors(by_name.called(name))));
        others.truncate(UNLISTED_AT_MOST);
    }
    others.sort_by_cached_key(|name| {
        (by_name.called(name).events.iter().map(|one| one.at).min(), (*name).to_owned())
    });
    let names = listed.into_iter().chain(others);
    let mut measures: Vec<_> =
        names.flat_map(|name| of_event(name, by_name.called(name))).collect();
    if let Some(first) = measures.first_mut() {
        first.measure.about.role = MetricRole::Primary;
    }
    measures
}

/// How many visitors did it: one can do it as often as they like.
fn visitors(named: EventsOfName<'_>) -> usize {
    named.events.iter().map(|one| one.visitor).collect::<Visitors>().count()
}

fn of_event<'d>(name: &str, named: EventsOfName<'d>) -> Vec<Uncounted<'d>> {
    let measure = |kind, rule, per_unit, counts: fn(&PackedEvent) -> Option<i64>| {
        let about = About {
            metric: None,
            event: name.to_owned(),
            kind,
            role: MetricRole::Secondary,
            margin: None,
            good: GoodDirection::Up,
        };
        let steps = move || -> Steps {
            let counted = named.events.iter().filter_map(|one| {
                let PackedEvent { visitor, at, .. } = **one;
                Some(Step { visitor, at, first: counts(one)?, second: 0 })
            });
            counted.collect()
        };
        let measure = Measure { about, rule, units: (per_unit, 1.0) };
        let is_there = named.events.iter().any(|one| counts(one).is_some());
        (Uncounted { measure, steps: Box::new(steps) as MakeSteps<'d> }, is_there)
    };
    let conversion = measure(MetricKind::Conversion, Rule::CONVERSION, 1.0, |_| Some(1));
    let value = |one: &PackedEvent| Some(one.value()?.millionths());
    let sum = measure(MetricKind::Sum, Rule::SUM, MILLIONTHS, value);
    let revenue = measure(MetricKind::Revenue, Rule::SUM, 1.0, PackedEvent::revenue);
    let worth = [sum, revenue].into_iter().filter(|(_, is_there)| *is_there);
    std::iter::once(conversion).chain(worth).map(|(measure, _)| measure).collect()
}
