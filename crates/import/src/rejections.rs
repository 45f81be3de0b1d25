//! What a check of the document objected to, told in terms of the export, so that the next round
//! does without.
//!
//! Whatever is carried over remembers where it comes from (`$from`); `Origins` takes these marks out
//! of the finished document.

use std::collections::HashMap;

use domain::{Fault, Pointer, Severity};
use serde_json::Value;

use crate::ExportLocation;

/// How often a part is carried over in another way before the import gives up: one more than the
/// most ways there are.
const MAX_ATTEMPTS: usize = 4;

/// The field that marks where a resource of the document comes from.
pub(crate) const FROM: &str = "$from";

/// What was objected to so far: the reasons, for each field of a resource of the export.
#[derive(Default)]
pub(crate) struct Rejections(HashMap<(ExportLocation, String), Vec<String>>);

impl Rejections {
    /// The reasons against a field of what is made of the value at `location`; `""` is the whole.
    pub(crate) fn against(&self, location: &ExportLocation, field: &str) -> &[String] {
        self.0.get(&(location.clone(), field.to_owned())).map_or(&[], Vec::as_slice)
    }

    /// The fields objected to, and the last reason against each.
    pub(crate) fn all_against(&self, location: &ExportLocation) -> Vec<(&str, &str)> {
        let against = self.0.iter().filter(|((of, _), _)| of == location);
        let mut fields: Vec<(&str, &str)> = against
            .filter_map(|((_, field), reasons)| Some((field.as_str(), reasons.last()?.as_str())))
            .collect();
        fields.sort_unstable();
        fields
    }

    /// Learns from the faults in a document. Returns whether another round can do better.
    pub(crate) fn learn(&mut self, faults: &[Fault], origins: &Origins) -> bool {
        let errors = faults.iter().filter(|fault| fault.severity == Severity::Error);
        let mut has_learnt = false;
        let mut seen = Vec::new();
        for fault in errors {
            let Some((location, field)) = origins.of(&fault.pointer) else { continue };
            let part = (location, field);
            if seen.contains(&part) {
                continue;
            }
            let reasons = self.0.entry(part.clone()).or_default();
            reasons.push(reason(fault));
            has_learnt |= reasons.len() < MAX_ATTEMPTS;
            seen.push(part);
        }
        has_learnt
    }
}

/// What is wrong, without its location, which is in a document that members do not see.
pub(crate) fn reason(fault: &Fault) -> String {
    match &fault.expected {
        Some(expected) => format!("{}, expected {expected}", fault.message),
        None => fault.message.clone(),
    }
}

/// Where the resources of a document come from.
#[derive(Default)]
pub(crate) struct Origins(HashMap<Pointer, ExportLocation>);

impl Origins {
    /// Takes the marks out of the document; `locations` are those that the marks number.
    pub(crate) fn take_out_of(document: &mut Value, locations: &[ExportLocation]) -> Self {
        let mut origins = Self::default();
        origins.take(document, &Pointer::root(), locations);
        origins
    }

    fn take(&mut self, value: &mut Value, pointer: &Pointer, locations: &[ExportLocation]) {
        match value {
            Value::Array(elements) => {
                for (index, element) in elements.iter_mut().enumerate() {
                    self.take(element, &pointer.element(index), locations);
                }
            }
            Value::Object(fields) => {
                let mark = fields.shift_remove(FROM).and_then(|mark| mark.as_u64());
                let location = mark.and_then(|mark| locations.get(usize::try_from(mark).ok()?));
                self.0.extend(location.map(|location| (pointer.clone(), location.clone())));
                for (name, value) in fields.iter_mut() {
                    self.take(value, &pointer.field(name), locations);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    /// The resource of the export that a value of the document comes from, and the resource's field that
    /// leads to the value; `""` for the resource itself.
    pub(crate) fn of(&self, pointer: &Pointer) -> Option<(ExportLocation, String)> {
        let tokens: Vec<String> = pointer.tokens().map(std::borrow::Cow::into_owned).collect();
        let prefix = |length: usize| {
            tokens.iter().take(length).fold(Pointer::root(), |pointer, token| pointer.field(token))
        };
        (0..=tokens.len()).rev().find_map(|length| {
            let location = self.0.get(&prefix(length))?;
            Some((location.clone(), tokens.get(length).cloned().unwrap_or_default()))
        })
    }
}
