//! References: resources of one kind by their keys and ids.

use std::collections::{HashMap, HashSet};

use super::reader::{At, Decoded, Reader, Reported};
use crate::ids::Id;

/// The resources of one kind that references can name.
#[derive(Debug, Clone)]
pub(super) struct Names<I> {
    pub(super) by_key: HashMap<String, I>,
    pub(super) by_id: HashMap<String, I>,
    /// The key by which a condition names each, even if the author wrote an id.
    pub(super) keys: HashMap<I, String>,
    /// The archived resources: nothing that can run refers to one.
    pub(super) archived: HashSet<I>,
    /// Keys and ids of faulty resources: a reference to one is not another fault.
    pub(super) faulty: HashSet<String>,
}

impl<I> Default for Names<I> {
    fn default() -> Self {
        Self {
            by_key: HashMap::new(),
            by_id: HashMap::new(),
            keys: HashMap::new(),
            archived: HashSet::new(),
            faulty: HashSet::new(),
        }
    }
}

impl<I: Id> Names<I> {
    /// The resource with this key or id.
    fn find(&self, name: &str) -> Option<I> {
        self.by_key.get(name).or_else(|| self.by_id.get(name)).copied()
    }

    /// The key of the resource with this key or id.
    pub(super) fn key_of(&self, name: &str) -> Option<&str> {
        self.keys.get(&self.find(name)?).map(String::as_str)
    }
}

/// A reference to one of `names`, by key or id. Messages call it `kind`. A resource that can run refers to no archived one.
pub(super) fn reference<'a, I: Id>(
    reader: &mut Reader<'a>,
    at: &At<'_>,
    kind: &str,
    names: impl for<'r> Fn(&'r Reader<'a>) -> &'r Names<I>,
) -> Decoded<I> {
    let id = named(reader, at, kind, &names)?;
    if reader.is_idle || !names(reader).archived.contains(&id) {
        return Ok(id);
    }
    let name = at.node.number_or_text().unwrap_or_default();
    let fault = at.error("archived_reference", format!("the {kind} `{name}` is archived"));
    reader.refuse(at, fault.hint("restore it, or take it out here"))
}

/// The same, archived or not.
pub(super) fn named<'a, I: Id>(
    reader: &mut Reader<'a>,
    at: &At<'_>,
    kind: &str,
    names: impl for<'r> Fn(&'r Reader<'a>) -> &'r Names<I>,
) -> Decoded<I> {
    let Some(name) = at.node.number_or_text() else {
        return reader.refuse_sort(at, &format!("the key or id of the {kind}, a text"));
    };
    let known = names(reader);
    if let Some(id) = known.find(&name) {
        return Ok(id);
    }
    if known.faulty.contains(name.as_ref()) {
        return Err(Reported);
    }
    let fault = at.error("dangling_reference", format!("there is no {kind} `{name}`"));
    let fault = reader.did_you_mean(fault, &name, known.by_key.keys().map(String::as_str));
    reader.refuse(at, fault)
}
