//! Decodes events.

use std::collections::HashSet;

use super::fields::{Fields, list};
use super::identity::{Identity, Scope, entities};
use super::names::reference;
use super::reader::{At, Decoded, Reader};
use super::scalars::{boolean, name, word};
use super::selectors;
use crate::limits::MAX_EVENT_PROPERTIES;
use crate::{Event, EventCategory, EventId, EventKind, EventProperty, Kind, PageId};

/// Decodes the project's events.
pub(super) fn events(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<Vec<Event>> {
    let keep = |reader: &mut Reader<'_>, names| reader.events = names;
    let events = entities(reader, at, Scope::of(Kind::Event), keep, event)?;
    let present = events.iter().filter(|event| !event.archived);
    let (pushed, seen): (Vec<&Event>, Vec<&Event>) =
        present.partition(|event| event.kind == EventKind::Custom);
    (reader.pushed_events, reader.seen_events) = (told_as(&pushed), told_as(&seen));
    let carried = events.iter().map(|event| (event.id, event.properties.clone()));
    reader.event_properties = carried.collect();
    Ok(events)
}

/// The keys and names under which pages may tell of events.
fn told_as(events: &[&Event]) -> Vec<String> {
    let of = |event: &&Event| std::iter::once(event.key.to_string()).chain(event.name.clone());
    events.iter().flat_map(of).collect()
}

fn event(
    reader: &mut Reader<'_>,
    at: &At<'_>,
    identity: Decoded<Identity<EventId>>,
) -> Decoded<Event> {
    let mut fields = Fields::of_entity(reader, at)?;
    let kind = fields.or("type", EventKind::Custom, word)?;
    let category = fields.or("category", EventCategory::Other, word);
    let (page, selector) = (page(&mut fields, kind), selector(&mut fields, kind));
    let properties = fields.or("properties", Vec::new(), properties);
    let archived = fields.or("archived", false, boolean);
    fields.finish();
    let Identity { id, key, name } = identity?;
    Ok(Event {
        id,
        key,
        name,
        kind,
        category: category?,
        page: page?,
        selector: selector?,
        properties: properties?,
        archived: archived?,
    })
}

fn page(fields: &mut Fields<'_, '_, '_>, kind: EventKind) -> Decoded<Option<PageId>> {
    match kind {
        EventKind::Custom => {
            fields.absent("page", "a custom event has no page: the site tells when it happens")
        }
        EventKind::Click | EventKind::Pageview => fields
            .optional("page", |reader, at| reference(reader, at, "page", |reader| &reader.pages)),
    }
}

fn selector(fields: &mut Fields<'_, '_, '_>, kind: EventKind) -> Decoded<Option<String>> {
    match kind {
        EventKind::Click => fields.required("selector", selectors::selector).map(Some),
        EventKind::Custom | EventKind::Pageview => {
            fields.absent("selector", &format!("a `{kind}` event is not a click on an element"))
        }
    }
}

fn properties(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<Vec<EventProperty>> {
    let mut names = HashSet::new();
    list(reader, at, MAX_EVENT_PROPERTIES, |reader, at| {
        let property = property(reader, at)?;
        if names.insert(property.name.clone()) {
            return Ok(property);
        }
        let message = format!("another property has the name `{}`, too", property.name);
        reader.refuse(at, at.error("duplicate_name", message))
    })
}

fn property(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<EventProperty> {
    let mut fields = Fields::of(reader, at)?;
    let (name, kind) = (fields.required("name", name), fields.required("type", word));
    fields.finish();
    Ok(EventProperty { name: name?, kind: kind? })
}
