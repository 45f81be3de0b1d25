//! Pages and audiences, with the trees of their conditions.

use serde_json::{Value, json};

use super::super::conditions::Subject;
use super::parts::{
    Definition, about, entity, list_of, object, one_of, reference_to, switch, with, word,
};
use crate::limits::{MAX_BEHAVIOR_DAYS, MAX_BEHAVIOR_TIMES, MAX_PAGE_VALUES};
use crate::{ActivationKind, ConditionKind, LocatorType, MatchKind, ValueType};

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    vec![
        ("page", page()),
        ("activation", activation()),
        ("tag", tag()),
        ("page_conditions", tree("page_conditions", "page_condition")),
        ("page_condition", question(Subject::Page)),
        ("audience", audience()),
        ("audience_conditions", tree("audience_conditions", "audience_condition")),
        (
            "audience_condition",
            json!({
                "anyOf": [reference_to("question"), reference_to("membership")],
            }),
        ),
        ("question", question(Subject::Audience)),
        (
            "membership",
            object(
                "Holds for the members of another audience.",
                [("audience", reference_to("reference"))],
                &["audience"],
            ),
        ),
        ("behavior", behavior()),
    ]
}

fn page() -> Value {
    let metadata = json!({
        "type": "object",
        "additionalProperties": {"type": ["string", "number", "boolean", "null"]},
        "maxProperties": MAX_PAGE_VALUES,
    });
    let fields = [
        ("category", about(reference_to("line"), "A free word such as `product`.")),
        (
            "conditions",
            with(
                reference_to("page_conditions"),
                "What must hold for the address; if empty, every address matches.",
                json!([]),
            ),
        ),
        ("activation", reference_to("activation")),
        ("deactivation", switch("Whether it becomes inactive when its conditions stop holding.")),
        (
            "undo_changes",
            switch("Whether the runtime undoes changes when the page becomes inactive."),
        ),
        (
            "tags",
            with(
                list_of("tag", MAX_PAGE_VALUES),
                "Values that the runtime finds in the page.",
                json!([]),
            ),
        ),
        ("metadata", with(metadata, "Fixed values that the state module reports.", json!({}))),
        (
            "archived",
            switch("Whether it is archived: it stays in the document, but is not in the snippet."),
        ),
    ];
    entity("A set of addresses, and when it counts as visited.", fields, &[])
}

fn activation() -> Value {
    let fields = [
        (
            "type",
            with(
                word::<ActivationKind>(),
                "When the runtime checks the conditions.",
                json!(ActivationKind::Immediate),
            ),
        ),
        ("code", about(reference_to("text"), "A function body; for `polling` and `callback`.")),
    ];
    object("When the runtime checks a page's conditions.", fields, &[])
}

fn tag() -> Value {
    let fields = [
        ("key", reference_to("key")),
        ("category", reference_to("line")),
        ("locator", about(reference_to("text"), "Where to find the value.")),
        ("locator_type", about(word::<LocatorType>(), "What the locator is.")),
        ("value_type", about(word::<ValueType>(), "How the runtime reads the text it finds.")),
    ];
    object("A value that the runtime finds in the page.", fields, &["key"])
}

fn audience() -> Value {
    let fields = [
        ("description", reference_to("description")),
        (
            "conditions",
            with(
                reference_to("audience_conditions"),
                "Which visitors belong to it; without conditions, none.",
                json!([]),
            ),
        ),
        (
            "archived",
            switch("Whether it is archived: it stays in the document, but is not in the snippet."),
        ),
    ];
    entity("A group of visitors.", fields, &[])
}

fn tree(name: &str, leaf: &str) -> Value {
    let operator = one_of(["and", "or", "not"]);
    json!({
        "description": "A tree: a list that starts with `and`, `or` or `not`, else all its elements are alternatives; or one condition.",
        "anyOf": [
            {"type": "array", "items": {"anyOf": [operator, reference_to(name)]}},
            reference_to(leaf),
        ],
    })
}

fn question(subject: Subject) -> Value {
    let kinds = ConditionKind::WRITTEN.into_iter().filter(|(_, kind)| subject.may_ask_about(*kind));
    let fields = [
        ("type", about(one_of(kinds.map(|(word, _)| word)), "What it asks about.")),
        (
            "name",
            about(
                reference_to("line"),
                "Name of the query parameter or cookie, key or id of the attribute.",
            ),
        ),
        ("match", about(word::<MatchKind>(), "How it compares.")),
        (
            "value",
            json!({"description": "What it compares with; the code of `custom_code`, the event of `behavior`."}),
        ),
    ];
    let mut schema = object("A single question.", fields, &["type"]);
    let of_type =
        |kind: &str| json!({"properties": {"type": {"const": kind}}, "required": ["type"]});
    let with_value =
        |value: &str| json!({"properties": {"value": reference_to(value)}, "required": ["value"]});
    schema["allOf"] = json!([
        {"if": of_type("custom_code"), "then": with_value("text")},
        {"if": of_type("behavior"), "then": with_value("behavior")},
    ]);
    schema
}

fn behavior() -> Value {
    let whole =
        |least: u32, most: u32| json!({"type": "integer", "minimum": least, "maximum": most});
    let fields = [
        ("event", about(reference_to("line"), "An event that the site pushes under this name.")),
        ("page", about(reference_to("reference"), "A view of this page.")),
        ("at_least", whole(0, MAX_BEHAVIOR_TIMES)),
        ("at_most", whole(0, MAX_BEHAVIOR_TIMES)),
        (
            "within_days",
            with(
                whole(1, MAX_BEHAVIOR_DAYS),
                "How many days count, including today.",
                json!(MAX_BEHAVIOR_DAYS),
            ),
        ),
    ];
    let mut schema =
        object("What the visitor did before: an `event`, or the view of a `page`.", fields, &[]);
    schema["anyOf"] = json!([{"required": ["event"]}, {"required": ["page"]}]);
    schema
}
