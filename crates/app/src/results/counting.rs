//! What the events of visitors count for a metric of the document.

use std::collections::BTreeSet;

use domain::{
    EventId, MeasuredEvents, Metric, MetricCap, MetricValue, Project, PropertyFilter, PropertyValue,
};
use events::{Amount, Counting, Rule, Step};

use crate::results::measured::Done;
use crate::results::report::MetricKind;

/// How many millionths are one.
pub(super) const MILLIONTHS: f64 = 1e6;

/// The same as a whole number.
const MILLION: i64 = 1_000_000;

/// What counts for a metric, ready to be folded.
pub(super) struct Counted {
    pub(super) kind: MetricKind,
    pub(super) rule: Rule,
    pub(super) units: (f64, f64),
    pub(super) steps: Vec<Step>,
}

/// The properties of events that a project's metrics ask for: all that files of events need to have.
#[must_use]
pub fn measured_properties(project: &Project) -> BTreeSet<String> {
    let measured = project.metrics.iter().flat_map(Metric::all_measured);
    let names = measured.flat_map(|measured| {
        let filters = measured.filters.iter().map(|filter| filter.name.clone());
        let value = match &measured.value {
            Some(MetricValue::Property(name)) => Some(name.clone()),
            Some(MetricValue::Revenue) => Some("revenue".to_owned()),
            Some(MetricValue::Value) | None => None,
        };
        filters.chain(value)
    });
    names.collect()
}

/// In what values are added up: all sums are of whole numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    /// Events, or the currency's smallest unit.
    One,
    /// Decimal numbers, and whole ones that a cap cuts to a decimal number.
    Millionth,
}

impl Unit {
    fn of(value: Option<&MetricValue>, cap: Option<MetricCap>) -> Self {
        let is_whole = matches!(value, None | Some(MetricValue::Revenue));
        let cuts_whole = cap.is_none_or(|cap| cap.millionths().is_multiple_of(1_000_000));
        if is_whole && cuts_whole { Self::One } else { Self::Millionth }
    }

    fn per_one(self) -> f64 {
        match self {
            Self::One => 1.0,
            Self::Millionth => MILLIONTHS,
        }
    }

    /// A whole number in this unit. What does not fit is beyond every cap, and only caps make millionths of whole numbers.
    fn whole(self, number: i64) -> i64 {
        match self {
            Self::One => number,
            Self::Millionth => number.saturating_mul(MILLION),
        }
    }
}

/// What counts for a metric, of the events that `done` has of each kind.
pub(super) fn count<'d>(metric: &Metric, done: impl Fn(EventId) -> &'d [&'d Done]) -> Counted {
    let (kind, counting) = match metric.kind {
        domain::MetricKind::Conversion => (MetricKind::Conversion, Counting::Once),
        domain::MetricKind::Count => (MetricKind::Count, Counting::All),
        domain::MetricKind::Sum => (MetricKind::Sum, Counting::All),
        domain::MetricKind::Mean => (MetricKind::Mean, Counting::All),
        domain::MetricKind::Ratio => (MetricKind::Ratio, Counting::All),
        domain::MetricKind::Quantile => (MetricKind::Quantile, Counting::All),
    };
    let MeasuredEvents { event, value, .. } = &metric.measured;
    let unit = Unit::of(value.as_ref(), metric.cap);
    let mut steps = steps(&metric.measured, unit, done(*event), |amount| (amount, 0));
    let per = match metric.kind {
        // The events themselves, whether or not they have the value.
        domain::MetricKind::Mean => Some(MeasuredEvents { value: None, ..metric.measured.clone() }),
        domain::MetricKind::Conversion
        | domain::MetricKind::Count
        | domain::MetricKind::Sum
        | domain::MetricKind::Ratio
        | domain::MetricKind::Quantile => metric.per.clone(),
    };
    let per_unit = per.as_ref().map_or(unit, |per| Unit::of(per.value.as_ref(), None));
    if let Some(per) = &per {
        steps.extend(self::steps(per, per_unit, done(per.event), |amount| (0, amount)));
    }
    let cap = metric.cap.map(|cap| match unit {
        Unit::One => cap.millionths() / MILLION.unsigned_abs(),
        Unit::Millionth => cap.millionths(),
    });
    let rule = Rule {
        counting,
        window_hours: metric.window.map(domain::MetricWindow::hours),
        cap,
        covariate_days: metric.covariate.map(domain::CovariateDays::get),
    };
    Counted { kind, rule, units: (unit.per_one(), per_unit.per_one()), steps }
}

fn steps(
    measured: &MeasuredEvents,
    unit: Unit,
    done: &[&Done],
    place: fn(i64) -> (i64, i64),
) -> Vec<Step> {
    let counted = done.iter().filter(|one| measured.filters.iter().all(|is| holds(is, one)));
    let steps = counted.filter_map(|one| {
        let (first, second) = place(amount(measured.value.as_ref(), unit, one)?);
        Some(Step { visitor: one.visitor, at: one.at, first, second })
    });
    steps.collect()
}

fn amount(value: Option<&MetricValue>, unit: Unit, done: &Done) -> Option<i64> {
    match value {
        None => Some(unit.whole(1)),
        Some(MetricValue::Revenue) => Some(unit.whole(done.revenue?)),
        Some(MetricValue::Value) => Some(done.value?.millionths()),
        Some(MetricValue::Property(name)) => {
            Some(done.properties.get(name)?.parse::<Amount>().ok()?.millionths())
        }
    }
}

/// Whether a property is what it has to be. Properties are kept as texts, so numbers are compared as numbers: `3` is `3.00`.
fn holds(filter: &PropertyFilter, done: &Done) -> bool {
    let Some(text) = done.properties.get(&filter.name) else { return false };
    match &filter.value {
        PropertyValue::Text(wanted) => text == wanted,
        PropertyValue::Boolean(wanted) => text.eq_ignore_ascii_case(&wanted.to_string()),
        PropertyValue::Number(wanted) => {
            let number = text.parse::<f64>().ok();
            text == &wanted.to_string() || number.is_some() && number == wanted.as_f64()
        }
    }
}
