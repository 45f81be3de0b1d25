//! Decodes what a `behavior` condition asks: `{event: add_to_cart, at_least: 2, within_days: 7}`, or `page` instead of `event`.

use super::fields::Fields;
use super::names::reference;
use super::reader::{At, Decoded, Reader};
use super::scalars::line;
use crate::limits::{MAX_BEHAVIOR_DAYS, MAX_BEHAVIOR_TIMES};
use crate::{Behavior, BehaviorEvent};

/// Decodes the `value` of a `behavior` condition.
pub(super) fn behavior(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<Behavior> {
    let mut fields = Fields::of(reader, at)?;
    let event = fields.optional("event", event);
    let page =
        fields.optional("page", |reader, at| reference(reader, at, "page", |reader| &reader.pages));
    let at_least = fields.optional("at_least", times);
    let at_most = fields.optional("at_most", times);
    let within_days = fields.or("within_days", MAX_BEHAVIOR_DAYS, days);
    let event = match (event?, page?) {
        (Some(name), None) => Ok(BehaviorEvent::Event(name)),
        (None, Some(id)) => Ok(BehaviorEvent::Page(id)),
        (Some(_), Some(_)) => fields
            .refuse("two_behavior_events", "a behaviour is about an `event` or a `page`, not both"),
        (None, None) => fields.refuse("missing_field", "a behaviour needs an `event` or a `page`"),
    };
    let (at_least, at_most) = (at_least?, at_most?);
    // An author who asks for "at most" alone also means visitors who never did it.
    let at_least = at_least.unwrap_or_else(|| u32::from(at_most.is_none()));
    if at_most.is_some_and(|most| most < at_least) {
        return fields.refuse("bad_range", "`at_most` is less than `at_least`");
    }
    fields.finish();
    Ok(Behavior { event: event?, at_least, at_most, within_days: within_days? })
}

/// Any event that the site pushes. A project that lists its events probably lists all of them.
fn event(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<String> {
    let name = line(reader, at)?;
    if reader.seen_events.contains(&name) && !reader.pushed_events.contains(&name) {
        let message = format!(
            "`{name}` is seen by pages themselves, and counted here only where the site pushes it"
        );
        let hint = "ask for a `page`, or let the site push a custom event";
        reader.report(at, at.warning("event_not_pushed", message).hint(hint));
    } else if !reader.pushed_events.is_empty() && !reader.pushed_events.contains(&name) {
        let fault = at.warning("unknown_event", format!("the project has no event `{name}`"));
        let fault =
            reader.did_you_mean(fault, &name, reader.pushed_events.iter().map(String::as_str));
        reader.report(at, fault);
    }
    Ok(name)
}

fn times(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<u32> {
    whole(reader, at, 0, MAX_BEHAVIOR_TIMES)
}

fn days(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<u32> {
    whole(reader, at, 1, MAX_BEHAVIOR_DAYS)
}

fn whole(reader: &mut Reader<'_>, at: &At<'_>, least: u32, most: u32) -> Decoded<u32> {
    let number = at.node.whole_number().and_then(|number| u32::try_from(number).ok());
    if let Some(number) = number.filter(|number| (least..=most).contains(number)) {
        return Ok(number);
    }
    let fault = at.error("bad_number", "this does not fit here");
    reader.refuse(at, fault.expected(format!("a whole number from {least} to {most}")))
}
