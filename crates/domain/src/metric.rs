//! Metrics: what results compare between variations.

mod kind;

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

pub use self::kind::{MetricKind, MetricType};
use crate::words::words;
use crate::{EventId, Key, MetricId, Project};

/// A number per visitor, or a ratio of two, by which variations are compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Metric {
    /// Names the metric for programs.
    pub id: MetricId,
    /// Names the metric in documents.
    pub key: Key,
    /// The metric's display name.
    pub name: Option<String>,
    /// How events become a number.
    pub kind: MetricKind,
    /// The events that count. The numerator of a mean and a ratio.
    pub measured: MeasuredEvents,
    /// How long after the first exposure events count; without an end if left out.
    pub window: Option<MetricWindow>,
    /// Which way is better.
    pub good: GoodDirection,
    /// Whether it is archived: it keeps its id and key, but nothing that can run is measured by it.
    pub archived: bool,
}

impl Metric {
    /// Its display name: the name, or else the key.
    #[must_use]
    pub fn title(&self) -> &str {
        self.name.as_deref().unwrap_or(self.key.as_str())
    }

    /// Whether verdicts can be by it. They are given at every look, and the intervals of a quantile hold for one look at a fixed end.
    #[must_use]
    pub fn can_decide(&self) -> bool {
        self.kind.quantile().is_none()
    }

    /// Whatever it measures: the numerator, then the denominator of a ratio.
    pub fn all_measured(&self) -> impl Iterator<Item = &MeasuredEvents> {
        std::iter::once(&self.measured).chain(self.kind.per())
    }

    /// The properties of events that it asks for, revenue not among them.
    pub fn properties(&self) -> impl Iterator<Item = &str> {
        self.filters().map(|filter| filter.name.as_str()).chain(self.counted_properties())
    }

    /// Those of them that it counts, or compares with numbers.
    fn number_properties(&self) -> impl Iterator<Item = &str> {
        let compared = self.filters().filter(|filter| filter.value.is_number());
        compared.map(|filter| filter.name.as_str()).chain(self.counted_properties())
    }

    fn counted_properties(&self) -> impl Iterator<Item = &str> {
        self.all_measured().filter_map(|measured| match &measured.value {
            Some(MetricValue::Property(name)) => Some(name.as_str()),
            Some(MetricValue::Revenue | MetricValue::Value) | None => None,
        })
    }

    fn filters(&self) -> impl Iterator<Item = &PropertyFilter> {
        self.all_measured().flat_map(|measured| &measured.filters)
    }
}

/// The properties of events that metrics ask for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MeasuredProperties {
    /// All of them.
    pub names: BTreeSet<String>,
    /// Those that are numbers.
    pub numbers: BTreeSet<String>,
    /// Those that are true or false for each metric that asks for them.
    pub booleans: BTreeSet<String>,
}

impl Project {
    /// The metric that decides for campaigns that name none: the first that can, of those that are not archived.
    #[must_use]
    pub fn first_deciding_metric(&self) -> Option<&Metric> {
        self.metrics.iter().find(|metric| !metric.archived && metric.can_decide())
    }

    /// The properties of events that its metrics ask for, and `revenue`: all that files of events need to have.
    #[must_use]
    pub fn measured_properties(&self) -> MeasuredProperties {
        let measured = self.metrics.iter().flat_map(Metric::all_measured);
        let revenue = measured.filter(|one| one.value == Some(MetricValue::Revenue));
        let properties = self.metrics.iter().flat_map(Metric::properties);
        let numbers = self.metrics.iter().flat_map(Metric::number_properties);
        let filters = || self.metrics.iter().flat_map(Metric::filters);
        let is_boolean = |filter: &&PropertyFilter| filter.value.is_boolean();
        let others = filters().filter(|filter| !is_boolean(filter)).map(|one| one.name.as_str());
        let others = others.chain(self.metrics.iter().flat_map(Metric::counted_properties));
        let others: BTreeSet<_> = others.collect();
        let booleans = filters().filter(is_boolean).map(|filter| filter.name.as_str());
        MeasuredProperties {
            booleans: booleans.filter(|name| !others.contains(name)).map(str::to_owned).collect(),
            names: revenue.map(|_| "revenue").chain(properties).map(str::to_owned).collect(),
            numbers: numbers.map(str::to_owned).collect(),
        }
    }
}

/// Events, and what each of them counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeasuredEvents {
    /// The event.
    pub event: EventId,
    /// What its properties have to be; all of them. None if all events count.
    pub filters: Vec<PropertyFilter>,
    /// What each event counts; one each if left out.
    pub value: Option<MetricValue>,
}

words! {
    /// Which way of a metric is better.
    pub enum GoodDirection {
        /// More is better.
        Up = "up",
        /// Less is better.
        Down = "down",
    }
}

/// What an event counts for a metric.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MetricValue {
    /// Its revenue, in the currency's smallest unit.
    Revenue,
    /// Its value.
    Value,
    /// The number in this property.
    Property(String),
}

impl MetricValue {
    /// Reads `revenue`, `value`, or else the name of a property. An event's own revenue and value have these names already, so no property
    /// has them.
    #[must_use]
    pub fn of(name: &str) -> Self {
        match name {
            "revenue" => Self::Revenue,
            "value" => Self::Value,
            property => Self::Property(property.to_owned()),
        }
    }
}

impl fmt::Display for MetricValue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Revenue => "revenue",
            Self::Value => "value",
            Self::Property(name) => name,
        })
    }
}

impl Serialize for MetricValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// What a property of an event has to be, so that the event counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PropertyFilter {
    /// The property's name.
    pub name: String,
    /// Its value.
    pub value: PropertyValue,
}

/// The value of an event's property.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum PropertyValue {
    /// A text.
    Text(String),
    /// A number.
    Number(serde_json::Number),
    /// `true` or `false`.
    Boolean(bool),
}

impl PropertyValue {
    fn is_number(&self) -> bool {
        match self {
            Self::Number(_) => true,
            Self::Text(_) | Self::Boolean(_) => false,
        }
    }

    fn is_boolean(&self) -> bool {
        match self {
            Self::Boolean(_) => true,
            Self::Text(_) | Self::Number(_) => false,
        }
    }
}

const HOURS_PER_DAY: u32 = 24;

/// How long after a visitor's first exposure events count: whole hours or days.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MetricWindow {
    hours: u32,
}

/// A text that is not a span of days or hours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a span is written as `14d` or `72h`")]
pub struct UnreadableSpan;

impl MetricWindow {
    /// How many hours.
    #[must_use]
    pub fn hours(self) -> u32 {
        self.hours
    }
}

impl FromStr for MetricWindow {
    type Err = UnreadableSpan;

    fn from_str(text: &str) -> Result<Self, UnreadableSpan> {
        let (number, per_unit) = match text.split_at_checked(text.len().saturating_sub(1)) {
            Some((number, "d")) => (number, HOURS_PER_DAY),
            Some((number, "h")) => (number, 1),
            _ => return Err(UnreadableSpan),
        };
        let hours = whole(number)?.checked_mul(per_unit).ok_or(UnreadableSpan)?;
        Ok(Self { hours })
    }
}

impl fmt::Display for MetricWindow {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let days = self.hours / HOURS_PER_DAY;
        if days * HOURS_PER_DAY == self.hours {
            write!(formatter, "{days}d")
        } else {
            write!(formatter, "{}h", self.hours)
        }
    }
}

impl Serialize for MetricWindow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// How many whole days before a visitor's first exposure explain a part of their value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CovariateDays(u32);

impl CovariateDays {
    /// How many days.
    #[must_use]
    pub fn get(self) -> u32 {
        self.0
    }
}

impl FromStr for CovariateDays {
    type Err = UnreadableSpan;

    fn from_str(text: &str) -> Result<Self, UnreadableSpan> {
        whole(text.strip_suffix('d').ok_or(UnreadableSpan)?).map(Self)
    }
}

impl fmt::Display for CovariateDays {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}d", self.0)
    }
}

impl Serialize for CovariateDays {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A number above zero, of digits alone.
fn whole(digits: &str) -> Result<u32, UnreadableSpan> {
    let is_plain = digits.bytes().all(|digit| digit.is_ascii_digit()) && !digits.starts_with('0');
    digits.parse().ok().filter(|_| is_plain).ok_or(UnreadableSpan)
}

/// The most that a visitor's value can be, in millionths of the value's own unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MetricCap(u64);

impl MetricCap {
    const PER_UNIT: f64 = 1e6;
    /// What an event may carry at most. Its millionths are far below 2^53, so a JSON number has them all.
    pub(crate) const MOST: f64 = 1e9;

    /// The cap nearest to a number; `None` if that is zero, negative or above a billion.
    #[must_use]
    pub fn new(value: f64) -> Option<Self> {
        let millionths = (value * Self::PER_UNIT).round();
        let fits = millionths >= 1.0 && value <= Self::MOST;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it is whole, positive and small"
        )]
        fits.then_some(Self(millionths as u64))
    }

    /// So many millionths.
    #[must_use]
    pub fn millionths(self) -> u64 {
        self.0
    }
}

impl fmt::Display for MetricCap {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{}.{:06}", self.0 / 1_000_000, self.0 % 1_000_000);
        formatter.write_str(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

impl Serialize for MetricCap {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_multiple_of(1_000_000) {
            return serializer.serialize_u64(self.0 / 1_000_000);
        }
        #[expect(clippy::cast_precision_loss, reason = "it is below 2^53")]
        serializer.serialize_f64(self.0 as f64 / Self::PER_UNIT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_is_whole_hours_or_days() {
        for (text, hours, written) in
            [("14d", 336, "14d"), ("72h", 72, "3d"), ("1h", 1, "1h"), ("25h", 25, "25h")]
        {
            let window: MetricWindow = text.parse().unwrap();
            assert_eq!((window.hours(), window.to_string().as_str()), (hours, written), "{text}");
        }
        for text in [
            "",
            "d",
            "14",
            "0d",
            "-1d",
            "+1d",
            "1.5d",
            "01d",
            "2w",
            "1D",
            "1 d",
            "4294967295d",
            "é",
        ] {
            assert_eq!(text.parse::<MetricWindow>(), Err(UnreadableSpan), "{text}");
        }
    }

    #[test]
    fn a_cap_is_exact_to_the_millionth() {
        for (value, millionths, text) in [
            (50_000.0, 50_000_000_000, "50000"),
            (0.1, 100_000, "0.1"),
            (999_999_999.999_999, 999_999_999_999_999, "999999999.999999"),
        ] {
            let cap = MetricCap::new(value).unwrap();
            assert_eq!((cap.millionths(), cap.to_string().as_str()), (millionths, text));
            let written = serde_json::to_string(&cap).unwrap();
            assert_eq!(MetricCap::new(written.parse().unwrap()), Some(cap), "{written}");
        }
        for value in [0.0, -1.0, 1e-7, 1e9 + 1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(MetricCap::new(value), None, "{value}");
        }
    }
}
