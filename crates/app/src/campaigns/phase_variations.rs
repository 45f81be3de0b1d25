//! The variations of a new phase: those of the old experiment, merged with the patch. A list that replaced them would silently remove what
//! it does not repeat, above all the changes of the page.

use domain::{Fault, Pointer};
use serde_json::{Map, Value};

use crate::campaigns::new_phase::remove_field;

/// What a patch says about a new phase's variations.
pub(super) struct PhaseVariations {
    /// Merged into those with the same id or key: `variations`.
    changed: Vec<Value>,
    /// Appended to the others: `add_variations`.
    added: Vec<Value>,
    /// Keys or ids of those left out of the new phase: `remove_variations`.
    removed: Vec<Value>,
}

/// Fields that answers add to a variation of the document.
const TOLD: [&str; 3] = ["project_id", "campaign_id", "experiment_id"];

impl PhaseVariations {
    /// Takes the fields about variations out of a patch.
    pub(super) fn taken_out_of(patch: &mut Map<String, Value>) -> Result<Self, Vec<Fault>> {
        let mut list = |field: &str| match patch.shift_remove(field) {
            None | Some(Value::Null) => Ok(Vec::new()),
            Some(Value::Array(elements)) => Ok(elements),
            Some(Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_)) => {
                let fault = wrong(Pointer::root().field(field));
                Err(vec![fault.expected("a list")])
            }
        };
        Ok(Self {
            changed: list("variations")?,
            added: list("add_variations")?,
            removed: list("remove_variations")?,
        })
    }

    /// The variations of the new phase, made from those of the old experiment.
    pub(super) fn merged_into(self, before: &[Value]) -> Result<Vec<Value>, Vec<Fault>> {
        let mut variations: Vec<Option<Value>> = before.iter().cloned().map(Some).collect();
        let mut faults = Vec::new();
        let mut named = vec![false; before.len()];
        for (index, name) in self.removed.iter().enumerate() {
            let at = Pointer::root().field("remove_variations").element(index);
            match place_of(before, Name::Any(name), &at) {
                Ok(place) => {
                    variations[place] = None;
                    named[place] = true;
                }
                Err(fault) => faults.push(*fault),
            }
        }
        for (index, patch) in self.changed.into_iter().enumerate() {
            let at = Pointer::root().field("variations").element(index);
            match place_of_patch(before, &patch, &at) {
                Ok(place) if named[place] => faults.push(repeated(at)),
                Ok(place) => {
                    named[place] = true;
                    variations[place] = variations[place].take().map(|one| merged(one, patch));
                }
                Err(fault) => faults.push(*fault),
            }
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        let kept = variations.into_iter().flatten().map(|mut variation| {
            remove_field(&mut variation, "id");
            variation
        });
        Ok(kept.chain(self.added).collect())
    }
}

fn merged(mut variation: Value, mut patch: Value) -> Value {
    for field in TOLD.into_iter().chain(["id"]) {
        remove_field(&mut patch, field);
    }
    json_patch::merge(&mut variation, &patch);
    variation
}

/// The name of a variation.
#[derive(Clone, Copy)]
enum Name<'v> {
    /// Its id.
    Id(&'v Value),
    /// Its key.
    Key(&'v Value),
    /// Either.
    Any(&'v Value),
}

fn place_of_patch(before: &[Value], patch: &Value, at: &Pointer) -> Result<usize, Box<Fault>> {
    let field = |name: &str| patch.get(name).filter(|value| !value.is_null());
    match (patch.is_object(), field("id"), field("key")) {
        (true, Some(id), _) => place_of(before, Name::Id(id), &at.field("id")),
        (true, None, Some(key)) => place_of(before, Name::Key(key), &at.field("key")),
        (true, None, None) => {
            let fault = Fault::error("missing_field", at.clone(), "this names no variation");
            Err(Box::new(fault.expected("the `key` or the `id` of a variation")))
        }
        (false, ..) => Err(Box::new(wrong(at.clone()).expected("an object"))),
    }
}

fn place_of(before: &[Value], name: Name<'_>, at: &Pointer) -> Result<usize, Box<Fault>> {
    let (Name::Id(value) | Name::Key(value) | Name::Any(value)) = name;
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => {
            return Err(Box::new(
                wrong(at.clone()).expected("the key or id of a variation, a text"),
            ));
        }
    };
    let fields = match name {
        Name::Id(_) => &["id"][..],
        Name::Key(_) => &["key"],
        Name::Any(_) => &["key", "id"],
    };
    let is_named = |field: &str| before.iter().position(|one| one[field] == *text);
    fields.iter().find_map(|field| is_named(field)).ok_or_else(|| {
        let message = format!("the experiment has no variation `{text}`");
        let fault = Fault::error("unknown_reference", at.clone(), message);
        let fault = fault.hint("`add_variations` adds one");
        let known =
            before.iter().flat_map(|one| fields.iter().filter_map(|field| one[*field].as_str()));
        Box::new(fault.did_you_mean(&text, known))
    })
}

fn repeated(at: Pointer) -> Fault {
    Fault::error("repeated", at, "the variation is named twice")
}

fn wrong(at: Pointer) -> Fault {
    Fault::error("wrong_type", at, "this does not fit here")
}
