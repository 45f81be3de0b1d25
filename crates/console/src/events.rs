//! `/projects/{id}/events`: what visitors do that the site wants to count.

use app::documents::ResourceKind;
use app::drafts::Draft;
use askama::Template;
use domain::{BehaviorEvent, CampaignStatus, Project};
use serde_json::{Map, Value, json};

use crate::choices;
use crate::edit::field::Field;
use crate::edit::shape::Shape;
use crate::edit::{Editor, Form, Listing, Users, as_it_is, refuses_nothing};
use crate::project_frame::Tab;

pub(crate) static EDITOR: Editor = Editor {
    kind: ResourceKind::Event,
    tab: Tab::Events,
    blank: || json!({"name": null, "key": null, "type": "custom", "category": "other", "properties": []}),
    shapes: &[
        ("/name", Shape::Line),
        ("/key", Shape::Line),
        ("/type", Shape::Line),
        ("/category", Shape::Line),
        ("/page", Shape::Line),
        ("/selector", Shape::Line),
        ("/properties/*/name", Shape::Line),
        ("/properties/*/type", Shape::Line),
    ],
    element: |list, _| (list == "/properties").then(|| json!({"name": null, "type": "string"})),
    opened: as_it_is,
    closed,
    refuses: refuses_nothing,
    content,
    form_path: "",
    listing: Some(Listing {
        title: "Events",
        about: "What visitors do that you want to count: clicks, page views, and what your site reports.",
        sentence,
        users: Some(users),
    }),
    above: |project, _| (format!("/projects/{project}/events"), "Events".to_owned()),
};

const TYPES: &[(&str, &str)] = &[
    ("custom", "The site reports it"),
    ("click", "The visitor clicks an element"),
    ("pageview", "A page becomes active"),
];

const CATEGORIES: &[(&str, &str)] = &[
    ("add_to_cart", "Adding to the cart"),
    ("save", "Saving for later"),
    ("search", "Searching"),
    ("share", "Sharing"),
    ("purchase", "Buying"),
    ("convert", "Reaching the main goal"),
    ("sign_up", "Opening an account"),
    ("subscribe", "Subscribing"),
    ("other", "Anything else"),
];

const PROPERTY_TYPES: &[(&str, &str)] =
    &[("string", "A text"), ("number", "A number"), ("boolean", "Yes or no")];

/// Only clicks have a selector, and what the site reports has no page.
fn closed(mut event: Value) -> Value {
    let kind = event["type"].as_str().unwrap_or_default().to_owned();
    if kind != "click" {
        event["selector"] = Value::Null;
    }
    if kind == "custom" {
        event["page"] = Value::Null;
    }
    event
}

#[derive(Template)]
#[template(path = "edit/event.html")]
struct Content<'a> {
    form: &'a Form<'a>,
    project: &'a Project,
    kind: &'a str,
    /// How the site reports it.
    example: String,
    properties: Vec<Property>,
}

struct Property {
    at: String,
    name: Field,
    kind: Field,
}

fn content(form: &Form<'_>, draft: &Draft) -> String {
    let key = form.text("/key");
    let event = example(if key.is_empty() { "signed_up" } else { key }, form);
    let properties = form.elements("/properties").into_iter().map(|at| Property {
        name: form.field(&format!("{at}/name"), "Name", ""),
        kind: form.choice(
            &format!("{at}/type"),
            "What it holds",
            "",
            choices::words(PROPERTY_TYPES),
        ),
        at,
    });
    let content = Content {
        properties: properties.collect(),
        form,
        project: &draft.project,
        kind: form.text("/type"),
        example: format!("window.experimentation.push({event});"),
    };
    content.render().expect("writing to memory does not fail")
}

/// What the site says, with a value for each property that it may report.
fn example(key: &str, form: &Form<'_>) -> Value {
    let tag = |at: String| {
        let name = form.text(&format!("{at}/name"));
        let value = match form.text(&format!("{at}/type")) {
            // In the currency's smallest unit.
            "number" if name == "revenue" => json!(1999),
            "number" => json!(1),
            "boolean" => json!(true),
            _ => json!("…"),
        };
        (!name.is_empty()).then(|| (name.to_owned(), value))
    };
    let tags: Map<String, Value> =
        form.elements("/properties").into_iter().filter_map(tag).collect();
    let mut event = json!({"type": "event", "eventName": key});
    if !tags.is_empty() {
        event["tags"] = Value::Object(tags);
    }
    event
}

fn sentence(event: &Value, project: &Project) -> String {
    let page = event["page"].as_str();
    let page = project.pages.iter().find(|one| Some(one.id.to_string().as_str()) == page);
    let title = page.map(|page| page.name.as_deref().unwrap_or(page.key.as_str()));
    match (event["type"].as_str(), title) {
        (Some("click"), page) => {
            let selector = event["selector"].as_str().unwrap_or_default();
            let place = page.map(|page| format!(" on {page}")).unwrap_or_default();
            format!("A click on {selector}{place}.")
        }
        (Some("pageview"), Some(page)) => format!("A view of {page}."),
        (Some("pageview"), None) => "A view of any page.".to_owned(),
        _ => "The site reports it.".to_owned(),
    }
}

/// The audiences that ask how often a visitor did it, and the metrics that measure it. Where there are none, campaigns are measured by all events.
fn users(project: &Project) -> Users {
    let mut users = Users::default();
    if project.metrics.iter().all(|metric| metric.archived) {
        let present = || project.events.iter().filter(|event| !event.archived);
        let campaigns = project.campaigns.iter();
        for campaign in campaigns.filter(|one| one.status != CampaignStatus::Archived) {
            users.add_all(present().map(|event| event.id), campaign.title());
        }
    }
    for metric in &project.metrics {
        users.add_all(metric.all_measured().map(|measured| measured.event), metric.title());
    }
    for audience in &project.audiences {
        for condition in audience.conditions.tree.leaves() {
            let Some(BehaviorEvent::Event(asked)) =
                condition.behavior.as_ref().map(|one| &one.event)
            else {
                continue;
            };
            let is_it = |name: Option<&str>, key: &str| key == asked || name == Some(asked);
            let events = project.events.iter();
            for event in events.filter(|event| is_it(event.name.as_deref(), event.key.as_str())) {
                users.add(event.id, audience.name.as_deref().unwrap_or(audience.key.as_str()));
            }
        }
    }
    users
}
