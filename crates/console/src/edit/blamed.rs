//! The field of a form that a fault is about. The rules of documents blame the object that lacks a field, since a document has no place for
//! what is not there; a form has one.

use domain::Fault;
use serde_json::Value;

use crate::edit::shape::{Shapes, shape_of};
use crate::words::parts;

/// The fault at the field that is missing or has to change, if the form has that field.
pub(super) fn at_field(fault: &Fault, resource: &Value, shapes: Shapes) -> Fault {
    let name = match fault.code {
        "missing_field" => missing(&fault.message),
        "duplicate_key" => made_from(fault, resource),
        _ => None,
    };
    let pointer = name.map(|name| fault.pointer.field(name));
    let pointer = pointer.filter(|pointer| shape_of(shapes, pointer.as_str()).is_some());
    let Some(pointer) = pointer else { return fault.clone() };
    let hint = match fault.code {
        "duplicate_key" => Some("type another name, or a key".to_owned()),
        _ => fault.hint.clone(),
    };
    Fault { pointer, hint, ..fault.clone() }
}

/// The field that a message says is missing. One of two that would do is missing only for the name, of which a key is made.
fn missing(message: &str) -> Option<&str> {
    let quoted: Vec<_> =
        parts(message).into_iter().filter(|part| part.is_quoted).map(|part| part.text).collect();
    match quoted.as_slice() {
        [only] => Some(only),
        [.., name @ "name"] => Some(name),
        _ => None,
    }
}

/// The name of a resource of which its key was made.
fn made_from(fault: &Fault, resource: &Value) -> Option<&'static str> {
    let blamed = resource.pointer(fault.pointer.as_str())?.as_object()?;
    blamed.get("key").is_none_or(Value::is_null).then_some("name")
}

#[cfg(test)]
mod tests {
    use domain::{Fault, Pointer};
    use serde_json::json;

    use super::at_field;
    use crate::edit::shape::{Shape, Shapes};

    const SHAPES: Shapes = &[
        ("/name", Shape::Line),
        ("/key", Shape::Line),
        ("/list/*/name", Shape::Line),
        ("/list/*/weight", Shape::Percent),
        ("/plan/effect", Shape::Percent),
        ("/plan/until", Shape::Line),
    ];

    fn blamed(code: &'static str, pointer: Pointer, message: &str) -> String {
        let resource = json!({"name": "Hero", "key": null, "list": [{"name": "A", "key": "a"}]});
        let fault = Fault::error(code, pointer, message);
        at_field(&fault, &resource, SHAPES).pointer.as_str().to_owned()
    }

    #[test]
    fn a_missing_field_is_told_at_that_field() {
        let element = || Pointer::root().field("list").element(0);
        let nameless = "the page has no `key`, and no `name` to make one from";

        assert_eq!(blamed("missing_field", Pointer::root(), nameless), "/name");
        assert_eq!(blamed("missing_field", element(), nameless), "/list/0/name");
        let weight = "the field `weight` is missing";
        assert_eq!(blamed("missing_field", element(), weight), "/list/0/weight");
    }

    #[test]
    fn what_no_single_field_can_mend_is_told_at_its_part() {
        let plan = Pointer::root().field("plan");
        let either = "a plan needs an `effect`, or a day `until` which it runs";

        assert_eq!(blamed("missing_field", plan, either), "/plan");
        let unknown = "the field `type` is missing";
        assert_eq!(blamed("missing_field", Pointer::root(), unknown), "");
    }

    #[test]
    fn a_key_that_was_made_from_a_name_is_told_at_the_name() {
        let taken = "another page has the key `hero`, too";
        let key = Pointer::root().field("list").element(0).field("key");

        assert_eq!(blamed("duplicate_key", Pointer::root(), taken), "/name");
        assert_eq!(blamed("duplicate_key", key, taken), "/list/0/key");
    }
}
