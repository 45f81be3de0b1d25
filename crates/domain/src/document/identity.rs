//! Identities: the id, key and name of a resource; the document needs only a key or a name.
//!
//! This module identifies all resources of a list before any is decoded, so that references may point forwards.

use std::borrow::Cow;

use super::fields::{all, list};
use super::names::Names;
use super::reader::{At, Decoded, Reader, Reported};
use super::scalars;
use super::tree::{Node, Shape};
use crate::derived_id::Path;
use crate::ids::{Id, read_number};
use crate::limits::MAX_ENTITIES;
use crate::{CampaignStatus, Key, Kind};

/// The id, key and name of a resource.
pub(super) struct Identity<I> {
    pub(super) id: I,
    pub(super) key: Key,
    pub(super) name: Option<String>,
}

/// Which resources are identified: their kind, and the keys of their parents other than the project.
#[derive(Clone, Copy)]
pub(super) struct Scope<'k> {
    pub(super) kind: Kind,
    /// The campaign of experiments and variations.
    pub(super) campaign: Option<&'k Key>,
    /// The experiment of variations.
    pub(super) experiment: Option<&'k Key>,
}

impl Scope<'_> {
    /// Resources that belong to the project itself.
    pub(super) fn of(kind: Kind) -> Self {
        Self { kind, campaign: None, experiment: None }
    }
}

/// Decodes a list of resources that have identities: hands their names to `keep`, then decodes one by
/// one.
pub(super) fn entities<'a, 'n, I: Id, T>(
    reader: &mut Reader<'a>,
    at: &At<'n>,
    scope: Scope<'_>,
    keep: impl FnOnce(&mut Reader<'a>, Names<I>),
    mut decode: impl FnMut(&mut Reader<'a>, &At<'n>, Decoded<Identity<I>>) -> Decoded<T>,
) -> Decoded<Vec<T>> {
    let mut names = Names::default();
    let identities = list(reader, at, MAX_ENTITIES, |reader, at| {
        let identity = identify(reader, at, scope)
            .and_then(|identity| claim(reader, at, scope, identity, &names));
        remember(&mut names, at, identity.as_ref().ok());
        Ok(identity)
    })?;
    refuse_ambiguous(reader, at, scope, &names);
    keep(reader, names);
    let elements = at.elements().into_iter().flatten();
    let is_idle = reader.is_idle;
    let decoded = all(elements.zip(identities).map(|(at, identity)| {
        reader.is_idle = is_idle || !can_run(&at);
        decode(reader, &at, identity)
    }));
    reader.is_idle = is_idle;
    decoded
}

/// The identity of the resource at `at`.
pub(super) fn identify<I: Id>(
    reader: &mut Reader<'_>,
    at: &At<'_>,
    scope: Scope<'_>,
) -> Decoded<Identity<I>> {
    if !at.node.is_object() {
        // Reported where its fields are decoded.
        return Err(Reported);
    }
    let id = field(reader, at, "id", id);
    let key = field(reader, at, "key", scalars::key);
    let name = field(reader, at, "name", scalars::name);
    let (id, key, name) = (id?, key?, name?);
    let Some(key) = key.or_else(|| Key::from_name(name.as_deref()?)) else {
        return refuse_nameless(reader, at, scope);
    };
    let id = match id {
        Some(id) => id,
        None => derived(reader, scope, &key)?,
    };
    Ok(Identity { id, key, name })
}

fn derived<I: Id>(reader: &Reader<'_>, scope: Scope<'_>, key: &Key) -> Decoded<I> {
    // Only the project itself is read before its key, or resources of a project without a key, which the reader drops.
    let project = reader.project.as_ref().unwrap_or(key);
    let path = Path { project, campaign: scope.campaign, experiment: scope.experiment };
    let number = reader.free_ids.first_free(path, (scope.kind, key), reader.is_spent);
    number.and_then(I::from_number).ok_or(Reported)
}

fn field<'n, T>(
    reader: &mut Reader<'_>,
    at: &At<'n>,
    name: &str,
    decode: impl FnOnce(&mut Reader<'_>, &At<'n>) -> Decoded<T>,
) -> Decoded<Option<T>> {
    match at.field(name) {
        Some(at) => decode(reader, &at).map(Some),
        None => Ok(None),
    }
}

fn id<I: Id>(reader: &mut Reader<'_>, at: &At<'_>) -> Decoded<I> {
    let number = at.node.whole_number().or_else(|| at.node.text().and_then(read_number));
    if let Some(id) = number.and_then(I::from_number) {
        return Ok(id);
    }
    let fault = at.error("bad_id", "this is not an id");
    reader.refuse(at, fault.expected("a whole decimal number from 1 to below 2^53"))
}

fn refuse_nameless<T>(reader: &mut Reader<'_>, at: &At<'_>, scope: Scope<'_>) -> Decoded<T> {
    let kind = scope.kind.word();
    let message = format!("the {kind} has no `key`, and no `name` to make one from");
    let fault = at.missing("name", message);
    reader.refuse(at, fault.expected("a `key`, or a `name` with letters `a-z` or digits"))
}

/// Claims the id and key for the resource at `at`, if no other resource has them.
fn claim<I: Id>(
    reader: &mut Reader<'_>,
    at: &At<'_>,
    scope: Scope<'_>,
    identity: Identity<I>,
    names: &Names<I>,
) -> Decoded<Identity<I>> {
    let kind = scope.kind.word();
    let Identity { id, key, .. } = &identity;
    if names.by_key.contains_key(key.as_str()) {
        let at = at.field_or_self("key");
        let message = format!("another {kind} has the key `{key}`, too");
        return reader.refuse(&at, at.error("duplicate_key", message));
    }
    if let Some(other) = reader.taken.get(&(scope.kind, id.number())) {
        let message = format!("another {kind} has the id `{id}`, too: {}", reader.path_of(*other));
        let fault = at.field_or_self("id").error("duplicate_id", message);
        return match at.field("id") {
            Some(at) => reader.refuse(&at, fault),
            None => reader.refuse(at, fault.hint("it was made from the key; give it an `id`")),
        };
    }
    reader.taken.insert((scope.kind, id.number()), at.node.address());
    Ok(identity)
}

fn remember<I: Id>(names: &mut Names<I>, at: &At<'_>, identity: Option<&Identity<I>>) {
    if let Some(identity) = identity {
        names.by_key.insert(identity.key.to_string(), identity.id);
        names.keys.insert(identity.id, identity.key.to_string());
        names.by_id.insert(identity.id.to_string(), identity.id);
        if is_archived(at) {
            names.archived.insert(identity.id);
        }
        return;
    }
    let written = ["key", "id"].into_iter().filter_map(|name| at.field(name));
    names.faulty.extend(written.filter_map(|at| at.node.number_or_text().map(Cow::into_owned)));
}

fn is_archived(at: &At<'_>) -> bool {
    is_true(at, "archived")
}

fn is_true(at: &At<'_>, field: &str) -> bool {
    matches!(at.node.field(field), Some(Node { shape: Shape::Bool(true), .. }))
}

/// Whether the resource at `at` may run, now or later: only campaigns have a status.
fn can_run(at: &At<'_>) -> bool {
    let status = at.node.field("status").and_then(Node::text);
    // A shipped campaign stays in the snippet.
    let is_over = [CampaignStatus::Concluded, CampaignStatus::Archived]
        .into_iter()
        .any(|over| status == Some(over.word()));
    !is_archived(at) && (!is_over || is_true(at, "shipped"))
}

/// A key made of digits must not be the id of another resource, or a reference could mean either.
fn refuse_ambiguous<I: Id>(
    reader: &mut Reader<'_>,
    at: &At<'_>,
    scope: Scope<'_>,
    names: &Names<I>,
) {
    let elements = at.elements().into_iter().flatten();
    for at in elements.filter_map(|element| element.field("key")) {
        let key = at.node.text().unwrap_or_default();
        let meanings = names.by_key.get(key).zip(names.by_id.get(key));
        if meanings.is_some_and(|(one, other)| one != other) {
            let message = format!("the key `{key}` is the id of another {}", scope.kind.word());
            reader.report(&at, at.error("ambiguous_key", message));
        }
    }
}
