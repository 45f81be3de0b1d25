//! Decodes pages, with their activation and tags.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::code_text::{calling_activate, returning, warn_without_return};
use super::conditions::{Subject, conditions};
use super::fields::{Fields, all, list};
use super::identity::{Identity, Scope, entities};
use super::reader::{At, Decoded, Reader};
use super::scalars::{boolean, content, key, line, word};
use super::selectors::warn_if_it_fails;
use super::tree::Shape;
use crate::limits::MAX_PAGE_VALUES;
use crate::{Activation, ActivationKind, Conditions, Kind, LocatorType, Page, PageId, Tag};

/// Decodes the project's pages.
pub(super) fn pages(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<Vec<Page>> {
    let keep = |reader: &mut Reader<'_>, names| reader.pages = names;
    entities(reader, at, Scope::of(Kind::Page), keep, page)
}

fn page(
    reader: &mut Reader<'_>,
    at: &At<'_>,
    identity: Decoded<Identity<PageId>>,
) -> Decoded<Page> {
    let mut fields = Fields::of_entity(reader, at)?;
    let category = fields.optional("category", line);
    let conditions = fields.or("conditions", Conditions::default(), |reader, at| {
        conditions(reader, at, Subject::Page)
    });
    let activation = fields.or("activation", Activation::default(), activation);
    let deactivation = fields.or("deactivation", false, boolean);
    let undo_changes = fields.or("undo_changes", false, boolean);
    let tags = fields.or("tags", Vec::new(), tags);
    let metadata = fields.or("metadata", Map::new(), metadata);
    let archived = fields.or("archived", false, boolean);
    fields.finish();
    let Identity { id, key, name } = identity?;
    Ok(Page {
        id,
        key,
        name,
        category: category?,
        conditions: conditions?,
        activation: activation?,
        deactivation: deactivation?,
        undo_changes: undo_changes?,
        tags: tags?,
        metadata: metadata?,
        archived: archived?,
    })
}

fn activation(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<Activation> {
    let mut fields = Fields::of(reader, at)?;
    let kind = fields.or("type", ActivationKind::Immediate, word)?;
    let code = match kind {
        ActivationKind::Polling => {
            let code = |reader: &mut Reader<'_>, at: &At<'_>| {
                returning(reader, at, "the page is never active")
            };
            fields.required("code", code).map(Some)
        }
        ActivationKind::Callback => fields.required("code", calling_activate).map(Some),
        ActivationKind::Immediate
        | ActivationKind::Manual
        | ActivationKind::DomChanged
        | ActivationKind::UrlChanged => {
            fields.absent("code", &format!("`{kind}` activation takes no code"))
        }
    };
    fields.finish();
    Ok(Activation { kind, code: code? })
}

fn tags(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<Vec<Tag>> {
    let mut keys = HashSet::new();
    list(reader, at, MAX_PAGE_VALUES, |reader, at| {
        let tag = tag(reader, at)?;
        if keys.insert(tag.key.clone()) {
            return Ok(tag);
        }
        let message = format!("another tag has the key `{}`, too", tag.key);
        reader.refuse(at, at.error("duplicate_key", message))
    })
}

fn tag(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<Tag> {
    let mut fields = Fields::of(reader, at)?;
    let key = fields.required("key", key);
    let category = fields.optional("category", line);
    let locator = fields.optional("locator", content);
    // A locator means nothing without its type, nor the type without a locator.
    let locator_type = if fields.has("locator") {
        fields.required("locator_type", word).map(Some)
    } else {
        fields.absent("locator_type", "there is no `locator` that this could be the type of")
    };
    let value_type = fields.optional("value_type", word);
    fields.finish();
    if let (Ok(Some(locator)), Ok(Some(locator_type))) = (&locator, &locator_type) {
        warn_of_locator(reader, &at.field_or_self("locator"), locator, *locator_type);
    }
    Ok(Tag {
        key: key?,
        category: category?,
        locator: locator?,
        locator_type: locator_type?,
        value_type: value_type?,
    })
}

/// Warns of a locator with which the tag never has a value.
fn warn_of_locator(reader: &mut Reader<'_>, at: &At<'_>, locator: &str, kind: LocatorType) {
    match kind {
        LocatorType::CssSelector => warn_if_it_fails(reader, at, locator),
        LocatorType::Javascript => {
            warn_without_return(reader, at, locator, "the tag never has a value");
        }
        LocatorType::UrlRegex if !locator.contains('(') => {
            let message = "the tag's value is what the first group matches, and there is none";
            let hint = "put parentheses around the part that is meant, as in `/product/([^/]+)`";
            reader.report(at, at.warning("no_group", message).hint(hint));
        }
        LocatorType::UrlRegex => {}
    }
}

fn metadata(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<Map<String, Value>> {
    let Shape::Object(entries) = &at.node.shape else { return reader.refuse_sort(at, "an object") };
    if entries.len() > MAX_PAGE_VALUES {
        let fault = at.error("list_too_long", format!("there are {} values", entries.len()));
        return reader.refuse(at, fault.expected(format!("{MAX_PAGE_VALUES} at most")));
    }
    all(entries.iter().map(|entry| {
        let at = At { node: &entry.node };
        Ok((entry.name.as_ref().to_owned(), single(reader, &at)?))
    }))
}

fn single(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<Value> {
    match at.node.shape {
        Shape::List(_) | Shape::Object(_) => reader.refuse_sort(at, "a single value"),
        Shape::Null | Shape::Bool(_) | Shape::Number(_) | Shape::Text(..) => Ok(at.node.to_value()),
    }
}
