//! In which values the meaning of a text and a project differ. Resources of lists are matched by their ids.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::made_ids::has_made_ids;
use crate::Pointer;
use crate::document::Locations;

/// A change of the text. Pointers lead into the text as it is.
#[derive(Debug)]
pub(super) enum Change<'v> {
    /// The value there becomes this one, whether the text says it or leaves it out.
    Set(Pointer, &'v Value),
    /// The field or element goes.
    Remove(Pointer),
    /// The list gets this element after the one with the index; without one, it becomes the first.
    Insert(Pointer, Option<usize>, &'v Value),
}

/// A reference to a file, and what the project has in its place.
pub(super) struct FileUse<'v> {
    pub(super) at: Pointer,
    pub(super) path: String,
    pub(super) text: &'v str,
    pub(super) value: &'v Value,
}

/// What has to change.
pub(super) struct Differences<'v> {
    pub(super) changes: Vec<Change<'v>>,
    pub(super) files: Vec<FileUse<'v>>,
}

/// A value of the project, with all its fields and without those that have their default value.
#[derive(Clone, Copy)]
struct Wanted<'v> {
    full: &'v Value,
    short: Option<&'v Value>,
}

impl<'v> Wanted<'v> {
    fn field(self, name: &str) -> Option<Self> {
        let short = self.short.and_then(|short| short.get(name));
        Some(Self { full: self.full.get(name)?, short })
    }

    /// Whether the field has the value that it has where nothing is said. That of `priorities` depends on what else is there.
    fn leaves_out(self, name: &str) -> bool {
        self.short.is_some_and(|short| short.is_object() && short.get(name).is_none())
    }

    fn elements(self) -> Vec<Self> {
        let full = self.full.as_array().into_iter().flatten().enumerate();
        let short = |index| self.short.and_then(|short| short.get(index));
        full.map(|(index, full)| Self { full, short: short(index) }).collect()
    }

    /// As people write it.
    fn written(self) -> &'v Value {
        self.short.unwrap_or(self.full)
    }
}

impl<'v> Differences<'v> {
    /// Compares what a text means with a project's document, which comes in full and without its defaults.
    pub(super) fn between(
        meant: &Value,
        (full, short): (&'v Value, &'v Value),
        locations: &Locations,
    ) -> Self {
        let mut comparison =
            Comparison { locations, found: Self { changes: Vec::new(), files: Vec::new() } };
        comparison.value(meant, Wanted { full, short: Some(short) }, Pointer::root());
        comparison.found
    }
}

struct Comparison<'v, 'l> {
    locations: &'l Locations,
    found: Differences<'v>,
}

impl<'v> Comparison<'v, '_> {
    fn value(&mut self, meant: &Value, wanted: Wanted<'v>, at: Pointer) {
        if let Some(path) = self.locations.file(&at)
            && let Value::String(text) = wanted.full
        {
            self.found.files.push(FileUse { at, path, text, value: wanted.full });
            return;
        }
        match (meant, wanted.full) {
            (Value::Object(meant), Value::Object(_)) if has_kind_of(meant, wanted.full) => {
                self.fields(meant, wanted, &at);
            }
            (Value::Array(meant), Value::Array(_)) => self.list(meant, wanted, &at),
            (meant, full) if meant == full => {}
            _ => self.set(at, wanted),
        }
    }

    fn set(&mut self, at: Pointer, wanted: Wanted<'v>) {
        self.found.changes.push(Change::Set(at, wanted.written()));
    }

    fn fields(&mut self, meant: &Map<String, Value>, wanted: Wanted<'v>, at: &Pointer) {
        let gone = meant.keys().filter(|name| wanted.full.get(name.as_str()).is_none());
        let gone = gone.map(|name| at.field(name)).filter(|at| self.locations.says(at));
        let gone: Vec<Change<'v>> = gone.map(Change::Remove).collect();
        if gone.len() > 1 {
            self.set(at.clone(), wanted);
            return;
        }
        self.found.changes.extend(gone);
        for name in wanted.full.as_object().into_iter().flat_map(Map::keys) {
            let is_left_out = wanted.leaves_out(name) || (name == "id" && is_resource(at));
            if is_left_out && !self.locations.says(&at.field(name)) {
                continue;
            }
            let Some(wanted) = wanted.field(name) else { continue };
            match meant.get(name) {
                Some(meant) => self.value(meant, wanted, at.field(name)),
                None => self.set(at.field(name), wanted),
            }
        }
    }

    fn list(&mut self, meant: &[Value], wanted: Wanted<'v>, at: &Pointer) {
        let elements = wanted.elements();
        if meant.is_empty() && elements.is_empty() {
            return;
        }
        let matched = match ids(meant.iter()).zip(ids(elements.iter().map(|one| one.full))) {
            Some((known, wanted)) => {
                let mut places = by_id(&known, &wanted);
                continue_others(&mut places, (meant, &elements), at);
                is_in_order(&places).then_some(places)
            }
            None => self.by_place(meant, &elements, at),
        };
        match matched {
            Some(matched) => self.matched(meant, (&elements, &matched), at),
            None => self.set(at.clone(), wanted),
        }
    }

    /// `matched` has the index of each wanted element in the text.
    fn matched(
        &mut self,
        meant: &[Value],
        (elements, matched): (&[Wanted<'v>], &[Option<usize>]),
        at: &Pointer,
    ) {
        let kept: HashSet<usize> = matched.iter().flatten().copied().collect();
        let gone = (0..meant.len()).filter(|index| !kept.contains(index));
        self.found.changes.extend(gone.map(|index| Change::Remove(at.element(index))));
        let mut before = None;
        for (wanted, place) in elements.iter().zip(matched) {
            match *place {
                Some(index) => {
                    self.value(&meant[index], *wanted, at.element(index));
                    before = Some(index);
                }
                None => {
                    self.found.changes.push(Change::Insert(at.clone(), before, wanted.written()));
                }
            }
        }
    }

    /// Elements without ids: those at the beginning and at the end that are alike, and between them either as many as before, or only new
    /// or only old ones.
    fn by_place(
        &self,
        meant: &[Value],
        wanted: &[Wanted<'v>],
        at: &Pointer,
    ) -> Option<Vec<Option<usize>>> {
        let (old, new) = (meant.len(), wanted.len());
        if old == new {
            return Some((0..new).map(Some).collect());
        }
        let shared = old.min(new);
        let is_alike = |index: usize, place: usize| {
            self.alike(&meant[index], wanted[place].full, &at.element(index))
        };
        let first = (0..shared).take_while(|index| is_alike(*index, *index)).count();
        let last = (0..shared - first)
            .take_while(|index| is_alike(old - 1 - index, new - 1 - index))
            .count();
        let is_clean = first + last == shared && shared > 0;
        let place = |place| match place {
            place if place < first => Some(place),
            place if place >= new - last => Some(place + old - new),
            _ => None,
        };
        is_clean.then(|| (0..new).map(place).collect())
    }

    /// Whether two values are the same, whatever files of the text may hold.
    fn alike(&self, meant: &Value, wanted: &Value, at: &Pointer) -> bool {
        match (meant, wanted) {
            (_, Value::String(_)) if self.locations.file(at).is_some() => true,
            (Value::Object(meant), Value::Object(wanted)) => {
                let is_alike = |(name, meant): (&String, &Value)| {
                    wanted
                        .get(name)
                        .is_some_and(|wanted| self.alike(meant, wanted, &at.field(name)))
                };
                meant.len() == wanted.len() && meant.iter().all(is_alike)
            }
            (Value::Array(meant), Value::Array(wanted)) => {
                let mut pairs = meant.iter().zip(wanted).enumerate();
                let is_alike = |(index, (meant, wanted)): (usize, (&Value, &Value))| {
                    self.alike(meant, wanted, &at.element(index))
                };
                meant.len() == wanted.len() && pairs.all(is_alike)
            }
            (meant, wanted) => meant == wanted,
        }
    }
}

/// Whether its id is made of its key where the text does not say it (`made_ids.rs`).
fn is_resource(at: &Pointer) -> bool {
    let tokens: Vec<_> = at.tokens().collect();
    matches!(tokens.as_slice(), [.., list, _] if has_made_ids(list))
}

/// Fields belong to the `type` of their object: one of another type is another value.
fn has_kind_of(meant: &Map<String, Value>, wanted: &Value) -> bool {
    meant.get("type") == wanted.get("type") || meant.contains_key("id")
}

/// The ids of resources; `None` if one has none.
fn ids<'r>(resources: impl Iterator<Item = &'r Value>) -> Option<Vec<&'r str>> {
    resources.map(|resource| resource.get("id")?.as_str()).collect()
}

/// The index of each wanted resource in the text.
fn by_id(meant: &[&str], wanted: &[&str]) -> Vec<Option<usize>> {
    let known: HashMap<&str, usize> =
        meant.iter().enumerate().map(|(index, id)| (*id, index)).collect();
    wanted.iter().map(|id| known.get(id).copied()).collect()
}

/// A new phase is an experiment with ids of its own in the place of another, and so are its variations beside those with their keys.
fn continue_others(
    places: &mut [Option<usize>],
    (meant, wanted): (&[Value], &[Wanted<'_>]),
    at: &Pointer,
) {
    let mut others: HashSet<usize> = (0..meant.len()).collect();
    others.retain(|index| !places.contains(&Some(*index)));
    let list = at.tokens().last();
    for (place, found) in places.iter_mut().enumerate().filter(|(_, found)| found.is_none()) {
        let same_key = |index: &usize| meant[*index].get("key") == wanted[place].full.get("key");
        let earlier = match list.as_deref() {
            Some("experiments") => Some(place).filter(|place| others.contains(place)),
            Some("variations") => others.iter().copied().find(same_key),
            _ => None,
        };
        *found = earlier.filter(|index| others.remove(index));
    }
}

/// Whether the text has something of it, in the same order.
fn is_in_order(places: &[Option<usize>]) -> bool {
    let found: Vec<usize> = places.iter().flatten().copied().collect();
    found.is_sorted_by(|one, next| one < next) && !found.is_empty()
}
