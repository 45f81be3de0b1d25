//! Decodes metrics.

use std::collections::HashSet;
use std::str::FromStr;

use super::fields::{Fields, all};
use super::identity::{Identity, Scope, entities};
use super::names::reference;
use super::reader::{At, Decoded, Reader, Reported};
use super::scalars::{boolean, line, name, share, word};
use super::tree::Shape;
use crate::limits::{MAX_METRIC_DAYS, MAX_METRIC_FILTERS, MAX_NAME_LENGTH};
use crate::{
    BasisPoints, CovariateDays, EventId, EventPropertyKind, GoodDirection, Kind, MeasuredEvents,
    Metric, MetricCap, MetricId, MetricKind, MetricType, MetricValue, MetricWindow, PropertyFilter,
    PropertyValue,
};

/// Decodes the project's metrics.
pub(super) fn metrics(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<Vec<Metric>> {
    let keep = |reader: &mut Reader<'_>, names| reader.metrics = names;
    entities(reader, at, Scope::of(Kind::Metric), keep, metric)
}

fn metric(
    reader: &mut Reader<'_>,
    at: &At<'_>,
    identity: Decoded<Identity<MetricId>>,
) -> Decoded<Metric> {
    let mut fields = Fields::of_entity(reader, at)?;
    let metric_type = fields.required("type", word)?;
    let measured = measured(&mut fields, |fields, event| value_of(fields, metric_type, event));
    let (per, quantile) = (per(&mut fields, metric_type), quantile(&mut fields, metric_type));
    let window = fields.optional("window", window);
    let (cap, covariate) = (cap(&mut fields, metric_type), covariate(&mut fields, metric_type));
    let good = fields.or("good", GoodDirection::Up, word);
    let archived = fields.or("archived", false, boolean);
    fields.finish();
    let Identity { id, key, name } = identity?;
    if metric_type == MetricType::Quantile {
        reader.quantiles.insert(id);
    }
    Ok(Metric {
        id,
        key,
        name,
        kind: kind(metric_type, per?, quantile?, cap?, covariate?)?,
        measured: measured?,
        window: window?,
        good: good?,
        archived: archived?,
    })
}

/// The kind of this type, with the fields that it has. Those that it lacks were reported when they were read.
fn kind(
    metric_type: MetricType,
    per: Option<MeasuredEvents>,
    quantile: Option<BasisPoints>,
    cap: Option<MetricCap>,
    covariate: Option<CovariateDays>,
) -> Decoded<MetricKind> {
    Ok(match metric_type {
        MetricType::Conversion => MetricKind::Conversion { covariate },
        MetricType::Count => MetricKind::Count { cap, covariate },
        MetricType::Sum => MetricKind::Sum { cap, covariate },
        MetricType::Mean => MetricKind::Mean,
        MetricType::Ratio => MetricKind::Ratio { per: per.ok_or(Reported)? },
        MetricType::Quantile => MetricKind::Quantile { level: quantile.ok_or(Reported)? },
    })
}

/// Reads `event` and `where`, and `value` by a function that knows whether there is one.
fn measured<'a, 'n>(
    fields: &mut Fields<'_, 'a, 'n>,
    value: impl FnOnce(&mut Fields<'_, 'a, 'n>, Option<EventId>) -> Decoded<Option<MetricValue>>,
) -> Decoded<MeasuredEvents> {
    let event = fields
        .required("event", |reader, at| reference(reader, at, "event", |reader| &reader.events));
    let known = event.ok();
    let filters = fields.or("where", Vec::new(), |reader, at| filters(reader, at, known));
    let value = value(fields, known);
    Ok(MeasuredEvents { event: event?, filters: filters?, value: value? })
}

fn value_of(
    fields: &mut Fields<'_, '_, '_>,
    metric_type: MetricType,
    event: Option<EventId>,
) -> Decoded<Option<MetricValue>> {
    let read = |reader: &mut Reader<'_>, at: &At<'_>| value(reader, at, event);
    match metric_type {
        MetricType::Conversion | MetricType::Count => fields.absent(
            "value",
            &format!("a `{metric_type}` counts events, not what they are worth: that is a `sum`"),
        ),
        MetricType::Sum | MetricType::Mean => fields.required("value", read).map(Some),
        MetricType::Ratio | MetricType::Quantile => fields.optional("value", read),
    }
}

fn value(reader: &mut Reader<'_>, at: &At<'_>, event: Option<EventId>) -> Decoded<MetricValue> {
    let value = MetricValue::of(&name(reader, at)?);
    if let MetricValue::Property(name) = &value {
        check_property(reader, at, event, name, EventPropertyKind::Number);
    }
    Ok(value)
}

fn per(
    fields: &mut Fields<'_, '_, '_>,
    metric_type: MetricType,
) -> Decoded<Option<MeasuredEvents>> {
    if metric_type != MetricType::Ratio {
        return fields.absent("per", &format!("a `{metric_type}` has no denominator of its own"));
    }
    let per = fields.required("per", |reader, at| {
        let mut fields = Fields::of(reader, at)?;
        let per = measured(&mut fields, |fields, event| {
            fields.optional("value", |reader, at| value(reader, at, event))
        });
        fields.finish();
        per
    });
    per.map(Some)
}

fn quantile(
    fields: &mut Fields<'_, '_, '_>,
    metric_type: MetricType,
) -> Decoded<Option<BasisPoints>> {
    if metric_type != MetricType::Quantile {
        return fields.absent("quantile", &format!("a `{metric_type}` is not a quantile"));
    }
    let quantile = fields.required("quantile", |reader, at| {
        let share = share(reader, at)?;
        if share != BasisPoints::ZERO && share != BasisPoints::ALL {
            return Ok(share);
        }
        let fault = at.error("bad_quantile", "this is the end of all values, and no quantile");
        reader.refuse(at, fault.expected("more than 0% and less than 100%"))
    });
    quantile.map(Some)
}

fn window(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<MetricWindow> {
    let expected = format!("whole days or hours up to {MAX_METRIC_DAYS} days: `14d`, `72h`");
    span(reader, at, &expected, |window: MetricWindow| window.hours().div_ceil(24))
}

fn covariate(
    fields: &mut Fields<'_, '_, '_>,
    metric_type: MetricType,
) -> Decoded<Option<CovariateDays>> {
    match metric_type {
        MetricType::Conversion | MetricType::Count | MetricType::Sum => {
            fields.optional("covariate", |reader, at| {
                let expected = format!("whole days up to {MAX_METRIC_DAYS}: `14d`");
                span(reader, at, &expected, CovariateDays::get)
            })
        }
        MetricType::Mean | MetricType::Ratio | MetricType::Quantile => {
            fields.absent("covariate", &format!("a `{metric_type}` is not adjusted by the past"))
        }
    }
}

fn span<S: FromStr + Copy>(
    reader: &mut Reader<'_>,
    at: &At<'_>,
    expected: &str,
    days: impl Fn(S) -> u32,
) -> Decoded<S> {
    let Some(text) = at.node.text() else {
        return reader.refuse_sort(at, expected);
    };
    if let Some(span) = text.parse().ok().filter(|span| days(*span) <= MAX_METRIC_DAYS) {
        return Ok(span);
    }
    let fault = at.error("bad_span", format!("`{text}` is not a span of time that fits here"));
    reader.refuse(at, fault.expected(expected))
}

fn cap(fields: &mut Fields<'_, '_, '_>, metric_type: MetricType) -> Decoded<Option<MetricCap>> {
    match metric_type {
        MetricType::Count | MetricType::Sum => fields.optional("cap", |reader, at| {
            let Shape::Number(number) = &at.node.shape else {
                return reader.refuse_sort(at, "a number");
            };
            if let Some(cap) = number.as_f64().and_then(MetricCap::new) {
                return Ok(cap);
            }
            let fault = at.error("bad_number", "this does not fit here");
            reader.refuse(at, fault.expected(format!("above 0, and {} at most", MetricCap::MOST)))
        }),
        MetricType::Conversion => fields.absent("cap", "a `conversion` is one at most"),
        MetricType::Mean | MetricType::Ratio | MetricType::Quantile => {
            fields.absent("cap", &format!("a `{metric_type}` has no value of one visitor to cap"))
        }
    }
}

/// Decodes `{plan: pro, size: 2}`: every property has to be that.
fn filters(
    reader: &mut Reader<'_>,
    at: &At<'_>,
    event: Option<EventId>,
) -> Decoded<Vec<PropertyFilter>> {
    let Shape::Object(entries) = &at.node.shape else {
        return reader.refuse_sort(at, "an object of properties and their values");
    };
    if entries.len() > MAX_METRIC_FILTERS {
        let message = format!("the metric compares {} properties", entries.len());
        let fault = at.error("list_too_long", message);
        return reader.refuse(at, fault.expected(format!("{MAX_METRIC_FILTERS} at most")));
    }
    all(entries.iter().map(|entry| {
        let at = At { node: &entry.node };
        let (value, kind) = property_value(reader, &at)?;
        let length = entry.name.chars().count();
        if length == 0 || length > MAX_NAME_LENGTH {
            let fault = at.error("bad_length", format!("the name has {length} characters"));
            return reader.refuse(&at, fault.expected(format!("1 to {MAX_NAME_LENGTH}")));
        }
        check_property(reader, &at, event, &entry.name, kind);
        Ok(PropertyFilter { name: entry.name.clone().into_owned(), value })
    }))
}

fn property_value(
    reader: &mut Reader<'_>,
    at: &At<'_>,
) -> Decoded<(PropertyValue, EventPropertyKind)> {
    Ok(match &at.node.shape {
        Shape::Text(..) => (PropertyValue::Text(line(reader, at)?), EventPropertyKind::String),
        Shape::Number(number) => (PropertyValue::Number(number.clone()), EventPropertyKind::Number),
        Shape::Bool(truth) => (PropertyValue::Boolean(*truth), EventPropertyKind::Boolean),
        Shape::Null | Shape::List(_) | Shape::Object(_) => {
            return reader.refuse_sort(at, "a text, a number, `true` or `false`");
        }
    })
}

/// Any property that the site sends. An event that lists its properties probably lists all of them.
fn check_property(
    reader: &mut Reader<'_>,
    at: &At<'_>,
    event: Option<EventId>,
    name: &str,
    wanted: EventPropertyKind,
) {
    let listed = event.and_then(|event| reader.event_properties.get(&event));
    let Some(listed) = listed.filter(|listed| !listed.is_empty()) else { return };
    let fault = match listed.iter().find(|property| property.name == name) {
        Some(property) if property.kind == wanted => return,
        Some(property) => {
            let message = format!("`{name}` is declared as `{}`, not `{wanted}`", property.kind);
            at.warning("wrong_property_type", message)
        }
        None => {
            let fault =
                at.warning("unknown_property", format!("the event has no property `{name}`"));
            let names: HashSet<&str> =
                listed.iter().map(|property| property.name.as_str()).collect();
            reader.did_you_mean(fault, name, names)
        }
    };
    reader.report(at, fault);
}
