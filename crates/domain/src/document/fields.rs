//! Decodes objects and lists: asks for fields by name, and reports fields that no decoder asked for.

use super::nearest::list as names_list;
use super::reader::{At, Decoded, Reader};
use super::tree::Shape;

/// The fields of one object. Asking for a field makes it known.
pub(super) struct Fields<'r, 'a, 'n> {
    reader: &'r mut Reader<'a>,
    at: At<'n>,
    asked: Vec<&'static str>,
}

/// The initial capacity: most resources have fewer fields.
const FIELDS: usize = 16;

impl<'r, 'a, 'n> Fields<'r, 'a, 'n> {
    /// The fields of the object at `at`.
    pub(super) fn of(reader: &'r mut Reader<'a>, at: &At<'n>) -> Decoded<Self> {
        if !at.node.is_object() {
            return reader.refuse_sort(at, "an object");
        }
        Ok(Self { reader, at: at.clone(), asked: Vec::with_capacity(FIELDS) })
    }

    /// The fields of a resource whose identity `identity.rs` has read.
    pub(super) fn of_entity(reader: &'r mut Reader<'a>, at: &At<'n>) -> Decoded<Self> {
        let mut fields = Self::of(reader, at)?;
        fields.asked.extend(["id", "key", "name"]);
        Ok(fields)
    }

    /// A field that may be left out: `None` then.
    pub(super) fn optional<T>(
        &mut self,
        name: &'static str,
        decode: impl FnOnce(&mut Reader<'a>, &At<'n>) -> Decoded<T>,
    ) -> Decoded<Option<T>> {
        self.asked.push(name);
        match self.at.field(name) {
            Some(at) => decode(self.reader, &at).map(Some),
            None => Ok(None),
        }
    }

    /// A field that may be left out, which means `default`.
    pub(super) fn or<T>(
        &mut self,
        name: &'static str,
        default: T,
        decode: impl FnOnce(&mut Reader<'a>, &At<'n>) -> Decoded<T>,
    ) -> Decoded<T> {
        Ok(self.optional(name, decode)?.unwrap_or(default))
    }

    /// A field that must be there.
    pub(super) fn required<T>(
        &mut self,
        name: &'static str,
        decode: impl FnOnce(&mut Reader<'a>, &At<'n>) -> Decoded<T>,
    ) -> Decoded<T> {
        match self.optional(name, decode)? {
            Some(value) => Ok(value),
            None => self.missing(name),
        }
    }

    /// A field that must be there, but may be null on purpose: `None` then.
    pub(super) fn nullable<T>(
        &mut self,
        name: &'static str,
        decode: impl FnOnce(&mut Reader<'a>, &At<'n>) -> Decoded<T>,
    ) -> Decoded<Option<T>> {
        if self.at.node.field(name).is_some() {
            return self.optional(name, decode);
        }
        self.asked.push(name);
        self.missing(name)
    }

    /// A field that has no meaning here; `reason` says why. Never returns a value.
    pub(super) fn absent<T>(&mut self, name: &'static str, reason: &str) -> Decoded<Option<T>> {
        self.optional(name, |reader, at| reader.refuse(at, at.error("superfluous_field", reason)))
    }

    /// Reports a fault of the object as a whole, which then has no value.
    pub(super) fn refuse<T>(&mut self, code: &'static str, message: &str) -> Decoded<T> {
        self.reader.refuse(&self.at, self.at.error(code, message))
    }

    /// Whether the field is there and not null.
    pub(super) fn has(&self, name: &str) -> bool {
        self.at.field(name).is_some()
    }

    /// Reports every field that was not asked for.
    pub(super) fn finish(self) {
        let Shape::Object(entries) = &self.at.node.shape else { return };
        for entry in entries.iter().filter(|entry| !self.asked.contains(&entry.name.as_ref())) {
            let here = At { node: &entry.node };
            let fault = here
                .error("unknown_field", format!("unknown field `{}`", entry.name))
                .expected(format!("one of {}", names_list(self.asked.iter().copied())));
            let fault = self.reader.did_you_mean(fault, &entry.name, self.asked.iter().copied());
            self.reader.faults.push_at(&entry.node, entry.mark, fault);
        }
    }

    fn missing<T>(&mut self, name: &'static str) -> Decoded<T> {
        let fault = self.at.missing(name, format!("the field `{name}` is missing"));
        self.reader.refuse(&self.at, fault)
    }
}

/// Decodes every element of a list that may hold up to `limit`.
pub(super) fn list<'a, 'n, T>(
    reader: &mut Reader<'a>,
    at: &At<'n>,
    limit: usize,
    mut decode: impl FnMut(&mut Reader<'a>, &At<'n>) -> Decoded<T>,
) -> Decoded<Vec<T>> {
    let Some(elements) = at.elements() else { return reader.refuse_sort(at, "a list") };
    if elements.len() > limit {
        let message = format!("the list has {} elements", elements.len());
        let fault = at.error("list_too_long", message);
        return reader.refuse(at, fault.expected(format!("{limit} at most")));
    }
    all(elements.map(|element| decode(reader, &element)))
}

/// All values, or none if one is missing; every value still reports its faults.
pub(super) fn all<T, C: FromIterator<T>>(
    decoded: impl IntoIterator<Item = Decoded<T>>,
) -> Decoded<C> {
    let mut decoded = decoded.into_iter();
    let mut reported = None;
    let values =
        decoded.by_ref().map_while(|value| value.map_err(|fault| reported = Some(fault)).ok());
    let values = values.collect();
    // Decodes the values after a missing one for their faults alone.
    decoded.for_each(drop);
    reported.map_or(Ok(values), Err)
}
