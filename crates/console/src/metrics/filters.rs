//! What properties of an event have to be: an object in the document, and a list with a choice of the kind of value in the form.

use askama::Template;
use domain::{Fault, Pointer};
use serde_json::{Map, Number, Value, json};

use crate::choices;
use crate::edit::Form;
use crate::edit::field::{Field, PartErrors};
use crate::edit::rows::refuse_names;

const KINDS: &[(&str, &str)] = &[
    ("text", "the text"),
    ("number", "the number"),
    ("true", "true, or yes"),
    ("false", "false, or no"),
];

pub(super) fn new_filter() -> Value {
    json!({"key": null, "kind": "text", "value": null})
}

/// The filters as a list.
pub(super) fn opened(filters: &Value) -> Value {
    let entries = filters.as_object().into_iter().flatten();
    let entries = entries.map(|(key, value)| {
        let (kind, shown) = match value {
            Value::Number(number) => ("number", Value::from(number.to_string())),
            Value::Bool(true) => ("true", Value::Null),
            Value::Bool(false) => ("false", Value::Null),
            other @ (Value::Null | Value::String(_) | Value::Array(_) | Value::Object(_)) => {
                ("text", other.clone())
            }
        };
        json!({"key": key, "kind": kind, "value": shown})
    });
    entries.collect()
}

/// The reverse, of filters that [`refuses`] finds nothing wrong with.
pub(super) fn closed(filters: &Value) -> Value {
    let entries = filters.as_array().into_iter().flatten();
    let entries = entries.filter_map(|entry| {
        let typed = &entry["value"];
        let value = match entry["kind"].as_str() {
            Some("number") => number(typed).map_or_else(|| typed.clone(), Value::Number),
            Some("true") => Value::Bool(true),
            Some("false") => Value::Bool(false),
            _ => typed.clone(),
        };
        Some((entry["key"].as_str()?.to_owned(), value))
    });
    Value::Object(entries.collect::<Map<_, _>>())
}

/// What is wrong with filters of the form: each needs a name of its own, and something to be compared with.
pub(super) fn refuses(at: &Pointer, filters: &Value) -> Vec<Fault> {
    let entries = filters.as_array().into_iter().flatten().enumerate();
    let wrong = entries.filter_map(|(index, entry)| {
        let message = wrong_value(entry["key"].as_str()?, entry)?;
        Some(Fault::error("bad_filter", at.element(index).field("value"), message))
    });
    let mut faults = refuse_names(at, filters, "property");
    faults.extend(wrong);
    faults
}

/// What is wrong with the value of a filter.
fn wrong_value(name: &str, filter: &Value) -> Option<String> {
    let (kind, typed) = (filter["kind"].as_str(), &filter["value"]);
    match (kind, typed.as_str()) {
        (Some("true" | "false"), _) => None,
        (_, None) => Some(format!("the property `{name}` has nothing to be compared with")),
        (Some("number"), Some(text)) if number(typed).is_none() => {
            Some(format!("`{text}` is not a number, which `{name}` has to be"))
        }
        (_, Some(_)) => None,
    }
}

fn number(typed: &Value) -> Option<Number> {
    typed.as_str()?.parse().ok()
}

#[derive(Template)]
#[template(path = "edit/filters.html")]
struct Filters {
    at: String,
    wrong: PartErrors,
    all: Vec<Filter>,
}

struct Filter {
    at: String,
    fields: Vec<Field>,
}

/// The part of the form for the filters at a pointer.
pub(super) fn content(form: &Form<'_>, at: &str) -> String {
    let filters = form.elements(at).into_iter().map(|at| {
        let field = |name: &str, label, hint| form.field(&format!("{at}/{name}"), label, hint);
        let kinds = choices::words(KINDS);
        let fields = vec![
            field("key", "Property", ""),
            form.choice(&format!("{at}/kind"), "Is", "", kinds),
            field("value", "This text or number", ""),
        ];
        Filter { at, fields }
    });
    let filters = filters.collect();
    let part = Filters { at: at.to_owned(), wrong: form.wrong(at, "Properties"), all: filters };
    part.render().expect("writing to memory does not fail")
}

#[cfg(test)]
mod tests {
    use domain::Pointer;
    use serde_json::{Value, json};

    use super::{closed, opened, refuses};

    #[test]
    fn filters_are_the_same_after_the_form() {
        let filters = json!({"plan": "pro", "size": 2.5, "count": 3, "gift": false, "new": true, "code": "12"});

        assert_eq!(closed(&opened(&filters)), filters);
        assert_eq!(closed(&opened(&Value::Null)), json!({}));
    }

    #[test]
    fn a_filter_without_a_value_is_refused() {
        let typed = json!([
            {"key": "size", "kind": "number", "value": "large"},
            {"key": "plan", "kind": "text", "value": null},
            {"key": "gift", "kind": "true", "value": null},
        ]);

        let faults = refuses(&Pointer::root(), &typed);

        let told: Vec<_> = faults.into_iter().map(|fault| fault.message).collect();
        assert_eq!(
            told,
            [
                "`large` is not a number, which `size` has to be",
                "the property `plan` has nothing to be compared with"
            ]
        );
    }
}
