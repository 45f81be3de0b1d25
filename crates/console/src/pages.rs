//! `/projects/{id}/pages`: the addresses where campaigns run, and when a page counts as visited.

use app::documents::ResourceKind;
use app::drafts::Draft;
use askama::Template;
use domain::{Fault, Pointer, Project};
use oauth::Timestamp;
use serde_json::{Map, Value, json};

use crate::choices;
use crate::conditions::{self, Node, Subject};
use crate::edit::edited::Edited;
use crate::edit::field::Field;
use crate::edit::rows::refuse_names;
use crate::edit::shape::{Shape, Shapes};
use crate::edit::{Editor, Form, Listing, Users};
use crate::project_frame::Tab;

pub(crate) static EDITOR: Editor = Editor {
    kind: ResourceKind::Page,
    tab: Tab::Pages,
    blank: || {
        json!({
            "name": null,
            "key": null,
            "category": null,
            "conditions": ["or", {"type": "url", "match": "simple", "value": null}],
            "activation": {"type": "immediate", "code": null},
            "deactivation": false,
            "undo_changes": false,
            "tags": [],
            "metadata": {},
        })
    },
    shapes: SHAPES,
    element,
    opened,
    closed,
    refuses,
    content,
    form_path: "",
    listing: Some(Listing {
        title: "Pages",
        about: "The addresses of your site where campaigns run.",
        sentence,
        users: Some(users),
    }),
    above: |project, _| (format!("/projects/{project}/pages"), "Pages".to_owned()),
};

const SHAPES: Shapes = &[
    ("/name", Shape::Line),
    ("/key", Shape::Line),
    ("/category", Shape::Line),
    ("/conditions/**/0", Shape::Line),
    ("/conditions/**/match", Shape::Line),
    ("/conditions/**/value", Shape::Trimmed),
    ("/activation/type", Shape::Line),
    ("/activation/code", Shape::Trimmed),
    ("/deactivation", Shape::YesNo),
    ("/undo_changes", Shape::YesNo),
    ("/tags/*/key", Shape::Line),
    ("/tags/*/category", Shape::Line),
    ("/tags/*/locator", Shape::Trimmed),
    ("/tags/*/locator_type", Shape::Line),
    ("/tags/*/value_type", Shape::Line),
    ("/metadata/*/key", Shape::Line),
    ("/metadata/*/value", Shape::Line),
];

const ACTIVATIONS: &[(&str, &str)] = &[
    ("immediate", "As soon as the snippet runs"),
    ("url_changed", "At load, and when the address changes without a load"),
    ("dom_changed", "At load, and when elements of the page change"),
    ("manual", "When the site says so"),
    ("polling", "When your code returns something true"),
    ("callback", "When your code calls activate"),
];

const LOCATORS: &[(&str, &str)] = &[
    ("css_selector", "The text of an element (CSS selector)"),
    ("javascript", "What a function body returns"),
    ("url_regex", "A part of the address (regular expression)"),
];

const VALUES: &[(&str, &str)] = &[
    ("", "As it is"),
    ("string", "A text"),
    ("number", "A number"),
    ("currency", "An amount of money"),
];

fn element(list: &str, word: &str) -> Option<Value> {
    match list {
        "/tags" => Some(json!({"key": null, "locator": null, "locator_type": "css_selector"})),
        "/metadata" => Some(json!({"key": null, "value": null})),
        list => conditions::element(list, word),
    }
}

/// Metadata is a list of names and values in the form.
fn opened(mut page: Value) -> Value {
    page["conditions"] = conditions::opened(&page["conditions"], "or");
    let entries = page["metadata"].as_object().into_iter().flatten();
    page["metadata"] = entries.map(|(key, value)| json!({"key": key, "value": value})).collect();
    page
}

fn closed(mut page: Value) -> Value {
    page["conditions"] = conditions::closed(&page["conditions"]);
    let entries = page["metadata"].as_array().into_iter().flatten();
    let entries = entries
        .filter_map(|entry| Some((entry["key"].as_str()?.to_owned(), entry["value"].clone())));
    page["metadata"] = Value::Object(entries.collect::<Map<_, _>>());
    let activation = &mut page["activation"];
    if activation.is_object() && !takes_code(activation) {
        activation["code"] = Value::Null;
    }
    for tag in page["tags"].as_array_mut().into_iter().flatten() {
        if tag.is_object() && tag["locator"].is_null() {
            tag["locator_type"] = Value::Null;
        }
    }
    page
}

/// A condition needs its answer, and metadata needs names and values: an empty value is taken from a document only, where a merge patch would
/// remove it.
fn refuses(edited: &Edited, _wanted: &Map<String, Value>, _: Timestamp) -> Vec<Fault> {
    let Edited { was, now, .. } = edited;
    let (at, rows) = (Pointer::root().field("metadata"), &now["metadata"]);
    let stored = was.get("metadata");
    let entries = rows.as_array().into_iter().flatten().enumerate();
    let without_value = entries.filter_map(|(index, row)| {
        let name = row["key"].as_str().filter(|_| row["value"].is_null())?;
        let is_new = stored.and_then(|stored| stored.get(name)) != Some(&Value::Null);
        is_new.then(|| {
            let at = at.element(index).field("value");
            let fault = Fault::error("value_missing", at, format!("`{name}` has no value"));
            fault.hint("type one, or remove it")
        })
    });
    let mut faults = conditions::unanswered(edited);
    faults.extend(refuse_names(&at, rows, "entry"));
    faults.extend(without_value);
    faults
}

fn takes_code(activation: &Value) -> bool {
    matches!(activation["type"].as_str(), Some("polling" | "callback"))
}

#[derive(Template)]
#[template(path = "edit/site_page.html")]
struct Content<'a> {
    form: &'a Form<'a>,
    conditions: Node,
    takes_code: bool,
    tags: Vec<Item>,
    metadata: Vec<Item>,
}

/// An element of a list, with its fields.
struct Item {
    at: String,
    fields: Vec<Field>,
}

fn content(form: &Form<'_>, draft: &Draft) -> String {
    let content = Content {
        conditions: conditions::root(form, &draft.project, conditions::AT, Subject::Page),
        takes_code: takes_code(form.at("/activation")),
        tags: form.elements("/tags").into_iter().map(|at| tag(form, at)).collect(),
        metadata: form.elements("/metadata").into_iter().map(|at| entry(form, at)).collect(),
        form,
    };
    content.render().expect("writing to memory does not fail")
}

fn tag(form: &Form<'_>, at: String) -> Item {
    let fields = vec![
        form.field(&format!("{at}/key"), "Key", "Names the value in the state module."),
        form.choice(&format!("{at}/locator_type"), "Where it is", "", choices::words(LOCATORS)),
        form.line(&format!("{at}/locator"), "Selector, code or expression", ""),
        form.choice(&format!("{at}/value_type"), "How it is read", "", choices::words(VALUES)),
        form.field(&format!("{at}/category"), "Category", "A free word such as `product`."),
    ];
    Item { at, fields }
}

fn entry(form: &Form<'_>, at: String) -> Item {
    let fields = vec![
        form.field(&format!("{at}/key"), "Name", ""),
        form.field(&format!("{at}/value"), "Value", ""),
    ];
    Item { at, fields }
}

fn sentence(page: &Value, _project: &Project) -> String {
    let mut addresses = Vec::new();
    collect(&page["conditions"], &mut addresses);
    match addresses.as_slice() {
        [] => "Every address.".to_owned(),
        [only] => format!("{only}."),
        [first, rest @ ..] => format!("{first}, and {} more conditions.", rest.len()),
    }
}

fn collect<'v>(tree: &'v Value, addresses: &mut Vec<&'v str>) {
    match tree {
        Value::Array(parts) => parts.iter().for_each(|part| collect(part, addresses)),
        Value::Object(condition) => {
            let value = condition.get("value").and_then(Value::as_str);
            addresses.push(
                value
                    .filter(|_| condition.get("type").is_some_and(|kind| kind == "url"))
                    .unwrap_or("JavaScript"),
            );
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The campaigns that run on a page, and the events that count there.
fn users(project: &Project) -> Users {
    let mut users = Users::default();
    for campaign in &project.campaigns {
        campaign.pages.iter().for_each(|page| users.add(page, campaign.title()));
    }
    for event in &project.events {
        if let Some(page) = event.page {
            users.add(page, event.name.as_deref().unwrap_or(event.key.as_str()));
        }
    }
    users
}
