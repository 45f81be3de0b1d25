//! The JSON that programs send about members and applications, read field by field: everything that is wrong with it is told at once,
//! with its place.

use domain::{Fault, Pointer};
use serde_json::{Map, Value};

/// The fields of an object, and what was found wrong with them so far.
pub(crate) struct Fields {
    values: Map<String, Value>,
    place: Pointer,
    faults: Vec<Fault>,
}

impl Fields {
    /// Reads a body that is an object with some of these fields, and no others.
    pub(crate) fn read(text: &str, known: &[&'static str]) -> Result<Self, Vec<Fault>> {
        let value: Value = serde_json::from_str(text).map_err(|error| {
            let message = format!("not readable as JSON: {error}");
            vec![Fault::error("unreadable", Pointer::root(), message)]
        })?;
        Self::of(value, Pointer::root(), known)
    }

    /// The fields of the object that stands at this place.
    pub(crate) fn of(
        value: Value,
        place: Pointer,
        known: &[&'static str],
    ) -> Result<Self, Vec<Fault>> {
        let Value::Object(values) = value else {
            return Err(vec![unsuitable(place, "an object")]);
        };
        let unknown = values.keys().filter(|name| !known.contains(&name.as_str())).map(|name| {
            let message = format!("unknown field `{name}`");
            let fault = Fault::error("unknown_field", place.field(name), message);
            fault.did_you_mean(name, known.iter().copied())
        });
        let faults = unknown.collect();
        Ok(Self { values, place, faults })
    }

    /// Whether anything stands there.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    /// A text that has to be there; empty if it is not.
    pub(crate) fn text(&mut self, name: &str) -> String {
        self.may_have(name, "a text", |value| value.as_str().map(str::to_owned)).unwrap_or_else(
            || {
                if !self.values.contains_key(name) {
                    self.wrong(name, Fault::error("missing", self.at(name), "this is missing"));
                }
                String::new()
            },
        )
    }

    /// One of these names, which has to be there; the first if it is not.
    pub(crate) fn choice<T: Copy>(&mut self, name: &str, choices: &[(&'static str, T)]) -> T {
        let given = self.text(name);
        let found = choices.iter().find(|(choice, _)| *choice == given);
        let is_told = self.faults.iter().any(|fault| fault.pointer == self.at(name));
        if found.is_none() && !is_told {
            let names: Vec<_> = choices.iter().map(|(name, _)| *name).collect();
            let expected = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>();
            let fault = Fault::error("unknown_value", self.at(name), format!("unknown `{given}`"));
            let fault = fault.expected(expected.join(", ")).did_you_mean(&given, names);
            self.wrong(name, fault);
        }
        found.or(choices.first()).expect("there is something to choose").1
    }

    /// Whatever stands there, unless nothing does; `read` tells if it is not what is expected.
    pub(crate) fn may_have<T>(
        &mut self,
        name: &str,
        expected: &str,
        read: impl FnOnce(&Value) -> Option<T>,
    ) -> Option<T> {
        let value = self.values.get(name)?;
        let read = read(value);
        if read.is_none() {
            self.wrong(name, unsuitable(self.at(name), expected));
        }
        read
    }

    /// The elements of a list, unless there is none, each read with its place.
    pub(crate) fn list<T>(
        &mut self,
        name: &str,
        read: impl Fn(Value, Pointer) -> Result<T, Vec<Fault>>,
    ) -> Option<Vec<T>> {
        let elements = self.may_have(name, "a list", |value| value.as_array().cloned())?;
        let place = self.at(name);
        let mut list = Vec::new();
        for (index, element) in elements.into_iter().enumerate() {
            match read(element, place.element(index)) {
                Ok(element) => list.push(element),
                Err(faults) => self.faults.extend(faults),
            }
        }
        Some(list)
    }

    /// Something is wrong with a field.
    pub(crate) fn wrong(&mut self, name: &str, fault: Fault) {
        debug_assert!(fault.pointer.as_str().starts_with(self.at(name).as_str()));
        self.faults.push(fault);
    }

    /// Where a field stands.
    pub(crate) fn at(&self, name: &str) -> Pointer {
        self.place.field(name)
    }

    /// What was read, if nothing was wrong.
    pub(crate) fn finish<T>(self, read: T) -> Result<T, Vec<Fault>> {
        if self.faults.is_empty() { Ok(read) } else { Err(self.faults) }
    }
}

/// A list of texts.
pub(crate) fn texts(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|text| text.as_str().map(str::to_owned)).collect()
}

fn unsuitable(place: Pointer, expected: &str) -> Fault {
    Fault::error("unsuitable", place, "this does not fit here").expected(expected)
}
