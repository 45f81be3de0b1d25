//! What the events of visitors count for a metric of the document.

use domain::{
    EventId, MeasuredEvents, Metric, MetricCap, MetricValue, PropertyFilter, PropertyValue,
};
use events::{Amount, Counting, Rule, Step, Steps};

use crate::results::packed_events::{EventsOfName, PackedEvent};
use crate::results::report::MetricKind;

/// How many millionths are one.
pub(super) const MILLIONTHS: f64 = 1e6;

/// The same as a whole number.
const MILLION: i64 = 1_000_000;

/// Makes the steps of a metric. They are made when they are needed: those of all metrics together would take more memory than the events.
pub(super) type MakeSteps<'d> = Box<dyn Fn() -> Steps + Send + Sync + 'd>;

/// What counts for a metric.
pub(super) struct Counted<'d> {
    pub(super) kind: MetricKind,
    pub(super) rule: Rule,
    pub(super) units: (f64, f64),
    pub(super) steps: MakeSteps<'d>,
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

/// What counts for a metric, of the events that `events` has of each kind.
pub(super) fn count<'d>(
    metric: &Metric,
    events: impl Fn(EventId) -> EventsOfName<'d>,
) -> Counted<'d> {
    let own = metric.measured.clone();
    let (kind, counting, per) = match &metric.kind {
        domain::MetricKind::Conversion { .. } => (MetricKind::Conversion, Counting::Once, None),
        domain::MetricKind::Count { .. } => (MetricKind::Count, Counting::All, None),
        domain::MetricKind::Sum { .. } => (MetricKind::Sum, Counting::All, None),
        domain::MetricKind::Mean => {
            // The events themselves, whether or not they have the value.
            let events = MeasuredEvents { value: None, ..own.clone() };
            (MetricKind::Mean, Counting::All, Some(events))
        }
        domain::MetricKind::Ratio { per } => (MetricKind::Ratio, Counting::All, Some(per.clone())),
        domain::MetricKind::Quantile { .. } => (MetricKind::Quantile, Counting::All, None),
    };
    let unit = Unit::of(own.value.as_ref(), metric.kind.cap());
    let per_unit = per.as_ref().map_or(unit, |per| Unit::of(per.value.as_ref(), None));
    let own_events = events(own.event);
    let per = per.map(|per| (events(per.event), per));
    let steps = move || -> Steps {
        let first = steps(&own, unit, own_events, |amount| (amount, 0));
        let second =
            per.iter().flat_map(|(events, per)| steps(per, per_unit, *events, |one| (0, one)));
        first.chain(second).collect()
    };
    let cap = metric.kind.cap().map(|cap| match unit {
        Unit::One => cap.millionths() / MILLION.unsigned_abs(),
        Unit::Millionth => cap.millionths(),
    });
    let rule = Rule {
        counting,
        window_hours: metric.window.map(domain::MetricWindow::hours),
        cap,
        covariate_days: metric.kind.covariate().map(domain::CovariateDays::get),
    };
    Counted { kind, rule, units: (unit.per_one(), per_unit.per_one()), steps: Box::new(steps) }
}

fn steps(
    measured: &MeasuredEvents,
    unit: Unit,
    named: EventsOfName<'_>,
    place: fn(i64) -> (i64, i64),
) -> impl Iterator<Item = Step> {
    let counts = move |event: &PackedEvent| {
        measured.filters.iter().all(|is| holds(is, named.property(event, &is.name)))
    };
    let counted = named.events.iter().filter(move |one| counts(one));
    counted.filter_map(move |one| {
        let (first, second) = place(amount(measured.value.as_ref(), unit, (named, *one))?);
        Some(Step { visitor: one.visitor, at: one.at, first, second })
    })
}

fn amount(
    value: Option<&MetricValue>,
    unit: Unit,
    (named, event): (EventsOfName<'_>, &PackedEvent),
) -> Option<i64> {
    match value {
        None => Some(unit.whole(1)),
        Some(MetricValue::Revenue) => Some(unit.whole(event.revenue()?)),
        Some(MetricValue::Value) => Some(event.value()?.millionths()),
        Some(MetricValue::Property(name)) => {
            Some(named.property(event, name)?.parse::<Amount>().ok()?.millionths())
        }
    }
}

/// Whether a property is what it has to be. Properties are kept as texts, so numbers are compared as numbers: `3` is `3.00`.
fn holds(filter: &PropertyFilter, text: Option<&str>) -> bool {
    let Some(text) = text else { return false };
    match &filter.value {
        PropertyValue::Text(wanted) => text == wanted,
        PropertyValue::Boolean(wanted) => text.eq_ignore_ascii_case(&wanted.to_string()),
        PropertyValue::Number(wanted) => {
            let number = text.parse::<f64>().ok();
            text == wanted.to_string() || number.is_some() && number == wanted.as_f64()
        }
    }
}
