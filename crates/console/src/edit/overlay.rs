//! What a member typed, laid over the resource that the form was made from. Fields never change its structure: a name that leads nowhere
//! is ignored. Structure changes by the buttons of `structure.rs`.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::edit::shape::{Shapes, shape_of};

/// Puts the values of the fields in their places.
pub(crate) fn overlay<'f>(
    resource: &mut Value,
    shapes: Shapes,
    fields: impl Iterator<Item = (&'f str, &'f str)>,
) {
    let mut sent: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, value) in fields.filter(|(name, _)| name.starts_with('/')) {
        sent.entry(name).or_default().push(value);
    }
    for (pointer, values) in sent {
        let Some(shape) = shape_of(shapes, pointer) else { continue };
        let before = resource.pointer(pointer).unwrap_or(&Value::Null);
        let after = shape.read(&values, before);
        if after != *before {
            put(resource, pointer, after);
        }
    }
}

fn put(resource: &mut Value, pointer: &str, value: Value) {
    let Some((owner, field)) = pointer.rsplit_once('/') else { return };
    match resource.pointer_mut(owner) {
        Some(Value::Object(fields)) => {
            fields.insert(field.to_owned(), value);
        }
        Some(Value::Array(elements)) => {
            let index = field.parse::<usize>().ok();
            if let Some(place) = index.and_then(|index| elements.get_mut(index)) {
                *place = value;
            }
        }
        Some(_) | None => {}
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::overlay;
    use crate::edit::shape::{Shape, Shapes};

    const SHAPES: Shapes =
        &[("/name", Shape::Line), ("/list/*/on", Shape::YesNo), ("/tree/**/value", Shape::Text)];

    fn after(fields: &[(&str, &str)]) -> Value {
        let mut resource = json!({"id": "1", "list": [{"on": true}, {"on": false}], "tree": ["and", {"value": "a"}]});
        overlay(&mut resource, SHAPES, fields.iter().copied());
        resource
    }

    #[test]
    fn fields_change_what_the_form_is_about_and_nothing_else() {
        let hostile = [
            ("/id", "2"),
            ("/name/x", "x"),
            ("/list/2/on", "true"),
            ("/list/99999999999999999999/on", "true"),
            ("/list/-/on", "true"),
            ("/tree/0/value", "x"),
            ("/tree/1/value/value", "x"),
            ("/__proto__", "x"),
        ];

        assert_eq!(after(&hostile), after(&[]));
        assert_eq!(after(&[("/name", " Hero ")])["name"], "Hero");
        assert_eq!(after(&[("/list/0/on", "false")])["list"][0]["on"], false);
        assert_eq!(
            after(&[("/list/1/on", "false"), ("/list/1/on", "true")])["list"][1]["on"],
            true
        );
        assert_eq!(after(&[("/tree/1/value", "b")])["tree"], json!(["and", {"value": "b"}]));
    }

    proptest! {
        #[test]
        fn no_form_breaks_it(fields in prop::collection::vec(("(/(name|list|tree|on|value|[0-3]|~|é)){0,5}", ".{0,5}"), 0..40)) {
            let fields: Vec<_> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();

            let resource = after(&fields);

            prop_assert_eq!(&resource["id"], "1");
            prop_assert_eq!(resource["list"].as_array().map(Vec::len), Some(2));
        }
    }
}
