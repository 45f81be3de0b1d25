//! The field of a form that a fault is about. The rules of documents blame the object that lacks a field, since a document has no place for
//! what is not there; a form has one.

use domain::Fault;
use serde_json::Value;

use crate::edit::shape::{Shapes, shape_of};

/// The fault at the field that is missing or has to change, if the form has that field.
pub(super) fn at_field(fault: &Fault, resource: &Value, shapes: Shapes) -> Fault {
    let name = match fault.code {
        "missing_field" => fault.missing,
        "duplicate_key" => made_from(fault, resource),
        _ => None,
    };
    let pointer = name.map(|name| fault.pointer.field(name));
    let pointer = pointer.filter(|pointer| shape_of(shapes, pointer.as_str()).is_some());
    let Some(pointer) = pointer else { return fault.clone() };
    if fault.code == "duplicate_key" {
        let hint = Some("type another name, or a key".to_owned());
        return Fault { pointer, hint, ..fault.clone() };
    }
    // Members have a form before them, and no fields of a document.
    let needed = if name == Some("name") { "a name is needed" } else { "this is needed" };
    Fault { pointer, message: needed.to_owned(), expected: None, ..fault.clone() }
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

    fn blamed(fault: &Fault) -> String {
        let resource = json!({"name": "Hero", "key": null, "list": [{"name": "A", "key": "a"}]});
        at_field(fault, &resource, SHAPES).pointer.as_str().to_owned()
    }

    #[test]
    fn a_missing_field_is_told_at_that_field() {
        let element = || Pointer::root().field("list").element(0);
        let missing = |pointer, field| blamed(&Fault::missing(pointer, field, "it is missing"));

        assert_eq!(missing(Pointer::root(), "name"), "/name");
        assert_eq!(missing(element(), "name"), "/list/0/name");
        assert_eq!(missing(element(), "weight"), "/list/0/weight");
    }

    #[test]
    fn a_member_is_told_what_the_form_needs() {
        let told = |field| {
            let fault = Fault::missing(Pointer::root(), field, "the page has no `key`");
            at_field(&fault, &json!({}), SHAPES).message
        };

        assert_eq!([told("name"), told("key")], ["a name is needed", "this is needed"]);
    }

    #[test]
    fn a_fault_of_several_fields_is_shown_at_their_part() {
        let plan = Pointer::root().field("plan");
        let either = "a plan needs an `effect`, or a day `until` which it runs";

        assert_eq!(blamed(&Fault::error("missing_field", plan, either)), "/plan");
        assert_eq!(blamed(&Fault::missing(Pointer::root(), "type", "it is missing")), "");
    }

    #[test]
    fn a_key_that_was_made_from_a_name_is_told_at_the_name() {
        let taken = |pointer| blamed(&Fault::error("duplicate_key", pointer, "another has it"));
        let key = Pointer::root().field("list").element(0).field("key");

        assert_eq!(taken(Pointer::root()), "/name");
        assert_eq!(taken(key), "/list/0/key");
    }
}
