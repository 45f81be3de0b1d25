//! Events of visitors, in forty bytes each: names and properties are kept once for all events that have them.

use std::collections::BTreeMap;
use std::sync::Arc;

use events::{Amount, Millis, Visitor};

use crate::results::interner::Interner;

/// Properties, as texts.
pub(super) type Texts = BTreeMap<String, String>;

/// An event of a visitor.
#[derive(Debug, Clone, Copy)]
pub(super) struct PackedEvent {
    pub(super) visitor: Visitor,
    pub(super) at: Millis,
    revenue: i64,
    value: i64,
    name: u32,
    /// The number of the properties, counted from one, and in the two lowest bits what there is.
    rest: u32,
}

const HAS_REVENUE: u32 = 1;
const HAS_VALUE: u32 = 2;
const BITS: u32 = 2;

/// The events of visitors.
#[derive(Debug, Clone, Default)]
pub(super) struct Events {
    /// What each thread has read; one long list would be copied while it grows.
    parts: Vec<Vec<PackedEvent>>,
    names: Interner<Arc<str>>,
    properties: Interner<Arc<Texts>>,
}

/// What is worth something in an event.
#[derive(Debug, Clone, Copy)]
pub(super) struct Worth {
    pub(super) revenue: Option<i64>,
    pub(super) value: Option<Amount>,
}

impl PackedEvent {
    /// In the currency's smallest unit.
    pub(super) fn revenue(&self) -> Option<i64> {
        (self.rest & HAS_REVENUE != 0).then_some(self.revenue)
    }

    /// Whatever the site counts.
    pub(super) fn value(&self) -> Option<Amount> {
        (self.rest & HAS_VALUE != 0).then(|| Amount::from_millionths(self.value))
    }

    fn with_numbers_of(self, names: &[u32], properties: &[u32]) -> Self {
        let has = self.rest & (HAS_REVENUE | HAS_VALUE);
        let properties = match self.rest >> BITS {
            0 => 0,
            known => properties[known as usize - 1] + 1,
        };
        Self { name: names[self.name as usize], rest: properties << BITS | has, ..self }
    }
}

impl Events {
    /// An event, which is not among them yet.
    pub(super) fn make(
        &mut self,
        (visitor, at): (Visitor, Millis),
        name: &str,
        Worth { revenue, value }: Worth,
        properties: Texts,
    ) -> PackedEvent {
        let mut rest = 0;
        if !properties.is_empty() {
            let properties = Arc::new(properties);
            rest = self.properties.number(&*properties, || Arc::clone(&properties)) + 1;
        }
        rest <<= BITS;
        rest |= revenue.map_or(0, |_| HAS_REVENUE) | value.map_or(0, |_| HAS_VALUE);
        PackedEvent {
            visitor,
            at,
            revenue: revenue.unwrap_or_default(),
            value: value.map(Amount::millionths).unwrap_or_default(),
            name: self.names.number(name, || name.into()),
            rest,
        }
    }

    /// Adds an event that was made here.
    pub(super) fn push(&mut self, event: PackedEvent) {
        if self.parts.is_empty() {
            self.parts.push(Vec::new());
        }
        if let Some(part) = self.parts.last_mut() {
            part.push(event);
        }
    }

    /// Takes over all of others.
    pub(super) fn append(&mut self, other: Self) {
        let names = self.names.take_over(other.names);
        let properties = self.properties.take_over(other.properties);
        for mut part in other.parts {
            for one in &mut part {
                *one = one.with_numbers_of(&names, &properties);
            }
            self.parts.push(part);
        }
    }

    /// Puts those of each part in the order of visitors, in which they are looked up soonest.
    pub(super) fn sort(&mut self) {
        for part in &mut self.parts {
            part.sort_by_key(|one| (one.visitor, one.at));
        }
    }

    /// All of them, in no order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &PackedEvent> {
        self.parts.iter().flatten()
    }
}

/// Events by their names.
pub(super) struct ByName<'d> {
    events: &'d Events,
    by_name: BTreeMap<&'d str, Vec<&'d PackedEvent>>,
}

/// The events of one name.
#[derive(Clone, Copy)]
pub(super) struct EventsOfName<'d> {
    pub(super) events: &'d [&'d PackedEvent],
    all: &'d Events,
}

impl<'d> ByName<'d> {
    /// The events of the days that count.
    pub(super) fn of(events: &'d Events, counts: impl Fn(Millis) -> bool) -> Self {
        let names = events.names.all();
        let mut by_number: Vec<Vec<&PackedEvent>> = names.iter().map(|_| Vec::new()).collect();
        for one in events.iter().filter(|one| counts(one.at)) {
            by_number[one.name as usize].push(one);
        }
        let each = names.iter().map(|name| &**name).zip(by_number);
        Self { events, by_name: each.filter(|(_, events)| !events.is_empty()).collect() }
    }

    /// The names of which there are events, in their order.
    pub(super) fn names(&self) -> impl Iterator<Item = &'d str> {
        self.by_name.keys().copied()
    }

    /// The events of this name.
    pub(super) fn called(&self, name: &str) -> EventsOfName<'_> {
        let events = self.by_name.get(name).map_or(&[][..], Vec::as_slice);
        EventsOfName { events, all: self.events }
    }
}

impl<'d> EventsOfName<'d> {
    /// A property of one of these events.
    pub(super) fn property(&self, event: &PackedEvent, name: &str) -> Option<&'d str> {
        let number = (event.rest >> BITS).checked_sub(1)?;
        let texts = self.all.properties.all().get(number as usize)?;
        texts.get(name).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use events::{Amount, Millis, Visitor};

    use super::{ByName, Events, PackedEvent, Texts, Worth};

    type EventParts<'t> = (&'t str, Option<i64>, Option<Amount>, Option<&'t str>);

    fn events(parts: &[EventParts<'_>]) -> Events {
        let mut events = Events::default();
        for (name, revenue, value, plan) in parts {
            let plan = plan.map(|plan| ("plan".to_owned(), plan.to_owned()));
            let worth = Worth { revenue: *revenue, value: *value };
            let who = (Visitor::from_number(1), Millis(2));
            let event = events.make(who, name, worth, Texts::from_iter(plan));
            events.push(event);
        }
        events
    }

    #[test]
    fn an_event_takes_forty_bytes() {
        assert_eq!(size_of::<PackedEvent>(), 40);
    }

    #[test]
    fn parts_that_number_things_otherwise_say_the_same_together() {
        let value = |millionths| Some(Amount::from_millionths(millionths));
        let first = [("buy", Some(i64::MIN), None, Some("pro")), ("see", None, value(0), None)];
        let second = [("see", Some(0), value(-7), Some("pro")), ("buy", None, None, Some("free"))];

        let mut all = events(&first);
        all.append(events(&second));

        let by_name = ByName::of(&all, |_| true);
        assert_eq!(by_name.names().collect::<Vec<_>>(), ["buy", "see"]);
        for name in ["buy", "see", "none"] {
            let named = by_name.called(name);
            let said = named
                .events
                .iter()
                .map(|one| (name, one.revenue(), one.value(), named.property(one, "plan")));
            let told = first.iter().chain(&second).copied().filter(|one| one.0 == name);
            assert_eq!(said.collect::<Vec<_>>(), told.collect::<Vec<_>>());
        }
    }
}
